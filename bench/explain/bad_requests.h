// Requests as buggy or hostile clients send them, with the status that each must get.
#pragma once

#include <string>
#include <vector>

namespace geniepath::bench {

struct BadRequest {
  const char* what;
  std::string bytes;
  int status;         // of the answer; 0: none, the connection ends
  bool shut = false;  // the client closes its side after sending
};

std::vector<BadRequest> bad_requests();

// The status of the answer to these bytes; 0 if the connection ended without one, -1 if nothing arrived for 20 seconds.
int status_of_answer(int port, const BadRequest& request);

// Opens a connection that sends only the beginning of a request; the caller closes it.
int open_slow_connection(int port);

}  // namespace geniepath::bench
