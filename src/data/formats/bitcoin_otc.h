// Bitcoin OTC (Kumar et al. 2016, 2018), as in fpour/TGBase: members of a trading platform who rate each other.
//   otc_network.csv   rater,rated,rating (-10 to 10, not 0),time (seconds); no header
//   otc_gt.csv        node,+1 (trusted) or -1 (fraud); no header
//   masks_N.csv       node,train_mask,val_mask,test_mask,label,is_anchor: published split N. Only rows with is_anchor 1
//                     have a label, which must be that of otc_gt.csv (1: fraud); the others are in no part of a split
// Nodes are the members in otc_network.csv by ascending id, which is their name. A message runs from rater to rated.
//
// No features are published. Made from the ratings alone, first of those a member received, then of those given:
//   0  ln(1 + number)              4  highest / 10
//   1  mean / 10                   5  share that is negative
//   2  deviation / 10              6  ln(1 + days from the first to the last)
//   3  lowest / 10                 all 0 where there are none
#pragma once

#include <filesystem>
#include <string>

#include "geniepath/dataset.h"

namespace geniepath {

Dataset load_bitcoin_otc(const std::filesystem::path& folder, const std::string& name, int64_t split);

}  // namespace geniepath
