#include "serve/access.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cctype>

#include "serve/api_error.h"

namespace geniepath::serve {
namespace {

// "name:8080" -> "name", "[::1]:8080" -> "::1".
std::string without_port(const std::string& host) {
  if (host.starts_with('[')) return host.substr(1, host.find(']') - 1);
  return host.substr(0, host.find(':'));
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool is_address(const std::string& host) {
  unsigned char bytes[16];
  return inet_pton(AF_INET, host.c_str(), bytes) == 1 || inet_pton(AF_INET6, host.c_str(), bytes) == 1;
}

}  // namespace

void check_access(const Caller& caller, bool api, const std::string& name) {
  if (caller.host.empty()) throw ApiError(400, "bad_parameter", "no Host header", "a Host header", "");
  const std::string host = lower(without_port(caller.host));
  if (!is_address(host) && host != "localhost" && (name.empty() || host != lower(name))) {
    throw ApiError(403, "cross_site", "the server does not go by this name",
                   "an address or localhost as Host (or the name given with --name)", caller.host);
  }
  const std::string origin = lower(caller.origin), authority = lower(caller.host);
  const bool proxied =
      !name.empty() && host == lower(name) && origin == "https://" + authority;  // TLS ends in front of us
  if (!origin.empty() && origin != "http://" + authority && !proxied) {
    throw ApiError(403, "cross_site", "the request comes from a page of another origin",
                   "no Origin header, or this server's own", caller.origin);
  }
  const bool own = caller.fetch_site.empty() || caller.fetch_site == "same-origin" || caller.fetch_site == "none";
  if (api && !own) {
    throw ApiError(403, "cross_site", "the request comes from a page of another site",
                   "a request of this server's own page", caller.fetch_site);
  }
}

}  // namespace geniepath::serve
