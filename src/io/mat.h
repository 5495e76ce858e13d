// MATLAB level 5 files, limited to the sparsity patterns of sparse matrices. Read with libmatio; where that is missing,
// a twin (no_matio/) throws.
//   128 bytes: a text, the version 0x0100 and "IM" (little-endian), then elements, each with its type and length in
//   front and often compressed; a matrix of class sparse has dimensions, a name, row indices, column pointers, values
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace geniepath {

// Row and column of every non-zero entry, column by column; guaranteed to lie within the dimensions.
struct MatPattern {
  int64_t rows = 0, columns = 0;
  std::vector<int32_t> row, column;
};

class MatFile {
 public:
  static bool available();  // whether libmatio was built in

  explicit MatFile(const std::filesystem::path& path);
  ~MatFile();
  MatFile(const MatFile&) = delete;
  MatFile& operator=(const MatFile&) = delete;

  MatPattern sparse(const std::string& name);

 private:
  std::string where_;
  void* file_;
};

}  // namespace geniepath
