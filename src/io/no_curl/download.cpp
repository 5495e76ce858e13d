// Stands in for io/download.cpp where libcurl is not installed.
#include "io/download.h"

#include "geniepath/error.h"

namespace geniepath {

namespace {

[[noreturn]] void complain() {
  fail("download: this build has no libcurl; install libcurl4-openssl-dev and build again");
}

}  // namespace

void download(const std::vector<RemoteFile>&, const DownloadOptions&) { complain(); }

void download_archive(const RemoteArchive&, const DownloadOptions&) { complain(); }

}  // namespace geniepath
