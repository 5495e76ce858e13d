// A graph as the layers take it: checked once, in memory for as long as it is used, copied to each GPU on first use.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "geniepath/ops.h"

namespace geniepath::python {

// How edges become rows: GraphOptions with self-loops by name.
struct EdgeOptions {
  bool symmetrise = false;
  std::string self_loops = "add";  // or "keep", "remove"
  bool merge_duplicates = true;
};

class PyGraph {
 public:
  // edge_index: integers [2, E], sources above targets. num_nodes -1: one more than the largest id.
  static PyGraph from_edge_index(const at::Tensor& edge_index, int64_t num_nodes, const EdgeOptions& options);
  // Rows by target: offset int64 [N + 1], source of each edge [E], in any order within a row.
  static PyGraph from_csr(const at::Tensor& offset, const at::Tensor& source, const EdgeOptions& options);

  explicit PyGraph(Graph graph);

  const Graph& graph() const { return graph_; }
  const GraphTensors& on(at::Device device) const;
  // Copies of those tensors, which their receiver may change without changing the graph; the same ones in every call.
  std::vector<at::Tensor> copied_tensors(at::Device device) const;

 private:
  struct Copies {
    std::mutex mutex;
    std::map<std::string, GraphTensors> by_device;
    std::map<std::string, std::vector<at::Tensor>> given_away;
  };
  Graph graph_;
  std::shared_ptr<Copies> copies_ = std::make_shared<Copies>();
};

}  // namespace geniepath::python
