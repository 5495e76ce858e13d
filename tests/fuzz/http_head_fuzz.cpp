// Any bytes, as the beginning of a request. An accepted head must follow its own rules and not depend on how the bytes
// are divided; any other must be an ApiError.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "fuzz_input.h"
#include "serve/api_error.h"
#include "serve/http_head.h"

namespace {

using namespace geniepath;

void expect(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' || c == 127; }

void check(const serve::Head& head) {
  expect(!head.method.empty() && head.target.starts_with('/'), "a first line");
  expect(std::none_of(head.target.begin(), head.target.end(), is_control), "an address");
  for (const auto& [name, value] : head.headers) {
    expect(!name.empty() && name.find_first_of(" \t:\r\n") == std::string::npos, "a name");
    expect(std::none_of(value.begin(), value.end(), [](char c) { return is_control(c) && c != '\t'; }), "a value");
    expect(name != "transfer-encoding", "a second length");
  }
}

void read(std::string_view bytes) {
  const size_t end = serve::head_bytes(bytes);
  if (end == 0) throw serve::ApiError(400, "unfinished", "the head is not whole", "", "");
  expect(end <= serve::kMostHeadBytes && bytes.substr(0, end).ends_with("\r\n\r\n"), "an end");
  expect(serve::head_bytes(bytes, end / 2) == end && serve::head_bytes(bytes.substr(0, end)) == end, "the end, if cut");
  expect(serve::head_bytes(bytes.substr(0, end - 1)) == 0, "an end before its end");
  check(serve::parse_head(bytes.substr(0, end)));
}

}  // namespace

FUZZ_TARGET(http_head)(const uint8_t* data, size_t size) {
  fuzz::refusal.clear();
  try {
    read({reinterpret_cast<const char*>(data), size});
  } catch (const serve::ApiError& error) {
    fuzz::refusal = error.message;
    expect(error.status == 400 || error.status == 431, "a status");
    expect(nlohmann::json::parse(serve::body_of(error)).contains("error"), "the body of an error");
  }
  return 0;
}
