// How long processes wait for each other.
#pragma once

#include <algorithm>
#include <chrono>
#include <future>
#include <memory>
#include <thread>

namespace geniepath::distributed {

using Milliseconds = std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr Milliseconds kBeat{200};     // between two signs of life
constexpr Milliseconds kNaming{3000};  // at most, to find out who is lost: many beats, also on a busy machine
constexpr Milliseconds kReading{1500};  // for the others to read an announcement

// Part of the timeout that is left to find out who is lost.
inline Milliseconds naming_time(Milliseconds timeout) { return std::min(kNaming, timeout / 3); }

// Runs work that might never end, as when a host is stopped, on a thread that is then left behind. Throws what the work
// throws; returns false if it has not ended in time.
template <class Work>
bool ends_within(Milliseconds limit, Work work) {
  const auto done = std::make_shared<std::promise<void>>();
  std::future<void> ended = done->get_future();
  std::thread([done, work = std::move(work)]() mutable {
    try {
      work();
      done->set_value();
    } catch (...) {
      done->set_exception(std::current_exception());
    }
  }).detach();
  if (ended.wait_for(limit) != std::future_status::ready) return false;
  ended.get();
  return true;
}

// The same for work that need not succeed.
template <class Work>
void attempt_within(Milliseconds limit, Work work) {
  try {
    ends_within(limit, std::move(work));
  } catch (const std::exception&) {
  }
}

}  // namespace geniepath::distributed
