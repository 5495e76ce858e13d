// String stream that throws when memory runs out, where std::ostringstream silently drops the rest of the text.
#pragma once

#include <ios>
#include <sstream>

namespace geniepath {

class TextStream : public std::ostringstream {
 public:
  TextStream() { exceptions(std::ios::badbit); }
};

}  // namespace geniepath
