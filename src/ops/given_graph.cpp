#include "ops/given_graph.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "geniepath/error.h"
#include "ops/checks.h"
#include "ops/device.h"
#include "ops/made_from.h"

namespace geniepath::ops {
namespace {

constexpr size_t kOnCpu = 5, kOnGpu = 13;  // tensors of a graph (tensors_of())

// A graph in memory of its own, so that what is checked here stays as it is.
GraphTensors checked_copy(const char* op, at::TensorList given) {
  std::vector<at::Tensor> copies;
  for (const at::Tensor& x : given) copies.push_back(x.detach().to(at::kCPU, /*non_blocking=*/false, /*copy=*/true));
  GraphTensors graph = graph_of_tensors(copies);
  check_graph(op, graph);
  return graph;
}

GraphTensors converted(const char* op, at::TensorList given, int64_t nodes) {
  if (given.size() == 1) {
    return GraphTensors(graph_from_edge_index(given[0], nodes, {false, SelfLoops::kAdd, true}));
  }
  return checked_copy(op, given);
}

// Tensors on a GPU, which must be what the graph's own rows become there. Their memory is read where it is, since a
// CUDA graph that was recorded reads it for as long as its caller keeps it.
GraphTensors checked_on_gpu(const char* op, at::TensorList given) {
  if (is_recording()) {
    fail(op, ": a CUDA graph is being recorded, and the graph's tensors are not those of the calls before it");
  }
  std::vector<at::Tensor> rows;
  for (const at::Tensor& x : given.slice(0, kOnCpu)) rows.push_back(x.cpu());
  for (const size_t wide : {0, 2, 4}) rows[wide] = rows[wide].to(at::kLong);
  const GraphTensors graph = checked_copy(op, rows);
  const std::vector<at::Tensor> expected = tensors_of(graph.to(given[0].device()));
  for (size_t n = 0; n < kOnGpu; ++n) {
    if (given[n].scalar_type() != expected[n].scalar_type() || !given[n].is_contiguous() ||
        !given[n].equal(expected[n])) {
      fail(op, ": tensor ", n, " of the graph is not that of a geniepath.Graph on ", given[0].device().str());
    }
  }
  std::vector<at::Tensor> kept;  // the memory of the tensors, not the tensors, which may end
  for (const at::Tensor& x : given) kept.push_back(x.detach());
  return graph_of_tensors(kept);
}

bool all_on(at::TensorList tensors, at::Device device) {
  return std::all_of(tensors.begin(), tensors.end(), [&](const at::Tensor& x) { return x.device() == device; });
}

}  // namespace

GraphTensors given_graph(const char* op, at::TensorList tensors, const at::Tensor& like) {
  static MadeFrom<GraphTensors> known, known_on_gpu;
  check_floating(op, "h", like, Operand::kConverted);
  const int64_t nodes = like.dim() == 0 ? 0 : like.size(0);
  switch (tensors.size()) {
    case 1:
      if (like.is_cuda() && is_recording()) {
        fail(op,
             ": the edge_index of a CUDA graph could change unseen; expected a geniepath.Graph, or torch.compile "
             "without",
             " mode='reduce-overhead'");
      }
      [[fallthrough]];
    case kOnCpu: return known.find(tensors, nodes, like, [&] { return converted(op, tensors, nodes); });
    case kOnGpu:
      if (!like.is_cuda() || !all_on(tensors, like.device())) {
        fail(op, ": the graph's ", kOnGpu, " tensors are on ", tensors[0].device().str(), " and h is on ",
             like.device().str(), ", expected one GPU");
      }
      return known_on_gpu.find(tensors, nodes, like, [&] { return checked_on_gpu(op, tensors); });
    default:
      fail(op, ": the graph has ", tensors.size(), " tensors, expected an edge_index, or the ", kOnCpu, " or ", kOnGpu,
           " of a graph");
  }
}

int64_t most_edges(at::TensorList tensors, int64_t nodes) {
  return tensors.size() == 1 ? tensors[0].size(1) + nodes : tensors[1].numel();
}

}  // namespace geniepath::ops
