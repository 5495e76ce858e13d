// A small archive as a publisher would provide it, and the files wanted from it.
#pragma once

#include <string>
#include <vector>

#include "io/download.h"
#include "io/sha256.h"
#include "io/zip_writer.h"

namespace geniepath::testing {

inline RemoteFile published(const std::string& name, const std::string& content) {
  Sha256 hash;
  hash.update(content);
  return {name, "", static_cast<int64_t>(content.size()), {std::string(64, '0'), hash.hex()}};
}

inline const std::string kGraphText(20000, 'g');
inline const std::string kFeatureText = "features";

inline std::vector<RemoteFile> wanted_files() {
  return {published("ppi/graph.json", kGraphText), published("ppi/feats.npy", kFeatureText)};
}

// In a folder of its own, beside an unrelated member.
inline std::vector<ZipMember> published_members() {
  return {deflated("ppi/graph.json", kGraphText), stored("ppi/walks.txt", "not wanted"),
          stored("ppi/feats.npy", kFeatureText)};
}

}  // namespace geniepath::testing
