#include "io/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "geniepath/error.h"

namespace geniepath {
namespace {

gzFile stream_of(void* stream) { return static_cast<gzFile>(stream); }

}  // namespace

bool GzipReader::available() { return true; }

GzipReader::GzipReader(const std::filesystem::path& path)
    : where_(path.string()), stream_(::gzopen(path.c_str(), "rb")) {
  if (stream_ == nullptr) fail(where_, ": cannot open");
  ::gzbuffer(stream_of(stream_), 256 << 10);
}

GzipReader::~GzipReader() { ::gzclose(stream_of(stream_)); }

size_t GzipReader::read(char* into, size_t room) {
  const int got = ::gzread(stream_of(stream_), into, static_cast<unsigned>(std::min<size_t>(room, 1u << 30)));
  int code = Z_OK;
  const char* message = ::gzerror(stream_of(stream_), &code);
  if (got < 0 || (code != Z_OK && code != Z_STREAM_END)) {
    fail(where_, ": byte ", ::gzoffset(stream_of(stream_)), ": the gzip data is damaged or cut short: ", message);
  }
  return static_cast<size_t>(got);
}

std::string inflate(std::string_view packed, size_t most, const std::string& where) {
  constexpr size_t kPiece = 64 << 10;
  z_stream stream{};
  if (::inflateInit(&stream) != Z_OK) fail(where, ": zlib cannot start");
  const std::unique_ptr<z_stream, int (*)(z_stream*)> ender(&stream, ::inflateEnd);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(std::min<size_t>(packed.size(), std::numeric_limits<uInt>::max()));
  std::string out;
  int code = Z_OK;
  while (code == Z_OK) {
    if (out.size() > most) fail(where, ": the compressed data inflates to more than ", most, " bytes");
    const size_t before = out.size();
    out.resize(before + std::max(kPiece, before));
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + before);
    stream.avail_out = static_cast<uInt>(std::min<size_t>(out.size() - before, std::numeric_limits<uInt>::max()));
    code = ::inflate(&stream, Z_NO_FLUSH);
    out.resize(static_cast<size_t>(reinterpret_cast<char*>(stream.next_out) - out.data()));
  }
  if (code != Z_STREAM_END) fail(where, ": the compressed data is damaged or cut short");
  return out;
}

}  // namespace geniepath
