#include "base/parallel.h"

#include <ATen/Parallel.h>

#include "base/parallel_for.h"

namespace geniepath {

void in_parallel(int64_t tasks, const std::function<void(int64_t)>& body) {
  parallel_for(at::get_num_threads(), tasks, body);
}

void in_parallel(int64_t count, int64_t grain, const std::function<void(int64_t, int64_t)>& body) {
  parallel_ranges(at::get_num_threads(), count, grain, body);
}

}  // namespace geniepath
