// Node features of the account-device data set: see account_device.h.
#pragma once

#include <cstdint>
#include <span>

#include "data/account_device/account_device_world.h"
#include "geniepath/dataset.h"

namespace geniepath::account_device {

// 400 up to 20,000 nodes, then a power of the nodes that reaches 4,000 at the paper's size.
int64_t num_features(int64_t nodes);

// X [N, P]. Account a has the row ids[a], device d the row ids[accounts + d].
SparseMatrix make_features(const World& world, std::span<const NodeId> ids, uint64_t seed);

}  // namespace geniepath::account_device
