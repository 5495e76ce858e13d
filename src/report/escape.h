// Text from data, made safe to stand in other languages. Bytes that are no UTF-8 and control characters become U+FFFD.
#pragma once

#include <string>
#include <string_view>

namespace geniepath::report {

std::string html(std::string_view text);  // in HTML and SVG, also within quotes
std::string dot(std::string_view text);   // within a quoted string of Graphviz
std::string csv(std::string_view text);   // a field of a table, quoted where it must be (RFC 4180); bytes as they are

// At most so many characters, the last being an ellipsis where some are missing.
std::string shortened(std::string_view text, size_t characters);

}  // namespace geniepath::report
