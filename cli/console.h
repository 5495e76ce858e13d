// What every subcommand shares: errors as one line, threads, a live line, tables.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace geniepath::cli {

// Threads for everything: 0 means every core.
void use_threads(int64_t threads);

// One line on stderr that is redrawn on a terminal; in a pipe a plain line at most every second, and the last one.
class ProgressLine {
 public:
  ~ProgressLine();
  void show(const std::string& text, bool last = false);

 private:
  bool open_ = false;
  std::chrono::steady_clock::time_point shown_{};
};

// Columns aligned, numbers to the right; the first row is the heading.
std::string table(const std::vector<std::vector<std::string>>& rows);

std::string fixed(double value, int digits);
std::string bytes_text(int64_t bytes);  // "1.2 GiB"

// Ctrl-C and SIGTERM ask for a stop at the next good moment; a second one ends the program at once.
void watch_for_interrupt();
bool interrupted();

}  // namespace geniepath::cli
