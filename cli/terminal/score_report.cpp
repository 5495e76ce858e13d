#include "terminal/score_report.h"

#include <nlohmann/json.hpp>

#include "terminal/text.h"

namespace geniepath::cli {

std::string class_table(const Scores& scores, size_t most) {
  std::vector<std::vector<std::string>> rows{{"class", "nodes", "precision", "recall", "f1", "roc_auc", "avg_prec"}};
  for (const ClassScores& c : scores.classes) {
    if (rows.size() > most) break;
    rows.push_back({c.name, std::to_string(c.positives), fixed(c.precision, 4), fixed(c.recall, 4), fixed(c.f1, 4),
                    fixed(c.roc_auc, 4), fixed(c.average_precision, 4)});
  }
  std::string text = table(rows);
  if (scores.classes.size() > most)
    text += "... and " + std::to_string(scores.classes.size() - most) + " more classes\n";
  return text;
}

std::string summary_line(const Scores& scores) {
  std::string text;
  for (const std::string& name : Scores::names()) {
    text += (text.empty() ? "" : "  ") + name + " " + fixed(scores.by_name(name), 4);
  }
  return text;
}

}  // namespace geniepath::cli
