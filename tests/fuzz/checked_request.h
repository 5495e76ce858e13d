// Checks of requests that were accepted, and of the errors of those refused.
#pragma once

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "fuzz_input.h"
#include "serve/api_error.h"
#include "serve/score_request.h"

namespace geniepath::fuzz {

constexpr int64_t kRequestFeatures = 4;

inline void read_score_request(std::string_view body) {
  const serve::ScoreRequest request = serve::parse_score_request(body, {kRequestFeatures, {{"", {"age", "city"}}}});
  expect(!request.nodes.empty() && request.nodes.size() <= 256 && request.edges.size() <= 10000, "sizes");
  for (const serve::NewNode& node : request.nodes) {
    expect(node.column.size() == node.value.size() && !node.id.empty(), "a node");
    expect(std::adjacent_find(node.column.begin(), node.column.end(), std::greater_equal<>()) == node.column.end(),
           "order");
    for (const int32_t column : node.column) expect(column >= 0 && column < kRequestFeatures, "a column");
    for (const float value : node.value) expect(std::isfinite(value), "a value");
  }
}

// Runs a reader of requests. An ApiError with a JSON body is a correct outcome.
template <class Read>
int only_api_errors(Read read) {
  refusal.clear();
  try {
    read();
  } catch (const serve::ApiError& error) {
    refusal = error.message;
    expect(error.status == 400 || error.status == 422, "a status");
    expect(nlohmann::json::parse(serve::body_of(error)).contains("error"), "the body of an error");
  }
  return 0;
}

}  // namespace geniepath::fuzz
