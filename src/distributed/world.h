// The processes of a training, from start to end.
//
// They find each other through a key-value store (c10d's TCPStore), in which each, while training, also signals that it
// is alive and, when it stops, says why. Numbers travel through Gloo or NCCL, on connections of their own.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "distributed/group.h"
#include "distributed/place.h"

namespace geniepath::distributed {

class World {
 public:
  virtual ~World() = default;
  // Waits for the others, who make theirs. The world must outlive it.
  virtual std::unique_ptr<Group> make_group() = 0;
  // Tells the others why this process stops, so that they stop for the same reason. Returns when they have read it, or
  // after a second or two.
  virtual void announce(const std::string& why) = 0;
};

// Joins the other processes. One that does not arrive within the timeout, or is of another version, is a LostProcess.
// The timeout, of at least a second, then bounds every wait for another process. SIGPIPE is ignored from then on,
// unless the program handles it.
std::unique_ptr<World> join(const Place& place, std::chrono::milliseconds timeout);

// A meeting point at a free port of this machine, for processes that it starts.
class MeetingPoint {
 public:
  virtual ~MeetingPoint() = default;
  virtual uint16_t port() const = 0;
  // Tells the processes that one of them has ended, and why.
  virtual void announce(int64_t rank, const std::string& why) = 0;
};
std::unique_ptr<MeetingPoint> make_meeting_point();

}  // namespace geniepath::distributed
