// The body of POST /api/v1/score: unseen nodes, with their features and edges.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace geniepath::serve {

constexpr size_t kMostBodyBytes = 1 << 20;

struct NewNode {
  std::string id;
  std::vector<int32_t> column;  // of the non-zero values; ascending and unique
  std::vector<float> value;
};

struct ScoreRequest {
  std::vector<NewNode> nodes;
  std::vector<std::pair<std::string, std::string>> edges;  // source, target
};

// Throws an ApiError: 400 for invalid JSON, 422 for a body that violates web/openapi.json or is not `features` wide,
// with the place, what was expected and what was found.
ScoreRequest parse_score_request(std::string_view body, int64_t features);

}  // namespace geniepath::serve
