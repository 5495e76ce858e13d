#include "report/path_quality_text.h"

#include <algorithm>
#include <cmath>

#include "base/checksum.h"
#include "base/file.h"
#include "base/noun.h"
#include "report/escape.h"
#include "report/numbers.h"
#include "run/run_files.h"
#include "run/weights_file.h"

namespace geniepath::report {
namespace {

// From which even attention has an effect, as the sentence shows it: percent of the predictions, or thousandths between
// the scores.
constexpr int64_t kLeastPercent = 5, kLeastThousandths = 50;

std::string percent(double share) { return fixed(100 * share, 0) + " %"; }
std::string figure(double value) { return fixed(value, 4); }

bool has_scores(const EvenAttention& even) { return !std::isnan(even.learned) && !std::isnan(even.even); }

int64_t thousandths(double score) { return std::llround(1000 * score); }

// Whether even attention clearly changes predictions or their score.
bool matters(const EvenAttention& even) {
  return std::llround(100 * even.changed) >= kLeastPercent ||
         (has_scores(even) && std::abs(thousandths(even.learned) - thousandths(even.even)) >= kLeastThousandths);
}

std::string changed_text(double share) {
  if (share == 0) return "no prediction changes";
  return (share < 0.005 ? "less than 1 %" : percent(share)) + " of predictions change";
}

std::string effect_text(const EvenAttention& even) {
  const std::string scores = fixed(even.learned, 3) + " to " + fixed(even.even, 3);
  std::string text = "with even attention in its place " + changed_text(even.changed);
  if (!has_scores(even)) return text;
  text += " and " + even.metric;
  if (fixed(even.learned, 3) == fixed(even.even, 3)) return text + " stays at " + fixed(even.learned, 3);
  return text + (even.even < even.learned ? " falls from " : " rises from ") + scores;
}

// Of attention that matters.
std::string matters_text(const EvenAttention& even) {
  const bool is_worse = has_scores(even) && thousandths(even.learned) < thousandths(even.even);
  return (is_worse ? "Attention changes predictions, but does not help: " : "Attention matters: ") + effect_text(even);
}

Json by_layer(const std::vector<double>& values, const char* name) {
  Json out = Json::array();
  for (size_t layer = 0; layer < values.size(); ++layer) out.push_back({{"layer", layer + 1}, {name, values[layer]}});
  return out;
}

Json to_json(const Fidelity& fidelity) { return {{"plus", fidelity.plus}, {"minus", fidelity.minus}}; }

void add_explanations(Rows& rows, const ExplanationQuality& quality) {
  const auto add = [&](const char* name, double value, const char* meaning) {
    rows.push_back({name, meaning, figure(value)});
  };
  add("fidelity+", quality.model.plus, "predictions that change without the paths' edges");
  add("fidelity+ at random", quality.random_plus, "the same without as many random edges into the same nodes");
  add("drawn twice", quality.random_shared, "share of these random edges that are the paths' own");
  add("fidelity-", quality.model.minus, "predictions that change with the paths' edges alone");
  if (quality.phenomenon) {
    add("fidelity+ of labels", quality.phenomenon->plus, "predictions that become right or wrong without them");
    add("fidelity- of labels", quality.phenomenon->minus, "predictions that become right or wrong with them alone");
  }
  add("sparsity", quality.sparsity, "share of the edges within reach that the paths leave out");
}

void add_even(Rows& rows, const EvenAttention& even) {
  const auto add = [&](const char* name, const std::string& meaning, double value) {
    if (!std::isnan(value)) rows.push_back({name, meaning, figure(value)});
  };
  add("even: changed", "of all test nodes' predictions, if every neighbour counts alike", even.changed);
  add("even: score", even.metric + " of all test nodes then", even.even);
  add("score", "the same by the learned attention", even.learned);
}

void add_recovery(Rows& rows, const PathRecovery& recovery) {
  const auto add = [&](const char* name, double value, const std::string& meaning) {
    rows.push_back({name, meaning, figure(value)});
  };
  if (recovery.nodes > 0) {
    add("precision", recovery.precision, "true paths among the R strongest of a node with R; low where nodes wait");
    add("found", recovery.found, "true paths that are among the listed ones");
  }
  if (recovery.rows == 0) return;
  const auto best = static_cast<size_t>(recovery.best_layer - 1);
  const std::string layer = std::to_string(recovery.best_layer);
  add("path AUC", recovery.auc[best],
      "true edges above the others into the same node, in layer " + layer + ", the best");
  add("Laplacian AUC", recovery.laplacian_auc, "the same by the graph Laplacian's weights");
}

}  // namespace

std::string quality_scope(const PathQuality& quality) {
  std::string scope = grouped(quality.nodes, "test node");
  if (!quality.explanations) return scope;
  const int64_t top = quality.options.top;
  return scope + ", the " + (top == 1 ? "strongest path" : std::to_string(top) + " strongest paths") + " of at most " +
         counted(quality.options.hops, "hop") + " into each";
}

namespace {

// Where no sampled node has two neighbours. It attends to itself, too, and its neighbours may have others.
std::string sentence_without_entropy(const std::optional<EvenAttention>& even) {
  const std::string none = "no sampled node has two neighbours";
  if (!even) return "Whether attention is even was not measured: " + none + ".";
  if (matters(*even)) return matters_text(*even) + ".";
  if (even->changed > 0) return "Attention matters little: " + effect_text(*even) + ".";
  return "There is nothing to choose from: " + none + ", and " + effect_text(*even) + ".";
}

}  // namespace

std::string attention_sentence(const PathQuality& quality) {
  if (quality.entropy.empty()) return sentence_without_entropy(quality.even);
  const double lowest = std::ranges::min(quality.entropy);
  const bool even = lowest >= kNearlyEven;
  const std::string share = percent(std::floor(lowest * 100) / 100);  // below 95 % where it is not nearly even
  const std::string entropy = even ? "its entropy is at least " + share + " of even attention's in every layer"
                                   : "its entropy falls to " + share + " of even attention's";
  if (!quality.even) return std::string("Attention is ") + (even ? "nearly even: " : "uneven: ") + entropy + ".";
  if (matters(*quality.even)) return matters_text(*quality.even) + ".";
  const std::string effect = effect_text(*quality.even) + ".";
  if (even) return "Attention is nearly even: " + entropy + "; " + effect;
  return "Attention is uneven but matters little: " + entropy + ", yet " + effect;
}

Rows quality_rows(const PathQuality& quality) {
  Rows rows{{"figure", "meaning", "value"}};
  if (quality.even) add_even(rows, *quality.even);
  if (quality.explanations) add_explanations(rows, *quality.explanations);
  if (quality.recovery) add_recovery(rows, *quality.recovery);
  return rows;
}

Rows layer_rows(const PathQuality& quality) {
  const bool ranked = quality.recovery && quality.recovery->rows > 0;
  Rows rows{{"layer", "entropy / even"}};
  if (ranked) rows[0].push_back("path AUC");
  for (size_t layer = 0; layer < quality.entropy.size(); ++layer) {
    rows.push_back({std::to_string(layer + 1), figure(quality.entropy[layer])});
    if (ranked) rows.back().push_back(figure(quality.recovery->auc[layer]));
  }
  return rows;
}

Rows memory_rows(const PathQuality& quality) {
  if (!quality.explanations) return {};
  Rows rows{{"hop", "share of the memory"}};
  for (const GateProfile& gate : quality.explanations->gates) {
    rows.push_back({std::to_string(gate.hop), in_width(gate.contribution, 4)});
  }
  return rows;
}

Rows length_rows(const std::vector<training::LengthAccuracy>& lengths) {
  Rows rows{{"path length", "nodes", "accuracy"}};
  for (const auto& [length, nodes, accuracy] : lengths) {
    rows.push_back({std::to_string(length), grouped(nodes), figure(accuracy)});
  }
  return rows;
}

std::string recovery_line(const PathRecovery& recovery) {
  std::string line;
  if (recovery.nodes == 0) {
    line = "No true path leads into this node";
  } else {
    line = percent(recovery.found) +
           " of the true paths into this node are listed; among its equally many strongest paths " +
           percent(recovery.precision) + " are true";
  }
  if (recovery.rows == 0) return line + ".";
  const auto best = static_cast<size_t>(recovery.best_layer - 1);
  return line + ". True edges here weigh more than others into the same node with AUC " + fixed(recovery.auc[best], 3) +
         " in layer " + std::to_string(recovery.best_layer) + ", by the Laplacian " + fixed(recovery.laplacian_auc, 3) +
         ".";
}

Json to_json(const PathRecovery& recovery) {
  Json out{{"rows", recovery.rows}, {"nodes", recovery.nodes}};
  if (recovery.nodes > 0) out["precision"] = recovery.precision, out["found"] = recovery.found;
  if (recovery.rows == 0) return out;
  out["auc"] = by_layer(recovery.auc, "auc");
  out["best_layer"] = recovery.best_layer;
  out["best_auc"] = recovery.auc[static_cast<size_t>(recovery.best_layer - 1)];
  out["laplacian_auc"] = recovery.laplacian_auc;
  return out;
}

Json to_json(const PathQuality& quality) {
  Json out{{"nodes", quality.nodes}, {"sample_seed", quality.options.sample_seed}};
  if (quality.explanations) {
    const ExplanationQuality& explanations = *quality.explanations;
    out["hops"] = quality.options.hops;
    out["top"] = quality.options.top;
    out["fidelity"] = {{"model", to_json(explanations.model)},
                       {"random_plus", explanations.random_plus},
                       {"random_shared", explanations.random_shared},
                       {"random_p", explanations.random_p}};
    if (explanations.phenomenon) out["fidelity"]["phenomenon"] = to_json(*explanations.phenomenon);
    out["sparsity"] = explanations.sparsity;
    for (const GateProfile& gate : explanations.gates) {
      out["memory"].push_back({{"hop", gate.hop}, {"share", gate.contribution}});
    }
  }
  if (quality.even) {
    out["even"] = {{"changed", quality.even->changed},
                   {"metric", quality.even->metric},
                   {"learned", quality.even->learned},
                   {"even", quality.even->even}};
  }
  out["entropy"] = by_layer(quality.entropy, "ratio");
  if (quality.recovery) out["recovery"] = to_json(*quality.recovery);
  out["sentence"] = attention_sentence(quality);
  return out;
}

Json to_json(const std::vector<training::LengthAccuracy>& lengths) {
  Json out = Json::array();
  for (const auto& [length, nodes, accuracy] : lengths) {
    out.push_back({{"length", length}, {"nodes", nodes}, {"accuracy", accuracy}});
  }
  return out;
}

std::string table_html(const std::string& caption, const Rows& rows) {
  const bool numbers = std::all_of(rows.begin() + 1, rows.end(), [](const auto& row) {
    return row.size() > 1 && row[1].find_first_not_of("0123456789.,+-%\u2212\u2013 ") == std::string::npos;
  });
  std::string out = std::string("<div class='table'><table") + (numbers ? " class='numbers'" : "") + "><caption>" +
                    html(caption) + "</caption><thead><tr>";
  for (const std::string& cell : rows.front()) out += "<th scope='col'>" + html(cell) + "</th>";
  out += "</tr></thead><tbody>\n";
  for (size_t r = 1; r < rows.size(); ++r) {
    out += "<tr><th scope='row'>" + html(rows[r][0]) + "</th>";
    for (size_t c = 1; c < rows[r].size(); ++c) out += "<td>" + html(rows[r][c]) + "</td>";
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string quality_section(const PathQuality& quality) {
  std::string out = "<p><b>" + html(attention_sentence(quality)) + "</b></p>\n";
  if (const Rows rows = quality_rows(quality); rows.size() > 1) {
    out += table_html("Over " + quality_scope(quality), rows);
  }
  if (const Rows rows = layer_rows(quality); rows.size() > 1) out += table_html("Attention by layer", rows);
  if (const Rows rows = memory_rows(quality); rows.size() > 1) out += table_html("Memory by hop", rows);
  return out;
}

void record_quality(const RunFolder& folder, const PathQuality& quality, const std::string& weights) {
  Json figures = to_json(quality);
  figures[run::kOfWeights] = weights;
  write_atomically(folder.file(run::kPaths), [&](std::ostream& out) { out << sealed_json(figures); });
}

std::optional<Json> recorded_quality(const RunFolder& folder) {
  const auto path = folder.file(run::kPaths);
  if (!std::filesystem::exists(path)) return std::nullopt;
  return parse_sealed_json(read_text(path), path.string());
}

}  // namespace geniepath::report
