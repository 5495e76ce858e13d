#include "serve/server.h"

#include "geniepath/error.h"

namespace geniepath::serve {

class Server::Impl {};

bool Server::available() { return false; }
Server::Server(Service&, const ServeOptions&) {
  fail("serve: this build has no HTTP server (package libcpp-httplib-dev was not installed when it was made)");
}
Server::~Server() = default;
int Server::port() const { return 0; }
void Server::run() {}
void Server::stop() {}

}  // namespace geniepath::serve
