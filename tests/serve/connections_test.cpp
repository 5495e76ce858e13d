// Difficult connections: slow, endless, pipelined, with ambiguous heads.
#include <chrono>

#include "listening.h"

namespace geniepath::serve {
namespace {

using testing::get_head;
using testing::Listening;
using testing::post_score;
using testing::Wire;
using Clock = std::chrono::steady_clock;

const std::string kHealth = "/api/v1/health";

bool answers(const Listening& server) {
  const auto begun = Clock::now();
  Wire wire(server.port());
  wire.send(get_head(kHealth));
  const bool ok = wire.answer().starts_with("HTTP/1.1 200");
  return ok && Clock::now() - begun < std::chrono::seconds(2);
}

size_t count_of(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(Connections, PipelinedRequestsAreAnsweredInOrder) {
  const Listening server;
  Wire wire(server.port());
  wire.send(get_head("/api/v1/nodes/node%207") + post_score(R"({"nodes": [{"id": "n", "features": [1, 0, 0, 0]}]})") +
            get_head("/api/v1/nodes/nobody") + get_head("/api/v1/nodes/node%208"));
  EXPECT_NE(wire.answer().find("\"node 7\""), std::string::npos);
  EXPECT_NE(wire.answer().find("\"id\":\"n\""), std::string::npos);
  EXPECT_TRUE(wire.answer().starts_with("HTTP/1.1 404"));
  EXPECT_NE(wire.answer().find("\"node 8\""), std::string::npos);
}

TEST(Connections, ARequestMayComeInPieces) {
  const Listening server;
  const std::string request = post_score(R"({"nodes": [{"id": "n", "features": [1, 0, 0, 0]}]})") + get_head(kHealth);
  Wire wire(server.port());
  for (const char byte : request) wire.send(std::string(1, byte));
  EXPECT_NE(wire.answer().find("\"id\":\"n\""), std::string::npos);
  EXPECT_TRUE(wire.answer().starts_with("HTTP/1.1 200"));
}

TEST(Connections, HeadsThatCanBeReadInTwoWaysAreRefusedAndNothingAfterThem) {
  const Listening server;
  const std::string first = "GET /api/v1/health HTTP/1.1\r\n",
                    post = "POST /api/v1/score HTTP/1.1\r\nHost: localhost\r\n";
  const std::string wrong[] = {
      first + "Host: localhost\r\nHost: localhost\r\n\r\n",
      first + "Host: localhost\r\nX: a" + std::string(1, '\0') + "b\r\n\r\n",
      first + "Host: localhost\r\nTransfer-Encoding : chunked\r\n\r\n",
      first + "Host: localhost\r\n folded\r\n\r\n",
      first + "Host: localhost\r\nX: a\rb\r\n\r\n",
      first + "Host: localhost\r\nno colon\r\n\r\n",
      first + "Host: localhost\n\n",
      first + "Host: localhost\r\nX: y\n\r\n",
      "GET  /api/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n",
      "GET /api/v1/health HTTP/1.1 \r\nHost: localhost\r\n\r\n",
      "GET /api/v1/health\r\nHost: localhost\r\n\r\n",
      "GET /api/v1/health HTTP/2.0\r\nHost: localhost\r\n\r\n",
      "GET http://localhost/api/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n",
      post + "Content-Type: application/json\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
      post + "Content-Type: application/json\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
      post + "Content-Type: application/json\r\nContent-Length: 2, 2\r\n\r\n{}",
      post + "Content-Type: application/json\r\nContent-Length: +2\r\n\r\n{}",
      post + "Content-Type: application/json\r\nContent-Length:\r\n\r\n{}",
  };
  for (const std::string& head : wrong) {
    Wire wire(server.port());
    wire.send(head + get_head(kHealth));
    wire.no_more();
    const std::string all = wire.everything();
    EXPECT_TRUE(all.starts_with("HTTP/1.1 400")) << head << "\n" << all;
    EXPECT_EQ(count_of(all, "\r\nContent-Length: "), 1u) << head << "\n" << all;
  }
  EXPECT_TRUE(answers(server));
}

TEST(Connections, HeadsHaveALargestSize) {
  const Listening server;
  const std::string endless[] = {"GET /" + std::string(200'000, 'a'),
                                 "GET / HTTP/1.1\r\nX: " + std::string(200'000, 'x')};
  for (const std::string& head : endless) {
    Wire wire(server.port());
    wire.send(head);
    EXPECT_TRUE(wire.answer().starts_with("HTTP/1.1 431"));
  }
  EXPECT_TRUE(server.answer_to(get_head("/api/v1/health", "X: " + std::string(60'000, 'x') + "\r\n"))
                  .starts_with("HTTP/1.1 200"));
}

TEST(Connections, ManySlowOnesHoldNobodyUp) {
  const Listening server;
  std::vector<std::unique_ptr<Wire>> slow;
  for (int c = 0; c < 300; ++c) {
    slow.push_back(std::make_unique<Wire>(server.port()));
    slow.back()->send(c % 2 ? "GET /api/v1/hea" : post_score(std::string(100, ' ')).substr(0, 140));
  }
  EXPECT_TRUE(answers(server));
}

TEST(Connections, ThoseThatReadNoAnswerHoldNobodyUp) {
  ServeOptions options;
  options.most_requests = 2;
  const Listening server(options);
  std::string many;
  for (int n = 0; n < 300; ++n) many += get_head("/api/v1/search?limit=100");
  std::vector<std::unique_ptr<Wire>> deaf;
  for (int c = 0; c < 3; ++c) {
    deaf.push_back(std::make_unique<Wire>(server.port(), 4096));
    deaf.back()->send(many);
  }
  std::this_thread::sleep_for(std::chrono::seconds(1));
  EXPECT_TRUE(answers(server));
}

TEST(Connections, ANewOneTakesThePlaceOfTheOneThatWaitedLongest) {
  ServeOptions options;
  options.most_connections = 8;
  const Listening server(options);
  std::vector<std::unique_ptr<Wire>> slow;
  for (int c = 0; c < 20; ++c) {
    slow.push_back(std::make_unique<Wire>(server.port()));
    slow.back()->send("GET /");
  }
  EXPECT_TRUE(answers(server));
  EXPECT_EQ(slow.front()->everything(), "");
}

TEST(Connections, ARequestHasADeadlineHoweverItsBytesDrip) {
  ServeOptions options;
  options.patience = 1;
  const Listening server(options);
  for (const std::string& begun : {get_head(kHealth), post_score(std::string(200, ' '))}) {
    Wire wire(server.port());
    const auto start = Clock::now();
    size_t sent = 0;
    while (sent < begun.size() && Clock::now() - start < std::chrono::seconds(4)) {
      if (!wire.send(begun.substr(sent++, 1))) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    EXPECT_LT(sent, begun.size());
    EXPECT_TRUE(wire.everything().starts_with("HTTP/1.1 408")) << begun;
  }
}

TEST(Connections, AreClosedWhenAskedTo) {
  const Listening server;
  for (const std::string& last : {get_head(kHealth, "Connection: close\r\n"),
                                  std::string("GET /api/v1/health HTTP/1.0\r\nHost: localhost\r\n\r\n")}) {
    Wire wire(server.port());
    wire.send(last + get_head(kHealth));
    EXPECT_EQ(count_of(wire.everything(), "HTTP/1.1 200"), 1u) << last;
  }
}

TEST(Connections, ABodyIsAskedForOnlyWhereItWillBeRead) {
  const Listening server;
  const std::string body = R"({"nodes": [{"id": "n", "features": [1, 0, 0, 0]}]})";
  std::string request = post_score(body);
  request.insert(request.find("Content-Type"), "Expect: 100-continue\r\n");
  Wire wire(server.port());
  wire.send(request.substr(0, request.size() - body.size()));
  EXPECT_EQ(wire.answer(), "HTTP/1.1 100 Continue\r\n\r\n");
  wire.send(body);
  EXPECT_NE(wire.answer().find("\"id\":\"n\""), std::string::npos);
}

TEST(Connections, HeadsAreAnsweredWithoutABody) {
  const Listening server;
  Wire wire(server.port());
  wire.send("HEAD /api/v1/model HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  const std::string all = wire.everything();
  EXPECT_TRUE(all.starts_with("HTTP/1.1 200")) << all;
  EXPECT_TRUE(all.ends_with("\r\n\r\n")) << all;
  EXPECT_EQ(all.find("Content-Length: 0"), std::string::npos) << all;
}

TEST(Connections, ThatWaitDoNotKeepTheServerFromStopping) {
  auto server = std::make_unique<Listening>();
  Wire idle(server->port()), begun(server->port());
  begun.send("GET /");
  EXPECT_TRUE(answers(*server));
  const auto asked = Clock::now();
  server.reset();
  EXPECT_LT(Clock::now() - asked, std::chrono::seconds(2));
  EXPECT_EQ(idle.everything() + begun.everything(), "");
}

}  // namespace
}  // namespace geniepath::serve
