// Escaping of text from data. In HTML, SVG and DOT, bytes that are not UTF-8 and characters with effects (controls,
// changes of writing direction) become U+FFFD.
#pragma once

#include <string>
#include <string_view>

namespace geniepath::report {

std::string html(std::string_view text);  // in HTML and SVG, also within quotes
std::string dot(std::string_view text);   // within a quoted string of Graphviz

// A CSV cell, quoted where necessary (RFC 4180); bytes are kept. Spreadsheets run a cell that begins with = + - @, a
// tab or a line break as a formula: such a text is prefixed with an apostrophe, as is one that has apostrophes before
// such a character, and the text after a semicolon, which separates cells in some countries. Removing one apostrophe
// restores the text. A text that is a number as a whole, such as "-5", is left as it is.
std::string csv(std::string_view text);

// For one line on a terminal: control characters and invalid bytes are shown as codes (\x1b, \n, \u202e).
std::string terminal(std::string_view text);

// At most this many characters; if any are left out, the last is an ellipsis.
std::string shortened(std::string_view text, size_t characters);

}  // namespace geniepath::report
