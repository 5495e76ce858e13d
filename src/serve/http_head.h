// Strict parser of the head of an HTTP request, a pure function of its bytes. Whatever two programs could read
// differently (two lengths, a space before a colon, a folded line, a bare line feed) is refused, so that a proxy and
// this server never disagree on where a request ends.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace geniepath::serve {

constexpr size_t kMostHeadBytes = 64 << 10;

struct Head {
  std::string method;
  std::string target;  // begins with '/'
  std::vector<std::pair<std::string, std::string>> headers;  // names in lower case, values without surrounding blanks
  uint64_t body_bytes = 0;
  bool keep = true;               // the connection stays open after the answer
  bool expects_continue = false;  // the client waits for 100 Continue before the body

  // Values of a repeated header are joined by ", "; "" if it is missing.
  std::string value(std::string_view name) const;
};

// Length up to and including the empty line; 0 if that has not arrived. The first `searched` bytes were searched
// before. Bytes that cannot become a head are an ApiError: 400, or 431 if too large.
size_t head_bytes(std::string_view bytes, size_t searched = 0);

// `bytes` end with the empty line. An ApiError (400) says what is malformed.
Head parse_head(std::string_view bytes);

}  // namespace geniepath::serve
