// Twin of io/download.cpp, built where libcurl is missing.
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
