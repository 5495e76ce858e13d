#include "terminal/explain_tree.h"

#include <algorithm>
#include <functional>
#include <map>

#include "base/noun.h"
#include "base/text_stream.h"
#include "report/drawing.h"
#include "report/escape.h"
#include "report/explanation_text.h"
#include "terminal/text.h"

namespace geniepath::cli {
namespace {

using report::NodeFacts;

// Text from data, escaped and shortened to fit a line.
std::string printable(const std::string& text, size_t characters = 60) {
  return report::shortened(terminal(text), characters);
}

std::string coloured(const std::string& text, Level level, bool colours) {
  if (!colours) return text;
  const char* code = level == Level::kRed ? "\x1b[31m" : level == Level::kBlue ? "\x1b[34m" : "\x1b[32m";
  return code + text + "\x1b[0m";
}

std::string left_aligned(const std::string& text, size_t width, size_t shown) {
  return text + std::string(shown < width ? width - shown : 0, ' ');
}

// Every prefix of a listed path is listed, so the paths form a tree.
class Tree {
 public:
  Tree(const NodeFacts& facts, const Explanation& explanation, bool colours)
      : facts_(facts), explanation_(explanation), colours_(colours) {
    for (const ReceptivePath& path : explanation.paths) {
      children_[{path.nodes.begin(), path.nodes.end() - 1}].push_back(&path);
    }
  }

  void write(std::ostream& out) const {
    out << "alpha                 Laplacian  product  path\n"
        << "--------------------  ---------  -------  ----\n"
        << std::string(42, ' ') << printable(facts_.id(explanation_.node)) << "\n";
    write_below(out, {explanation_.node}, "");
  }

 private:
  void write_below(std::ostream& out, const std::vector<NodeId>& prefix, const std::string& indent) const {
    const auto below = children_.find(prefix);
    if (below == children_.end()) return;
    for (size_t n = 0; n < below->second.size(); ++n) {
      const ReceptivePath& path = *below->second[n];
      const bool last = n + 1 == below->second.size();
      write_row(out, path, indent + (last ? "└─ " : "├─ "));
      write_below(out, path.nodes, indent + (last ? "   " : "│  "));
    }
  }

  void write_row(std::ostream& out, const ReceptivePath& path, const std::string& branch) const {
    const NodeId source = path.nodes.back(), target = path.nodes[path.nodes.size() - 2];
    const double alpha = path.alpha.back();
    const Level level = level_of(alpha);
    constexpr int kBar = 8;
    const std::string shown = bar(alpha, kBar);
    const auto columns =
        static_cast<size_t>(std::count_if(shown.begin(), shown.end(), [](char c) { return (c & 0xc0) != 0x80; }));
    out << fixed(alpha, 3) << " "
        << coloured(left_aligned(shown, kBar, columns) + " " +
                        left_aligned(to_string(level), 5, std::string(to_string(level)).size()),
                    level, colours_)
        << "  " << padded(fixed(laplacian(source, target), 3), 9) << "  " << padded(fixed(path.product, 4), 7) << "  "
        << branch << printable(facts_.id(source));
    if (facts_.type(source) != nullptr) out << "  " << printable(facts_.type(source));
    if (facts_.is_true_edge(source, target)) out << "  true edge";
    out << "\n";
  }

  double laplacian(NodeId source, NodeId target) const {
    for (const PathEdge& edge : explanation_.edges) {
      if (edge.source == source && edge.target == target) return edge.laplacian;
    }
    return 0;
  }

  const NodeFacts& facts_;
  const Explanation& explanation_;
  bool colours_;
  std::map<std::vector<NodeId>, std::vector<const ReceptivePath*>> children_;
};

std::string gates_table(const Explanation& explanation) {
  std::vector<std::vector<std::string>> rows{{"hop", "input", "forget", "output", "share of the memory", ""}};
  for (const GateProfile& gate : explanation.gates) {
    rows.push_back({std::to_string(gate.hop), fixed(gate.input, 3), fixed(gate.forget, 3), fixed(gate.output, 3),
                    in_width(gate.contribution, 3),
                    gate.contribution > 0 ? bar(std::min(gate.contribution, 1.0), 20) : ""});
  }
  return table(rows);
}

std::string entropy_table(const Explanation& explanation) {
  std::vector<std::vector<std::string>> rows{{"layer", "entropy", "even attention"}};
  for (const AttentionEntropy& layer : explanation.entropy) {
    rows.push_back({std::to_string(layer.layer), fixed(layer.entropy, 3), fixed(layer.uniform, 3)});
  }
  return table(rows);
}

}  // namespace

std::string explanation_tree(const NodeFacts& facts, const Explanation& explanation, const report::Reasons& reasons,
                             const report::Columns& columns, NodeId original, bool colours) {
  constexpr size_t kMostColumns = 12;
  TextStream out;
  const auto prediction = [&](const at::Tensor& p) {
    return printable(report::prediction_text(facts, explanation.node, p));
  };
  out << printable(report::node_line(facts, explanation.node), 200) << "\n\n" << terminal(reasons.verdict) << "\n\n";
  if (explanation.paths.empty()) {
    out << "No path into this node"
        << (facts.degree(explanation.node) > 0 ? " has so large a product.\n\n" : ": it has no neighbours.\n\n");
  } else {
    out << "Paths of at most " << counted(explanation.hops, "hop")
        << " into it; the first step reads layer " << explanation.depth << " of " << explanation.depth << "\n\n";
    Tree(facts, explanation, colours).write(out);
    out << "\n" << report::left_out_text(explanation) << "\n";
    if (explanation.threshold > 0) {
      out << counted(explanation.reached, "node") << (explanation.reached == 1 ? " is" : " are")
          << " reached by paths with a product of " << explanation.threshold << " or more\n";
    }
    out << "\nWith all edges            " << prediction(explanation.faithfulness.full)
        << "\nwith only these edges     " << prediction(explanation.faithfulness.kept)
        << "\nwith all but these edges  " << prediction(explanation.faithfulness.dropped) << "\n\n";
  }
  if (reasons.features) {
    out << table(report::share_rows(*reasons.features, columns, original, kMostColumns)) << "\n"
        << report::shares_sentence(*reasons.features) << "\n\n";
  }
  out << gates_table(explanation) << "\n" << entropy_table(explanation);
  return out.str();
}

}  // namespace geniepath::cli
