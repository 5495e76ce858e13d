#include "graph/clusters.h"

#include "geniepath/error.h"

namespace geniepath {

std::vector<int32_t> clusters_of(const Graph&, int64_t, uint64_t, const std::vector<int32_t>&) {
  fail("clusters of nodes need METIS (package libmetis-dev), which this build lacks");
}

}  // namespace geniepath
