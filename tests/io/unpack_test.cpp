#include "io/unpack.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "expect_error.h"
#include "io/published_zip.h"
#include "scratch_folder.h"

namespace geniepath {
namespace {

namespace fs = std::filesystem;
using testing::deflated;
using testing::published_members;
using testing::stored;
using testing::wanted_files;
using testing::zip_file;

class Unpack : public ::testing::Test {
 protected:
  std::vector<ZipFile::Content> read(const std::vector<testing::ZipMember>& members) {
    return read_members(folder_.write("a.zip", zip_file(members)), wanted_files());
  }
  testing::ScratchFolder folder_;
};

TEST_F(Unpack, WritesTheFilesWantedAndNoOther) {
  write_files(read(published_members()), wanted_files(), folder_ / "data");
  EXPECT_EQ(read_text(folder_ / "data/ppi/graph.json"), testing::kGraphText);
  EXPECT_EQ(read_text(folder_ / "data/ppi/feats.npy"), testing::kFeatureText);
  const auto written = std::distance(fs::directory_iterator(folder_ / "data/ppi"), fs::directory_iterator());
  EXPECT_EQ(written, 2);
}

TEST_F(Unpack, TakesMembersFromAnyFolderOfTheArchive) {
  auto members = published_members();
  members[0].name = "graph.json";
  members[2].name = "a/b/feats.npy";
  EXPECT_EQ(read(members).size(), 2u);
}

TEST_F(Unpack, RefusesAMissingOrDoubledMember) {
  auto members = published_members();
  members.erase(members.begin());
  EXPECT_ERROR(read(members), "no member is called graph.json");
  members = published_members();
  members.push_back(stored("other/feats.npy", testing::kFeatureText));
  EXPECT_ERROR(read(members), "both 'other/feats.npy' and 'ppi/feats.npy' are called feats.npy");
}

TEST_F(Unpack, RefusesAnAlteredMember) {
  auto members = published_members();
  members[2] = stored("ppi/feats.npy", "featurez");
  EXPECT_ERROR(read(members), "member 'ppi/feats.npy' has SHA-256 ");
  members[2] = stored("ppi/feats.npy", "feature");
  EXPECT_ERROR(read(members), "member 'ppi/feats.npy' has 7 bytes, expected 8");
  members = published_members();
  members[0].crc ^= 1;
  EXPECT_ERROR(read(members), "ppi/graph.json: the checksum is");
}

TEST_F(Unpack, RefusesNamesThatLeadOutside) {
  for (const char* name : {"../graph.json", "/etc/passwd", "ppi/../../x", "ppi\\..\\x", ""}) {
    auto members = published_members();
    members[1].name = name;
    EXPECT_ERROR(read(members), "leads outside the archive");
  }
}

TEST_F(Unpack, RefusesAMemberThatUnpacksToMoreThanWasPublished) {
  auto members = published_members();
  members[0] = deflated("ppi/graph.json", std::string(1 << 20, 'g'));
  EXPECT_ERROR(read(members), "has 1048576 bytes, expected 20000");
  members[0].unpacked = 20000;
  EXPECT_ERROR(read(members), "unpacks to more than its 20000 bytes");
}

TEST_F(Unpack, RefusesEveryCutOfAnArchive) {
  const std::string whole = zip_file(published_members());
  for (size_t length = 0; length < whole.size(); length += 7) {
    const fs::path path = folder_.write("cut.zip", whole.substr(0, length));
    EXPECT_THROW(read_members(path, wanted_files()), Error) << length;
  }
}

}  // namespace
}  // namespace geniepath
