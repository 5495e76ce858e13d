// Who may ask. A page of another site must not read or use a server on the user's own machine: neither by asking it
// directly (Origin, Sec-Fetch-Site) nor by giving it a name of its own (DNS rebinding: the Host header then is that name).
#pragma once

#include <string>

namespace geniepath::serve {

struct Caller {
  std::string host;        // the headers' values; empty where there are none
  std::string origin;
  std::string fetch_site;  // Sec-Fetch-Site
};

// Host must be an address, localhost, or `name` (what the server is called, where it is), Origin this server's own, also
// as https where a proxy serves it under that name.
// A page may be linked to from anywhere; what is under /api may be asked for by this server's own page and by programs.
// Otherwise an ApiError (400, 403).
void check_access(const Caller& caller, bool api, const std::string& name);

}  // namespace geniepath::serve
