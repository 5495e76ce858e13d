// What every way of training keeps books of: time, memory, the learning rate, the file of metrics.
#pragma once

#include <chrono>
#include <filesystem>

#include "geniepath/train.h"

namespace geniepath::training {

using Clock = std::chrono::steady_clock;

constexpr double kSaveEvery = 10;  // seconds between checkpoints of a run that is not asked to stop

double seconds_since(Clock::time_point start);
int64_t peak_bytes_of_process();

double learning_rate_at(const TrainConfig& config, int64_t epoch);

// metrics.jsonl up to and with the epoch: what a resumed run goes on from.
void cut_metrics(const std::filesystem::path& path, int64_t epoch);

}  // namespace geniepath::training
