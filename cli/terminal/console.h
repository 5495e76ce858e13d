// Shared by all subcommands: threads, a progress line, interrupts.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace geniepath::cli {

// Sets the number of threads everywhere; 0: every usable core.
void use_threads(int64_t threads);

// One line on stderr that is redrawn on a terminal; in a pipe, at most one plain line per second, and the last one.
class ProgressLine {
 public:
  ~ProgressLine();
  void show(const std::string& text, bool last = false);

 private:
  std::string pending_;  // the latest text, if not yet shown
  bool open_ = false;
  std::chrono::steady_clock::time_point shown_{};
};

// The first Ctrl-C or SIGTERM requests a stop at the next safe point; a second one ends the program at once.
void watch_for_interrupt();
bool interrupted();

}  // namespace geniepath::cli
