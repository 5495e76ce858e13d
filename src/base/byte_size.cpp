#include "base/byte_size.h"

#include <charconv>
#include <cmath>
#include <iomanip>
#include <string_view>

#include "base/text_stream.h"
#include "geniepath/error.h"

namespace geniepath {
namespace {

struct ByteUnit {
  std::string_view name;
  double bytes;
};
constexpr ByteUnit kByteUnits[] = {{"", 1},       {"B", 1},      {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30},
                                   {"TiB", 0x1p40}, {"KB", 1e3}, {"MB", 1e6},     {"GB", 1e9},     {"TB", 1e12}};

}  // namespace

std::string bytes_text(int64_t bytes) {
  const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  size_t unit = 0;
  for (; value >= 1024 && unit < 4; ++unit) value /= 1024;
  TextStream out;
  out << std::fixed << std::setprecision(unit == 0 ? 0 : 1) << value << " " << units[unit];
  return out.str();
}

int64_t parse_bytes(const std::string& text, const char* option) {
  double number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view unit(end, static_cast<size_t>(text.data() + text.size() - end));
  if (unit.starts_with(' ')) unit.remove_prefix(1);
  for (const ByteUnit& known : kByteUnits) {
    if (problem != std::errc() || unit != known.name) continue;
    const double bytes = std::floor(number * known.bytes);
    if (bytes >= 1 && bytes < 0x1p62) return static_cast<int64_t>(bytes);
  }
  fail("option ", option, ": '", text, "': expected a size such as 2GiB or 500MB");
}

}  // namespace geniepath
