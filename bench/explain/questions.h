// Requests to a running `geniepath serve`, and statistics of their times.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/random.h"

namespace geniepath::bench {

// One new node with 30 features and 1 to 4 edges to nodes picked at random, as the body of POST /api/v1/score.
inline std::string score_body(Random& random, uint64_t features, uint64_t nodes) {
  using Json = nlohmann::json;
  std::vector<uint64_t> columns;
  for (int n = 0; n < 30; ++n) columns.push_back(random.below(features));
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  std::vector<double> values;
  for (size_t n = 0; n < columns.size(); ++n) values.push_back(random.uniform());
  Json edges = Json::array();
  for (uint64_t e = 1 + random.below(4); e > 0; --e) {
    edges.push_back({{"source", "unseen"}, {"target", std::to_string(random.below(nodes))}});
  }
  const Json node = {{"id", "unseen"}, {"features", {{"columns", columns}, {"values", values}}}};
  return Json{{"nodes", {node}}, {"edges", edges}}.dump();
}

// The time that this share of the sorted times does not exceed; 0 for no times.
inline double quantile(const std::vector<double>& sorted, double share) {
  return sorted.empty() ? 0 : sorted[static_cast<size_t>(share * static_cast<double>(sorted.size() - 1))];
}

}  // namespace geniepath::bench
