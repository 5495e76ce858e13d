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

// What a request is refused for never stops the server; what it cannot listen on is an Error. So is an address that others
// reach without a token (token.h), unless the options say that this is meant.
class Server {
 public:
  Server(Service& service, const ServeOptions& options);
  ~Server();
  int port() const;  // listened on; the system's choice where 0 was asked for
  void run();        // until stop(), which may be called from any thread
  void stop();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace geniepath::serve
