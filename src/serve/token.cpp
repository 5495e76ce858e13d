#include "serve/token.h"

#include <strings.h>

#include <algorithm>
#include <cctype>
#include <fstream>

#include "geniepath/error.h"
#include "serve/api_error.h"

namespace geniepath::serve {
namespace {

constexpr size_t kFewestCharacters = 16, kMostCharacters = 1024;

bool fits_a_header(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("-._~+/=").find(c) != std::string_view::npos;
}

// In constant time.
bool same(std::string_view a, std::string_view b) {
  unsigned char difference = a.size() == b.size() ? 0 : 1;
  for (size_t n = 0; n < a.size(); ++n) {
    difference = static_cast<unsigned char>(difference | (a[n] ^ b[b.empty() ? 0 : n % b.size()]));
  }
  return difference == 0;
}

// The file may be a pipe: --token-file <(pass show geniepath).
std::string first_line(const std::string& path) {
  std::ifstream file(path);
  if (!file) fail(path, ": cannot open");
  std::string text(kMostCharacters + 1, '\0');
  file.read(text.data(), std::ssize(text));
  text.resize(static_cast<size_t>(file.gcount()));
  return text.substr(0, text.find_first_of("\r\n"));
}

}  // namespace

std::string token_of(const ServeOptions& options, const char* environment) {
  if (!options.token.empty() && !options.token_file.empty())
    fail("serve: --token and --token-file are given; expected one of them");
  std::string token = options.token;
  if (!options.token_file.empty()) token = first_line(options.token_file);
  if (token.empty() && options.token_file.empty() && environment != nullptr) token = environment;
  if (token.empty() && options.token_file.empty()) return token;
  if (token.size() < kFewestCharacters || token.size() > kMostCharacters ||
      !std::all_of(token.begin(), token.end(), fits_a_header)) {
    fail("serve: the token must have ", kFewestCharacters, " to ", kMostCharacters,
         " letters, digits and -._~+/=, as `openssl rand -hex 32` writes them; found ", token.size(), " characters");
  }
  return token;
}

void check_token(std::string_view authorization, std::string_view token) {
  constexpr std::string_view kScheme = "bearer ";
  const bool bearer = authorization.size() > kScheme.size() &&
                      ::strncasecmp(authorization.data(), kScheme.data(), kScheme.size()) == 0;
  if (bearer && same(authorization.substr(kScheme.size()), token)) return;
  throw ApiError(401, "unauthorized", "this server requires its token",
                 "an Authorization: Bearer header with the token", bearer ? "another token" : "no token");
}

}  // namespace geniepath::serve
