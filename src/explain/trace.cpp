#include "explain/trace.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <numeric>

#include "base/mapped_pages.h"
#include "geniepath/error.h"
#include "geniepath/tensor_memory.h"
#include "training/loss.h"

namespace geniepath::explain {
namespace {

// Rows processed at a time, which bounds temporary memory.
constexpr int64_t kNodesAtOnce = 1 << 13;

// In a graph with more neighbours per node than this on average, a block is a quarter of the nodes: each block projects
// all nodes that it attends to, which is soon the whole graph.
constexpr int64_t kFewNeighbours = 8;

int64_t block_size(const Graph& graph) {
  const int64_t nodes = graph.num_nodes();
  return graph.num_edges() <= kFewNeighbours * nodes ? kNodesAtOnce : std::max(kNodesAtOnce, nodes / 4);
}

template <class Visit>
void for_blocks(int64_t rows, int64_t size, Visit visit) {
  for (int64_t first = 0; first < rows; first += size) visit(first, std::min(size, rows - first));
}

// Drops the resident pages of mapped data that is not needed again.
template <class T>
void let_go(const SharedArray<T>& array) {
  let_go_of_mapped(std::as_bytes(array.span()));
}

void let_go(const Features& features) {
  if (features.is_sparse()) {
    const SparseMatrix& x = features.sparse();
    let_go(x.offset), let_go(x.column), let_go(x.value);
  } else {
    let_go_of_mapped({static_cast<const std::byte*>(features.dense().data_ptr()), features.dense().nbytes()});
  }
}

const PathModel& as_path_model(const Model& model) {
  const auto* path_model = dynamic_cast<const PathModel*>(&model);
  if (path_model == nullptr) {
    fail("receptive paths: this model has none, as it does not attend to neighbours by hops that can be followed; "
         "expected geniepath or geniepath-lazy");
  }
  return *path_model;
}

at::Tensor input_states(const PathModel& model, const Features& features) {
  at::Tensor h_0;
  for_blocks(features.num_nodes(), kNodesAtOnce, [&](int64_t first, int64_t count) {
    std::vector<NodeId> rows(static_cast<size_t>(count));
    std::iota(rows.begin(), rows.end(), static_cast<NodeId>(first));
    const at::Tensor block = begin(model, features.select_rows(rows));
    if (!h_0.defined()) h_0 = at::empty({features.num_nodes(), block.size(1)}, block.scalar_type());
    h_0.narrow(0, first, count).copy_(block);
  });
  return h_0.defined() ? h_0 : begin(model, features);
}

// Rows of consecutive nodes with local node numbers: first the nodes themselves, then the other nodes they attend to.
class RowBlocks {
 public:
  explicit RowBlocks(const Adjacency& in) : in_(in), place_(static_cast<size_t>(in.rows()), -1) {}

  ops::NodeRows take(int64_t first, int64_t count) {
    for (const NodeId node : nodes_) place_[static_cast<size_t>(node)] = -1;
    nodes_.clear();
    for (int64_t r = 0; r < count; ++r) place(static_cast<NodeId>(first + r));
    const EdgeId first_edge = in_.offset[first], edges = in_.offset[first + count] - first_edge;
    const ops::NodeRows rows{at::empty({count + 1}, at::kLong), at::empty({edges}, at::kInt)};
    auto* offset = rows.offset.data_ptr<int64_t>();
    for (int64_t r = 0; r <= count; ++r) offset[r] = in_.offset[first + r] - first_edge;
    auto* neighbour = rows.neighbour.data_ptr<int32_t>();
    for (EdgeId e = 0; e < edges; ++e) neighbour[e] = place(in_.neighbour[first_edge + e]);
    return rows;
  }

  // The rows of x [N, K] for the block's nodes, in local order.
  at::Tensor gather(const at::Tensor& x) {
    return x.index_select(0, at::from_blob(nodes_.data(), {std::ssize(nodes_)}, at::kInt));
  }

 private:
  int32_t place(NodeId node) {
    int32_t& at = place_[static_cast<size_t>(node)];
    if (at < 0) {
      at = static_cast<int32_t>(nodes_.size());
      nodes_.push_back(node);
    }
    return at;
  }

