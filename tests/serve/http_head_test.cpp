#include "serve/http_head.h"

#include "expect_refused.h"

namespace geniepath::serve {
namespace {

const std::string kFirst = "GET /a HTTP/1.1\r\n";

TEST(HttpHead, IsTakenApart) {
  const Head head =
      parse_head("POST /a?b=c HTTP/1.1\r\nHost: x:1\r\nCONTENT-length:  12\t\r\nAccept: a\r\nX:\r\naccept: b\r\n\r\n");
  EXPECT_EQ(head.method, "POST");
  EXPECT_EQ(head.target, "/a?b=c");
  EXPECT_EQ(head.value("host"), "x:1");
  EXPECT_EQ(head.value("accept"), "a, b");
  EXPECT_EQ(head.value("x"), "");
  EXPECT_EQ(head.value("y"), "");
  EXPECT_EQ(head.body_bytes, 12u);
  EXPECT_TRUE(head.keep);
  EXPECT_FALSE(head.expects_continue);
}

TEST(HttpHead, SaysHowTheConnectionGoesOn) {
  EXPECT_FALSE(parse_head("GET / HTTP/1.0\r\n\r\n").keep);
  EXPECT_FALSE(parse_head(kFirst + "Connection: keep-alive, Close\r\n\r\n").keep);
  EXPECT_TRUE(parse_head(kFirst + "Content-Length: 1\r\nExpect: 100-Continue\r\n\r\n").expects_continue);
  EXPECT_FALSE(parse_head(kFirst + "Expect: 100-continue\r\n\r\n").expects_continue);
  EXPECT_REFUSED(parse_head(kFirst + "Expect: a miracle\r\n\r\n"), 400, "100-continue");
}

TEST(HttpHead, EndsAtTheFirstEmptyLineWhereverTheBytesAreCut) {
  const std::string head = kFirst + "Host: x\r\n\r\n", all = head + "body\r\n\r\n";
  EXPECT_EQ(head_bytes(all), head.size());
  for (size_t searched = 0; searched < all.size(); ++searched) {
    const size_t before = head_bytes(all.substr(0, searched));
    EXPECT_EQ(before, searched < head.size() ? 0 : head.size()) << searched;
    if (before > 0) continue;
    EXPECT_EQ(head_bytes(all, searched), head.size()) << searched;
  }
}

TEST(HttpHead, ThatCannotBecomeOneIsRefusedAtOnce) {
  EXPECT_REFUSED(head_bytes("\r\n"), 400, "not an HTTP request");
  EXPECT_REFUSED(head_bytes("\n"), 400, "not an HTTP request");
  EXPECT_REFUSED(head_bytes(std::string_view("\0", 1)), 400, "not an HTTP request");
  EXPECT_REFUSED(head_bytes("GET / HTTP/1.1\n"), 400, "carriage return");
  EXPECT_REFUSED(head_bytes(kFirst + "a: b\n\n"), 400, "carriage return");
  EXPECT_EQ(head_bytes(std::string(kMostHeadBytes, 'a')), 0u);
  EXPECT_REFUSED(head_bytes(std::string(kMostHeadBytes + 1, 'a')), 431, "65536 bytes");
  EXPECT_REFUSED(head_bytes(std::string(kMostHeadBytes, 'a') + "\r\n\r\n"), 431, "65536 bytes");
}

TEST(HttpHead, ThatIsMalformedIsRefused) {
  for (const char* line :
       {"", "GET", "GET /", "GET / HTTP/1.2", "GET / http/1.1", "GET  / HTTP/1.1", "GET / HTTP/1.1 ",
        "GET /a b HTTP/1.1", " GET / HTTP/1.1", "G(T / HTTP/1.1", "GET a HTTP/1.1", "GET * HTTP/1.1",
        "GET http://x/ HTTP/1.1", "GET /\x01 HTTP/1.1", "GET /\xc3\xa4 HTTP/1.1", "GET /\t HTTP/1.1"}) {
    EXPECT_REFUSED(parse_head(std::string(line) + "\r\n\r\n"), 400, "malformed");
  }
  for (const char* line :
       {"no colon", ": value", "a b: c", "a : b", " folded", "\tfolded", "a\x7f: b", "\xc3\xa4: b"}) {
    EXPECT_REFUSED(parse_head(kFirst + line + "\r\n\r\n"), 400, "a header is malformed");
  }
  for (const std::string& value :
       {std::string("a\rb"), std::string(1, '\0'), std::string("\x1b[31m"), std::string("\x7f")}) {
    EXPECT_REFUSED(parse_head(kFirst + "X: a" + value + "b\r\n\r\n"), 400, "control character");
  }
}

TEST(HttpHead, MeansOneThingOnly) {
  for (const char* name :
       {"Host", "HOST", "Content-Length", "Content-Type", "Authorization", "Origin", "Sec-Fetch-Site"}) {
    EXPECT_REFUSED(parse_head(kFirst + name + ": 1\r\n" + name + ": 1\r\n\r\n"), 400, "twice");
  }
  for (const char* length : {"", "-1", "+1", "1, 1", "0x1", "1 1", "1.0", "99999999999999999999"}) {
    EXPECT_REFUSED(parse_head(kFirst + "Content-Length: " + length + "\r\n\r\n"), 400, "not a number");
  }
  EXPECT_REFUSED(parse_head(kFirst + "Transfer-Encoding: identity\r\n\r\n"), 400, "must state its length");
  EXPECT_REFUSED(parse_head(kFirst + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n"), 400,
                 "must state its length");
}

}  // namespace
}  // namespace geniepath::serve
