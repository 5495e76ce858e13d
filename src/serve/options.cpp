#include "serve/server.h"

namespace geniepath::serve {

void ServeOptions::visit(OptionVisitor& options) {
  options.text("host", host, "address to listen on; 127.0.0.1: only this machine, 0.0.0.0: all its networks");
  options.integer("port", port, {0, 65535}, "port to listen on (0: any free port)");
  options.text("name", name,
               "name under which the server is reached; requests by names other than this and localhost are refused");
  options.text("token", token, "bearer token that clients must send; visible to other users of this machine");
  options.text("token-file", token_file, "file with the token (without either option: the variable GENIEPATH_TOKEN)");
  options.flag("insecure", insecure, "listen beyond this machine without a token");
  options.integer("most-requests", most_requests, {1, 1024},
                  "requests answered at once; further ones are refused (429)");
  options.integer("most-connections", most_connections, {1, 100000},
                  "open connections; a new one replaces the slowest");
  options.integer("patience", patience, {1, 3600}, "seconds to send a whole request, and to receive an answer");
}

}  // namespace geniepath::serve
