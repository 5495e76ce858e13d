#include "serve/token.h"

#include "expect_error.h"
#include "expect_refused.h"
#include "scratch_folder.h"

namespace geniepath::serve {
namespace {

const std::string kToken = "0123456789abcdef";

TEST(Token, ComesFromTheOptionTheFileOrTheEnvironment) {
  const testing::ScratchFolder scratch;
  ServeOptions none, typed, filed;
  typed.token = kToken;
  filed.token_file = scratch.write("token", kToken + "\nand a remark\n").string();
  EXPECT_EQ(token_of(none, nullptr), "");
  EXPECT_EQ(token_of(none, ""), "");
  EXPECT_EQ(token_of(none, kToken.c_str()), kToken);
  EXPECT_EQ(token_of(typed, nullptr), kToken);
  EXPECT_EQ(token_of(typed, "fedcba9876543210"), kToken);
  EXPECT_EQ(token_of(filed, "fedcba9876543210"), kToken);
  typed.token_file = filed.token_file;
  EXPECT_ERROR(token_of(typed, nullptr), "expected one of them");
}

TEST(Token, ThatCouldBeGuessedOrSentWrongIsRefusedAndNotRepeated) {
  const testing::ScratchFolder scratch;
  ServeOptions options;
  for (const std::string wrong :
       {"short", "0123456789 abcdef", "0123456789abcde\xc3\xa4", "0123456789abcdef\r\nX: y"}) {
    options.token = wrong;
    EXPECT_ERROR(token_of(options, nullptr), "16 to 1024 letters, digits");
    try {
      token_of(options, nullptr);
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find(wrong), std::string::npos);
    }
  }
  options.token.clear();
  options.token_file = scratch.write("empty", "\n").string();
  EXPECT_ERROR(token_of(options, kToken.c_str()), "found 0 characters");
  options.token_file = (scratch / "nothing").string();
  EXPECT_ERROR(token_of(options, nullptr), "cannot open");
}

TEST(Token, IsTakenAsABearerTokenAlone) {
  EXPECT_NO_THROW(check_token("Bearer " + kToken, kToken));
  EXPECT_NO_THROW(check_token("bearer " + kToken, kToken));
  const std::string all_wrong[] = {"",
                                   "Bearer ",
                                   "Bearer",
                                   kToken,
                                   "Basic " + kToken,
                                   "Bearer " + kToken + "0",
                                   "Bearer " + kToken.substr(1),
                                   "Bearer " + kToken + kToken,
                                   "Bearer 0123456789abcdeg"};
  for (const std::string& wrong : all_wrong) {
    EXPECT_REFUSED(check_token(wrong, kToken), 401, "Bearer");
  }
}

}  // namespace
}  // namespace geniepath::serve
