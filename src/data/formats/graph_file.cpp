#include "data/formats/graph_file.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <future>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json_text.h"
#include "base/options_json.h"
#include "base/parallel.h"
#include "geniepath/error.h"
#include "graph/csr.h"

namespace geniepath {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kMetadataKey = "geniepath";
constexpr const char* kGraphFormat = "geniepath-graph";
constexpr int64_t kGraphVersion = 1;

struct Description : Options {
  std::string format = kGraphFormat;
  int64_t version = kGraphVersion;
  std::string name;
  Task task = Task::kMultiClass;
  std::string metric = "accuracy";
  int64_t classes = 0;
  bool inductive = false;
  int64_t nodes = 0;
  int64_t feature_columns = 0;

  void visit(OptionVisitor& options) override {
    options.text("format", format, "always geniepath-graph");
    options.integer("version", version, {1, kGraphVersion}, "of the format");
    options.text("name", name, "of the data set");
    options.choice("task", task, "what is predicted");
    options.text("metric", metric, "the headline score");
    options.integer("classes", classes, {0}, "or labels, of a multi-label task");
    options.flag("inductive", inductive, "parts with validation or test nodes are unseen while training");
    options.integer("nodes", nodes, {0, std::numeric_limits<NodeId>::max()}, "of the graph");
    options.integer("feature-columns", feature_columns, {0, std::numeric_limits<int32_t>::max()}, "of X");
  }
};

// ---- checks shared by reading and writing

void check_count(const char* what, size_t found, int64_t expected) {
  if (found == 0 || static_cast<int64_t>(found) == expected) return;
  fail(found, " ", what, ", expected ", expected, " or none");
}

void check_multi_label(const at::Tensor& labels) {
  const at::Tensor values = labels.contiguous();
  const float* row = values.data_ptr<float>();
  const int64_t width = values.size(1);
  for (int64_t node = 0; node < values.size(0); ++node, row += width) {
    const bool known = std::all_of(row, row + width, [](float y) { return y == 0.0f || y == 1.0f; });
    if (known || std::all_of(row, row + width, [](float y) { return std::isnan(y); })) continue;
    fail("the labels of node ", node, " are not all 0 or 1, nor all NaN (unknown)");
  }
}

// Dataset::validate, and what it does not cover.
void check(const Dataset& data) {
  check_count("node types", data.node_type.size(), data.graph.num_nodes());
  check_count("class names", data.class_names.size(), data.num_classes);
  data.validate();
  if (data.task == Task::kBinary && data.num_classes != 2) fail(data.num_classes, " classes, expected 2 (binary)");
  if (data.task == Task::kMultiLabel) check_multi_label(data.labels);
  for (const uint8_t type : data.node_type) {
    if (type >= data.type_names.size()) fail("a node has type ", int{type}, " of ", data.type_names.size());
  }
}

// ---- writing

template <class T>
at::Tensor to_tensor(std::span<const T> values) {
  at::Tensor tensor = at::empty({static_cast<int64_t>(values.size())}, c10::CppTypeToScalarType<T>::value);
  std::copy(values.begin(), values.end(), tensor.data_ptr<T>());
  return tensor;
}

// Without a copy: `values` must outlive the tensor.
template <class T>
at::Tensor view_of(std::span<const T> values) {
  return at::from_blob(const_cast<T*>(values.data()), {static_cast<int64_t>(values.size())},
                       at::TensorOptions(c10::CppTypeToScalarType<T>::value));
}

void add_names(TensorFile& file, const std::string& kind, const std::vector<std::string>& names) {
  if (names.empty()) return;
  std::vector<int64_t> offset{0};
  std::vector<uint8_t> bytes;
  for (const std::string& name : names) {
    bytes.insert(bytes.end(), name.begin(), name.end());
    offset.push_back(static_cast<int64_t>(bytes.size()));
  }
  file.tensors[kind + "_name_offset"] = to_tensor<int64_t>(offset);
  file.tensors[kind + "_name_bytes"] = to_tensor<uint8_t>(bytes);
}

void add_features(TensorFile& file, const Features& features) {
  if (!features.is_sparse()) {
    file.tensors["features"] = features.dense();
    return;
  }
  const SparseMatrix& x = features.sparse();
  file.tensors["feature_offset"] = view_of(x.offset.span());
  file.tensors["feature_column"] = view_of(x.column.span());
  file.tensors["feature_value"] = view_of(x.value.span());
}

void add_truth(TensorFile& file, const Dataset& data) {
  if (!data.path_length.empty()) file.tensors["path_length"] = view_of<uint8_t>(data.path_length);
  if (data.true_edges.empty()) return;
  std::vector<NodeId> source, target;
  for (const auto& [s, t] : data.true_edges) source.push_back(s), target.push_back(t);
  file.tensors["true_source"] = to_tensor<NodeId>(source);
  file.tensors["true_target"] = to_tensor<NodeId>(target);
}

std::string describe(const Dataset& data, int64_t feature_columns) {
  Description description;
  description.name = data.name;
  description.task = data.task;
  description.metric = data.metric;
  description.classes = data.num_classes;
  description.inductive = data.inductive;
  description.nodes = data.graph.num_nodes();
  description.feature_columns = feature_columns;
  try {
    return description.to_json_text();
  } catch (const nlohmann::json::exception&) {
    fail("the name of the data set or its metric is not UTF-8 text");
  }
}

// Names must be UTF-8, since a run's description is JSON.
void check_text(const std::vector<std::string>& names, const char* what) {
  for (const std::string& name : names) {
    try {
      static_cast<void>(Json(name).dump());
    } catch (const nlohmann::json::exception&) {
      fail("a name of the ", what, " is not UTF-8 text");
    }
  }
}

// All but the features. Arrays are those of `data`, which must outlive the result.
TensorFile pack_all_but_features(const Dataset& data, const std::vector<std::string>& columns,
                                 int64_t feature_columns) {
  check_count("feature names", columns.size(), feature_columns);
  check_text(columns, "features");
  TensorFile file;
  file.metadata[kMetadataKey] = describe(data, feature_columns);
  file.tensors["in_offset"] = view_of(data.graph.incoming().offset.span());
  file.tensors["in_neighbour"] = view_of(data.graph.incoming().neighbour.span());
  file.tensors["part_begin"] = view_of<NodeId>(data.graph.part_begins());
  file.tensors["labels"] = data.labels;
  file.tensors["train"] = view_of<NodeId>(data.train);
  file.tensors["valid"] = view_of<NodeId>(data.valid);
  file.tensors["test"] = view_of<NodeId>(data.test);
  if (!data.node_type.empty()) file.tensors["node_type"] = view_of<uint8_t>(data.node_type);
  add_truth(file, data);
  add_names(file, "node", data.node_names);
  add_names(file, "class", data.class_names);
  add_names(file, "type", data.type_names);
  add_names(file, "feature", columns);
  return file;
}

TensorFile pack(const Dataset& data, const std::vector<std::string>& columns) {
  check(data);
  TensorFile file = pack_all_but_features(data, columns, data.features.num_features());
  add_features(file, data.features);
  return file;
}

// ---- reading

Description read_description(const TensorFile& file) {
  const auto found = file.metadata.find(kMetadataKey);
  if (found == file.metadata.end()) fail("no metadata '", kMetadataKey, "': not a graph written by geniepath");
  const std::string where = std::string("metadata '") + kMetadataKey + "'";
  const auto json = parse_json<Json>(found->second, where);
  if (!json.is_object()) fail(where, ": expected a JSON object, found ", found->second);
  if (json.value("format", Json()) != kGraphFormat) {
    fail("format: expected ", kGraphFormat, ", found ", json.value("format", Json()).dump());
  }
  // Before the other keys: a newer version may have additional ones.
  const Json version = json.value("version", Json());
  if (version.is_number_integer() && version.get<int64_t>() > kGraphVersion) {
    fail("version ", version.dump(), " of the format, but this program reads up to ", kGraphVersion,
         ": use a newer geniepath");
  }
  Description description;
  read_json(description, json, where);
  return description;
}

bool has(const TensorFile& file, const std::string& name) { return file.tensors.count(name) != 0; }

const at::Tensor& array(const TensorFile& file, const std::string& name, at::ScalarType type, int64_t dimensions = 1) {
  const auto found = file.tensors.find(name);
  if (found == file.tensors.end()) fail("no array '", name, "'");
  const at::Tensor& tensor = found->second;
  if (tensor.scalar_type() != type || tensor.dim() != dimensions) {
    fail("array '", name, "': expected ", at::toString(type), " of ", dimensions, " dimensions, found ",
         at::toString(tensor.scalar_type()), " of ", tensor.dim());
  }
  return tensor;
}

// A view of the mapped tensor, which it keeps alive.
template <class T>
SharedArray<T> window(const TensorFile& file, const std::string& name) {
  const auto owner = std::make_shared<const at::Tensor>(array(file, name, c10::CppTypeToScalarType<T>::value));
  const T* begin = owner->numel() == 0 ? nullptr : static_cast<const T*>(owner->data_ptr());
  return {std::span<const T>(begin, static_cast<size_t>(owner->numel())), owner};
}

template <class T>
std::vector<T> list(const TensorFile& file, const std::string& name) {
  const SharedArray<T> values = window<T>(file, name);
  return {values.begin(), values.end()};
}

Graph read_graph(const TensorFile& file, int64_t nodes) {
  Adjacency incoming{window<EdgeId>(file, "in_offset"), window<NodeId>(file, "in_neighbour")};
  check_offsets(nodes, incoming.offset.span(), incoming.neighbour.size(), "array 'in_offset'");
  std::vector<NodeId> part_begin = list<NodeId>(file, "part_begin");
  if (part_begin.empty()) fail("array 'part_begin': empty, expected at least 0 and the number of nodes");
  return Graph::from_incoming(std::move(incoming), std::move(part_begin));
}

Features read_features(const TensorFile& file, const Description& about) {
  if (has(file, "features")) {
    const at::Tensor& dense = array(file, "features", at::kFloat, 2);
    if (dense.size(1) != about.feature_columns) {
      fail("array 'features': ", dense.size(1), " columns, expected ", about.feature_columns);
    }
    return dense;
  }
  return SparseMatrix{about.nodes, about.feature_columns, window<int64_t>(file, "feature_offset"),
                      window<int32_t>(file, "feature_column"), window<float>(file, "feature_value")};
}

std::vector<std::string> read_names(const TensorFile& file, const std::string& kind) {
  if (!has(file, kind + "_name_offset")) return {};
  const auto offset = window<int64_t>(file, kind + "_name_offset");
  const auto bytes = window<uint8_t>(file, kind + "_name_bytes");
  check_offsets(offset.size() - 1, offset.span(), bytes.size(), "array '" + kind + "_name_offset'");
  std::vector<std::string> names;
  names.reserve(static_cast<size_t>(offset.size() - 1));
  const auto* text = reinterpret_cast<const char*>(bytes.data());
  for (int64_t i = 0; i + 1 < offset.size(); ++i) {
    names.emplace_back(text + offset[i], static_cast<size_t>(offset[i + 1] - offset[i]));
  }
  return names;
}

std::vector<std::pair<NodeId, NodeId>> read_true_edges(const TensorFile& file) {
  if (!has(file, "true_source") && !has(file, "true_target")) return {};
  const auto source = window<NodeId>(file, "true_source"), target = window<NodeId>(file, "true_target");
  if (source.size() != target.size()) {
    fail("array 'true_target': ", target.size(), " entries, but 'true_source' has ", source.size());
  }
  std::vector<std::pair<NodeId, NodeId>> edges;
  edges.reserve(static_cast<size_t>(source.size()));
  for (int64_t e = 0; e < source.size(); ++e) edges.emplace_back(source[e], target[e]);
  return edges;
}

Dataset unpack(const TensorFile& file) {
  const Description about = read_description(file);
  Dataset data;
  data.name = about.name;
  data.task = about.task;
  data.metric = about.metric;
  data.num_classes = about.classes;
  data.inductive = about.inductive;
  data.graph = read_graph(file, about.nodes);
  data.features = read_features(file, about);
  const bool many = data.task == Task::kMultiLabel;
  data.labels = array(file, "labels", many ? at::kFloat : at::kLong, many ? 2 : 1);
  data.train = list<NodeId>(file, "train");
  data.valid = list<NodeId>(file, "valid");
  data.test = list<NodeId>(file, "test");
  if (has(file, "node_type")) data.node_type = list<uint8_t>(file, "node_type");
  if (has(file, "path_length")) data.path_length = list<uint8_t>(file, "path_length");
  data.true_edges = read_true_edges(file);
  data.node_names = read_names(file, "node");
  data.class_names = read_names(file, "class");
  data.type_names = read_names(file, "type");
  check(data);
  return data;
}

// The same data, in the mapped file.
Dataset in_file(const Dataset& data, const TensorFile& file, int64_t feature_columns) {
  Dataset there = data;
  there.graph = data.graph.moved_to({window<EdgeId>(file, "in_offset"), window<NodeId>(file, "in_neighbour")});
  Description about;
  about.nodes = data.graph.num_nodes(), about.feature_columns = feature_columns;
  there.features = read_features(file, about);
  there.labels = file.tensors.at("labels");
  return there;
}

// ---- writing in pieces

constexpr size_t kBytesAtOnce = size_t{1} << 18;  // made and written while they are in the cache
constexpr size_t kBytesPerTask = size_t{1} << 22;

using Tasks = std::vector<std::function<void()>>;

// The tensor must stay until the tasks have run.
void add_tasks(Tasks& tasks, SafetensorsWriter& writer, const std::string& name, const at::Tensor& tensor) {
  const std::span bytes(static_cast<const std::byte*>(tensor.data_ptr()), tensor.nbytes());
  for (size_t at = 0; at < bytes.size(); at += kBytesPerTask) {
    tasks.push_back([&writer, name, at, piece = bytes.subspan(at, std::min(kBytesPerTask, bytes.size() - at))] {
      writer.write(name, at, piece);
    });
  }
}

void write_rows(SafetensorsWriter& writer, const FeatureRows& rows, int64_t begin, int64_t end) {
  const auto width = static_cast<size_t>(rows.columns);
  const auto at_once = static_cast<int64_t>(std::max<size_t>(1, kBytesAtOnce / (width * sizeof(float))));
  std::vector<float> piece(static_cast<size_t>(at_once) * width);
  for (int64_t row = begin; row < end; row += at_once) {
    const int64_t count = std::min(at_once, end - row);
    rows.fill(row, row + count, piece.data());
    writer.write("features", static_cast<size_t>(row) * width * sizeof(float),
                 std::as_bytes(std::span(piece).first(static_cast<size_t>(count) * width)));
  }
}

void add_tasks(Tasks& tasks, SafetensorsWriter& writer, const FeatureRows& rows, int64_t count) {
  const auto at_once =
      std::max<int64_t>(1, static_cast<int64_t>(kBytesPerTask / sizeof(float)) / std::max<int64_t>(1, rows.columns));
  for (int64_t row = 0; rows.columns > 0 && row < count; row += at_once) {
    tasks.push_back(
        [&writer, &rows, row, end = std::min(count, row + at_once)] { write_rows(writer, rows, row, end); });
  }
}

Tasks in_turn(const Tasks& a, const Tasks& b) {
  Tasks both;
  for (size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    if (i < a.size()) both.push_back(a[i]);
    if (i < b.size()) both.push_back(b[i]);
  }
  return both;
}

// A file system writes one piece of a file at a time: one thread makes rows while another's piece is written.
void write_all(SafetensorsWriter& writer, TensorFile& file, const FeatureRows& rows, int64_t num_rows) {
  Tasks made, given;
  add_tasks(made, writer, rows, num_rows);
  for (auto& [name, tensor] : file.tensors) {
    tensor = tensor.contiguous();
    add_tasks(given, writer, name, tensor);
  }
  const Tasks tasks = in_turn(made, given);
  in_parallel(std::ssize(tasks), [&](int64_t task) { tasks[static_cast<size_t>(task)](); });
}

}  // namespace

