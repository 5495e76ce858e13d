// The server as programs meet it: over a socket, with requests good and bad.
#include "serve/server.h"

#include <httplib.h>

#include <thread>

#include "expect_error.h"
#include "serve/page.h"
#include "serve/score_request.h"
#include "served_run.h"

namespace geniepath::serve {
namespace {

class Listening {
 public:
  explicit Listening(ServeOptions options = {}) {
    options.port = 0;
    server_ = std::make_unique<Server>(*run.service, options);
    thread_ = std::thread([this] { server_->run(); });
    client().Get("/api/v1/health");
  }
  ~Listening() {
    server_->stop();
    thread_.join();
  }
  int port() const { return server_->port(); }
  httplib::Client client() const { return httplib::Client("127.0.0.1", port()); }

  // The answer to these bytes, as far as it comes; the sender's side stays open unless `shut`.
  std::string answer_to(const std::string& bytes, bool shut = false) const {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    const timeval patience{2, 0};
    ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port()));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (shut) ::shutdown(socket, SHUT_WR);
    std::string answer;
    char buffer[4096];
    for (ssize_t got; (got = ::recv(socket, buffer, sizeof buffer, 0)) > 0;) {
      answer.append(buffer, static_cast<size_t>(got));
      if (answer.find("\"}}") != std::string::npos || answer.find("\"uptime_seconds\"") != std::string::npos) break;
    }
    ::close(socket);
    return answer;
  }

  testing::ServedRun run;

 private:
  std::unique_ptr<Server> server_;
  std::thread thread_;
};

void expect_error(const httplib::Result& result, int status, const std::string& code) {
  ASSERT_TRUE(result);
  EXPECT_EQ(result->status, status) << result->body;
  const auto body = nlohmann::json::parse(result->body);
  EXPECT_EQ(body["error"]["status"], status);
  EXPECT_EQ(body["error"]["code"], code);
}

TEST(Server, AnswersAndProtectsItsAnswers) {
  const Listening server;
  const auto health = server.client().Get("/api/v1/health");
  ASSERT_TRUE(health);
  EXPECT_EQ(health->status, 200);
  EXPECT_EQ(nlohmann::json::parse(health->body)["status"], "ok");
  EXPECT_EQ(health->get_header_value("X-Content-Type-Options"), "nosniff");
  EXPECT_EQ(health->get_header_value("Cross-Origin-Resource-Policy"), "same-origin");
  EXPECT_FALSE(health->has_header("Access-Control-Allow-Origin"));
  EXPECT_EQ(server.client().Get("/api/v1/nodes/node%2011/paths")->status, 200);
  EXPECT_EQ(server.client().Post("/api/v1/score", R"({"nodes": [{"id": "n", "features": [1, 0, 0, 0]}]})", "application/json")->status, 200);
}

TEST(Server, ErrorsAreJson) {
  const Listening server;
  auto client = server.client();
  expect_error(client.Get("/api/v1/nodes/nobody"), 404, "unknown_node");
  expect_error(client.Get("/api/v1/nowhere"), 404, "not_found");
  expect_error(client.Get("/nowhere"), 404, "not_found");
  expect_error(client.Get("/api/v1/nodes/node%2011/paths?hops=two"), 400, "bad_parameter");
  expect_error(client.Post("/api/v1/score", "{", "application/json"), 400, "bad_json");
  expect_error(client.Post("/api/v1/score", "{}", "application/json"), 422, "bad_body");
  expect_error(client.Post("/api/v1/score", "a=b", "application/x-www-form-urlencoded"), 400, "bad_content_type");
  expect_error(client.Delete("/api/v1/health"), 404, "not_found");
}

TEST(Server, PagesOfOthersAreRefused) {
  const Listening server;
  auto client = server.client();
  expect_error(client.Get("/api/v1/health", {{"Origin", "http://evil.example"}}), 403, "cross_site");
  expect_error(client.Get("/api/v1/health", {{"Sec-Fetch-Site", "cross-site"}}), 403, "cross_site");
  expect_error(client.Get("/api/v1/health", {{"Host", "evil.example"}}), 403, "cross_site");
  expect_error(client.Get("/", {{"Host", "evil.example"}}), 403, "cross_site");
}

