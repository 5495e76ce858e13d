#include "explain/trace.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <numeric>

#include "geniepath/error.h"
#include "train/loss.h"

namespace geniepath::explain {
namespace {

// Rows taken through the features and the depth function at a time, so that what is needed for a moment stays small.
constexpr int64_t kBlock = 1 << 16;

template <class Visit>
void for_blocks(int64_t rows, Visit visit) {
  for (int64_t first = 0; first < rows; first += kBlock) visit(first, std::min(kBlock, rows - first));
}

template <class T>
at::Tensor share(const SharedArray<T>& array, at::ScalarType type) {
  return at::from_blob(const_cast<T*>(array.data()), {array.size()}, [keep = array](void*) {}, at::TensorOptions(type));
}

nn::PathModel& path_model(Model& model) {
  auto* hops = dynamic_cast<nn::PathModel*>(&model);
  if (hops == nullptr) {
    fail("receptive paths: this model does not attend to neighbours, so it has no paths; expected geniepath or "
         "geniepath-lazy");
  }
  return *hops;
}

at::Tensor input_states(nn::PathModel& hops, const Features& features) {
  at::Tensor h_0;
  for_blocks(features.num_nodes(), [&](int64_t first, int64_t count) {
    std::vector<NodeId> rows(static_cast<size_t>(count));
    std::iota(rows.begin(), rows.end(), static_cast<NodeId>(first));
    const at::Tensor block = begin(hops, features.select_rows(rows));
    if (!h_0.defined()) h_0 = at::empty({features.num_nodes(), block.size(1)}, block.scalar_type());
    h_0.narrow(0, first, count).copy_(block);
  });
  return h_0.defined() ? h_0 : begin(hops, features);
}

// h^(t) of all nodes; memory [N, K] is brought up to date.
at::Tensor advance(nn::PathModel& hops, int64_t t, const at::Tensor& h_tmp, at::Tensor& memory) {
  at::Tensor h = at::empty_like(h_tmp), next;
  for_blocks(h_tmp.size(0), [&](int64_t first, int64_t count) {
    at::Tensor block = memory.defined() ? memory.narrow(0, first, count) : memory;
    h.narrow(0, first, count).copy_(hops.advance(t, h_tmp.narrow(0, first, count), block));
    if (!block.defined()) return;
    if (!memory.defined() && !next.defined()) next = at::empty_like(h_tmp);
    (memory.defined() ? memory : next).narrow(0, first, count).copy_(block);
  });
  if (next.defined()) memory = next;
  return h;
}

at::Tensor all_probabilities(const Trace& trace) {
  std::vector<at::Tensor> blocks;
  for_blocks(trace.h[0].size(0), [&](int64_t first, int64_t count) {
    std::vector<at::Tensor> h;
    for (size_t t = 1; t < trace.h.size(); ++t) h.push_back(trace.h[t].narrow(0, first, count));
    blocks.push_back(trace.probabilities_of(trace.hops->finish(trace.h[0].narrow(0, first, count), h)));
  });
  return blocks.empty() ? trace.probabilities_of(trace.hops->finish(trace.h[0], {trace.h.begin() + 1, trace.h.end()}))
                        : at::cat(blocks);
}

}  // namespace

at::Tensor Trace::probabilities_of(const at::Tensor& representation) const {
  return training::probabilities_of(task, model->read_out(representation)).contiguous();
}

at::Tensor begin(nn::PathModel& hops, const Features& features) {
  ModelInput input;
  if (features.is_sparse()) {
    input.sparse = SparseTensors(features.sparse());
  } else {
    input.dense = features.dense().contiguous();
  }
  return hops.begin(input);
}

Trace make_trace(std::shared_ptr<Model> model, const Dataset& data, std::vector<int64_t> degree) {
  const at::NoGradGuard no_grad;
  Trace trace;
  trace.hops = &path_model(*model);
  trace.model = std::move(model);
  trace.model->eval();
  trace.task = data.task;
  trace.graph = data.graph.with({.self_loops = SelfLoops::kAdd});
  trace.symmetric = Graph::from_incoming(trace.graph.incoming()).is_symmetric();  // a copy: it goes, and its transpose
  trace.degree = std::move(degree);
  for (NodeId i = static_cast<NodeId>(trace.degree.size()); i < trace.graph.num_nodes(); ++i) {
    trace.degree.push_back(trace.graph.incoming().degree(i));
  }
  const ops::NodeRows rows{share(trace.graph.incoming().offset, at::kLong),
                           share(trace.graph.incoming().neighbour, at::kInt)};
  trace.h.push_back(input_states(*trace.hops, data.features));
  at::Tensor memory;
  for (int64_t t = 1; t <= trace.hops->num_hops(); ++t) {
    auto [h_tmp, alpha] = trace.hops->breadth(t, rows, trace.h.back(), trace.h.front());
    trace.alpha.push_back(alpha);
    trace.h.push_back(advance(*trace.hops, t, h_tmp, memory));
  }
  trace.probabilities = all_probabilities(trace);
  trace.h.pop_back();  // no node reads another's h^(T)
  return trace;
}

}  // namespace geniepath::explain
