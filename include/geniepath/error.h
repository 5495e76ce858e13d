// The library's exception: a mistake of the caller (a bad file, option or tensor), in one line that says what, where,
// what was expected and what was found. Mistakes of the library itself are asserts, not Errors.
#pragma once

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <string>

#include "geniepath/export.h"

namespace geniepath GENIEPATH_EXPORT {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// fail("graph: edge ", e, " points to node ", t, " of ", n): throws an Error with the concatenated pieces.
template <class... Pieces>
[[noreturn]] void fail(const Pieces&... pieces) {
  std::ostringstream message;
  (message << ... << pieces);
  std::string text = message.str();
  std::replace(text.begin(), text.end(), '\0', ' ');  // what() ends at the first
  throw Error(text);
}

}  // namespace geniepath
