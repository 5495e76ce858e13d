// Data sets by name, or a user's own files, as one Dataset each.
#pragma once

#include <string>

#include "geniepath/dataset.h"
#include "geniepath/export.h"
#include "geniepath/options.h"
#include "geniepath/tables.h"
#include "geniepath/transforms.h"

namespace geniepath GENIEPATH_EXPORT {

// Which data. Recorded with a run.
struct DataOptions : Options {
  std::string data = "account-device";
  std::string data_dir;
  int64_t size = 20000;
  int64_t data_seed = 1;
  // Of known-paths alone.
  int64_t steps = 3;
  int64_t keys = 10;
  int64_t values = 4;
  double noise = 0;
  double label_share = 1;
  int64_t graphs = 1;

  bool verify = true;

  void visit(OptionVisitor& options) override;
};

// Loads and validates. `data` is a name of the registry, "tables", our own file (.safetensors), or a file or folder in
// a known format; an unknown name is an Error that lists the known ones. `tables` and `schema`, which is filled or
// followed, are looked at for "tables" alone.
Dataset load_dataset(const DataOptions& options, const TableOptions& tables, TableSchema& schema);
Dataset load_dataset(const DataOptions& options, const TableOptions& tables = {});

// What the literature does with a data set before training; nothing for one that is not known by name.
TransformOptions usual_transforms(const std::string& data);
// How its scores are decided by default: "0.5", "tuned" or "label-count".
std::string usual_threshold(const std::string& data);

}  // namespace geniepath
