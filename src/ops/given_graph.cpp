#include "ops/given_graph.h"

#include <ATen/ATen.h>

#include "geniepath/error.h"
#include "ops/checks.h"
#include "ops/device.h"
#include "ops/made_from.h"

namespace geniepath::ops {
namespace {

GraphTensors converted(const char* op, at::TensorList given, int64_t nodes) {
  if (given.size() == 1) {
    return GraphTensors(graph_from_edge_index(given[0], nodes, {false, SelfLoops::kAdd, true}));
  }
  if (given.size() != 5) {
    fail(op, ": the graph has ", given.size(), " tensors, expected an edge_index or the five of a graph");
  }
  GraphTensors graph;
  const auto kept = [&](size_t n) { return given[n].detach().cpu(); };  // the memory, not the tensor, which may end
  graph.in_offset = kept(0), graph.in_neighbour = kept(1);
  graph.out_offset = kept(2), graph.out_neighbour = kept(3), graph.out_edge = kept(4);
  check_graph(op, graph);
  return graph;
}

}  // namespace

GraphTensors given_graph(const char* op, at::TensorList tensors, const at::Tensor& like) {
  static MadeFrom<GraphTensors> known;
  check_floating(op, "h", like);
  if (like.is_cuda() && tensors.size() == 1 && is_recording()) {
    fail(op, ": the edge_index of a CUDA graph could change unseen; expected a geniepath.Graph, or torch.compile without",
         " mode='reduce-overhead'");
  }
  const int64_t nodes = like.dim() == 0 ? 0 : like.size(0);
  return known.find(tensors, nodes, like, [&] { return converted(op, tensors, nodes); });
}

int64_t most_edges(at::TensorList tensors, int64_t nodes) {
  return tensors.size() == 1 ? tensors[0].size(1) + nodes : tensors[1].numel();
}

}  // namespace geniepath::ops