TEST(Server, NothingOutsideThePageIsRead) {
  const Listening server;
  for (const char* path : {"/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/index.html/../../x", "/./x"}) {
    const std::string answer = server.answer_to(std::string("GET ") + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_NE(answer.find("404"), std::string::npos) << path << answer;
    EXPECT_EQ(answer.find("root:"), std::string::npos) << path;
  }
  const auto page = server.client().Get("/");
  ASSERT_TRUE(page);
  EXPECT_EQ(page->status, 200);
  EXPECT_NE(page->body.find(page_files().empty() ? "not included" : "<!doctype html>"), std::string::npos) << page->body;
}

TEST(Server, LargeBodiesAreRefusedUnread) {
  const Listening server;
  const std::string head = "POST /api/v1/score HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
  // The answer comes though not a byte of the body is sent.
  EXPECT_NE(server.answer_to(head + "Content-Length: 2000000\r\n\r\n").find("413"), std::string::npos);
  EXPECT_NE(server.answer_to(head + "Content-Length: 2000000\r\nExpect: 100-continue\r\n\r\n").find("413"), std::string::npos);
  EXPECT_NE(server.answer_to(head + "Content-Length: -5\r\n\r\n").find("400"), std::string::npos);
  EXPECT_NE(server.answer_to(head + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n").find("400"), std::string::npos);
  EXPECT_NE(server.answer_to(head + "Transfer-Encoding: chunked\r\n\r\n").find("must say its length"), std::string::npos);
  EXPECT_NE(server.answer_to("GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n").find("only POST"), std::string::npos);
  const std::string largest = "\"" + std::string(kMostBodyBytes - 2, 'x') + "\"";
  expect_error(server.client().Post("/api/v1/score", largest, "application/json"), 422, "bad_body");
}

TEST(Server, MalformedRequestsDoNotStopIt) {
  const Listening server;
  const std::vector<std::string> requests{
      "\r\n\r\n", std::string("GET\r\n\r\n"), std::string("GET / HTTP/9.9\r\n\r\n"), std::string(20000, 'A'),
        "GET /" + std::string(20000, 'a') + " HTTP/1.1\r\nHost: localhost\r\n\r\n", std::string("\x16\x03\x01\x02\x00\x01", 6),
        "GET /api/v1/nodes/%ff%fe HTTP/1.1\r\nHost: localhost\r\n\r\n", std::string("GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + std::string(20000, 'x') + "\r\n\r\n",
        std::string("GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\nRange: bytes=0-1\r\n\r\n"),
        std::string("GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\nRange: bytes=9-1,x\r\n\r\n"),
        std::string("POST /api/v1/score HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{")};
  for (const std::string& bytes : requests) {
    server.answer_to(bytes, true);
    const auto health = server.client().Get("/api/v1/health");
    ASSERT_TRUE(health) << bytes.substr(0, 80);
    EXPECT_EQ(health->status, 200);
  }
}

TEST(Server, MoreThanItTakesAreToldToComeAgain) {
  ServeOptions options;
  options.most_requests = 1;
  const Listening server(options);
  std::atomic<int> answered = 0, turned_away = 0, other = 0;
  std::vector<std::thread> clients;
  for (int c = 0; c < 8; ++c) {
    clients.emplace_back([&] {
      auto client = server.client();
      for (int n = 0; n < 40; ++n) {
        const auto result = client.Get("/api/v1/nodes/node%2011/paths?hops=3&top=500");
        ++(!result ? other : result->status == 200 ? answered : result->status == 429 ? turned_away : other);
      }
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(other, 0);
  EXPECT_GT(answered, 0);
  EXPECT_GT(turned_away, 0);
}

TEST(Server, ATakenPortIsAnError) {
  const Listening server;
  ServeOptions options;
  options.port = server.port();
  EXPECT_ERROR(Server(*server.run.service, options), "cannot listen on 127.0.0.1:");
  options.host = "not an address", options.port = 0;
  EXPECT_ERROR(Server(*server.run.service, options), "cannot listen on not an address");
}

}  // namespace
}  // namespace geniepath::serve
