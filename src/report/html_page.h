// A self-contained page: no script, and no font or picture from elsewhere.
#pragma once

#include <string>

namespace geniepath::report {

// `title` is text, `body` HTML.
std::string html_page(const std::string& title, const std::string& body);

}  // namespace geniepath::report
