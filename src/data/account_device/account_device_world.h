// Accounts, devices, their edges and the malicious accounts of the account-device data set: see account_device.h.
#pragma once

#include <cstdint>
#include <vector>

#include "geniepath/graph.h"

namespace geniepath::account_device {

constexpr int64_t kPaperNodes = 981748;
constexpr int64_t kPaperEdges = 2308614;
constexpr int kCarriers = 4;  // of phone numbers and of devices
constexpr double kMaliciousShare = 0.2;  // of the accounts

// Purpose of a random stream; identifies it together with the seed.
enum Purpose : uint64_t { kWorld, kBursts, kLogins, kProfile, kDevice, kLabels, kSplits, kOrder, kHosts };

enum class GroupKind : uint8_t { kHousehold, kShop, kTeam, kRing };

struct Group {
  GroupKind kind;
  NodeId first_account, first_device;
  int accounts, devices;  // a gateway is the last device
  int carrier;
};

struct Account {
  int32_t group = 0;
  bool bursty = false;
  std::vector<NodeId> devices;  // the group's own, its ties, then others
  int own_devices = 0;
};

struct Device {
  int32_t group = 0;
  bool gateway = false;
};

struct Place {
  NodeId first_account = 0, end_account = 0;
  std::vector<NodeId> gateways;
};

// Accounts and devices are numbered separately, in order of creation.
struct World {
  std::vector<Group> groups;
  std::vector<Account> accounts;
  std::vector<Device> devices;
  std::vector<Place> places;
  int64_t edges = 0;

  int64_t nodes() const { return static_cast<int64_t>(accounts.size() + devices.size()); }
  bool in_ring(int32_t group) const { return groups[static_cast<size_t>(group)].kind == GroupKind::kRing; }
};

// Exactly `nodes` nodes, and kPaperEdges / kPaperNodes edges per node where there is room for them.
World make_world(int64_t nodes, uint64_t seed);

}  // namespace geniepath::account_device
