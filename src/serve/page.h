// The web page, compiled into the program (cmake/page.cmake); empty in builds without Node.js.
#pragma once

#include <span>
#include <string_view>

namespace geniepath::serve {

struct PageFile {
  std::string_view path;  // "/index.html"
  std::string_view type;
  std::string_view plain, gzip;
};

std::span<const PageFile> page_files();

}  // namespace geniepath::serve
