// S-FFSD (AI4Risk/antifraud): simulated card payments in order of time.
//   S-FFSD.csv   Time,Source,Target,Amount,Location,Type,Labels: label 1 fraud, 0 clean, 2 unknown
// A payment is a node. Its source, target, location and type are its parties. Messages run from each of the two
// preceding payments of every party to the payment, the graph of GTAN (Xiang et al., AAAI 2023) without its self-loops:
// at most eight edges in and eight out, all from earlier to later.
//
// Features, from the payment and earlier ones alone ("earlier" is earlier in the file); a = ln(1 + amount):
//   0         a
//   1 .. 16   for the source, target, location and type in turn, each 0 where the party has no earlier payment:
//             ln(1 + number of its earlier payments), ln(1 + time since the last), mean of their a, a - this mean
//   17 .. 19  ln(1 + number of earlier payments with the same source and the same target, location, type)
#pragma once

#include <filesystem>
#include <string>

#include "geniepath/dataset.h"

namespace geniepath {

// The split is by time: of the labelled payments, the first half trains, the next tenth validates, the rest tests.
Dataset load_s_ffsd(const std::filesystem::path& folder, const std::string& name);

}  // namespace geniepath
