// Generated data set of accounts and the devices they log in through, some accounts malicious. Made from a seed in the
// shape of the paper's Alipay data (private), and motivated by its fraud case: malicious accounts gather around
// devices, but normal ones share proxies with them.
//
// A world consists of places, disjoint subgraphs. A place has groups of accounts, each with devices of its own, and
// public devices (proxies, shop and office networks) that accounts of all its groups use:
//   household  1 to 4 normal accounts, 1 to 3 devices; a few of the accounts are gamers, who log in in bursts
//   shop       3 to 6 normal accounts; all log in in bursts at the shop's hours
//   ring       5 to 24 malicious accounts on a chain of devices; the active ones log in in bursts at the ring's hours
// The sizes of places and of public devices are heavy-tailed, so a public device may have thousands of accounts.
//
// Where the signal is:
//   0 hops  bursts, especially at night, and a weakly informative profile; gamers and shops have bursts too
//   1 hop   a device has the sums of its accounts' logins and noisy signs of being public or an emulator
//   2 hops  the accounts on their group's devices distinguish sleepers (malicious, no bursts) from gamers (normal,
//           bursts); accounts on public devices say little
//   4 hops  sleepers around a quiet device of a ring reach active accounts only through the next device of the chain
// What misleads: public devices, a ring member who also uses the device of a normal household, a normal account that
// was lured onto a device of a ring, and the labels: 5 % of the malicious accounts are labelled normal, and as many
// normal ones malicious, so that even the true classes have an F1 of 0.95.
//
// Features are sparse, about 30 per row, in [0, 3]: log(1 + logins) by hour of the week and channel, and one-hot
// fields. Accounts and devices use different columns.
#pragma once

#include <cstdint>

#include "geniepath/dataset.h"

namespace geniepath {

struct AccountDeviceOptions {
  int64_t nodes = 20000;  // accounts and devices together, exactly; 1,000 to 981,748, the size of the paper's data
  int64_t seed = 1;
};

// There are 2.35 undirected edges per node, as in the paper (small worlds may have fewer), and 400 features up to
// 20,000 nodes, growing to 4,000 at the paper's size. Every account has a label. Training takes 20.5 % of all nodes,
// validation and test 3.2 % each, but at least 1,500 accounts (a fifth of the accounts where that is less). The same
// options give the same bits.
Dataset make_account_device(const AccountDeviceOptions& options);

}  // namespace geniepath
