// One program as several processes on this machine.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace geniepath::distributed {

struct Ended {
  int code =
      0;  // exit code: 0 if all succeeded; 3 if one was killed or lost and no other says more; else the first failure's
  std::string why;  // if one was killed or stopped; the others explain themselves
};

// Runs `program` with these arguments as `count` processes, each with its place (place.h) in its environment, and waits
// for all of them. SIGINT, SIGTERM and SIGHUP are passed on to them; they receive SIGTERM if this process dies. If one
// fails, the others have the timeout to end by themselves, then they are killed.
Ended run_processes(int64_t count, const std::string& program, const std::vector<std::string>& arguments,
                    std::chrono::milliseconds timeout);

}  // namespace geniepath::distributed
