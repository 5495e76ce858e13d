// Generated data set of accounts and the devices they log in through, some accounts malicious. Made from a seed in the
// shape of the paper's Alipay data (private), and motivated by its fraud case: malicious accounts gather around
// devices, but normal ones share proxies with them.
//
// A world consists of places, disjoint subgraphs. A place has groups of accounts, each with devices of its own, to which
// its accounts are tied:
//   household  1 to 4 normal accounts on 1 to 3 devices; a few of the accounts are gamers, who log in in bursts
//   shop       3 to 6 normal accounts on 1 to 3 devices; all log in in bursts
//   team       5 to 24 normal accounts on a chain of devices: a ring by its shape, with gamers
//   ring       5 to 24 malicious accounts on a chain of devices; the active ones log in in bursts, the others sleep
// Most places are a single household. In all others, accounts also visit devices to which they are not tied: public ones
// (proxies, shop and office networks), whose numbers of accounts are heavy-tailed up to thousands, and devices of other
// groups (borrowed, sold on). Rings hide there. The true edges are the ties of rings, in both directions.
//
// How a tie is recognised: every group began on its own day and keeps its own hour. An account shows when it was
// registered and the hour it keeps, a device when it was first seen and its busiest hour. At both ends of a tie they
// agree, with some noise; at the ends of a visit only by chance. Rings have the same days and hours as other groups, so by
// these neither end alone says whether an edge is a tie: attention has to compare both, that is, to be dynamic. Degrees
// say much without a comparison, as public devices and those of other groups tend to have more accounts. Public devices
// and 5 % of all nodes show any day and hour.
//
// Where the signal is:
//   0 hops  bursts, and a weakly informative profile; gamers and shops have bursts too
//   1 hop   a device has the sums of its accounts' logins and noisy signs of being public or an emulator
//   2 hops  the accounts tied to the same devices distinguish sleepers (malicious, no bursts) from gamers (normal, bursts)
//   4 hops  sleepers around a quiet device of a ring reach active accounts only through the next device of the chain
// What misleads: public devices, which join normal accounts to malicious ones; visits of normal accounts to the devices
// of a ring, and of its members to others; and the labels: 5 % of the malicious accounts are labelled normal, and as many
// normal ones malicious, so that even the true classes have an F1 of 0.95.
//
// Features are sparse, about 30 per row, in [0, 3]: log(1 + logins) by hour of the week and channel, one-hot fields,
// and the day and the hour, each as t and 1 - t. Accounts and devices share the columns of these two, so that what agrees
// is alike, and no others.
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
