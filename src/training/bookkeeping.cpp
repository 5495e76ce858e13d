#include "training/bookkeeping.h"

#include <sys/resource.h>

#include <cmath>
#include <numbers>

#include "base/random.h"

namespace geniepath::training {

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

int64_t peak_bytes_of_process() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss * 1024;
}

uint64_t dropout_key(uint64_t seed, int64_t epoch, uint64_t batch) {
  constexpr uint64_t kDropoutStream = 2;
  return RandomStream{seed, kDropoutStream, static_cast<uint64_t>(epoch), batch}.key();
}

double learning_rate_at(const TrainConfig& config, int64_t epoch) {
  const double warm = epoch >= config.warmup ? 1 : static_cast<double>(epoch) / static_cast<double>(config.warmup);
  if (config.schedule == Schedule::kConstant) return warm * config.learning_rate;
  const double done = static_cast<double>(epoch - 1) / static_cast<double>(config.epochs);
  return warm * config.learning_rate * 0.5 * (1 + std::cos(std::numbers::pi * done));
}

}  // namespace geniepath::training
