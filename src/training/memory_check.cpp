#include "training/memory_check.h"

#include "base/byte_size.h"
#include "base/memory_limit.h"
#include "geniepath/error.h"
#include "training/batch_loader.h"

namespace geniepath::training {
namespace {

std::string larger_limit(int64_t needed) { return "--memory-limit " + bytes_text(limit_for(needed)); }

}  // namespace

void check_fits_memory(const StepMemory& step, const TrainConfig& config) {
  const int64_t step_needs = step.peak + BatchLoader::kMostAhead * step.batch, needed = step.before + step_needs;
  if (needed <= private_memory_limit()) return;
  const std::string limit = "--memory-limit " + bytes_text(memory_limit()) + ": ";
  const std::string own = bytes_text(step.before) + " for the program and its lists of nodes";
  const std::string room = bytes_text(private_memory_limit()) + " of it are for these";
  if (step.before > private_memory_limit())
    fail(limit, own, " are needed, but ", room, "; choose ", larger_limit(needed));
  const bool drawn = config.batch == BatchKind::kNeighbours || config.batch == BatchKind::kLabor;
  fail(limit, "a step of ", step.nodes, " nodes, with the batches made ahead, needs ", bytes_text(step_needs),
       " beside ", own, ", but ", room, "; choose a smaller ", drawn ? "--batch-size or --fan-out" : "--node-budget",
       ", or ", larger_limit(needed));
}

// With our copy of the edges: 720 MB of 2 M nodes and 15.3 M edge entries.
void check_clusters_fit_memory(const Graph& graph) {
  constexpr int64_t kPerNode = 60, kPerEdge = 40;
  if (memory_limit() == 0) return;
  const int64_t metis = kPerNode * graph.num_nodes() + kPerEdge * graph.num_edges(), needed = private_memory() + metis;
  if (needed <= private_memory_limit()) return;
  fail("--memory-limit ", bytes_text(memory_limit()), ": METIS needs about ", bytes_text(metis), " beside ",
       bytes_text(private_memory()), " for the program and its lists of nodes, but ",
       bytes_text(private_memory_limit()), " of it are for these; choose another --batch, or ", larger_limit(needed));
}

}  // namespace geniepath::training
