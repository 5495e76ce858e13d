#include "terminal/console.h"

#include <ATen/Parallel.h>
#include <unistd.h>

#include <csignal>
#include <iostream>

#include "base/usable_cpus.h"

namespace geniepath::cli {
namespace {

volatile std::sig_atomic_t stop_asked = 0;

extern "C" void on_interrupt(int signal) {
  stop_asked = 1;
  std::signal(signal, SIG_DFL);
}

}  // namespace

void use_threads(int64_t threads) {
  at::set_num_threads(static_cast<int>(threads == 0 ? usable_cpus() : threads));
}

ProgressLine::~ProgressLine() {
  if (!pending_.empty()) show(std::string(pending_), true);
  if (open_) std::cerr << "\n";
}

void ProgressLine::show(const std::string& text, bool last) {
  const bool terminal = ::isatty(STDERR_FILENO) == 1;
  const auto now = std::chrono::steady_clock::now();
  const auto pause = terminal ? std::chrono::milliseconds(50) : std::chrono::milliseconds(1000);
  pending_ = text;
  if (!last && now - shown_ < pause) return;
  pending_.clear();
  shown_ = now;
  std::cerr << (terminal ? "\r\x1b[K" : "") << text << (terminal && !last ? "" : "\n") << std::flush;
  open_ = terminal && !last;
}

void watch_for_interrupt() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
}

bool interrupted() { return stop_asked != 0; }

}  // namespace geniepath::cli
