// HTTP answers and their serialisation.
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
  std::vector<std::pair<std::string, std::string>> headers;  // in addition to those of every answer
};

Answer json_answer(int status, std::string body);  // not to be cached
Answer csv_answer(std::string body);               // a file to save, not to be cached
Answer answer_of(const ApiError& error);

// HTTP/1.1, with a header that says whether the connection is kept; a HEAD request gets only the body's length.
std::string bytes_of(const Answer& answer, bool keep, bool with_body);

}  // namespace geniepath::serve
