// Twin of io/zip.cpp, built where zlib is missing.
#include "io/zip.h"

#include "geniepath/error.h"

namespace geniepath {
namespace {

[[noreturn]] void complain(const std::string& where) { fail(where, ": a zip archive needs zlib (package zlib1g-dev)"); }

}  // namespace

ZipFile ZipFile::open(const std::filesystem::path& path) { complain(path.string()); }

ZipFile ZipFile::parse(std::span<const std::byte>, const std::string& where, std::shared_ptr<const void>) {
  complain(where);
}

std::vector<std::byte> ZipFile::start(const std::string&, size_t) const { complain(where_); }

ZipFile::Content ZipFile::read(const std::string&) const { complain(where_); }

}  // namespace geniepath
