// Dispatch to all readers. `data` is a name in the registry, "tables", our own file (.safetensors), or a file or folder
// in a known format.
#include <filesystem>
#include <vector>

#include "data/account_device/account_device.h"
#include "data/catalog/registry.h"
#include "data/formats/amlsim.h"
#include "data/formats/bitcoin_otc.h"
#include "data/formats/blogcatalog.h"
#include "data/formats/csr_arrays.h"
#include "data/formats/graph_file.h"
#include "data/formats/heterophilous.h"
#include "data/formats/planetoid.h"
#include "data/formats/ppi.h"
#include "data/formats/s_ffsd.h"
#include "data/known_paths/known_paths.h"
#include "data/tables/feature_names.h"
#include "data/transforms/one_hot.h"
#include "geniepath/data.h"
#include "geniepath/error.h"

namespace geniepath {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTables = "tables";

// A format of the registry, read from a folder and recognised by any of its telltale files.
struct Format {
  const char* name;
  std::vector<std::string> telltales;
  Dataset (*load)(const fs::path& folder, const std::string& name, int64_t published_split);
};

// A format without numbered splits.
template <Dataset (*kLoad)(const fs::path&, const std::string&)>
Dataset unsplit(const fs::path& folder, const std::string& name, int64_t) {
  return kLoad(folder, name);
}
template <Dataset (*kLoad)(const fs::path&)>
Dataset unnamed(const fs::path& folder, const std::string&, int64_t) {
  return kLoad(folder);
}

const std::vector<Format>& formats() {
  static const std::vector<Format> all{
      {"planetoid", {}, unsplit<load_planetoid>},
      {"ppi", {"ppi-G.json", "train_graph.json"}, unnamed<load_ppi>},
      {"blogcatalog", {"blogcatalog.mat", "group-edges.csv"}, unnamed<load_blogcatalog>},
      {"csr-arrays", {"adj_indptr.npy"}, unsplit<load_csr_arrays>},
      {"edge-index", {"edge_index.npy"}, unsplit<load_edge_index_arrays>},
      {"heterophilous", {}, load_heterophilous},
      {"bitcoin-otc", {"otc_network.csv"}, load_bitcoin_otc},
      {"amlsim", {"transactions.csv"}, unsplit<load_amlsim>},
      {"s-ffsd", {"S-FFSD.csv"}, unsplit<load_s_ffsd>}};
  return all;
}

const Format& format_named(const std::string& name) {
  for (const Format& format : formats()) {
    if (name == format.name) return format;
  }
  fail("data: no reader for the format '", name, "'");
}

Dataset make(const std::string& generator, const DataOptions& options) {
  if (generator == "account-device") return make_account_device({.nodes = options.size, .seed = options.data_seed});
  if (generator == "known-paths") {
    return make_known_paths({.nodes = options.size,
                             .steps = options.steps,
                             .keys = options.keys,
                             .values = options.values,
                             .noise = options.noise,
                             .label_share = options.label_share,
                             .graphs = options.graphs,
                             .seed = options.data_seed});
  }
  fail("data: no generator called '", generator, "'");
}

Dataset load_entry(const DatasetEntry& entry, const DataOptions& options) {
  check_published_split(entry, options.published_split);
  const bool made = entry.files.empty();
  Dataset data = made ? make(entry.format, options)
                      : format_named(entry.format)
                            .load(files_of(entry, data_folder(options.data_dir)), entry.name, options.published_split);
  data.name = entry.name;
  data.metric = entry.metric;
  check_counts(entry, data);
  return data;
}

// NAME if the file is called ind.NAME.graph, else empty.
std::string planetoid_name(const fs::path& file) {
  const std::string name = file.filename().string();
  const bool fits = name.size() > 10 && name.rfind("ind.", 0) == 0 && file.extension() == ".graph";
  return fits ? name.substr(4, name.size() - 10) : "";
}

Dataset load_folder(const fs::path& folder, int64_t published_split) {
  const std::string name = fs::weakly_canonical(folder).filename().string();
  for (const Format& format : formats()) {
    for (const std::string& telltale : format.telltales) {
      if (fs::exists(folder / telltale)) return format.load(folder, name, published_split);
    }
  }
  std::vector<std::string> found;
  for (const auto& file : fs::directory_iterator(folder)) {
    if (const std::string graph = planetoid_name(file.path()); !graph.empty()) found.push_back(graph);
  }
  if (found.size() == 1) return load_planetoid(folder, found.front());
  if (found.size() > 1) {
    fail(folder.string(), ": holds several data sets; name one of them by its file, as in ",
         (folder / ("ind." + found.front() + ".graph")).string());
  }
  fail(folder.string(), ": no file here identifies the format: expected one of ppi-G.json, train_graph.json, "
       "blogcatalog.mat, group-edges.csv, adj_indptr.npy, edge_index.npy, otc_network.csv, transactions.csv, "
       "S-FFSD.csv, ind.NAME.graph");
}

Dataset load_npz(const fs::path& file, int64_t published_split) {
  const std::string name = file.stem().string();
  return is_heterophilous(file) ? load_heterophilous(file, name, published_split) : load_csr_arrays(file, name);
}

// A graph file whose features have names is treated as a table of numbers; those a run has learned must be the same.
void learn_columns(const fs::path& file, const std::vector<std::string>& kinds, TableSchema& schema) {
  std::vector<std::string> names = read_feature_names(file);
  if (names.empty()) return;
  if (!schema.learned && schema.tables.empty()) schema.tables.emplace_back().numbers = names;
  const std::vector<std::string> learned = feature_names(schema, kinds);
  if (learned.size() != names.size()) return;  // too few or too many features, as others will say
  for (size_t c = 0; c < names.size(); ++c) {
    if (names[c] == learned[c]) continue;
    fail(file.string(), ": feature ", c, " is '", names[c], "', but the run was trained on '", learned[c], "' there");
  }
}

Dataset load_graph_file(const fs::path& file, const DataOptions& options, TableSchema& schema) {
  Dataset data = read_graph_file(file, options.verify ? Checksums::kVerify : Checksums::kSkip);
  learn_columns(file, data.type_names, schema);
  return data;
}

Dataset load_file(const fs::path& file, const DataOptions& options, TableSchema& schema) {
  if (file.extension() == ".safetensors") return load_graph_file(file, options, schema);
  if (file.filename().string().ends_with(".pt.zip")) return load_edge_index_arrays(file, file.filename().string());
  if (file.extension() == ".npz") return load_npz(file, options.published_split);
  if (file.filename() == "blogcatalog.mat") return load_blogcatalog(file.parent_path());
  if (const std::string name = planetoid_name(file); !name.empty()) return load_planetoid(file.parent_path(), name);
  fail(file.string(),
       ": expected a graph file (.safetensors), .npz, .pt.zip, blogcatalog.mat or ind.NAME.graph; for CSV files "
       "use --edges FILE");
}

Dataset load_any(const DataOptions& options, const TableOptions& tables, TableSchema& schema) {
  if (options.data == kTables) return load_tables(tables, schema);
  if (const DatasetEntry* entry = find_dataset(options.data)) return load_entry(*entry, options);
  if (fs::is_directory(options.data)) return load_folder(options.data, options.published_split);
  const fs::path path(options.data);
  if (fs::exists(path) || path.extension() == ".safetensors") return load_file(path, options, schema);
  if (path.has_parent_path()) fail(options.data, ": no such file or folder");
  dataset_named(options.data);  // throws, as the name is unknown
  return {};
}

std::vector<std::string> names_where(bool (*condition)(const DatasetEntry&)) {
  std::vector<std::string> names;
  for (const DatasetEntry& entry : dataset_registry()) {
    if (condition(entry)) names.emplace_back(entry.name);
  }
  return names;
}

}  // namespace

