#include "terminal/console.h"

#include <ATen/Parallel.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <future>
#include <iostream>
#include <limits>
#include <mutex>
#include <string_view>
#include <system_error>
#include <thread>

#include "geniepath/error.h"
#include "geniepath/usable_cpus.h"
#include "terminal/text.h"

namespace geniepath::cli {
namespace {

volatile std::sig_atomic_t stop_asked = 0;

extern "C" void on_interrupt(int signal) {
  stop_asked = 1;
  std::signal(signal, SIG_DFL);
}

constexpr const char *kClearLine = "\r\x1b[K", *kCyan = "\x1b[36m", *kGrey = "\x1b[90m", *kPlain = "\x1b[0m";

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

std::string time_text(double seconds) {
  const auto whole = static_cast<int64_t>(std::min(seconds, 3.6e6) + 0.5);
  const auto two = [](int64_t n) { return (n < 10 ? "0" : "") + std::to_string(n); };
  if (whole < 3600) return std::to_string(whole / 60) + ":" + two(whole % 60);
  return std::to_string(whole / 3600) + ":" + two(whole / 60 % 60) + ":" + two(whole % 60);
}

std::string repeated(const char* text, size_t times) {
  std::string all;
  for (size_t n = 0; n < times; ++n) all += text;
  return all;
}

std::string bar_text(double share, size_t length) {
  const auto full = static_cast<size_t>(share * static_cast<double>(length));
  const bool colours = has_colours(STDERR_FILENO);
  return (colours ? kCyan : "") + repeated("━", full) + (colours ? kGrey : "") + repeated("─", length - full) +
         (colours ? kPlain : "");
}

std::ostream& real_errors() {
  static std::ostream stream(std::cerr.rdbuf());
  return stream;
}

// OpenMP's runtime would end the program where it cannot start its threads.
void check_threads_start(int number) {
  std::promise<void> end;
  const std::shared_future<void> ended = end.get_future().share();
  std::vector<std::jthread> threads;
  try {
    while (std::ssize(threads) + 1 < number) threads.emplace_back([ended] { ended.wait(); });
  } catch (const std::system_error& problem) {
    end.set_value();
    fail("threads: cannot start ", number, ", only ", threads.size() + 1, ": ", problem.code().message());
  }
  end.set_value();
}

}  // namespace

// at::set_num_threads() also starts the pool of a library that we do not use, XNNPACK, whose threads spin for 50 ms: a
// fifth of a short command's time. The environment gives LibTorch the same number without it, unless it was asked
// before.
void use_threads(int64_t threads) {
  const auto number = static_cast<int>(threads == 0 ? usable_cpus() : threads);
  check_threads_start(number);
  for (const char* name : {"OMP_NUM_THREADS", "MKL_NUM_THREADS"}) ::setenv(name, std::to_string(number).c_str(), 1);
  if (at::get_num_threads() != number) at::set_num_threads(number);
}

size_t usable_columns(int descriptor) {
  constexpr size_t kUsual = 80, kFewest = 2;
  winsize size{};
  size_t columns = ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
  if (columns == 0) columns = static_cast<size_t>(std::max(0, std::atoi(std::string(environment("COLUMNS")).c_str())));
  return std::max(columns == 0 ? kUsual : columns, kFewest) - 1;
}

bool is_terminal(int descriptor) { return ::isatty(descriptor) == 1 && environment("TERM") != "dumb"; }

size_t output_columns() {
  return is_terminal(STDOUT_FILENO) ? usable_columns(STDOUT_FILENO) : std::numeric_limits<size_t>::max();
}

bool has_colours(int descriptor) { return is_terminal(descriptor) && environment("NO_COLOR").empty(); }

void be_quiet() {
  real_errors();
  std::cerr.rdbuf(nullptr);
}

void say_error(const std::string& line) { real_errors() << line + "\n" << std::flush; }

namespace {

std::string& current_speaker() {
  static std::string name;
  return name;
}

}  // namespace

void speak_as(const std::string& speaker) { current_speaker() = speaker; }

const std::string& speaker() { return current_speaker(); }

std::string cut_to(const std::string& text, size_t columns) {
  if (shown_width(text) <= columns) return text;
  size_t end = 0;
  for (size_t shown = 0; end < text.size(); ++end) {
    const bool begins_character = (text[end] & 0xc0) != 0x80;
    if (begins_character && ++shown == std::max<size_t>(columns, 1)) break;
  }
  return columns == 0 ? "" : text.substr(0, end) + "…";
}

ProgressLine::~ProgressLine() {
  if (!pending_.empty()) show(std::string(pending_), true);
  if (open_) std::cerr << "\n";
}

void ProgressLine::show(const std::string& text, bool last) {
  draw(cut_to(text, usable_columns(STDERR_FILENO)), text, last);
}

void ProgressLine::show(double share, const std::string& text, bool last) { draw(with_bar(share, text), text, last); }

// "━━━━━━────── 50 %  0:12 left  epoch 100/200 ..."; in a narrow terminal a shorter bar without the percentage, then
// none.
std::string ProgressLine::with_bar(double share, const std::string& text) {
  constexpr size_t kLongest = 20, kPart = 4, kNarrow = 60, kNarrowest = 24;  // columns; the bar is one in kPart
  share = std::clamp(share, 0.0, 1.0);
  if (first_share_ < 0) began_ = Clock::now(), first_share_ = share;
  const double took = std::chrono::duration<double>(Clock::now() - began_).count(), gained = share - first_share_;
  std::string rest = text;
  if (gained > 0 && took > 1 && share < 1) rest = time_text(took * (1 - share) / gained) + " left  " + rest;
  const size_t columns = usable_columns(STDERR_FILENO);
  if (columns < kNarrowest) return cut_to(rest, columns);
  rest = " " + (columns < kNarrow ? "" : padded(std::to_string(static_cast<int>(100 * share)), 3) + " %  ") + rest;
  const size_t length = std::min(kLongest, columns / kPart);
  return bar_text(share, length) + cut_to(rest, columns - length);
}

void ProgressLine::draw(const std::string& line, const std::string& plain, bool last) {
  const bool redrawn = is_terminal(STDERR_FILENO);
  const auto now = Clock::now();
  const auto pause = redrawn ? std::chrono::milliseconds(50) : std::chrono::milliseconds(1000);
  pending_ = plain;
  if (!last && now - shown_ < pause) return;
  pending_.clear();
  shown_ = now;
  std::cerr << (redrawn ? kClearLine : "") << (redrawn ? line : plain) << (redrawn && !last ? "" : "\n") << std::flush;
  open_ = redrawn && !last;
}

std::function<void(int64_t, int64_t)> LayerLine::progress() {
  return [this](int64_t done, int64_t layers) {
    if (std::chrono::steady_clock::now() - began_ < std::chrono::seconds(1)) return;
    const std::string text = what_ + ", layer " + std::to_string(done) + " of " + std::to_string(layers);
    line_.show(static_cast<double>(done) / static_cast<double>(layers), text, done == layers);
  };
}

Activity::Activity(std::string what) {
  if (!is_terminal(STDERR_FILENO)) return;
  thread_ = std::jthread([what = std::move(what)](const std::stop_token& done) {
    using namespace std::chrono_literals;
    std::mutex mutex;
    std::condition_variable_any stopped;
    std::unique_lock lock(mutex);
    const auto began = std::chrono::steady_clock::now();
    stopped.wait_for(lock, done, 1s, [] { return false; });
    if (done.stop_requested()) return;
    while (!done.stop_requested()) {
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
      std::cerr << kClearLine << cut_to(what + "  " + time_text(took.count()), usable_columns(STDERR_FILENO))
                << std::flush;
      stopped.wait_for(lock, done, 1s, [] { return false; });
    }
    std::cerr << kClearLine << std::flush;
  });
}

void watch_for_interrupt() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
}

void outlive_readers() { std::signal(SIGPIPE, SIG_IGN); }

bool interrupted() { return stop_asked != 0; }

}  // namespace geniepath::cli
