// The server from a client's view: over a socket, with valid and invalid requests.
#include "expect_error.h"
#include "listening.h"
#include "serve/page.h"
#include "serve/score_request.h"

namespace geniepath::serve {
namespace {

using testing::Listening;

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
  EXPECT_EQ(health->get_header_value("Cache-Control"), "no-store");
  EXPECT_FALSE(health->has_header("Access-Control-Allow-Origin"));
  EXPECT_EQ(server.client().Get("/api/v1/nodes/node%2011/paths")->status, 200);
  EXPECT_EQ(server.client()
                .Post("/api/v1/score", R"({"nodes": [{"id": "n", "features": [1, 0, 0, 0]}]})", "application/json")
                ->status,
            200);
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
  for (const char* path :
       {"/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/index.html/../../x", "/./x"}) {
    const std::string answer = server.answer_to(std::string("GET ") + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_NE(answer.find("404"), std::string::npos) << path << answer;
    EXPECT_EQ(answer.find("root:"), std::string::npos) << path;
  }
  const auto page = server.client().Get("/");
  ASSERT_TRUE(page);
  EXPECT_EQ(page->status, 200);
  EXPECT_NE(page->body.find(page_files().empty() ? "not included" : "<!doctype html>"), std::string::npos)
      << page->body;
}

TEST(Server, LargeBodiesAreRefusedUnread) {
  const Listening server;
  const std::string head = "POST /api/v1/score HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
  // The answer arrives before any byte of the body is sent.
  EXPECT_NE(server.answer_to(head + "Content-Length: 2000000\r\n\r\n").find("413"), std::string::npos);
  EXPECT_NE(server.answer_to(head + "Content-Length: 2000000\r\nExpect: 100-continue\r\n\r\n").find("413"),
            std::string::npos);
  EXPECT_NE(server.answer_to(head + "Content-Length: -5\r\n\r\n").find("400"), std::string::npos);
  EXPECT_NE(server.answer_to(head + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n").find("400"), std::string::npos);
  EXPECT_NE(server.answer_to(head + "Transfer-Encoding: chunked\r\n\r\n").find("must state its length"),
            std::string::npos);
  EXPECT_NE(
      server.answer_to("GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n").find("only POST"),
      std::string::npos);
  const std::string largest = "\"" + std::string(kMostBodyBytes - 2, 'x') + "\"";
  expect_error(server.client().Post("/api/v1/score", largest, "application/json"), 422, "bad_body");
}

TEST(Server, StrangeRequestsAreAnsweredAndDoNotStopIt) {
  const Listening server;
  const std::string host = " HTTP/1.1\r\nHost: localhost\r\n";
  const std::pair<std::string, int> requests[] = {
      {"\r\n\r\n", 400},
      {"GET\r\n\r\n", 400},
      {"GET / HTTP/9.9\r\n\r\n", 400},
      {std::string(200'000, 'A'), 431},
      {std::string("\x16\x03\x01\x02\x00\x01", 6), 400},  // TLS
      {"GET /" + std::string(20'000, 'a') + host + "\r\n", 404},
      {"GET /api/v1/nodes/%ff%fe" + host + "\r\n", 404},
      {"GET /%zz" + host + "\r\n", 400},
      {"GET /api/v1/health" + host + "X: " + std::string(20'000, 'x') + "\r\n\r\n", 200},
      {"GET /api/v1/health" + host + "Range: bytes=0-1\r\n\r\n", 200},
      {"GET /api/v1/health" + host + "Range: bytes=9-1,x\r\n\r\n", 200},
      {testing::post_score(std::string(kMostBodyBytes, '[')), 400},
      {testing::post_score(R"({"nodes": [{"id": "a", "features": [1, 2, 3, )" + std::string(400'000, '[') +
                           std::string(400'000, ']') + "]}]}"), 400},
  };
  for (const auto& [bytes, status] : requests) {
    EXPECT_TRUE(server.answer_to(bytes, true).starts_with("HTTP/1.1 " + std::to_string(status))) << bytes.substr(0, 80);
    const auto health = server.client().Get("/api/v1/health");
    ASSERT_TRUE(health) << bytes.substr(0, 80);
    EXPECT_EQ(health->status, 200);
  }
  EXPECT_EQ(server.answer_to(testing::post_score("{}").substr(0, 100), true), "");  // the rest never arrives
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

TEST(Server, WithATokenOnlyThoseWhoHaveItMayAsk) {
  ServeOptions options;
  options.token = "correct-horse-battery";
  const Listening server(options);
  auto client = server.client();
  const auto with = [](const std::string& value) { return httplib::Headers{{"Authorization", value}}; };
  for (const char* data :
       {"/api/v1/model", "/api/v1/metrics", "/api/v1/search", "/api/v1/nodes/node%207", "/%61pi/v1/model"}) {
    expect_error(client.Get(data), 401, "unauthorized");
    expect_error(client.Get(data, with("Bearer correct-horse-batterx")), 401, "unauthorized");
    EXPECT_EQ(client.Get(data, with("Bearer correct-horse-battery"))->status, 200) << data;
  }
  expect_error(client.Post("/api/v1/score", "{}", "application/json"), 401, "unauthorized");
  const auto refused = client.Get("/api/v1/model", with("Bearer wrong-horse"));
  EXPECT_EQ(refused->get_header_value("WWW-Authenticate"), "Bearer");
  EXPECT_EQ(refused->body.find("horse"), std::string::npos);
  EXPECT_EQ(client.Get("/api/v1/health")->status, 200);  // for monitors
  EXPECT_EQ(client.Get("/")->status, 200);               // the page asks for the token
}

TEST(Server, BeyondThisMachineATokenIsNeeded) {
  const testing::ServedRun run;
  ServeOptions options;
  options.host = "0.0.0.0", options.port = 0;
  EXPECT_ERROR(Server(*run.service, options), "clients need a token");
  options.insecure = true;
  EXPECT_NO_THROW(Server(*run.service, options));
  options.insecure = false, options.token = "correct-horse-battery";
  EXPECT_NO_THROW(Server(*run.service, options));
  options.token.clear();
  for (const char* own : {"127.0.0.1", "127.0.0.2", "localhost"}) {
    options.host = own;
    EXPECT_NO_THROW(Server(*run.service, options)) << own;
  }
}

TEST(Server, SaysThatItCannotScore) {
  testing::ServedRun run;
  run.break_scoring();
  ServeOptions options;
  options.port = 0;
  Server server(*run.service, options);
  std::thread thread([&] { server.run(); });
  httplib::Client client("127.0.0.1", server.port());
  expect_error(client.Get("/api/v1/nodes/node%207"), 503, "failed");
  expect_error(client.Get("/api/v1/health"), 503, "failed");
  EXPECT_EQ(client.Get("/api/v1/model")->status, 200);
  server.stop();
  thread.join();
}

}  // namespace
}  // namespace geniepath::serve
