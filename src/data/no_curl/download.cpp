// Stands in for data/download.cpp where libcurl is not installed.
#include "data/download.h"

#include "geniepath/error.h"

namespace geniepath {

void download(const std::vector<RemoteFile>&, const DownloadOptions&) {
  fail("download: this build has no libcurl; install libcurl4-openssl-dev and build again");
}

}  // namespace geniepath
