// Access control. A page of another site must not use a server on the user's machine, neither by direct requests
// (Origin, Sec-Fetch-Site) nor by pointing a name of its own at it (DNS rebinding: the Host header then is that name).
#pragma once

#include <string>

namespace geniepath::serve {

struct Caller {
  std::string host;        // the headers' values; empty if missing
  std::string origin;
  std::string fetch_site;  // Sec-Fetch-Site
};

// Host must be an address, localhost, or `name` (the server's own name, if any); Origin must be this server's own, also
// as https where a proxy serves it under that name. Anyone may link to the page; /api is only for this server's own
// page and for programs. Otherwise an ApiError (400, 403).
void check_access(const Caller& caller, bool api, const std::string& name);

}  // namespace geniepath::serve
