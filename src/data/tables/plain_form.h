// Cells that people read as numbers or dates, but that no column of numbers or dates may hold:
//   1,234.50   1.234,50   $5   5 %   31/12/2020   31.12.2020   2020/12/31
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace geniepath {

struct PlainForm {
  bool date = false;
  std::string text;  // as it would be read: "1234.50", "2020-12-31"
};

// None for any other text. Days come before months, unless only the other order is a date.
std::optional<PlainForm> plain_form(std::string_view cell);

}  // namespace geniepath
