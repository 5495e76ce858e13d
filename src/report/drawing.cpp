#include "report/drawing.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/noun.h"
#include "base/text_stream.h"
#include "report/escape.h"
#include "report/numbers.h"
#include "report/plot_frame.h"
#include "report/radial_layout.h"

namespace geniepath::report {
namespace {

constexpr double kPanel = 460, kMargin = 58, kPanelTop = 62, kPanelBottom = 84, kFontSize = 11, kCharacter = 6.6;

constexpr double kBand = 15, kNoteLine = 18;
constexpr size_t kNoteCharacters = 130;
constexpr const char* kTrueColour = "#ffdf6b";

using Weight = std::function<double(const PathEdge&)>;

double thickness(double weight) { return 0.8 + 9 * std::min(weight, 1.0); }

Weight alpha_of(int64_t layer) {
  return [layer](const PathEdge& edge) { return static_cast<double>(edge.alpha[static_cast<size_t>(layer - 1)]); };
}

double laplacian_of(const PathEdge& edge) { return edge.laplacian; }

class Panel {
 public:
  Panel(const NodeFacts& facts, const Explanation& explanation, double left)
      : facts_(facts), explanation_(explanation), left_(left), place_(radial_layout(explanation)) {}

  void draw(std::ostream& out, const std::string& title, const Weight& weight) const {
    out << "<g><text x='" << left_ + kPanel / 2 << "' y='52' text-anchor='middle' font-weight='600'>" << html(title)
        << "</text>\n";
    std::vector<const PathEdge*> edges;
    for (const PathEdge& edge : explanation_.edges) edges.push_back(&edge);
    std::stable_sort(edges.begin(), edges.end(), [&](auto a, auto b) { return weight(*a) < weight(*b); });
    for (const PathEdge* edge : edges) {
      if (facts_.is_true_edge(edge->source, edge->target)) draw_band(out, *edge);
    }
    for (const PathEdge* edge : edges) draw_edge(out, *edge, weight(*edge));
    for (const PathNode& node : explanation_.nodes) draw_node(out, node);
    std::vector<Words> written;
    for (const PathNode& node : explanation_.nodes) write_name(out, node, written);
    out << "</g>\n";
  }

 private:
  struct Words {
    double left, right, y;
  };

  Point at(NodeId node) const {
    const auto [x, y] = place_.at(node);
    const double radius = kPanel / 2 - kMargin;
    return {left_ + kPanel / 2 + radius * x, kPanelTop + kPanel / 2 - 10 + radius * y};
  }

  // Two edges between the same nodes bend apart.
  void begin_curve(std::ostream& out, const PathEdge& edge) const {
    const Point from = at(edge.source), to = at(edge.target);
    const double bend = 0.07;
    const Point middle{(from.x + to.x) / 2 - bend * (to.y - from.y), (from.y + to.y) / 2 + bend * (to.x - from.x)};
    out << "<path d='M" << fixed(from.x, 1) << " " << fixed(from.y, 1) << "Q" << fixed(middle.x, 1) << " "
        << fixed(middle.y, 1) << " " << fixed(to.x, 1) << " " << fixed(to.y, 1)
        << "' fill='none' stroke-linecap='round' ";
  }

  void draw_band(std::ostream& out, const PathEdge& edge) const {
    begin_curve(out, edge);
    out << "stroke='" << kTrueColour << "' stroke-width='" << kBand << "'/>\n";
  }

  void draw_edge(std::ostream& out, const PathEdge& edge, double weight) const {
    begin_curve(out, edge);
    out << "stroke='" << colour_of(level_of(weight)) << "' stroke-opacity='0.85' stroke-width='"
        << fixed(thickness(weight), 2) << "'><title>" << html(facts_.id(edge.source)) << " → "
        << html(facts_.id(edge.target)) << ": " << fixed(weight, 4) << "</title></path>\n";
  }

  void draw_node(std::ostream& out, const PathNode& node) const {
    const Point centre = at(node.node);
    const bool root = node.hop == 0;
    out << "<circle cx='" << fixed(centre.x, 1) << "' cy='" << fixed(centre.y, 1) << "' r='" << (root ? 8 : 4.5)
        << "' fill='" << (root ? "#000" : "#5b6472") << "' stroke='#fff' stroke-width='1.5'><title>"
        << html(facts_.id(node.node)) << "</title></circle>\n";
  }

  // Writes the node's name unless it would overlap one already written.
  void write_name(std::ostream& out, const PathNode& node, std::vector<Words>& written) const {
    const Point centre = at(node.node);
    const auto [x, y] = place_.at(node.node);
    const bool root = node.hop == 0, middle = root || std::abs(x) < 0.2;
    const std::string name = shortened(facts_.id(node.node), 12);
    const double width = kCharacter * static_cast<double>(name.size());
    const double at_x = centre.x + (middle ? 0 : x > 0 ? 8 : -8);
    const double at_y = centre.y + (root ? 22 : !middle ? 4 : y > 0 ? 18 : -10);
    const double left = at_x - (middle ? width / 2 : x > 0 ? 0 : width);
    const Words words{left, left + width, at_y};
    const bool taken = std::any_of(written.begin(), written.end(), [&](const Words& other) {
      return words.left < other.right && other.left < words.right && std::abs(words.y - other.y) < kFontSize;
    });
    if (taken) return;
    written.push_back(words);
    out << "<text x='" << fixed(at_x, 1) << "' y='" << fixed(at_y, 1) << "' text-anchor='"
        << (middle ? "middle" : x > 0 ? "start" : "end") << "' font-size='" << kFontSize
        << "' paint-order='stroke' stroke='#fff' stroke-width='3'>" << html(name) << "</text>\n";
  }

