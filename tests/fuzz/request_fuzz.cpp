// Any bytes, as a request: its first line as the address, the rest as the body of POST /api/v1/score.
// What is read must be as promised; what is not must be an ApiError with a body that is JSON.
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "fuzz_input.h"
#include "serve/api_error.h"
#include "serve/request.h"
#include "serve/score_request.h"

namespace {

using namespace geniepath;

constexpr int64_t kFeatures = 4;

void expect(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

void read(std::string_view target, std::string_view body) {
  for (const std::string& segment : serve::parse_target(target).segments) {
    expect(segment.find('\0') == std::string::npos || target.find('\0') != std::string_view::npos, "a zero byte in a segment");
  }
  const serve::ScoreRequest request = serve::parse_score_request(body, kFeatures);
  expect(!request.nodes.empty() && request.nodes.size() <= 256 && request.edges.size() <= 10000, "sizes");
  for (const serve::NewNode& node : request.nodes) {
    expect(node.column.size() == node.value.size() && !node.id.empty(), "a node");
    expect(std::adjacent_find(node.column.begin(), node.column.end(), std::greater_equal<>()) == node.column.end(), "order");
    for (const int32_t column : node.column) expect(column >= 0 && column < kFeatures, "a column");
    for (const float value : node.value) expect(std::isfinite(value) && value != 0, "a value");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const size_t line = std::min(text.find('\n'), text.size());
  fuzz::refusal.clear();
  try {
    read(text.substr(0, line), text.substr(std::min(line + 1, text.size())));
  } catch (const serve::ApiError& error) {
    fuzz::refusal = error.message;
    expect(error.status == 400 || error.status == 422, "a status");
    expect(nlohmann::json::parse(serve::body_of(error)).contains("error"), "the body of an error");
  }
  return 0;
}
