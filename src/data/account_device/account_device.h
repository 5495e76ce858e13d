// Generated data set of accounts and the devices they log in through, some accounts malicious. Made from a seed in the
// shape of the paper's Alipay data (private), and motivated by its fraud case: malicious accounts gather around
// devices, but normal ones share devices with them.
//
// A world consists of places, disjoint subgraphs. Most places are a single household: 1 to 4 normal accounts on 1 to 3
// devices. The others have two or more groups of 5 to 24 accounts on a closed chain of devices, to which they are tied:
//   team    normal accounts; a few are gamers, who log in in bursts
//   shop    normal accounts that all log in in bursts
//   ring    malicious accounts; the active ones log in in bursts, the others sleep
// Some groups also run a gateway (proxy, open network), to which all their accounts are tied. The true edges are the
// ties of rings, in both directions. All other edges of these places mislead:
//   hosts     every account also logs in where another one does, its host: it visits the devices of the host's chain
//   gateways  are used by any accounts of the place, in heavy-tailed numbers up to thousands
//
// Degrees do not tell: the shape of a group is drawn before its kind, and as no two accounts have the same host, a
// device of a chain has as many visitors as ties (fewer in a place with few groups). So a member of a ring finds the
// same degrees among its ties as among its visits. It is tied to about as many gateways, the hubs, as it visits, since
// rings run them more often than others do; only ties tell which group runs one.
//
// How a tie is recognised: a group has its phone numbers and devices from one of four carriers, and visits are
// roaming: to devices of another carrier. Accounts and devices show their carrier, 4 % of them a random one. All kinds
// of groups have the same carriers, so neither end alone says whether an edge is a tie: attention has to compare both,
// that is, to be dynamic. A sum over neighbours cannot tell a member of a ring that visits a team from a member of the
// team that visits the ring; only what each shows itself can.
//
// Where the signal is:
//   0 hops  bursts of active accounts, and a weakly informative profile; gamers and shops have bursts too
//   1 hop   signs of automation, which 7 of 10 devices of a ring show and one of 50 others; noisy sums of logins
//   2 hops  the other accounts tied to the same devices
//   3 hops  and more: the other devices of the chain, for accounts whose own devices show no sign
// Labels err, too: 5 % of the malicious accounts are labelled normal, and as many normal ones malicious, so that even
// the true classes have an F1 of 0.95.
//
// Features are sparse, about 30 per row, in [0, 3]: 0.3 log(1 + logins) by hour of the week and channel, one-hot fields
// of 0.3 (the most logins in an hour: 1), and what decides at 3, signs of automation and the carrier. Accounts and
// devices share the columns of the carrier and no others.
#pragma once

#include <cstdint>
#include <limits>

#include "geniepath/dataset.h"

namespace geniepath {

constexpr int64_t kMostAccountDeviceNodes = std::numeric_limits<NodeId>::max();

struct AccountDeviceOptions {
  int64_t nodes = 20000;  // accounts and devices together, exactly; at least 1,000; the paper's data has 981,748
  int64_t seed = 1;
};

// There are 2.35 undirected edges per node, as in the paper (small worlds may have fewer), and 400 features up to
// 20,000 nodes, growing to 4,000 at the paper's size and no further. Every account has a label. Training takes 20.5 %
// of all nodes, validation and test 3.2 % each, but at least 1,500 accounts (a fifth of the accounts where that is
// less). The same options give the same bits.
Dataset make_account_device(const AccountDeviceOptions& options);

}  // namespace geniepath
