// Parsed request target: the path's segments and the query, percent-decoded; unknown parameters are refused.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace geniepath::serve {

// "%2F" -> "/"; with `plus`, "+" -> " ". A '%' without two hexadecimal digits, or a zero byte, is an ApiError (400).
std::string percent_decoded(std::string_view text, bool plus);

struct Target {
  std::vector<std::string> segments;  // of the path, decoded: "/a/b%2Fc" -> "a", "b/c"
  std::map<std::string, std::string> query;
};

// "/path?query". A parameter given twice is an ApiError (400).
Target parse_target(std::string_view target);

// The parameters of one address. Each is read by name and bounds; finish() refuses those that were not read.
class Parameters {
 public:
  explicit Parameters(const std::map<std::string, std::string>& query) : query_(query) {}
  int64_t integer(const char* name, int64_t low, int64_t high, int64_t otherwise);
  double real(const char* name, double low, double high, double otherwise);
  std::string text(const char* name, size_t most_characters, const std::string& otherwise);
  std::string choice(const char* name, const std::vector<std::string>& options, const std::string& otherwise);
  void finish() const;

 private:
  const std::string* take(const char* name);
  const std::map<std::string, std::string>& query_;
  std::set<std::string> known_;
};

// Number of characters in UTF-8 text.
size_t num_characters(std::string_view text);

}  // namespace geniepath::serve
