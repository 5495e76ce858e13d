// Built where zlib is absent.
#include "data/npz.h"

#include "geniepath/error.h"

namespace geniepath {

NpzFile NpzFile::open(const std::filesystem::path& path) { return parse({}, path.string()); }

NpzFile NpzFile::parse(std::span<const std::byte>, const std::string& where, std::shared_ptr<const void>) {
  fail(where, ": npz needs zlib (package zlib1g-dev)");
}

at::Tensor NpzFile::read(const std::string&) const { fail(where_, ": npz needs zlib (package zlib1g-dev)"); }

}  // namespace geniepath
