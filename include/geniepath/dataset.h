// A graph with what is known about its nodes: features, labels, and which nodes to learn from and be judged on.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <variant>
#include <vector>

#include "geniepath/graph.h"
#include "geniepath/shared_array.h"

namespace geniepath {

// Compressed sparse rows of f32. Row r holds value[at] in column[at] for at in offset[r] .. offset[r+1]-1.
struct SparseMatrix {
  int64_t rows = 0;
  int64_t columns = 0;
  SharedArray<int64_t> offset;  // rows + 1
  SharedArray<int32_t> column;
  SharedArray<float> value;

  int64_t num_nonzeros() const { return value.size(); }
  SparseMatrix transposed() const;
  SparseMatrix select_rows(std::span<const NodeId> rows) const;
  at::Tensor to_dense() const;  // [rows, columns]
};

// Node features X [N, P]: dense f32, or sparse and kept so. One-hot node ids are sparse with one 1 a row.
class Features {
 public:
  Features();  // no nodes, no features
  Features(at::Tensor dense);        // NOLINT(google-explicit-constructor)
  Features(SparseMatrix sparse);     // NOLINT(google-explicit-constructor)

  bool is_sparse() const { return std::holds_alternative<SparseMatrix>(values_); }
  const at::Tensor& dense() const { return std::get<at::Tensor>(values_); }
  const SparseMatrix& sparse() const { return std::get<SparseMatrix>(values_); }
  int64_t num_nodes() const;
  int64_t num_features() const;
  int64_t num_nonzeros() const;  // entries that are not 0
  Features select_rows(std::span<const NodeId> rows) const;

 private:
  std::variant<at::Tensor, SparseMatrix> values_;
};

enum class Task {
  kMultiClass,  // one of C classes a node; labels int64 [N], -1 where unknown
  kMultiLabel,  // any of L labels a node; labels f32 [N, L] of 0 and 1, a whole row NaN where unknown
  kBinary,      // a positive class to find; labels int64 [N] of 0 and 1, -1 where unknown
};
const char* to_string(Task task);
Task task_from_string(const std::string& name);  // "multi-class", "multi-label", "binary"

struct Dataset {
  std::string name;
  Task task = Task::kMultiClass;
  std::string metric = "accuracy";  // what early stopping watches and the headline score is, by default
  Graph graph;                      // as published: not yet the paper's N(i) + {i}
  Features features;
  at::Tensor labels;
  int64_t num_classes = 0;               // C, or L for multi-label; 2 for binary
  std::vector<std::string> class_names;  // empty: the number
  std::vector<NodeId> train, valid, test;
  // Inductive: parts that hold validation or test nodes are unseen while training.
  bool inductive = false;
  std::vector<std::string> node_names;  // each once; empty: the index
  std::vector<std::string> type_names;  // of the kinds of nodes (account, device); empty: one kind
  std::vector<uint8_t> node_type;       // index into type_names; empty: one kind

  // Shapes agree, names differ, split nodes exist and are labelled, no feature is NaN or infinite; an Error says what
  // does not hold.
  void validate() const;
  std::string node_name(NodeId node) const;
};

}  // namespace geniepath