struct NewGraphFile::Writing {
  Writing(const std::filesystem::path& path, const TensorFile& file, const std::map<std::string, ArrayShape>& shapes)
      : writer(path, file.metadata, shapes) {}

  SafetensorsWriter writer;
  Dataset data;
  std::vector<std::string> columns;
  std::future<void> sealed;  // last, so that it has ended before the others go
};

NewGraphFile::NewGraphFile(const std::filesystem::path& path, const Dataset& data,
                           const std::vector<std::string>& columns, const FeatureRows& rows) {
  try {
    const bool made = rows.columns > 0;
    const int64_t width = made ? rows.columns : data.features.num_features();
    TensorFile file = pack_all_but_features(data, columns, width);
    if (!made) add_features(file, data.features);
    auto shapes = shapes_of(file.tensors);
    if (made) shapes["features"] = {at::kFloat, {data.graph.num_nodes(), rows.columns}};
    writing_ = std::make_unique<Writing>(path, file, shapes);
    write_all(writing_->writer, file, rows, data.graph.num_nodes());
    writing_->data = in_file(data, writing_->writer.read(), width);
    check(writing_->data);
  } catch (const FileError&) {
    throw;
  } catch (const Error& error) {
    fail(path.string(), ": cannot hold this data set: ", error.what());
  }
  writing_->columns = columns;
  writing_->sealed = std::async(std::launch::async, [writing = writing_.get()] { writing->writer.seal(); });
}

