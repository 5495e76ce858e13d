// Quality of a model's attention over many nodes: whether predictions rest on the strongest receptive paths, how uneven
// the attention is and, where the data has ground truth, whether it is on the true edges.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "geniepath/dataset.h"
#include "geniepath/explain.h"
#include "geniepath/export.h"
#include "geniepath/metrics.h"
#include "geniepath/model.h"
#include "geniepath/options.h"

namespace geniepath GENIEPATH_EXPORT {

struct PathQualityOptions : Options {
  int64_t sample = 200;
  int64_t hops = 3;
  int64_t top = 10;
  int64_t sample_seed = 1;

  void visit(OptionVisitor& options) override;
};

// As in torch_geometric.explain.metric.fidelity: shares of decisions, one per node, in multi-label tasks one per node
// and label. Edges are removed before the softmax, so that alpha still sums to 1; PyG's masks zero messages after it.
struct Fidelity {
  double plus = 0;   // without the explanation's edges
  double minus = 0;  // with only these edges and self-loops
};

// A node's explanation: the edges of the strongest paths into it. Predictions without or with only these edges are
// exact (Explainer::without(), with_only()).
struct ExplanationQuality {
  Fidelity model;  // decisions that change
  // Decisions that become right or wrong, for multi-class tasks; none otherwise, where it would equal `model`.
  std::optional<Fidelity> phenomenon;
  double random_plus = 0;          // model.plus of as many edges into the same nodes, drawn at random
  double random_shared = 0;        // share of the drawn edges that are the explanation's own; mean over nodes
  double random_p = 1;             // of a paired test of the two over the nodes; 1 with fewer than two nodes
  double sparsity = 0;             // 1 - explanation's share of the edges within `hops` steps; mean over nodes
  std::vector<GateProfile> gates;  // means over the nodes, by update
};

// Effect of the learned attention: all test nodes as predicted by the model, and with each node attending equally to
// its neighbours and itself (Explainer::evenly_attended()).
struct EvenAttention {
  double changed = 0;                              // share of decisions that differ
  std::string metric;                              // of the scores
  double learned = kUndefined, even = kUndefined;  // the scores
};

// Whether attention is on the true edges (Dataset::true_edges). Self-loops do not count: they are neither true nor
// other edges, nor steps of paths.
struct PathRecovery {
  // Area under the ROC curve of a row: the share of pairs of a true and another edge into one node in which the true
  // edge weighs more; ties count half. Mean over the nodes that have both.
  int64_t rows = 0;            // number of these nodes
  std::vector<double> auc;     // of alpha in layers 1 .. T; empty without rows
  double laplacian_auc = 0;    // of 1 / sqrt(d_source d_target)
  int64_t best_layer = 0;      // layer of the highest auc, the first on ties; 0 without rows
  // True paths consist of true edges. Means over the explained nodes that have any of at most `hops` steps.
  int64_t nodes = 0;           // number of these nodes
  double precision = 0;        // share of true paths among the R strongest, where the node has R true paths
  double found = 0;            // share of the node's true paths that are listed
};

struct PathQuality {
  PathQualityOptions options;  // hops: as used, at most T
  int64_t nodes = 0;           // of the sample
  std::optional<ExplanationQuality> explanations;  // none if the model has no receptive paths (gat)
  std::optional<EvenAttention> even;               // the same
  // Entropy of the attention over that of even attention, layers 1 .. T: mean over the sample's nodes with two
  // neighbours or more; empty if there are none.
  std::vector<double> entropy;
  std::optional<PathRecovery> recovery;  // rows: those of all test nodes; none if the true edges are unknown
};

// Called after each node of the sample.
using PathProgress = std::function<void(int64_t done, int64_t nodes)>;

// Measures a sample of the test nodes, a function of the seed. Data without test nodes is an Error.
PathQuality path_quality(const Explainer& explainer, const Dataset& data, const ScoringRule& scoring = {},
                         const PathQualityOptions& options = {}, const PathProgress& progress = {});
// The same for any model on the CPU; none if it does not attend to neighbours.
std::optional<PathQuality> path_quality(std::shared_ptr<const Model> model, const Dataset& data,
                                        const ScoringRule& scoring = {}, const PathQualityOptions& options = {},
                                        const PathProgress& progress = {});

// Recovery by one explanation: its listed paths, and the rows of all nodes within hops - 1 steps. None if the true
// edges are unknown.
std::optional<PathRecovery> path_recovery(const Explainer& explainer, const Dataset& data,
                                          const Explanation& explanation);

}  // namespace geniepath
