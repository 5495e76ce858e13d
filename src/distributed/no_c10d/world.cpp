#include "distributed/world.h"

namespace geniepath::distributed {
namespace {

[[noreturn]] void refuse() {
  fail(
      "several processes: this geniepath was built without Gloo's headers and without NCCL; install libgloo-dev, or "
      "give the headers' folder (-DGLOO_INCLUDE_DIR), and build it again");
}

}  // namespace

std::unique_ptr<World> join(const Place&, std::chrono::milliseconds) { refuse(); }

std::unique_ptr<MeetingPoint> make_meeting_point() { refuse(); }

}  // namespace geniepath::distributed
