#include "console.h"

#include <ATen/Parallel.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <thread>

namespace geniepath::cli {
namespace {

volatile std::sig_atomic_t stop_asked = 0;

extern "C" void on_interrupt(int signal) {
  stop_asked = 1;
  std::signal(signal, SIG_DFL);
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789.,-+%x±e ") == std::string::npos;
}

size_t shown_width(const std::string& text) {  // code points, not bytes
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

}  // namespace

void use_threads(int64_t threads) {
  const auto cores = static_cast<int64_t>(std::max(1u, std::thread::hardware_concurrency()));
  at::set_num_threads(static_cast<int>(threads == 0 ? cores : threads));
}

ProgressLine::~ProgressLine() {
  if (open_) std::cerr << "\n";
}

void ProgressLine::show(const std::string& text, bool last) {
  const bool terminal = ::isatty(STDERR_FILENO) == 1;
  const auto now = std::chrono::steady_clock::now();
  const auto pause = terminal ? std::chrono::milliseconds(50) : std::chrono::milliseconds(1000);
  if (!last && now - shown_ < pause) return;
  shown_ = now;
  std::cerr << (terminal ? "\r\x1b[K" : "") << text << (terminal && !last ? "" : "\n") << std::flush;
  open_ = terminal && !last;
}

std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> width;
  for (const auto& row : rows) {
    width.resize(std::max(width.size(), row.size()));
    for (size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], shown_width(row[c]));
  }
  std::ostringstream out;
  for (size_t r = 0; r < rows.size(); ++r) {
    for (size_t c = 0; c < rows[r].size(); ++c) {
      const std::string& cell = rows[r][c];
      const std::string gap(width[c] - shown_width(cell), ' ');
      const bool right = is_number(rows.back()[std::min(c, rows.back().size() - 1)]);
      out << (c == 0 ? "" : "  ") << (right ? gap + cell : c + 1 == rows[r].size() ? cell : cell + gap);
    }
    out << "\n";
    if (r > 0) continue;
    for (size_t c = 0; c < width.size(); ++c) out << (c == 0 ? "" : "  ") << std::string(width[c], '-');
    out << "\n";
  }
  return out.str();
}

std::string fixed(double value, int digits) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(digits) << value;
  return text.str();
}

std::string bytes_text(int64_t bytes) {
  const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  size_t unit = 0;
  for (; value >= 1024 && unit < 4; ++unit) value /= 1024;
  return fixed(value, unit == 0 ? 0 : 1) + " " + units[unit];
}

void watch_for_interrupt() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
}

bool interrupted() { return stop_asked != 0; }

}  // namespace geniepath::cli
