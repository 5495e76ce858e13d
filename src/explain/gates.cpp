#include "explain/gates.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace geniepath::explain {
namespace {

constexpr size_t kBlock = 4096;  // nodes

}  // namespace

std::vector<at::Tensor> contributions(const DepthTrace& trace) {
  std::vector<at::Tensor> parts(trace.steps.size());
  at::Tensor kept;  // product of the later forget gates
  for (size_t t = trace.steps.size(); t-- > 0;) {
    const Gates& gates = trace.steps[t].gates;
    const at::Tensor came_in = gates.input * gates.candidate;
    parts[t] = kept.defined() ? kept * came_in : came_in;
    kept = kept.defined() ? kept * gates.forget : gates.forget;
  }
  return parts;
}

std::vector<std::vector<GateProfile>> gate_profiles(const DepthTrace& trace) {
  const auto rows = static_cast<size_t>(trace.representation.size(0));
  std::vector<std::vector<GateProfile>> profiles(rows);
  const std::vector<at::Tensor> parts = contributions(trace);
  if (parts.empty()) return profiles;
  const at::Tensor memory = at::stack(parts).sum(0).to(at::kDouble);
  const at::Tensor square = (memory * memory).sum(1);
  at::Tensor size = at::zeros_like(square);
  for (const at::Tensor& part : parts) size += part.to(at::kDouble).abs().sum(1);
  const auto ratio = [](const at::Tensor& part, const at::Tensor& whole) {
    return at::where(whole == 0, at::zeros_like(whole), part / whole);
  };
  for (size_t t = 0; t < parts.size(); ++t) {
    const auto& [hop, gates] = trace.steps[t];
    const at::Tensor part = parts[t].to(at::kDouble);
    const at::Tensor columns = at::stack({gates.input.mean(1).to(at::kDouble), gates.forget.mean(1).to(at::kDouble),
                                          gates.output.mean(1).to(at::kDouble), ratio((part * memory).sum(1), square),
                                          ratio(part.abs().sum(1), size)}, 1).contiguous();
    const auto* values = columns.data_ptr<double>();
    for (size_t r = 0; r < rows; ++r, values += 5) {
      profiles[r].push_back({hop, values[0], values[1], values[2], values[3], values[4]});
    }
  }
  return profiles;
}

std::vector<GateProfile> mean_profile(const Explainer& explainer, std::span<const NodeId> nodes) {
  std::vector<GateProfile> mean;
  for (size_t first = 0; first < nodes.size(); first += kBlock) {
    const auto block = nodes.subspan(first, std::min(kBlock, nodes.size() - first));
    for (const std::vector<GateProfile>& profile : explainer.gates(block)) {
      mean.resize(profile.size());
      for (size_t t = 0; t < profile.size(); ++t) {
        mean[t].hop = profile[t].hop;
        mean[t].input += profile[t].input, mean[t].forget += profile[t].forget, mean[t].output += profile[t].output;
        mean[t].contribution += profile[t].contribution, mean[t].magnitude += profile[t].magnitude;
      }
    }
  }
  const auto count = static_cast<double>(std::max<size_t>(nodes.size(), 1));
  for (GateProfile& gate : mean) {
    gate.input /= count, gate.forget /= count, gate.output /= count, gate.contribution /= count,
        gate.magnitude /= count;
  }
  return mean;
}

}  // namespace geniepath::explain
