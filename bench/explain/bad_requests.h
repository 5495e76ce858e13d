// Requests as they come from programs with bugs and from people who want to break something, with what they must get.
#pragma once

#include <string>
#include <vector>

namespace geniepath::bench {

struct BadRequest {
  const char* what;
  std::string bytes;
  int status;         // of the answer; 0: none, the connection ends
  bool shut = false;  // the client says that no more will come
};

std::vector<BadRequest> bad_requests();

// The status of the answer to these bytes; 0 where the connection ended without one, -1 where nothing came for 20 seconds.
int status_of_answer(int port, const BadRequest& request);

// A connection that has sent the beginning of a request and nothing more; closed by its owner.
int open_slow_connection(int port);

}  // namespace geniepath::bench
