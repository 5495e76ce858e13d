#include "io/iso_date.h"

#include <chrono>
#include <cmath>
#include <cstdio>

namespace geniepath {
namespace {

// Removes `digits` digits from the front; none if there are fewer, or if they are not within 0 .. most.
std::optional<int> take_number(std::string_view& text, size_t digits, int most) {
  if (text.size() < digits) return std::nullopt;
  int value = 0;
  for (size_t i = 0; i < digits; ++i) {
    if (text[i] < '0' || text[i] > '9') return std::nullopt;
    value = value * 10 + (text[i] - '0');
  }
  text.remove_prefix(digits);
  return value <= most ? std::optional(value) : std::nullopt;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<double> take_days(std::string_view& text) {
  const auto year = take_number(text, 4, 9999);
  if (!year || !take(text, '-')) return std::nullopt;
  const auto month = take_number(text, 2, 12);
  if (!month || !take(text, '-')) return std::nullopt;
  const auto day = take_number(text, 2, 31);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  return static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
}

// ":30.25", or nothing: 0 s.
std::optional<double> take_seconds(std::string_view& text) {
  if (!take(text, ':')) return 0;
  const auto whole = take_number(text, 2, 60);
  if (!whole) return std::nullopt;
  double seconds = *whole, unit = 0.1;
  if (!take(text, '.')) return seconds;
  const size_t before = text.size();
  for (; !text.empty() && text[0] >= '0' && text[0] <= '9'; unit /= 10) {
    seconds += unit * (text[0] - '0');
    text.remove_prefix(1);
  }
  return text.size() < before ? std::optional(seconds) : std::nullopt;
}

// "Z", "+02:00", "+0200", "+02", or nothing: minutes ahead of UTC.
std::optional<int> take_zone(std::string_view& text) {
  if (text.empty() || take(text, 'Z')) return 0;
  const int sign = take(text, '+') ? 1 : take(text, '-') ? -1 : 0;
  const auto hours = take_number(text, 2, 23);
  if (sign == 0 || !hours) return std::nullopt;
  if (text.empty()) return sign * *hours * 60;
  take(text, ':');
  const auto minutes = take_number(text, 2, 59);
  return minutes ? std::optional(sign * (*hours * 60 + *minutes)) : std::nullopt;
}

}  // namespace

std::optional<double> parse_iso_date(std::string_view text) {
  const auto days = take_days(text);
  if (!days || text.empty()) return days;
  if (!take(text, 'T') && !take(text, ' ')) return std::nullopt;
  const auto hours = take_number(text, 2, 24);
  if (!hours || !take(text, ':')) return std::nullopt;
  const auto minutes = take_number(text, 2, 59);
  if (!minutes) return std::nullopt;
  const auto seconds = take_seconds(text);
  if (!seconds) return std::nullopt;
  const auto zone = take_zone(text);
  if (!zone || !text.empty()) return std::nullopt;
  constexpr double kMinutesPerDay = 24 * 60;
  return *days + (*hours * 60 + *minutes - *zone + *seconds / 60) / kMinutesPerDay;
}

std::string iso_date(double days) {
  constexpr double kFirst = -719528, kLast = 2932896;  // 0000-01-01, 9999-12-31
  if (!(days >= kFirst && days < kLast + 1)) return "";
  const std::chrono::year_month_day day{std::chrono::sys_days{std::chrono::days{static_cast<int>(std::floor(days))}}};
  char text[40];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(day.year()), static_cast<unsigned>(day.month()),
                static_cast<unsigned>(day.day()));
  return text;
}

}  // namespace geniepath