void DataOptions::visit(OptionVisitor& options) {
  options.text("data", data,
               "a name listed by `geniepath datasets`, or tables, or the path of a graph file or of a folder in a "
               "known format");
  options.text("data-dir", data_dir,
               "folder of the data sets' files; default: the environment's GENIEPATH_DATA, else ./data");
  options.integer("published-split", published_split, {0, 999},
                  "tolokers, bitcoin-otc: number of the published split, from 0");
  options.integer("size", size, {1, kMostAccountDeviceNodes}, "account-device, known-paths: number of nodes");
  options.integer("data-seed", data_seed, {0, int64_t{1} << 53}, "account-device, known-paths: seed of the generator");
  options.integer("steps", steps, {1, 100}, "known-paths: length of the longest path");
  options.integer("keys", keys, {2, 100}, "known-paths: neighbours per node, one of each key");
  options.integer("values", values, {2, 100}, "known-paths: number of classes");
  options.real("noise", noise, {0, 1}, "known-paths: share of nodes that show a wrong key or value");
  options.real("label-share", label_share, {0, 1}, "known-paths: share of nodes that are labelled");
  options.integer("graphs", graphs, {1, 10000},
                  "known-paths: number of graphs; one is split by nodes, three and more by whole graphs");
  options.flag("verify", verify, "graph file: verify its checksum when it is opened");
  const auto only_for = [&](std::initializer_list<const char*> names, const std::vector<std::string>& sources) {
    for (const char* name : names) options.only_where(name, {{"data", sources}});
  };
  only_for({"data-dir"}, names_where([](const DatasetEntry& entry) { return !entry.files.empty(); }));
  std::vector<std::string> split_several =
      names_where([](const DatasetEntry& entry) { return entry.published_splits > 1; });
  if (find_dataset(data) == nullptr && data != kTables) split_several.push_back(data);  // a file may have several
  only_for({"published-split"}, split_several);
  only_for({"size", "data-seed"}, {"account-device", "known-paths"});
  only_for({"steps", "keys", "values", "noise", "label-share", "graphs"}, {"known-paths"});
  only_for({"verify"}, {"*.safetensors"});
}

Dataset load_dataset(const DataOptions& options, const TableOptions& tables) {
  TableSchema schema;
  return load_dataset(options, tables, schema);
}

Dataset load_dataset(const DataOptions& options, const TableOptions& tables, TableSchema& schema) {
  options.check();
  Dataset data = load_any(options, tables, schema);
  data.validate();
  return data;
}

TransformOptions usual_transforms(const std::string& data) {
  const DatasetEntry* entry = find_dataset(data);
  if (entry != nullptr) return entry->transforms;
  TransformOptions usual;
  if (data == kTables) usual.feature_transform = FeatureTransform::kStandardise;
  return usual;
}

TransformOptions usual_transforms(const Dataset& raw) {
  TransformOptions usual = usual_transforms(raw.name);
  if (raw.name == kTables && is_one_hot_ids(raw.features)) usual.feature_transform = FeatureTransform::kNone;
  return usual;
}

std::string usual_threshold(const std::string& data) {
  const DatasetEntry* entry = find_dataset(data);
  return entry == nullptr ? DatasetEntry().threshold : entry->threshold;
}

}  // namespace geniepath
