#include "report/explanation_json.h"

#include <charconv>

namespace geniepath::report {
namespace {

// The shortest digits of the float, not those of its double value.
double shortest(float value) {
  char text[32];
  const char* end = std::to_chars(text, text + sizeof text, value).ptr;
  double same = 0;
  std::from_chars(text, end, same);
  return same;
}

Json list(const std::vector<float>& values) {
  Json out = Json::array();
  for (const float value : values) out.push_back(shortest(value));
  return out;
}

Json or_null(const char* text) { return text == nullptr ? Json(nullptr) : Json(text); }

Json common(const NodeFacts& facts, NodeId node) {
  const auto labels = facts.labels(node);
  return {{"id", facts.id(node)},
          {"type", or_null(facts.type(node))},
          {"degree", facts.degree(node)},
          {"split", or_null(facts.split(node))},
          {"label", labels ? Json(*labels) : Json(nullptr)},
          {"predicted", facts.predicted(facts.scores(node))}};
}

Json scores_json(const NodeFacts& facts, const std::vector<double>& scores) {
  Json out = Json::array();
  for (size_t c = 0; c < scores.size(); ++c) out.push_back({{"class", facts.classes()[c]}, {"score", scores[c]}});
  return out;
}

Json nodes_json(const NodeFacts& facts, const Explanation& explanation, size_t which_class) {
  Json out = Json::array();
  for (const PathNode& node : explanation.nodes) {
    Json one = summary_json(facts, node.node, which_class);
    one["hop"] = node.hop;
    one["importance"] = node.importance;
    one["self_alpha"] = list(node.self_alpha);
    out.push_back(std::move(one));
  }
  return out;
}

Json edges_json(const NodeFacts& facts, const Explanation& explanation) {
  Json out = Json::array();
  for (const PathEdge& edge : explanation.edges) {
    out.push_back({{"source", facts.id(edge.source)},
                   {"target", facts.id(edge.target)},
                   {"alpha", list(edge.alpha)},
                   {"laplacian", edge.laplacian},
                   {"importance", {{"best", edge.best}, {"total", edge.total}}}});
  }
  return out;
}

Json paths_json(const NodeFacts& facts, const Explanation& explanation) {
  Json out = Json::array();
  for (const ReceptivePath& path : explanation.paths) {
    Json nodes = Json::array(), layers = Json::array();
    for (const NodeId node : path.nodes) nodes.push_back(facts.id(node));
    for (size_t s = 0; s < path.alpha.size(); ++s) layers.push_back(explanation.depth - static_cast<int64_t>(s));
    out.push_back({{"nodes", nodes},
                   {"layers", layers},
                   {"alpha", list(path.alpha)},
                   {"product", path.product},
                   {"laplacian", path.laplacian}});
  }
  return out;
}

Json gates_json(const Explanation& explanation) {
  Json out = Json::array();
  for (const GateProfile& gate : explanation.gates) {
    out.push_back({{"hop", gate.hop}, {"input", gate.input}, {"forget", gate.forget}, {"output", gate.output},
                   {"contribution", gate.contribution}, {"magnitude", gate.magnitude}});
  }
  return out;
}

Json entropy_json(const Explanation& explanation) {
  Json out = Json::array();
  for (const AttentionEntropy& layer : explanation.entropy) {
    out.push_back({{"layer", layer.layer}, {"entropy", layer.entropy}, {"uniform", layer.uniform}});
  }
  return out;
}

}  // namespace

Json node_json(const NodeFacts& facts, NodeId node) {
  Json out = common(facts, node);
  out["scores"] = scores_json(facts, facts.scores(node));
  return out;
}

Json summary_json(const NodeFacts& facts, NodeId node, size_t which_class) {
  Json out = common(facts, node);
  out["score"] = facts.scores(node)[which_class];
  return out;
}

Json prediction_json(const NodeFacts& facts, const at::Tensor& probabilities) {
  const std::vector<double> scores = facts.scores(probabilities);
  return {{"predicted", facts.predicted(scores)}, {"scores", scores_json(facts, scores)}};
}

Json explanation_json(const NodeFacts& facts, const Explanation& explanation, double seconds) {
  const size_t which_class = facts.telling_class(explanation.node);
  const Omitted& omitted = explanation.omitted;
  return {
      {"node", facts.id(explanation.node)},
      {"class", facts.classes()[which_class]},
      {"depth", explanation.depth},
      {"hops", explanation.hops},
      {"top", explanation.top},
      {"threshold", explanation.threshold},
      {"nodes", nodes_json(facts, explanation, which_class)},
      {"edges", edges_json(facts, explanation)},
      {"paths", paths_json(facts, explanation)},
      {"gates", gates_json(explanation)},
      {"entropy", entropy_json(explanation)},
      {"reached", explanation.reached},
      {"omitted",
       {{"nodes", omitted.nodes}, {"edges", omitted.edges}, {"paths", omitted.paths}, {"product", omitted.product}}},
      {"faithfulness",
       {{"full", prediction_json(facts, explanation.faithfulness.full)},
        {"kept", prediction_json(facts, explanation.faithfulness.kept)},
        {"dropped", prediction_json(facts, explanation.faithfulness.dropped)}}},
      {"seconds", seconds}};
}

}  // namespace geniepath::report
