// Loading of data: data sets by name, graph files, published formats and a user's own tables.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "geniepath/dataset.h"
#include "geniepath/export.h"
#include "geniepath/options.h"
#include "geniepath/tables.h"
#include "geniepath/transforms.h"

namespace geniepath GENIEPATH_EXPORT {

// Which data to load. Recorded with each run.
struct DataOptions : Options {
  std::string data = "account-device";
  std::string data_dir;
  int64_t published_split = 0;  // of data sets with several; ignored for files that have one
  int64_t size = 20000;
  int64_t data_seed = 1;
  // For known-paths alone.
  int64_t steps = 3;
  int64_t keys = 10;
  int64_t values = 4;
  double noise = 0;
  double label_share = 1;
  int64_t graphs = 1;

  bool verify = true;

  void visit(OptionVisitor& options) override;
};

// Loads and validates. `data` is a name listed by `geniepath datasets`, "tables", a graph file (.safetensors), or a
// file or folder in a known format; an unknown name is an Error that lists the known ones. `tables` is used only for
// "tables"; `schema` also for a graph file whose features have names (see load_tables()).
Dataset load_dataset(const DataOptions& options, const TableOptions& tables, TableSchema& schema);
Dataset load_dataset(const DataOptions& options, const TableOptions& tables = {});

// Writes data as a graph file (.safetensors), after validating it, so that whatever is written can be read back.
// `columns`: names of the features, each of them a column of numbers; a run trained on the file records them as its
// schema.
void write_graph_file(const std::filesystem::path& path, const Dataset& data,
                      const std::vector<std::string>& columns = {});

// Rows of dense features, made as they are written: fill(begin, end, out) writes rows begin .. end - 1 one after the
// other. Called by several threads at once.
struct FeatureRows {
  int64_t columns = 0;
  std::function<void(int64_t begin, int64_t end, float* out)> fill;
};

// A graph file being written, whose data can be used at once. Another thread meanwhile computes the checksum and
// flushes to disk. The file appears, whole, at finish(), or not at all.
class NewGraphFile {
 public:
  // The features are those of `data` or, if `rows` has columns, those that `rows` makes, which take no other memory.
  // Errors are those of write_graph_file().
  NewGraphFile(const std::filesystem::path& path, const Dataset& data, const std::vector<std::string>& columns = {},
               const FeatureRows& rows = {});
  ~NewGraphFile();

  // As load_dataset() reads it: views of the mapped file, which must not be written to. To be called once.
  Dataset take_data();
  const std::vector<std::string>& columns() const;

  // Waits until the file is on disk, under its name. To be called once.
  void finish();
  // Removes an unfinished file, as the destructor does. No other call may follow.
  void abandon();

 private:
  struct Writing;
  std::unique_ptr<Writing> writing_;
};

// Preparation of a named data set in the literature; "tables" are standardised; no transform for any other name.
TransformOptions usual_transforms(const std::string& data);
// The same for loaded data: tables without features of their own, just one-hot ids, are not standardised.
TransformOptions usual_transforms(const Dataset& raw);
// Default decision protocol of a data set: "0.5", "tuned" or "label-count". "0.5" for any other name.
std::string usual_threshold(const std::string& data);

}  // namespace geniepath
