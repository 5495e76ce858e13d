// The body of POST /api/v1/score: nodes the graph has never seen, with their features and edges.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace geniepath::serve {

constexpr size_t kMostBodyBytes = 1 << 20;

struct NewNode {
  std::string id;
  std::vector<int32_t> column;  // ascending, each once; of the values that are not 0
  std::vector<float> value;
};

struct ScoreRequest {
  std::vector<NewNode> nodes;
  std::vector<std::pair<std::string, std::string>> edges;  // source, target
};

// What is not JSON is an ApiError 400; what is not as web/openapi.json has it, or not `features` wide, is 422, with the
// place, what was expected and what was found.
ScoreRequest parse_score_request(std::string_view body, int64_t features);

}  // namespace geniepath::serve
