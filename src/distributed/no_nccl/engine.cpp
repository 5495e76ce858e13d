#include "distributed/c10d/engine.h"

namespace geniepath::distributed {

bool can_use_nccl(const Place&) { return false; }

SharedEngine make_nccl(const c10::intrusive_ptr<c10d::Store>&, const Place&, std::chrono::milliseconds) { return {}; }

}  // namespace geniepath::distributed
