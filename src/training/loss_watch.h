// Notices a training loss that rises for good: a recipe that breaks, which the best epoch's score alone would hide.
#pragma once

#include <cstdint>

namespace geniepath::training {

struct LossWatch {
  double first = 0;   // of the first epoch
  double smooth = 0;  // running mean over about kWindow epochs
  double least = 0;   // of `smooth`
  int64_t least_epoch = 0;

  void add(int64_t epoch, double loss);
  // Whether the loss is far above its least value, of many epochs ago.
  bool risen(int64_t epoch) const;
};

}  // namespace geniepath::training
