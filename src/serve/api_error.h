// A request that gets no answer: the status, and what to tell the one who asked (web/openapi.json, Error).
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

// The JSON body. `found` is shortened to what fits a line; bytes that are no UTF-8 are replaced.
std::string body_of(const ApiError& error);

}  // namespace geniepath::serve
