// Dates and times of ISO 8601 in the form that databases write them:
//   2024-05-01   2024-05-01T13:45   2024-05-01 13:45:30.25   2024-05-01T13:45:30Z   2024-05-01T13:45:30+02:00
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace geniepath {

// Days since 1970-01-01 (UTC; a time without a zone counts as UTC), or nothing if the text is no such date.
std::optional<double> parse_iso_date(std::string_view text);

// The day as 2024-05-01; "" outside the years 0 to 9999.
std::string iso_date(double days);

}  // namespace geniepath
