// The network side of the API and its page.
#pragma once

#include <memory>
#include <string>

#include "geniepath/options.h"
#include "serve/service.h"

namespace geniepath::serve {

struct ServeOptions : Options {
  std::string host = "127.0.0.1";
  int64_t port = 8080;
  std::string name;
  std::string token, token_file;
  bool insecure = false;
  int64_t most_requests = 64;
  int64_t most_connections = 1000;
  int64_t patience = 20;

  void visit(OptionVisitor& options) override;
};

// A refused request never stops the server. An address it cannot listen on is an Error, as is one reachable from other
// machines without a token (token.h), unless the options allow it.
class Server {
 public:
  Server(Service& service, const ServeOptions& options);
  ~Server();
  int port() const;  // the listening port; the system's choice if 0 was requested
  void run();        // until stop(), which may be called from any thread
  void stop();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace geniepath::serve
