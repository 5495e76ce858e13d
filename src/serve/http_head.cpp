#include "serve/http_head.h"

#include <algorithm>
#include <charconv>

#include "serve/api_error.h"

namespace geniepath::serve {
namespace {

[[noreturn]] void refuse(const std::string& message, const std::string& expected, std::string_view found) {
  throw ApiError(400, "bad_head", message, expected, std::string(found));
}

bool is_letter_or_digit(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Characters of methods and header names (RFC 9110, "token").
bool is_token(char c) {
  return is_letter_or_digit(c) || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool is_visible(char c) { return c > ' ' && c < 127; }

// Values must not have control characters; bytes beyond ASCII are accepted.
bool is_value(char c) { return c == '\t' || (static_cast<unsigned char>(c) >= ' ' && c != 127); }

template <class Kind>
bool all(std::string_view text, Kind kind) {
  return !text.empty() && std::all_of(text.begin(), text.end(), kind);
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

std::string_view trimmed(std::string_view text) {
  const size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(" \t") + 1);
}

// Removes the next line and returns it without its end.
std::string_view take_line(std::string_view& bytes) {
  const size_t end = bytes.find("\r\n");
  const std::string_view line = bytes.substr(0, end);
  bytes.remove_prefix(std::min(end + 2, bytes.size()));
  return line;
}

void read_request_line(std::string_view line, Head& head) {
  const size_t first = line.find(' '), last = line.rfind(' ');
  const std::string_view version = line.substr(std::min(last + 1, line.size()));
  const std::string_view method = line.substr(0, first);
  const bool right = first < last && all(method, is_token) && (version == "HTTP/1.1" || version == "HTTP/1.0");
  if (!right) refuse("the first line is malformed", "METHOD /address HTTP/1.1", line);
  const std::string_view target = line.substr(first + 1, last - first - 1);
  if (!all(target, is_visible) || target[0] != '/')
    refuse("the address is malformed", "an address that begins with /", target);
  head.method = method;
  head.target = target;
  head.keep = version == "HTTP/1.1";
}

void read_header(std::string_view line, Head& head) {
  const size_t colon = std::min(line.find(':'), line.size());
  const std::string_view name = line.substr(0, colon);
  if (colon == line.size() || !all(name, is_token)) refuse("a header is malformed", "Name: value", line);
  const std::string_view value = trimmed(line.substr(colon + 1));
  if (!std::all_of(value.begin(), value.end(), is_value)) refuse("a header has a control character", "text", name);
  head.headers.emplace_back(lower(name), value);
}

// Headers that this server acts on must not be repeated.
void check_given_once(const Head& head) {
  for (const char* name : {"host", "content-length", "transfer-encoding", "content-type", "authorization", "origin",
                           "sec-fetch-site", "expect"}) {
    const auto given =
        std::count_if(head.headers.begin(), head.headers.end(), [&](const auto& h) { return h.first == name; });
    if (given > 1) refuse("a header appears twice", "one header of this name", name);
  }
}

void read_body_bytes(Head& head) {
  for (const auto& [name, value] : head.headers) {
    if (name == "transfer-encoding")
      refuse("a body must state its length", "a Content-Length header", name + ": " + value);
    if (name != "content-length") continue;
    const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), head.body_bytes);
    if (problem != std::errc() || end != value.data() + value.size()) {
      refuse("Content-Length is not a number", "a number of bytes", value);
    }
  }
}

void read_expectations(Head& head) {
  const std::string connection = lower(head.value("connection")), expected = lower(head.value("expect"));
  if (connection.find("close") != std::string::npos) head.keep = false;
  if (!expected.empty() && expected != "100-continue") refuse("no such expectation", "Expect: 100-continue", expected);
  head.expects_continue = !expected.empty() && head.body_bytes > 0;
}

}  // namespace

std::string Head::value(std::string_view name) const {
  std::string joined;
  for (const auto& [own, text] : headers) {
    if (own == name) joined += (joined.empty() ? "" : ", ") + text;
  }
  return joined;
}

size_t head_bytes(std::string_view bytes, size_t searched) {
  if (!bytes.empty() && !is_token(bytes[0]))
    refuse("not an HTTP request", "METHOD /address HTTP/1.1", bytes.substr(0, 16));
  for (size_t at = bytes.find('\n', searched); at != std::string_view::npos; at = bytes.find('\n', at + 1)) {
    if (bytes[at - 1] != '\r') refuse("a line ends without a carriage return", "lines that end with CR LF", "LF");
    if (at >= kMostHeadBytes) break;
    if (at >= 3 && bytes.substr(at - 3, 4) == "\r\n\r\n") return at + 1;
  }
  if (bytes.size() > kMostHeadBytes) {
    throw ApiError(431, "head_too_large", "the head of the request is too large",
                   "at most " + std::to_string(kMostHeadBytes) + " bytes", "more");
  }
  return 0;
}

Head parse_head(std::string_view bytes) {
  Head head;
  read_request_line(take_line(bytes), head);
  for (std::string_view line = take_line(bytes); !line.empty(); line = take_line(bytes)) read_header(line, head);
  check_given_once(head);
  read_body_bytes(head);
  read_expectations(head);
  return head;
}

}  // namespace geniepath::serve
