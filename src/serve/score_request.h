// The body of POST /api/v1/score: unseen nodes, with their features and edges.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace geniepath::serve {

constexpr size_t kMostBodyBytes = 1 << 20;

// The id as tables have it: "17" for "17.0".
std::string normalised_id(const std::string& id);

struct NewNode {
  std::string id;  // normalised
  std::vector<int32_t> column;  // of the non-zero values; ascending and unique
  std::vector<float> value;
  // For features by column name, until they are read: one cell per column of the table, empty where none was given.
  size_t table = 0;
  std::vector<std::string> cells;
};

struct ScoreRequest {
  std::vector<NewNode> nodes;
  std::vector<std::pair<std::string, std::string>> edges;  // source, target, as written
};

// A node table of the run.
struct NamedColumns {
  std::string kind;                // as a node's "type"
  std::vector<std::string> names;  // of its feature columns
};

// The features that a request may have.
struct ScoreColumns {
  int64_t features;                  // P
  std::vector<NamedColumns> tables;  // empty: columns have no names
};

// Throws an ApiError: 400 for invalid JSON, 422 for a body that violates web/openapi.json or has features other than
// these, with the place, what was expected and what was found.
ScoreRequest parse_score_request(std::string_view body, const ScoreColumns& columns);

}  // namespace geniepath::serve
