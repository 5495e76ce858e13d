// Any bytes, as a request: its first line as the address, the rest as the body of POST /api/v1/score.
// An accepted request must be well-formed; any other must be an ApiError with a JSON body.
#include "checked_request.h"
#include "serve/request.h"

namespace {

using namespace geniepath;

void read(std::string_view target, std::string_view body) {
  for (const std::string& segment : serve::parse_target(target).segments) {
    fuzz::expect(segment.find('\0') == std::string::npos || target.find('\0') != std::string_view::npos,
                 "a zero byte in a segment");
  }
  fuzz::read_score_request(body);
}

}  // namespace

FUZZ_TARGET(request)(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const size_t line = std::min(text.find('\n'), text.size());
  return fuzz::only_api_errors([&] { read(text.substr(0, line), text.substr(std::min(line + 1, text.size()))); });
}
