// Writer of all CSV tables: predictions, embeddings, the edges of explanations.
#pragma once

#include <ostream>
#include <string_view>

namespace geniepath::report {

// Cells from left to right, then end_row(). Texts go through csv() (escape.h); numbers have the fewest exact digits.
class CsvWriter {
 public:
  explicit CsvWriter(std::ostream& out) : out_(out) {}

  CsvWriter& text(std::string_view text);
  CsvWriter& number(float value);
  CsvWriter& number(double value);
  void end_row();

 private:
  std::ostream& next_cell();
  template <class Real>
  CsvWriter& shortest(Real value);

  std::ostream& out_;
  bool row_is_empty_ = true;
};

}  // namespace geniepath::report
