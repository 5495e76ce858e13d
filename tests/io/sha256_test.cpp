#include "io/sha256.h"

#include <gtest/gtest.h>

#include "scratch_folder.h"

namespace geniepath {
namespace {

std::string hash_of(const std::string& message) {
  Sha256 hash;
  hash.update(message);
  return hash.hex();
}

// The examples of FIPS 180-4 and of NIST's secure-hashing test vectors.
TEST(Sha256, GivesThePublishedHashes) {
  EXPECT_EQ(hash_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hash_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hash_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hash_of("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrs"
                    "mnopqrstnopqrstu"),
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
  EXPECT_EQ(hash_of(std::string(1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DoesNotDependOnHowTheMessageIsCut) {
  const std::string message(200, 'x');
  for (size_t cut = 0; cut <= message.size(); ++cut) {  // across both block boundaries
    Sha256 hash;
    hash.update(message.substr(0, cut));
    hash.update(message.substr(cut));
    EXPECT_EQ(hash.hex(), hash_of(message)) << cut;
  }
}

TEST(Sha256, ReadsFiles) {
  testing::ScratchFolder folder;
  EXPECT_EQ(sha256_of_file(folder.write("a", "abc")), hash_of("abc"));
  EXPECT_EQ(sha256_of_file(folder.write("empty", "")), hash_of(""));
}

}  // namespace
}  // namespace geniepath
