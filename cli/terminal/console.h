// What every subcommand shares: threads, a live line, interrupts.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace geniepath::cli {

// Threads for everything: 0 means every core.
void use_threads(int64_t threads);

// One line on stderr that is redrawn on a terminal; in a pipe a plain line at most every second, and the last one.
class ProgressLine {
 public:
  ~ProgressLine();
  void show(const std::string& text, bool last = false);

 private:
  std::string pending_;  // the latest text, where it is not shown yet
  bool open_ = false;
  std::chrono::steady_clock::time_point shown_{};
};

// Ctrl-C and SIGTERM ask for a stop at the next good moment; a second one ends the program at once.
void watch_for_interrupt();
bool interrupted();

}  // namespace geniepath::cli
