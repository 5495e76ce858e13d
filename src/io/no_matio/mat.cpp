#include "io/mat.h"

#include "geniepath/error.h"

namespace geniepath {

bool MatFile::available() { return false; }

MatFile::MatFile(const std::filesystem::path& path) : file_(nullptr) {
  fail(path.string(),
       ": reading MATLAB files needs libmatio (package libmatio-dev), which this build lacks");
}
MatFile::~MatFile() = default;
MatPattern MatFile::sparse(const std::string&) { return {}; }

}  // namespace geniepath