  const Adjacency& in_;
  std::vector<int32_t> place_;  // local number of each node, or -1
  std::vector<NodeId> nodes_;
};

// The forward pass, hop by hop, one block of nodes at a time. Beyond the trace it needs one memory for all nodes.
class BlockwisePass {
 public:
  explicit BlockwisePass(Trace& trace)
      : trace_(trace), blocks_(trace.graph.incoming()), nodes_(trace.graph.num_nodes()) {}

  void run() {
    const int64_t depth = trace_.path_model->num_hops(), size = block_size(trace_.graph);
    std::vector<at::Tensor> probabilities;
    for (int64_t t = 1; t <= depth; ++t) {
      give_back_free_memory();  // blocks differ in size, so freed memory would pile up
      trace_.alpha.push_back(at::empty({trace_.graph.num_edges()}));
      if (t < depth) trace_.h.push_back(at::empty_like(trace_.h[0]));
      for_blocks(nodes_, size, [&](int64_t first, int64_t count) {
        const at::Tensor h = hop(t, first, count);
        if (t < depth) {
          trace_.h.back().narrow(0, first, count).copy_(h);
        } else {
          probabilities.push_back(probabilities_of(first, count, h));  // no node reads another's h^(T)
        }
      });
    }
    trace_.probabilities = nodes_ == 0 ? probabilities_of(0, 0, trace_.h[0]) : at::cat(probabilities);
  }

 private:
  // h^(t) of a block of nodes; updates their memory.
  at::Tensor hop(int64_t t, int64_t first, int64_t count) {
    const ops::NodeRows rows = blocks_.take(first, count);
    const auto [h_tmp, alpha] = trace_.path_model->breadth(
        t, rows, blocks_.gather(trace_.h[static_cast<size_t>(t - 1)]), trace_.h[0].narrow(0, first, count));
    trace_.alpha.back().narrow(0, trace_.graph.incoming().offset[first], alpha.numel()).copy_(alpha);
    at::Tensor memory;
    if (t > 1 && memory_.defined()) memory = memory_.narrow(0, first, count);
    const at::Tensor h = trace_.path_model->advance(t, h_tmp, memory);
    if (memory.defined()) {
      if (!memory_.defined()) memory_ = at::empty({nodes_, memory.size(1)});
      memory_.narrow(0, first, count).copy_(memory);
    }
    return h;
  }

  at::Tensor probabilities_of(int64_t first, int64_t count, const at::Tensor& last) const {
    std::vector<at::Tensor> h;
    for (size_t t = 1; t < trace_.h.size(); ++t) h.push_back(trace_.h[t].narrow(0, first, count));
    h.push_back(last);
    return trace_.probabilities_of(trace_.path_model->finish(trace_.h[0].narrow(0, first, count), h));
  }

  Trace& trace_;
  RowBlocks blocks_;
  int64_t nodes_;
  at::Tensor memory_;  // [N, K]; undefined for a model without memory
};

}  // namespace

at::Tensor Trace::probabilities_of(const at::Tensor& representation) const {
  return training::probabilities_of(task, model->read_out(representation)).contiguous();
}

at::Tensor begin(const PathModel& model, const Features& features) {
  ModelInput input;
  if (features.is_sparse()) {
    input.sparse = SparseTensors(features.sparse());
  } else {
    input.dense = features.dense().contiguous();
  }
  return model.begin(input);
}

Trace make_trace(std::shared_ptr<const Model> model, const Dataset& data, std::vector<int64_t> degree) {
  const at::NoGradGuard no_grad;
  Trace trace;
  trace.path_model = &as_path_model(*model);
  trace.model = std::move(model);
  trace.task = data.task;
  trace.set_graph(data.graph, std::move(degree));
  trace.symmetric = trace.graph.is_symmetric();
  let_go(data.graph.incoming().offset), let_go(data.graph.incoming().neighbour);
  trace.h.push_back(input_states(*trace.path_model, data.features));
  let_go(data.features);
  BlockwisePass(trace).run();
  give_back_free_memory();
  return trace;
}

}  // namespace geniepath::explain
