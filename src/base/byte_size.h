// Sizes in bytes as text.
#pragma once

#include <cstdint>
#include <string>

namespace geniepath {

std::string bytes_text(int64_t bytes);  // 1.2 GiB

// The number of bytes in "2GiB", "1.5 GiB", "500MB" or a plain number; an Error names `option`.
int64_t parse_bytes(const std::string& text, const char* option);

}  // namespace geniepath
