#include "serve/server.h"

namespace geniepath::serve {

void ServeOptions::visit(OptionVisitor& options) {
  options.text("host", host, "address to listen on; 127.0.0.1 is this machine alone, 0.0.0.0 every network it is in");
  options.integer("port", port, {0, 65535}, "port to listen on (0: one that is free)");
  options.text("name", name, "a name the server is called by; requests by other names than this and localhost are refused");
  options.integer("most-requests", most_requests, {1, 1024}, "requests answered at once; more are told to come again");
}

}  // namespace geniepath::serve