NewGraphFile::~NewGraphFile() = default;

Dataset NewGraphFile::take_data() { return std::move(writing_->data); }
const std::vector<std::string>& NewGraphFile::columns() const { return writing_->columns; }

void NewGraphFile::finish() {
  writing_->sealed.get();
  writing_->writer.take_place();
}

void NewGraphFile::abandon() { writing_.reset(); }

void write_graph_file(const std::filesystem::path& path, const Dataset& data, const std::vector<std::string>& columns) {
  TensorFile file;
  try {
    file = pack(data, columns);
  } catch (const Error& error) {
    fail(path.string(), ": cannot hold this data set: ", error.what());
  }
  write_safetensors(path, file);
}

Dataset read_graph_file(const std::filesystem::path& path, Checksums checksums) {
  const TensorFile file = read_safetensors(path, checksums);
  try {
    return unpack(file);
  } catch (const Error& error) {
    fail(path.string(), ": ", error.what());
  }
}

std::vector<std::string> read_feature_names(const std::filesystem::path& path) {
  const TensorFile file = read_safetensors(path, Checksums::kSkip);
  try {
    std::vector<std::string> names = read_names(file, "feature");
    check_count("feature names", names.size(), read_description(file).feature_columns);
    check_text(names, "features");
    return names;
  } catch (const Error& error) {
    fail(path.string(), ": ", error.what());
  }
}

}  // namespace geniepath
