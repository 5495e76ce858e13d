// Shared by all subcommands: threads, progress on stderr, colours, interrupts.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
#include <thread>

namespace geniepath::cli {

// Sets the number of threads everywhere; 0: every usable core.
void use_threads(int64_t threads);

// Whether a stream is a terminal whose line can be redrawn.
bool is_terminal(int descriptor);
// Whether to write colours to it: to a terminal, unless the environment has NO_COLOR.
bool has_colours(int descriptor);

// Silences stderr (--quiet) except for errors.
void be_quiet();
// Writes a line to stderr, in one piece: several processes may share it.
void say_error(const std::string& line);

// Prefix of error messages, such as "rank 1: "; empty at first.
void speak_as(const std::string& speaker);
const std::string& speaker();

// Columns of the terminal at this descriptor, less one, as some terminals wrap a line that fills the last column;
// usually 79 where there is none.
size_t usable_columns(int descriptor);
// Columns of standard output: no limit unless it is a terminal.
size_t output_columns();

// The text, cut to this many columns; a cut is marked by "…".
std::string cut_to(const std::string& text, size_t columns);

// One line on stderr that is redrawn on a terminal and never wraps; in a pipe, at most one plain line per second, and
// the last one.
class ProgressLine {
 public:
  ~ProgressLine();
  void show(const std::string& text, bool last = false);
  // With a bar and the time left on a terminal, where there is room. `share` is the part that is done, 0 to 1.
  void show(double share, const std::string& text, bool last = false);

 private:
  using Clock = std::chrono::steady_clock;
  void draw(const std::string& line, const std::string& plain, bool last);
  std::string with_bar(double share, const std::string& text);

  std::string pending_;  // the latest text, if not yet shown
  bool open_ = false;
  Clock::time_point shown_{};
  Clock::time_point began_{};
  double first_share_ = -1;  // at began_
};

// Progress of a pass over a whole graph, layer by layer, shown once it has taken a second.
class LayerLine {
 public:
  explicit LayerLine(std::string what) : what_(std::move(what)) {}
  std::function<void(int64_t done, int64_t layers)> progress();

 private:
  std::string what_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  ProgressLine line_;
};

// Shows on a terminal that something is being done, and for how long, once it has taken a second. Nothing else should
// be written to stderr meanwhile.
class Activity {
 public:
  explicit Activity(std::string what);

 private:
  std::jthread thread_;
};

// The first Ctrl-C or SIGTERM requests a stop at the next safe point; a second one ends the program at once.
void watch_for_interrupt();
bool interrupted();

// Long work goes on where nobody reads its messages any more, as after `train … | head`.
void outlive_readers();

}  // namespace geniepath::cli
