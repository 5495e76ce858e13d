#include "serve/api_error.h"

#include <nlohmann/json.hpp>

namespace geniepath::serve {
namespace {

constexpr size_t kMostFound = 200;  // bytes

std::string shortened(const std::string& text) {
  if (text.size() <= kMostFound) return text;
  size_t end = kMostFound;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // at a character boundary
  return text.substr(0, end) + "...";
}

}  // namespace

std::string body_of(const ApiError& error) {
  using Json = nlohmann::ordered_json;
  const Json body = {{"error",
                      {{"status", error.status},
                       {"code", error.code},
                       {"message", error.message},
                       {"expected", error.expected},
                       {"found", shortened(error.found)}}}};
  return body.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace geniepath::serve
