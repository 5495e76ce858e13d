#include "serve/node_answers.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "base/checksum.h"
#include "base/file.h"
#include "explain/routes.h"
#include "run/run_files.h"
#include "serve/api_error.h"
#include "serve/seconds_since.h"
#include "training/train_json.h"

namespace geniepath::serve {
namespace {

using report::Json;

constexpr int64_t kMostTableRows = 100000, kMostShownColumns = 200;

Json scores_json(const Scores& scores) {
  Json out = to_json(scores);
  out["classes"] = Json::array();
  for (const ClassScores& c : scores.classes) {
    out["classes"].push_back({{"name", c.name}, {"positives", c.positives}, {"precision", c.precision},
                              {"recall", c.recall}, {"f1", c.f1}, {"roc_auc", c.roc_auc},
                              {"average_precision", c.average_precision}});
  }
  return out;
}

// The run's scores and best epoch; null if it was never finished.
Json scores_of_run(const RunFolder& folder, const Dataset& data, const Explainer& explainer,
                  const report::NodeFacts& facts) {
  const auto path = folder.file(run::kResult);
  if (!std::filesystem::exists(path)) return nullptr;
  const Json result = parse_sealed_json(read_text(path), path.string());
  if (!result.is_object() || !result.contains("best_epoch") || !result["best_epoch"].is_number_integer())
    return nullptr;
  const auto scores = [&](const std::vector<NodeId>& nodes) {
    const at::Tensor index = at::tensor(nodes, at::kLong);
    return scores_json(score_predictions(data.task, explainer.probabilities().index_select(0, index),
                                         data.labels.index_select(0, index), facts.threshold(), facts.classes()));
  };
  return {{"best_epoch", result["best_epoch"]}, {"valid", scores(data.valid)}, {"test", scores(data.test)}};
}

// All nodes, highest score first.
std::vector<NodeId> ranked(const at::Tensor& probabilities) {
  std::vector<NodeId> order(static_cast<size_t>(probabilities.size(0)));
  std::iota(order.begin(), order.end(), NodeId{0});
  if (order.empty()) return order;
  const at::Tensor best = std::get<0>(probabilities.max(1)).contiguous();
  const auto* score = best.data_ptr<float>();
  std::stable_sort(order.begin(), order.end(), [&](NodeId a, NodeId b) { return score[a] > score[b]; });
  return order;
}

}  // namespace

NodeAnswers::NodeAnswers(const Predictor& predictor, const Dataset& data, const Features& raw,
                         const std::vector<std::string>& classes, double threshold, const RunFolder& folder)
    : graph_(data.graph),
      explainer_(predictor.model(), data),
      facts_(data, explainer_, classes, threshold),
      columns_(data, raw, predictor.description().tables, predictor.description().schema),
      model_scores_(scores_of_run(folder, data, explainer_, facts_)),
      by_score_(ranked(explainer_.probabilities())) {
  decided_ = std::async(std::launch::deferred, [this] {
    return report::decided_nodes(facts_, explainer_, ExplainOptions());
  }).share();
}

Json NodeAnswers::node(const std::string& id) const { return report::node_json(facts_, node_named(id)); }

NodeId NodeAnswers::node_named(const std::string& id) const {
  const auto node = facts_.find(id);
  if (!node) throw ApiError(404, "unknown_node", "no node has this id", "an id of the graph (see /api/v1/search)", id);
  return *node;
}

Json NodeAnswers::summary(NodeId node) const {
  return report::summary_json(facts_, node, facts_.telling_class(node));
}

Json NodeAnswers::search(const std::string& query, int64_t limit) const {
  std::vector<NodeId> matches[3];  // the id itself, ids that begin with it, ids that contain it
  int64_t total = 0;
  for (const NodeId node : by_score_) {
    const std::string id = facts_.id(node);
    const size_t at = id.find(query);
    if (at == std::string::npos) continue;
    ++total;
    auto& group = matches[id == query ? 0 : at == 0 ? 1 : 2];
    if (std::ssize(group) < limit) group.push_back(node);
  }
  Json nodes = Json::array();
  for (const auto& group : matches) {
    for (const NodeId node : group) {
      if (std::ssize(nodes) == limit) break;
      nodes.push_back(summary(node));
    }
  }
  return {{"query", query}, {"total", total}, {"nodes", nodes}};
}

Json NodeAnswers::decided(int64_t limit) const {
  const std::vector<report::DecidedNode>& decided = decided_.get();
  Json nodes = Json::array();
  for (const report::DecidedNode& found : decided) {
    if (std::ssize(nodes) == limit) break;
    Json one = summary(found.node);
    one["without"] = found.without;
    nodes.push_back(std::move(one));
  }
  return {{"tried", decided.size()}, {"nodes", nodes}};
}

std::vector<NodeId> NodeAnswers::queued(const QueueQuery& query) const {
  const std::vector<report::DecidedNode> none;
  return NodeQueue(facts_, columns_, explainer_.probabilities(), by_score_)
      .matching(query, query.needs_tried() ? decided_.get() : none);
}

Json NodeAnswers::queue(const QueueQuery& query, int64_t offset, int64_t limit) const {
  const std::vector<NodeId> found = queued(query);
  const auto first = static_cast<size_t>(std::min<int64_t>(std::ssize(found), offset));
  const std::span page = std::span(found).subspan(first, std::min(found.size() - first, static_cast<size_t>(limit)));
  Json nodes = Json::array();
  for (const NodeId node : page) nodes.push_back(summary(node));
  Json answer = {{"total", found.size()}, {"offset", offset}, {"nodes", nodes}};
  answer.update(queue_cells(columns_, page));
  return answer;
}

std::string NodeAnswers::queue_table(Parameters& parameters) const {
  const QueueQuery query = queue_query(parameters);
  const int64_t limit = parameters.integer("limit", 1, kMostTableRows, 10000);
  parameters.finish();
  std::vector<NodeId> found = queued(query);
  found.resize(static_cast<size_t>(std::min<int64_t>(std::ssize(found), limit)));
  return queue_csv(facts_, columns_, found);
}

Json NodeAnswers::paths(const std::string& id, const ExplainOptions& options) const {
  const NodeId node = node_named(id);
  const auto start = Clock::now();
  const Explanation explanation = explainer_.explain(node, options);
  return report::explanation_json(facts_, explanation, seconds_since(start));
}

Json NodeAnswers::reasons(const std::string& id, const ExplainOptions& options) const {
  const NodeId node = node_named(id);
  const auto start = Clock::now();
  const Explanation explanation = explainer_.explain(node, options);
  const report::Reasons found = report::reasons_of(facts_, explainer_, explanation, columns_);
  Json answer = report::reasons_json(facts_, explanation, found, columns_, node, kMostShownColumns);
  answer["seconds"] = seconds_since(start);
  return answer;
}

Json NodeAnswers::neighbours(const std::string& id, int64_t limit) const {
  const NodeId node = node_named(id);
  std::vector<PathEdge> edges = explainer_.edges(node, 1);
  std::ranges::stable_sort(edges, std::greater<>(), [](const PathEdge& edge) { return edge.alpha.back(); });
  Json list = Json::array(), nodes = Json::array();
  for (size_t e = 0; e < std::min(edges.size(), static_cast<size_t>(limit)); ++e) {
    list.push_back({{"source", facts_.id(edges[e].source)},
                    {"target", facts_.id(node)},
                    {"alpha", edges[e].alpha},
                    {"laplacian", edges[e].laplacian}});
    nodes.push_back(summary(edges[e].source));
  }
  return {{"node", facts_.id(node)}, {"total", edges.size()}, {"edges", list}, {"nodes", nodes}};
}

Json NodeAnswers::routes(const std::string& from_id, const std::string& to_id, int64_t limit) const {
  const NodeId from = node_named(from_id), to = node_named(to_id);
  const explain::Routes found = explain::shortest_routes(graph_, from, to, static_cast<size_t>(limit));
  Json paths = Json::array(), nodes = Json::array();
  std::set<NodeId> on_the_way;
  for (const std::vector<NodeId>& path : found.paths) {
    Json ids = Json::array();
    for (const NodeId node : path) ids.push_back(facts_.id(node)), on_the_way.insert(node);
    paths.push_back(ids);
  }
  for (const NodeId node : on_the_way) nodes.push_back(summary(node));
  return {{"from", facts_.id(from)}, {"to", facts_.id(to)}, {"all", found.all}, {"paths", paths}, {"nodes", nodes}};
}

}  // namespace geniepath::serve
