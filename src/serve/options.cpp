#include "serve/server.h"

namespace geniepath::serve {

void ServeOptions::visit(OptionVisitor& options) {
  options.text("host", host, "address to listen on; 127.0.0.1 is this machine alone, 0.0.0.0 every network it is in");
  options.integer("port", port, {0, 65535}, "port to listen on (0: one that is free)");
  options.text("name", name, "a name the server is called by; requests by other names than this and localhost are refused");
  options.text("token", token, "what clients must send as bearer token; other users of this machine can see it here");
  options.text("token-file", token_file, "a file with the token (without either: the variable GENIEPATH_TOKEN)");
  options.flag("insecure", insecure, "listen beyond this machine without a token");
  options.integer("most-requests", most_requests, {1, 1024}, "requests answered at once; more are told to come again");
  options.integer("most-connections", most_connections, {1, 100000}, "connections held; a new one takes the place of the slowest");
  options.integer("patience", patience, {1, 3600}, "seconds for a request to come whole, and for an answer to be taken");
}

}  // namespace geniepath::serve
