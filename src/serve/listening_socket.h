// A port that is listened on.
#pragma once

#include <string>

#include "base/descriptor.h"

namespace geniepath::serve {

struct ListeningSocket {
  Descriptor descriptor;
  int port;       // the system's choice where 0 was asked for
  bool loopback;  // only this machine reaches it
};

// `host` is an address or a name of this machine. An Error where it is neither, or the port is taken.
ListeningSocket listen_on(const std::string& host, int port);

}  // namespace geniepath::serve