  const NodeFacts& facts_;
  const Explanation& explanation_;
  double left_;
  std::map<NodeId, Point> place_;
};

std::vector<std::string> note_lines(const std::vector<std::string>& notes) {
  std::vector<std::string> lines;
  for (const std::string& note : notes) {
    for (const std::string& line : wrapped(note, kNoteCharacters)) lines.push_back(line);
  }
  return lines;
}

void draw_legend(std::ostream& out, double y, bool truth) {
  double x = 24;
  for (const double weight : {0.05, 0.15, 0.3}) {
    const Level level = level_of(weight);
    out << "<line x1='" << x << "' y1='" << y - 4 << "' x2='" << x + 30 << "' y2='" << y - 4 << "' stroke='"
        << colour_of(level) << "' stroke-width='" << fixed(thickness(weight), 2)
        << "' stroke-linecap='round'/><text x='" << x + 40 << "' y='" << y << "'>" << html(text_of(level))
        << "</text>\n";
    x += 160;
  }
  if (!truth) return;
  out << "<line x1='" << x << "' y1='" << y - 4 << "' x2='" << x + 30 << "' y2='" << y - 4 << "' stroke='"
      << kTrueColour << "' stroke-width='" << kBand << "' stroke-linecap='round'/><text x='" << x + 40 << "' y='" << y
      << "'>true edge</text>\n";
}

}  // namespace

const char* colour_of(Level level) {
  return level == Level::kRed ? "#c62828" : level == Level::kBlue ? "#1f5fbf" : "#3f8f4f";
}

const char* text_of(Level level) {
  return level == Level::kRed ? "w ≥ 0.2" : level == Level::kBlue ? "0.1 ≤ w < 0.2" : "w < 0.1";
}

std::string left_out_text(const Explanation& explanation) {
  const Omitted& omitted = explanation.omitted;
  double listed = 0;
  for (const ReceptivePath& path : explanation.paths) listed += path.product;
  const double all = listed + omitted.product;
  TextStream out;
  const double paths = static_cast<double>(explanation.paths.size()) + omitted.paths;
  out << grouped(explanation.paths.size()) << " of " << grouped(paths) << (paths == 1 ? " path" : " paths")
      << " shown, " << fixed(all > 0 ? 100 * listed / all : 100, 1)
      << " % of the sum of their products; left out: " << grouped(omitted.nodes, "node") << ", "
      << grouped(omitted.edges, "edge");
  return out.str();
}

std::string explanation_svg(const NodeFacts& facts, const Explanation& explanation, int64_t layer,
                            const std::vector<std::string>& notes) {
  const std::vector<std::string> lines = note_lines(notes);
  const double width = 2 * kPanel, figure = kPanelTop + kPanel + kPanelBottom - 30;
  const double height = figure + kNoteLine * static_cast<double>(lines.size());
  const std::string name = facts.id(explanation.node);
  TextStream out;
  out << "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 " << width << " " << height
      << "' font-family='Helvetica, Arial, sans-serif' font-size='13' fill='#1c2330' role='img' aria-label='Receptive "
         "paths of "
      << html(name) << "'>\n<rect width='" << width << "' height='" << height << "' fill='#fff'/>\n"
      << "<text x='24' y='26' font-size='16' font-weight='600'>Receptive paths of " << html(shortened(name, 40)) << ", "
      << counted(explanation.hops, "hop") << "</text>\n";
  Panel(facts, explanation, 0).draw(out, "Graph Laplacian", laplacian_of);
  Panel(facts, explanation, kPanel)
      .draw(out, "Learned: α of layer " + std::to_string(layer) + " of " + std::to_string(explanation.depth),
            alpha_of(layer));
  draw_legend(out, figure - 38, !facts.data().true_edges.empty());
  out << "<text x='24' y='" << figure - 14 << "' fill='#4a5464'>" << html(left_out_text(explanation)) << "</text>\n";
  for (size_t n = 0; n < lines.size(); ++n) {
    out << "<text x='24' y='" << figure + kNoteLine * (static_cast<double>(n) + 0.5) << "'>" << html(lines[n])
        << "</text>\n";
  }
  out << "</svg>\n";
  return out.str();
}

std::string explanation_dot(const NodeFacts& facts, const Explanation& explanation, int64_t layer) {
  TextStream out;
  out << "digraph receptive_paths {\n  label=\""
      << dot("Receptive paths of " + facts.id(explanation.node) + ", alpha of layer " + std::to_string(layer) + "; " +
             left_out_text(explanation))
      << "\";\n  layout=twopi; overlap=false; root=\"" << dot(facts.id(explanation.node))
      << "\";\n  node [shape=circle, style=filled, fillcolor=\"#d8dde6\", fontname=\"Helvetica\"];\n  edge "
         "[fontname=\"Helvetica\", fontsize=9];\n";
  for (const PathNode& node : explanation.nodes) {
    out << "  \"" << dot(facts.id(node.node)) << "\" [tooltip=\"hop " << node.hop << ", importance "
        << fixed(node.importance, 4) << "\"" << (node.hop == 0 ? ", fillcolor=black, fontcolor=white" : "") << "];\n";
  }
  const Weight weight = alpha_of(layer);
  for (const PathEdge& edge : explanation.edges) {
    out << "  \"" << dot(facts.id(edge.source)) << "\" -> \"" << dot(facts.id(edge.target)) << "\" [label=\""
        << fixed(weight(edge), 3) << "\", color=\"" << colour_of(level_of(weight(edge)))
        << "\", penwidth=" << fixed(thickness(weight(edge)) / 2, 2) << ", tooltip=\"Laplacian "
        << fixed(edge.laplacian, 4) << "\"];\n";
  }
  out << "}\n";
  return out.str();
}

}  // namespace geniepath::report
