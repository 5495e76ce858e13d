// What a request is answered with, and its bytes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "serve/api_error.h"

namespace geniepath::serve {

struct Answer {
  int status = 200;
  std::string type;
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;  // beyond those every answer has
};

Answer json_answer(int status, std::string body);  // never stored by whoever passes it on
Answer answer_of(const ApiError& error);

// As of HTTP/1.1. The client is told whether the connection is kept; a HEAD request gets no body, only its length.
std::string bytes_of(const Answer& answer, bool keep, bool with_body);

}  // namespace geniepath::serve
