#include "report/reasons.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "report/escape.h"
#include "report/numbers.h"
#include "report/path_quality_text.h"
#include "report/verdict.h"

namespace geniepath::report {
namespace {

constexpr int64_t kMostFeatures = int64_t{1} << 24;  // features of all nodes together

NodeId in_whole(std::span<const NodeId> original, NodeId node) {
  return original.empty() ? node : original[static_cast<size_t>(node)];
}

at::Tensor dense_rows(const Features& features, const std::vector<NodeId>& nodes) {
  const Features rows = features.select_rows(nodes);
  return rows.is_sparse() ? rows.sparse().to_dense() : rows.dense().contiguous();
}

// Column by feature.
std::vector<size_t> column_of_feature(const std::vector<FeatureColumn>& columns, int64_t features) {
  std::vector<size_t> out(static_cast<size_t>(features));
  for (size_t c = 0; c < columns.size(); ++c) {
    for (int64_t f = 0; f < columns[c].size(); ++f) out[static_cast<size_t>(columns[c].first + f)] = c;
    if (columns[c].mark >= 0) out[static_cast<size_t>(columns[c].mark)] = c;
  }
  return out;
}

// Sums of the attributions by column and by node.
void add_up(const at::Tensor& values, const std::vector<size_t>& column, std::vector<ColumnShare>& columns,
            std::vector<double>& nodes) {
  const auto* value = values.data_ptr<float>();
  for (int64_t n = 0; n < values.size(0); ++n) {
    nodes.push_back(0);
    for (int64_t f = 0; f < values.size(1); ++f, ++value) {
      ColumnShare& share = columns[column[static_cast<size_t>(f)]];
      (n == 0 ? share.own : share.others) += *value;
      nodes.back() += *value;
    }
  }
}

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json number_json(const Columns& columns, const FeatureColumn& column, NodeId node) {
  const Histogram usual = columns.typical.histogram(node, column);
  if (usual.counts.empty()) return nullptr;
  Json out{{"low", usual.low}, {"high", usual.high}, {"median", usual.median}, {"counts", usual.counts}};
  const auto number = columns.cells.number(node, column);
  const Rank rank = number ? columns.typical.rank(node, column, *number) : Rank();
  out["number"] = number ? Json(*number) : Json(nullptr);
  out["rank"] = number ? Json(rank.middle()) : Json(nullptr);
  out["equal"] = number ? Json(rank.equal) : Json(nullptr);
  return out;
}

Json categories_json(const Columns& columns, const FeatureColumn& column, NodeId node) {
  Json out = Json::array();
  const std::vector<double> shares = columns.typical.shares(node, column);
  for (size_t c = 0; c < shares.size(); ++c) out.push_back({{"value", column.categories[c]}, {"share", shares[c]}});
  return out;
}

Json column_json(const NodeFacts& facts, const Columns& columns, const ColumnShare& share, NodeId node) {
  const FeatureColumn& column = columns.cells.columns()[share.column];
  const bool own = columns.cells.has(node, column), category = column.kind == ColumnKind::kCategory;
  return {{"name", column.name},
          {"kind", to_string(column.kind)},
          {"type", column.type ? Json(facts.data().type_names[*column.type]) : Json(nullptr)},
          {"has", own},
          {"value", own ? text_or_null(columns.cells.text(node, column)) : Json(nullptr)},
          {"own", share.own},
          {"others", share.others},
          {"numbers", own && !category ? number_json(columns, column, node) : Json(nullptr)},
          {"categories", own && category ? categories_json(columns, column, node) : Json(nullptr)}};
}

Json shares_json(const NodeFacts& facts, const Explanation& explanation, const FeatureShares& shares,
                 const Columns& columns, NodeId node, int64_t most) {
  Json list = Json::array(), nodes = Json::array();
  for (const ColumnShare& share : shares.columns) {
    if (std::ssize(list) == most) break;
    list.push_back(column_json(facts, columns, share, node));
  }
  for (size_t n = 0; n < shares.nodes.size(); ++n) {
    nodes.push_back({{"id", facts.id(explanation.nodes[n].node)}, {"share", shares.nodes[n]}});
  }
  return {{"score", shares.score},
          {"typical", shares.typical},
          {"gap", shares.gap},
          {"compared", columns.typical.count(node)},
          {"left_out", std::max<int64_t>(0, std::ssize(shares.columns) - most)},
          {"columns", list},
          {"nodes", nodes}};
}

// "higher than 98 %"; the share of the category, or of the number where most have it.
std::string rank_text(const Columns& columns, const FeatureColumn& column, NodeId original, const std::string& cell) {
  if (column.kind == ColumnKind::kCategory) {
    const auto found = std::ranges::find(column.categories, cell) - column.categories.begin();
    return "as " + fixed(100 * columns.typical.shares(original, column)[static_cast<size_t>(found)], 0) + " %";
  }
  const Rank rank = columns.typical.rank(original, column, *columns.cells.number(original, column));
  const double most = std::max({rank.below, rank.equal, rank.above()});
  return (most == rank.equal ? "as " : most == rank.below ? "higher than " : "lower than ") + fixed(100 * most, 0) + " %";
}

std::string signed_text(double share) { return (share < 0 ? "−" : "+") + fixed(std::abs(share), 3); }

}  // namespace

double ColumnShare::size() const { return std::abs(own) + std::abs(others); }

std::optional<FeatureShares> feature_shares(const NodeFacts& facts, const Explainer& explainer,
                                            const Explanation& explanation, const Columns& columns,
                                            std::span<const NodeId> original) {
  const int64_t features = columns.prepared.num_features();
  if (columns.cells.columns().empty() || features * std::ssize(explanation.nodes) > kMostFeatures) return std::nullopt;
  std::vector<NodeId> nodes;
  std::vector<at::Tensor> typical;
  for (const PathNode& node : explanation.nodes) {
    nodes.push_back(in_whole(original, node.node));
    typical.push_back(columns.typical.mean(nodes.back()));
  }
  const size_t shown = facts.telling_class(explanation.node);
  const int64_t output = facts.data().task == Task::kBinary ? 0 : static_cast<int64_t>(shown);
  const FeatureAttribution found =
      explainer.attribute(explanation, dense_rows(columns.prepared, nodes), at::stack(typical), output);
  FeatureShares out{found.score, found.baseline, found.gap, {}, {}};
  const std::vector<FeatureColumn>& all = columns.cells.columns();
  for (size_t c = 0; c < all.size(); ++c) out.columns.push_back({c, 0, 0});
  add_up(found.values, column_of_feature(all, features), out.columns, out.nodes);
  std::erase_if(out.columns, [&](const ColumnShare& share) {
    return share.size() == 0 && columns.cells.text(nodes[0], all[share.column]).empty();
  });
  std::ranges::stable_sort(out.columns, std::greater<>(), &ColumnShare::size);
  return out;
}

Reasons reasons_of(const NodeFacts& facts, const Explainer& explainer, const Explanation& explanation,
                   const Columns& columns, std::span<const NodeId> original) {
  Reasons out;
  out.features = feature_shares(facts, explainer, explanation, columns, original);
  const Deciding deciding = deciding_neighbours(facts, explainer, explanation);
  out.neighbours = deciding.neighbours;
  if (!out.neighbours.empty()) out.without = deciding.without;
  out.verdict = verdict(facts, explanation, deciding) +
                columns_sentence(out.features, columns, in_whole(original, explanation.node));
  return out;
}

Json reasons_json(const NodeFacts& facts, const Explanation& explanation, const Reasons& reasons,
                  const Columns& columns, NodeId original, int64_t most) {
  Json neighbours = Json::array();
  for (const NodeId node : reasons.neighbours) neighbours.push_back(facts.id(node));
  return {{"node", facts.id(explanation.node)},
          {"class", facts.classes()[facts.telling_class(explanation.node)]},
          {"verdict", reasons.verdict},
          {"neighbours", neighbours},
          {"without", reasons.without ? Json(*reasons.without) : Json(nullptr)},
          {"features", reasons.features ? shares_json(facts, explanation, *reasons.features, columns, original, most)
                                        : Json(nullptr)}};
}

std::string usual_text(const Columns& columns, const FeatureColumn& column, NodeId original) {
  const std::string text = columns.cells.text(original, column);
  if (text.empty()) return "empty";
  return text + ", " + rank_text(columns, column, original, text) + " of its kind";
}

std::vector<std::vector<std::string>> share_rows(const FeatureShares& shares, const Columns& columns, NodeId original,
                                                 size_t most) {
  std::vector<std::vector<std::string>> rows{{"column", "value", "of its kind", "own share", "along the paths"}};
  for (const ColumnShare& share : shares.columns) {
    if (rows.size() > most) break;
    const FeatureColumn& column = columns.cells.columns()[share.column];
    const bool own = columns.cells.has(original, column);
    const std::string text = own ? columns.cells.text(original, column) : "";
    rows.push_back({column.name, text, text.empty() ? "" : rank_text(columns, column, original, text),
                    own ? signed_text(share.own) : "", signed_text(share.others)});
  }
  return rows;
}

std::string shares_sentence(const FeatureShares& shares) {
  return "Shares add up to the difference between its score, " + fixed(shares.score, 3) + ", and " +
         fixed(shares.typical, 3) + ", the score if it and the nodes along its paths had typical columns.";
}

std::vector<std::string> reason_lines(const Reasons& reasons, const Columns& columns, NodeId original) {
  constexpr size_t kMost = 5;
  std::vector<std::string> lines{reasons.verdict};
  if (!reasons.features) return lines;
  const auto rows = share_rows(*reasons.features, columns, original, kMost);
  for (size_t r = 1; r < rows.size(); ++r) {
    std::string line =
        rows[r][0] + (rows[r][1].empty() ? "" : " " + rows[r][1] + " (" + rows[r][2] + " of its kind)") + ":";
    if (!rows[r][3].empty()) line += " own share " + rows[r][3] + ",";
    lines.push_back(line + " along the paths " + rows[r][4]);
  }
  return lines;
}

std::string reasons_html(const Reasons& reasons, const Columns& columns, NodeId original) {
  constexpr size_t kMost = 12;
  std::string out = "<p class='verdict'>" + html(reasons.verdict) + "</p>\n";
  if (!reasons.features) return out;
  return out + table_html("Which columns decided", share_rows(*reasons.features, columns, original, kMost)) + "<p>" +
         html(shares_sentence(*reasons.features)) + "</p>\n";
}

}  // namespace geniepath::report
