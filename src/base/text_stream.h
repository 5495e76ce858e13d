// A string built with <<. Where memory is short it throws; std::ostringstream drops the rest of the text in silence.
#pragma once

#include <ios>
#include <sstream>

namespace geniepath {

class TextStream : public std::ostringstream {
 public:
  TextStream() { exceptions(std::ios::badbit); }
};

}  // namespace geniepath
