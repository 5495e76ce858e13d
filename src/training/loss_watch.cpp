#include "training/loss_watch.h"

#include <algorithm>

namespace geniepath::training {
namespace {

constexpr int64_t kWindow = 10;
constexpr double kRatio = 1.5;  // of the least value
constexpr double kShare = 0.02;  // of the first: near 0, a ratio alone says little

}  // namespace

void LossWatch::add(int64_t epoch, double loss) {
  if (least_epoch == 0) first = smooth = loss;
  smooth += (loss - smooth) / static_cast<double>(std::min(epoch, kWindow));
  if (least_epoch == 0 || smooth < least) least = smooth, least_epoch = epoch;
}

bool LossWatch::risen(int64_t epoch) const {
  return least_epoch > 0 && epoch - least_epoch >= kWindow && smooth > kRatio * least &&
         smooth - least > kShare * first;
}

}  // namespace geniepath::training
