// A refused request: the status, and the message for the client (web/openapi.json, Error).
#pragma once

#include <exception>
#include <string>

namespace geniepath::serve {

struct ApiError : std::exception {
  ApiError(int s, std::string c, std::string m, std::string e, std::string f)
      : status(s), code(std::move(c)), message(std::move(m)), expected(std::move(e)), found(std::move(f)) {}
  const char* what() const noexcept override { return message.c_str(); }

  int status;
  std::string code, message, expected, found;
};

// The JSON body. `found` is shortened to fit a line; bytes that are not UTF-8 are replaced.
std::string body_of(const ApiError& error);

}  // namespace geniepath::serve
