#include "report/csv_writer.h"

#include <charconv>

#include "report/escape.h"

namespace geniepath::report {

std::ostream& CsvWriter::next_cell() {
  if (!row_is_empty_) out_ << ',';
  row_is_empty_ = false;
  return out_;
}

template <class Real>
CsvWriter& CsvWriter::shortest(Real value) {
  char digits[32];
  next_cell().write(digits, std::to_chars(digits, digits + sizeof digits, value).ptr - digits);
  return *this;
}

CsvWriter& CsvWriter::text(std::string_view text) {
  next_cell() << csv(text);
  return *this;
}

CsvWriter& CsvWriter::number(float value) { return shortest(value); }
CsvWriter& CsvWriter::number(double value) { return shortest(value); }

void CsvWriter::end_row() {
  out_ << '\n';
  row_is_empty_ = true;
}

}  // namespace geniepath::report
