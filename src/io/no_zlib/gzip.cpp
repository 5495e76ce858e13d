#include "io/gzip.h"

#include "geniepath/error.h"

namespace geniepath {

bool GzipReader::available() { return false; }

GzipReader::GzipReader(const std::filesystem::path& path) : stream_(nullptr) {
  fail(path.string(), ": reading gzip needs zlib (package zlib1g-dev), which this build lacks");
}
GzipReader::~GzipReader() = default;
size_t GzipReader::read(char*, size_t) { return 0; }

std::string inflate(std::string_view, size_t, const std::string& where) {
  fail(where, ": inflating needs zlib (package zlib1g-dev), which this build lacks");
}

}  // namespace geniepath
