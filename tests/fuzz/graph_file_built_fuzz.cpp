// Graph files with arrays as chosen and a valid checksum: an accepted file gives a valid, usable data set.
#include <ATen/ATen.h>

#include "built_safetensors.h"
#include "data/fingerprint.h"
#include "data/formats/graph_file.h"
#include "fuzz_input.h"

namespace {

using namespace geniepath;

template <class T>
std::string raw(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

class Builder {
 public:
  explicit Builder(fuzz::Choices& choices) : choices_(choices), nodes_(choices.number() & 7) {}

  std::string file() {
    const auto classes = static_cast<int64_t>(choices_.one_in(8) ? choices_.below(4) : 2),
               columns = static_cast<int64_t>(choices_.below(4));
    const std::string task(choices_.one_in(32) ? "none" : choices_.text({"multi-class", "binary", "multi-label"}));
    rows("in_offset", "in_neighbour", nodes_);
    list<int32_t>("part_begin", "I32",
                  choices_.one_in(16) ? any_ids() : std::vector<int32_t>{0, static_cast<int32_t>(nodes_)});
    features(columns);
    labels(task, classes);
    for (const char* split : {"train", "valid", "test"}) list<int32_t>(split, "I32", any_ids());
    if (choices_.one_in(8)) tensors_.push_back({"node_type", "U8", {nodes_}, choices_.bytes(size())});
    names("node", size()), names("class", static_cast<size_t>(classes)), names("type", choices_.below(4));
    truth();
    spoil();
    const nlohmann::ordered_json about = {{"format", "geniepath-graph"},
                                          {"version", choices_.one_in(16) ? choices_.number() : 1},
                                          {"name", choices_.bytes(choices_.below(4))},
                                          {"task", task},
                                          {"metric", "accuracy"},
                                          {"classes", classes},
                                          {"inductive", choices_.one_in(2)},
                                          {"nodes", choices_.one_in(16) ? choices_.number() : nodes_},
                                          {"feature-columns", columns}};
    return fuzz::built_safetensors(
        tensors_, {{"geniepath", about.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)}});
  }

 private:
  size_t size() const { return static_cast<size_t>(nodes_); }

  std::vector<int32_t> any_ids() {
    std::vector<int32_t> ids;
    for (uint64_t left = choices_.below(5); left > 0; --left) {
      ids.push_back(static_cast<int32_t>(
          choices_.one_in(64) ? choices_.number() : choices_.below(size() + 1) % std::max<size_t>(1, size())));
    }
    return ids;
  }

  template <class T>
  void list(const std::string& name, const char* dtype, const std::vector<T>& values) {
    tensors_.push_back({name, dtype, {static_cast<int64_t>(values.size())}, raw(values)});
  }

  // Compressed rows; returns the number of entries.
  int64_t rows(const std::string& offset_name, const std::string& entry_name, int64_t count) {
    std::vector<int64_t> offset{0};
    std::vector<int32_t> entry;
    for (int64_t r = 0; r < count; ++r) {
      std::vector<int32_t> row = any_ids();
      std::sort(row.begin(), row.end());
      if (!choices_.one_in(32)) row.erase(std::unique(row.begin(), row.end()), row.end());
      entry.insert(entry.end(), row.begin(), row.end());
      offset.push_back(choices_.one_in(64) ? choices_.number() : static_cast<int64_t>(entry.size()));
    }
    list<int64_t>(offset_name, "I64", offset);
    list<int32_t>(entry_name, "I32", entry);
    return static_cast<int64_t>(entry.size());
  }

  std::vector<float> values(int64_t count) {
    std::vector<float> out;
    while (count-- > 0)
      out.push_back(choices_.one_in(64) ? choices_.of<float>({NAN, INFINITY, 0.5f, 3e38f})
                                        : choices_.of<float>({0, 1}));
    return out;
  }

  void features(int64_t columns) {
    if (choices_.one_in(2)) {
      list<float>("feature_value", "F32", values(rows("feature_offset", "feature_column", nodes_)));
    } else {
      tensors_.push_back({"features", "F32", {nodes_, columns}, raw(values(nodes_ * columns))});
    }
  }

  void labels(const std::string& task, int64_t classes) {
    if (task == "multi-label") {
      tensors_.push_back({"labels", "F32", {nodes_, classes}, raw(values(nodes_ * classes))});
      return;
    }
    std::vector<int64_t> label;
    for (int64_t i = 0; i < nodes_; ++i)
      label.push_back(choices_.one_in(16) ? choices_.number() : static_cast<int64_t>(choices_.below(2)));
    list<int64_t>("labels", "I64", label);
  }

  void names(const std::string& kind, size_t count) {
    if (choices_.one_in(2)) return;
    std::vector<int64_t> offset{0};
    std::string bytes;
    while (count-- > 0) {
      bytes += choices_.bytes(choices_.below(4));
      offset.push_back(choices_.one_in(32) ? choices_.number() : static_cast<int64_t>(bytes.size()));
    }
    list<int64_t>(kind + "_name_offset", "I64", offset);
    tensors_.push_back({kind + "_name_bytes", "U8", {static_cast<int64_t>(bytes.size())}, bytes});
  }

  // True edges, few of them in the graph, and path lengths.
  void truth() {
    if (choices_.one_in(2)) return;
    const std::vector<int32_t> source = any_ids();
    std::vector<int32_t> target;
    for (size_t left = choices_.one_in(8) ? choices_.below(5) : source.size(); left > 0; --left) {
      target.push_back(static_cast<int32_t>(choices_.below(size() + 1)));
    }
    list<int32_t>("true_source", "I32", source);
    list<int32_t>("true_target", "I32", target);
    tensors_.push_back({"path_length", "U8", {nodes_}, choices_.bytes(size())});
  }

  // Seldom removes, renames or reshapes an array.
  void spoil() {
    if (!choices_.one_in(8)) return;
    fuzz::BuiltTensor& tensor = tensors_[choices_.below(tensors_.size())];
    switch (choices_.below(4)) {
      case 0: tensor.name = "other"; break;
      case 1: tensor.shape.push_back(1); break;
      case 2: tensor.dtype = choices_.text({"F32", "I32", "I64", "U8", "F64"}); break;
      default: tensor.begin_off = choices_.number(); break;
    }
  }

  fuzz::Choices& choices_;
  int64_t nodes_;
  std::vector<fuzz::BuiltTensor> tensors_;
};

// Follows every index, as training would.
void use(const Dataset& data) {
  fuzz::expect_valid(data);
  data.graph.outgoing();
  data.graph.with({.self_loops = SelfLoops::kAdd}).is_symmetric();
  if (data.features.is_sparse()) data.features.sparse().transposed();
  fingerprint(data);
  for (NodeId node = 0; node < data.graph.num_nodes(); ++node) data.node_name(node);
}

}  // namespace

FUZZ_TARGET(graph_file_built)(const uint8_t* data, size_t size) {
  fuzz::Choices choices(data, size);
  const fuzz::InputFile file(Builder(choices).file());
  return fuzz::only_errors([&] { use(read_graph_file(file.path())); });
}
