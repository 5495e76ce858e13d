// Shared by all kinds of training: time, memory, dropout keys and the learning rate.
#pragma once

#include <chrono>

#include "geniepath/train.h"

namespace geniepath::training {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start);
int64_t peak_bytes_of_process();

// Key of a batch's random masks in an epoch.
uint64_t dropout_key(uint64_t seed, int64_t epoch, uint64_t batch);

double learning_rate_at(const TrainConfig& config, int64_t epoch);

}  // namespace geniepath::training
