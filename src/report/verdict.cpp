#include "report/verdict.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/text_stream.h"
#include "report/escape.h"
#include "report/numbers.h"
#include "report/path_quality_text.h"

namespace geniepath::report {
namespace {

constexpr size_t kMostRemoved = 8, kMostNamed = 3;
constexpr double kNoticeable = 0.1, kTelling = 0.02;

// Scores of the node's prediction if it does not attend to some neighbours.
class Removal {
 public:
  Removal(const NodeFacts& facts, const Explainer& explainer, NodeId node)
      : facts_(facts), explainer_(explainer), node_(node), shown_(facts.telling_class(node)),
        full_(facts.scores(node)), predicted_(facts.predicts(full_, shown_)) {}

  struct Outcome {
    double score = 0;
    bool changes = false;
  };
  Outcome without(const std::vector<NodeId>& neighbours) const {
    const std::vector<double> scores = facts_.scores(explainer_.without_neighbours(node_, neighbours));
    return {scores[shown_], facts_.predicts(scores, shown_) != predicted_};
  }
  double change(const Outcome& outcome) const { return std::abs(outcome.score - full_[shown_]); }

 private:
  const NodeFacts& facts_;
  const Explainer& explainer_;
  NodeId node_;
  size_t shown_;
  std::vector<double> full_;
  bool predicted_;  // whether the class shown is
};

// The strongest neighbours among the listed paths, most influential first.
std::vector<NodeId> candidates(const Removal& removal, const Explanation& explanation) {
  std::vector<std::pair<double, NodeId>> found;
  for (const ReceptivePath& path : explanation.paths) {
    if (path.nodes.size() != 2 || found.size() == kMostRemoved) continue;
    found.emplace_back(removal.change(removal.without({path.nodes[1]})), path.nodes[1]);
  }
  std::ranges::stable_sort(found, std::greater<>(), &std::pair<double, NodeId>::first);
  std::vector<NodeId> nodes;
  for (const auto& [_, node] : found) nodes.push_back(node);
  return nodes;
}

// A name that is a number, also one with a sign, is preceded by "class".
std::string class_text(const std::string& name) {
  const size_t sign = name.find_first_of("+-") == 0 ? 1 : 0;
  const bool number = name.size() > sign && name.find_first_not_of("0123456789", sign) == std::string::npos;
  return number ? "class " + name : name;
}

// The type that all the nodes have; empty if they are of several, or the data has one.
std::string type_of(const NodeFacts& facts, const std::vector<NodeId>& nodes) {
  const char* type = facts.type(nodes[0]);
  const auto is_alike = [&](NodeId node) { return facts.type(node) == type; };
  return type != nullptr && std::ranges::all_of(nodes, is_alike) ? type : "";
}

// "device" for "devices". Empty for a type that is not surely a regular plural, such as people, address or status.
std::string singular(const std::string& type) {
  constexpr size_t kShortest = 5;
  if (type.size() < kShortest || !type.ends_with('s')) return "";
  const std::string stem = type.substr(0, type.size() - 1);
  if (stem.ends_with("ie") || stem.ends_with("se") || stem.ends_with("xe") || stem.ends_with("he")) return "";
  return std::string("aious").find(stem.back()) == std::string::npos ? stem : "";
}

// What nodes are called: "device" or "devices"; "neighbours", followed by " (people)" after their names.
struct Kind {
  std::string word, note;
};

Kind kind_of(const NodeFacts& facts, const std::vector<NodeId>& nodes, const std::string& general) {
  const std::string type = type_of(facts, nodes), alone = singular(type);
  const bool one = nodes.size() == 1;
  if (!alone.empty()) return {one ? alone : type, ""};
  return {general + (one ? "" : "s"), type.empty() ? "" : " (" + type + ")"};
}

std::string named(const NodeFacts& facts, const std::vector<NodeId>& nodes) {
  std::vector<std::string> names;
  for (size_t n = 0; n < std::min(nodes.size(), kMostNamed); ++n) names.push_back(shortened(facts.id(nodes[n]), 40));
  if (nodes.size() > kMostNamed) names.push_back(std::to_string(nodes.size() - kMostNamed) + " more");
  std::string text = names[0];
  for (size_t n = 1; n < names.size(); ++n) text += (n + 1 == names.size() ? " and " : ", ") + names[n];
  return text;
}

std::string opening(const NodeFacts& facts, NodeId node) {
  const std::vector<double> scores = facts.scores(node);
  const size_t shown = facts.telling_class(node);
  const std::string name = class_text(facts.classes()[shown]), score = fixed(scores[shown], 3);
  const bool predicted = facts.predicts(scores, shown);
  const bool binary = facts.data().task == Task::kBinary;
  const char* begin = binary ? (predicted ? "Flagged as " : "Not flagged as ")
                             : (predicted ? "Predicted " : "Nothing is predicted; the likeliest label is ");
  return begin + name + ", " + score + ".";
}

// "shared with 5 other accounts, 4 of them labelled malicious"
std::string company(const NodeFacts& facts, NodeId node, const std::vector<NodeId>& neighbours) {
  std::set<NodeId> others;
  for (const NodeId neighbour : neighbours) {
    for (const NodeId other : facts.data().graph.incoming().neighbours(neighbour)) others.insert(other);
  }
  for (const NodeId neighbour : neighbours) others.erase(neighbour);
  others.erase(node);
  if (others.empty()) return "";
  const std::string& shown = facts.classes()[facts.telling_class(node)];
  int64_t labelled = 0;
  for (const NodeId other : others) {
    const auto labels = facts.labels(other);
    labelled += labels && std::ranges::find(*labels, shown) != labels->end();
  }
  const std::vector<NodeId> all(others.begin(), others.end());
  const Kind kind = kind_of(facts, all, "node");
  return ", shared with " + grouped(std::ssize(all)) + " other " + kind.word + kind.note + ", " +
         (labelled == 0 ? "none" : grouped(labelled)) + " of them labelled " + class_text(shown) + ",";
}

std::string neighbours_sentence(const NodeFacts& facts, const Explanation& explanation, const Deciding& deciding) {
  const bool one = deciding.neighbours.size() == 1;
  const Kind kind = kind_of(facts, deciding.neighbours, "neighbour");
  return " The " + kind.word + " " + named(facts, deciding.neighbours) + kind.note +
         company(facts, explanation.node, deciding.neighbours) +
         (deciding.changes ? (one ? " decides" : " decide")
          : one            ? " matters"
                           : " matter") +
         ": without " + (one ? "it" : "them") + " the score is " + fixed(deciding.without, 3) + ".";
}

// Where no small set of neighbours decides, the listed paths still may.
std::string paths_sentence(const NodeFacts& facts, const Explanation& explanation) {
  const std::vector<double> full = facts.scores(explanation.node),
                            without = facts.scores(explanation.faithfulness.dropped);
  const size_t shown = facts.telling_class(explanation.node);
  const std::string score = fixed(without[shown], 3) + ".";
  const bool changes = facts.predicts(without, shown) != facts.predicts(full, shown);
  if (!changes && std::abs(without[shown] - full[shown]) < kNoticeable) {
    return " No neighbour decides: without the listed paths the score is " + score;
  }
  return std::string(" No neighbour decides by itself, but the listed paths ") + (changes ? "decide" : "matter") +
         " together: without them the score is " + score;
}

bool is_even(const Explanation& explanation) {
  return std::ranges::all_of(
      explanation.entropy, [](const AttentionEntropy& layer) { return layer.entropy >= kNearlyEven * layer.uniform; });
}

}  // namespace

Deciding deciding_neighbours(const NodeFacts& facts, const Explainer& explainer, const Explanation& explanation) {
  const Removal removal(facts, explainer, explanation.node);
  std::vector<NodeId> removed;
  Deciding strongest;
  double largest = kNoticeable;
  for (const NodeId neighbour : candidates(removal, explanation)) {
    removed.push_back(neighbour);
    const Removal::Outcome outcome = removal.without(removed);
    if (outcome.changes) return {removed, outcome.score, true};
    if (removal.change(outcome) < largest) continue;
    largest = removal.change(outcome) + kTelling;  // one more neighbour must matter to be named
    strongest = {removed, outcome.score, false};
  }
  return strongest;
}

std::string verdict(const NodeFacts& facts, const Explanation& explanation, const Deciding& deciding) {
  std::string text = opening(facts, explanation.node);
  if (facts.degree(explanation.node) == 0) return text + " It has no neighbours: its own columns alone decide.";
  if (!deciding.neighbours.empty()) {
    text += neighbours_sentence(facts, explanation, deciding);
  } else {
    text += paths_sentence(facts, explanation);
  }
  if (facts.degree(explanation.node) > 1 && is_even(explanation)) {
    text += " It attends to all neighbours nearly alike, so attention does not say which of them matter.";
  }
  return text;
}

std::string columns_sentence(const std::optional<FeatureShares>& shares, const Columns& columns, NodeId original) {
  if (!shares || shares->columns.empty()) return "";
  const ColumnShare& own =
      *std::ranges::max_element(shares->columns, {}, [](const ColumnShare& share) { return std::abs(share.own); });
  if (std::abs(own.own) < kTelling) return " None of its own columns has a noticeable share.";
  const FeatureColumn& column = columns.cells.columns()[own.column];
  return " Of its own columns, " + shortened(column.name, 40) + " (" +
         shortened(usual_text(columns, column, original), 80) + ") " + (own.own > 0 ? "raises" : "lowers") +
         " the score most, by " + fixed(std::abs(own.own), 3) + ".";
}

}  // namespace geniepath::report
