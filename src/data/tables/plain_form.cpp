#include "data/tables/plain_form.h"

#include <vector>

#include "io/csv.h"
#include "io/iso_date.h"

namespace geniepath {
namespace {

constexpr size_t kGroup = 3, kYear = 4;  // digits

bool are_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string without_symbols(std::string_view cell) {
  std::string text(cell);
  for (const std::string_view symbol : {"$", "€", "£", "¥", "%", " ", "\u00a0", "'"}) {
    for (size_t at = text.find(symbol); at != std::string::npos; at = text.find(symbol)) text.erase(at, symbol.size());
  }
  return text;
}

// "1,234" -> "1234": one to three digits, then groups of three.
std::optional<std::string> ungrouped(std::string_view text, char separator) {
  std::string digits;
  for (size_t groups = 0;; ++groups) {
    const size_t end = text.find(separator);
    const std::string_view group = text.substr(0, end);
    if (!are_digits(group) || (groups > 0 && group.size() != kGroup)) return std::nullopt;
    digits += group;
    if (end == std::string_view::npos) return digits;
    if (groups == 0 && group.size() > kGroup) return std::nullopt;
    text.remove_prefix(end + 1);
  }
}

std::optional<std::string> plain_number(std::string_view cell) {
  std::string text = without_symbols(cell);
  const std::string sign = text.starts_with('-') || text.starts_with('+') ? text.substr(0, 1) : "";
  text.erase(0, sign.size());
  const size_t last = text.find_last_of(".,");
  if (last == std::string::npos) return are_digits(text) ? std::optional(sign + text) : std::nullopt;
  const std::string_view whole = std::string_view(text).substr(0, last), rest = std::string_view(text).substr(last + 1);
  if (const auto digits = ungrouped(text, text[last])) return sign + *digits;
  const auto digits = ungrouped(whole, text[last] == ',' ? '.' : ',');
  return digits && are_digits(rest) ? std::optional(sign + *digits + "." + std::string(rest)) : std::nullopt;
}

std::string two_digits(std::string_view number) { return (number.size() == 1 ? "0" : "") + std::string(number); }

std::optional<std::string> plain_date(std::string_view cell) {
  const std::vector<std::string> part = split_list(cell.substr(0, cell.find(' ')), "/.-");
  if (part.size() != 3) return std::nullopt;
  const bool year_first = part[0].size() == kYear;
  const std::string& year = part[year_first ? 0 : 2];
  if (year.size() != kYear) return std::nullopt;
  const std::string first = two_digits(part[year_first ? 1 : 0]), second = two_digits(part[year_first ? 2 : 1]);
  for (const std::string& date : {year + "-" + second + "-" + first, year + "-" + first + "-" + second}) {
    if (parse_iso_date(date)) return date;
  }
  return std::nullopt;
}

}  // namespace

std::optional<PlainForm> plain_form(std::string_view cell) {
  if (cell.find_first_of("0123456789") == std::string_view::npos) return std::nullopt;
  if (const auto date = plain_date(cell)) return PlainForm{true, *date};
  if (const auto number = plain_number(cell)) return PlainForm{false, *number};
  return std::nullopt;
}

}  // namespace geniepath
