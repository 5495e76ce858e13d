#include "serve/http_answer.h"

namespace geniepath::serve {
namespace {

constexpr const char* kJson = "application/json; charset=utf-8";

// No resources from elsewhere, none inline (web/README.md).
constexpr const char* kProtection =
    "X-Content-Type-Options: nosniff\r\n"
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Cross-Origin-Opener-Policy: same-origin\r\n"
    "Referrer-Policy: no-referrer\r\n";

const char* name_of(int status) {
  switch (status) {
    case 200: return "OK";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 408: return "Request Timeout";
    case 413: return "Content Too Large";
    case 422: return "Unprocessable Content";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 503: return "Service Unavailable";
    default: return "Internal Server Error";
  }
}

}  // namespace

Answer json_answer(int status, std::string body) {
  return {status, kJson, std::move(body), {{"Cache-Control", "no-store"}}};
}

Answer csv_answer(std::string body) {
  return {200, "text/csv; charset=utf-8", std::move(body),
          {{"Cache-Control", "no-store"}, {"Content-Disposition", "attachment; filename=\"queue.csv\""}}};
}

Answer answer_of(const ApiError& error) {
  Answer answer = json_answer(error.status, body_of(error));
  if (error.status == 401) answer.headers.emplace_back("WWW-Authenticate", "Bearer");
  if (error.status == 429 || error.status == 503) answer.headers.emplace_back("Retry-After", "1");
  return answer;
}

std::string bytes_of(const Answer& answer, bool keep, bool with_body) {
  std::string bytes = "HTTP/1.1 " + std::to_string(answer.status) + " " + name_of(answer.status) + "\r\n" + kProtection;
  for (const auto& [name, value] : answer.headers) bytes += name + ": " + value + "\r\n";
  bytes += "Content-Type: " + answer.type + "\r\nContent-Length: " + std::to_string(answer.body.size()) + "\r\n";
  bytes += keep ? "\r\n" : "Connection: close\r\n\r\n";
  if (with_body) bytes += answer.body;
  return bytes;
}

}  // namespace geniepath::serve
