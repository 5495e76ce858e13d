#include "distributed/c10d/engine.h"

namespace geniepath::distributed {

SharedEngine make_gloo(const c10::intrusive_ptr<c10d::Store>&, const Place&, std::chrono::milliseconds) { return {}; }

}  // namespace geniepath::distributed
