// AMLSim's samples (IBM/AMLSim): simulated bank accounts and the transfers between them, some of them laundering.
//   nodes.csv          nodeid,isFraud,init_balance,fraudStep: ids 0, 1, 2, ... in order; fraudStep is never used, as it
//                      is known only for fraud (-1 for everyone else, and for many of those too)
//   transactions.csv   sourceNodeId,targetNodeId,value,time: time is a step of the simulation
// A message runs from sender to receiver; transfers between the same two are one edge. Features, N = number, S = last
// step in the file:
//   0        init_balance, as published
//   1        (received - sent) / (received + sent), of sums; 0 where nothing moved
//   2 .. 9   of the transfers received; 10 .. 17 of those sent; all 0 where there are none:
//            ln(1 + N), ln(1 + different partners), ln(1 + sum), ln(1 + mean), ln(1 + deviation), ln(1 + highest),
//            first step / S, last step / S
#pragma once

#include <filesystem>
#include <string>

#include "geniepath/dataset.h"

namespace geniepath {

// No split is published: it is empty.
Dataset load_amlsim(const std::filesystem::path& folder, const std::string& name);

}  // namespace geniepath
