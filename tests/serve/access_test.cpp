#include "serve/access.h"

#include <gtest/gtest.h>

#include "serve/api_error.h"

namespace geniepath::serve {
namespace {

int status_of(const Caller& caller, bool api = true, const std::string& name = "") {
  try {
    check_access(caller, api, name);
    return 200;
  } catch (const ApiError& error) {
    return error.status;
  }
}

TEST(Access, ProgramsAndTheOwnPageMayAsk) {
  for (const char* host : {"127.0.0.1:8080", "localhost", "LOCALHOST:1", "[::1]:8080", "10.0.0.7:80"}) {
    EXPECT_EQ(status_of({host, "", ""}), 200) << host;
    EXPECT_EQ(status_of({host, std::string("http://") + host, "same-origin"}), 200) << host;
  }
}

TEST(Access, AnotherNameIsRebindingUnlessItIsTheServersOwn) {
  EXPECT_EQ(status_of({"evil.example:8080", "", ""}), 403);
  EXPECT_EQ(status_of({"localhost.evil.example", "", ""}), 403);
  EXPECT_EQ(status_of({"127.0.0.1.evil.example", "", ""}), 403);
  EXPECT_EQ(status_of({"graphs.example:8080", "", ""}, true, "Graphs.example"), 200);
  EXPECT_EQ(status_of({"", "", ""}), 400);
}

TEST(Access, BehindAProxyThePageMayBeEncrypted) {
  EXPECT_EQ(status_of({"graphs.example", "https://graphs.example", "same-origin"}, true, "graphs.example"), 200);
  EXPECT_EQ(status_of({"graphs.example", "https://evil.example", ""}, true, "graphs.example"), 403);
  EXPECT_EQ(status_of({"localhost", "https://graphs.example", ""}, true, "graphs.example"), 403);
}

TEST(Access, PagesOfOtherOriginsMayNot) {
  for (const char* origin : {"http://evil.example", "null", "https://127.0.0.1:8080", "http://127.0.0.1:9090"}) {
    EXPECT_EQ(status_of({"127.0.0.1:8080", origin, ""}), 403) << origin;
  }
  EXPECT_EQ(status_of({"127.0.0.1:8080", "", "cross-site"}), 403);
  EXPECT_EQ(status_of({"127.0.0.1:8080", "", "same-site"}), 403);
  EXPECT_EQ(status_of({"127.0.0.1:8080", "", "cross-site"}, false), 200);  // a link to the page
}

}  // namespace
}  // namespace geniepath::serve
