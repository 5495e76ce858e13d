// Text from data, made safe to stand in other languages. In HTML, SVG and DOT, bytes that are no UTF-8 and characters that
// steer what shows them (controls, turns of the writing direction) become U+FFFD.
#pragma once

#include <string>
#include <string_view>

namespace geniepath::report {

std::string html(std::string_view text);  // in HTML and SVG, also within quotes
std::string dot(std::string_view text);   // within a quoted string of Graphviz

// A cell of a table, quoted where it must be (RFC 4180); bytes as they are. A spreadsheet takes what begins with = + - @, a
// tab or a line break for a formula, and runs it: such a text gets an apostrophe in front, one more where it has some
// before such a character, and so does what stands behind a semicolon, which separates cells in some countries. Taking one
// away gives the text back. What is a number as a whole, as "-5", stays one.
std::string csv(std::string_view text);

// In a line on a terminal: what would steer it, and bytes that are no text, are shown as codes (\x1b, \n, \u202e).
std::string terminal(std::string_view text);

// At most so many characters, the last being an ellipsis where some are missing.
std::string shortened(std::string_view text, size_t characters);

}  // namespace geniepath::report
