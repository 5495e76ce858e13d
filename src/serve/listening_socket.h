// A listening TCP socket.
#pragma once

#include <string>

#include "base/descriptor.h"

namespace geniepath::serve {

struct ListeningSocket {
  Descriptor descriptor;
  int port;       // the system's choice if 0 was requested
  bool loopback;  // reachable only from this machine
};

// `host` must be an address or a name of this machine. An Error if it is not, or if the port is in use.
ListeningSocket listen_on(const std::string& host, int port);

}  // namespace geniepath::serve
