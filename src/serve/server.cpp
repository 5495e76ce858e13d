#include "serve/server.h"

#include <algorithm>
#include <atomic>

#include "geniepath/error.h"
#include "serve/access.h"
#include "serve/api_error.h"
#include "serve/http_loop.h"
#include "serve/listening_socket.h"
#include "serve/page.h"
#include "serve/score_request.h"
#include "serve/token.h"

namespace geniepath::serve {
namespace {

bool is_api(const Target& target) { return !target.segments.empty() && target.segments[0] == "api"; }

// The health check is public: monitors need no token.
bool is_health(const Target& target) { return target.segments == std::vector<std::string>{"api", "v1", "health"}; }

// All checks possible before the body is read.
void check_head(const Head& head, const ServeOptions& options) {
  const Target target = parse_target(head.target);
  if (head.body_bytes > kMostBodyBytes) {
    throw ApiError(413, "too_large", "the body is too large", "at most " + std::to_string(kMostBodyBytes) + " bytes",
                   std::to_string(head.body_bytes) + " bytes");
  }
  check_access({head.value("host"), head.value("origin"), head.value("sec-fetch-site")}, is_api(target), options.name);
  if (!options.token.empty() && is_api(target) && !is_health(target))
    check_token(head.value("authorization"), options.token);
  if (head.method == "POST") {
    const std::string type = head.value("content-type");
    if (type.substr(0, type.find(';')) != "application/json") {
      throw ApiError(400, "bad_content_type", "the body must be JSON", "Content-Type: application/json", type);
    }
  } else if (head.body_bytes > 0) {
    throw ApiError(400, "bad_parameter", "only POST takes a body", "no body",
                   std::to_string(head.body_bytes) + " bytes");
  } else if (head.method != "GET" && head.method != "HEAD") {
    throw ApiError(404, "not_found", "there is no such address", "GET, or POST /api/v1/score", head.method);
  }
}

const PageFile* find_page_file(std::string_view path) {
  const auto files = page_files();
  const auto found = std::find_if(files.begin(), files.end(), [&](const PageFile& file) {
    return file.path == (path == "/" ? "/index.html" : path);
  });
  return found == files.end() ? nullptr : &*found;
}

Answer page_answer(const Head& head) {
  const std::string path = head.target.substr(0, head.target.find('?'));
  const PageFile* file = find_page_file(path);
  if (head.method == "POST" || (file == nullptr && path != "/")) {
    throw ApiError(404, "not_found", "there is no such address", "/ or /api/v1/...", path);
  }
  if (file == nullptr) {
    return {200, "text/plain; charset=utf-8",
            "The page is not included: this geniepath was built without Node.js. The API is at /api/v1/health.\n", {}};
  }
  const bool packed = head.value("accept-encoding").find("gzip") != std::string::npos;
  Answer answer{200, std::string(file->type), std::string(packed ? file->gzip : file->plain),
                {{"Vary", "Accept-Encoding"}, {"Cache-Control", "no-cache"}}};
  if (packed) answer.headers.emplace_back("Content-Encoding", "gzip");
  return answer;
}

}  // namespace

class Server::Impl {
 public:
  Impl(Service& service, const ServeOptions& options) : service_(service), options_(options) {
    ListeningSocket listening = listen_on(options.host, static_cast<int>(options.port));
    if (!listening.loopback && options.token.empty() && !options.insecure) {
      fail("serve: other machines can reach ", options.host,
           ", so clients need a token: expected --token-file FILE, GENIEPATH_TOKEN or "
           "--insecure (docs/serving.md)");
    }
    port_ = listening.port;
    loop_ = std::make_unique<HttpLoop>(
        std::move(listening.descriptor),
        HttpLoop::Handler{
            [this](const Head& head) { check_head(head, options_); },
            [this](HttpRequest request, const HttpLoop::Reply& reply) { take(std::move(request), reply); },
            [this](int status) { service_.count_answer(status); }},
        HttpLoop::Limits{static_cast<size_t>(options.most_connections), std::chrono::seconds(options.patience)});
  }

  int port() const { return port_; }
  void run() { loop_->run(); }
  void stop() { loop_->stop(); }

 private:
  // Called by the loop: slow work is left to the service's workers.
  void take(HttpRequest request, const HttpLoop::Reply& reply) {
    try {
      Target target = parse_target(request.head.target);
      if (!is_api(target)) return reply(page_answer(request.head));
      Workers* workers = service_.workers_for(target);
      if (workers == nullptr) return reply(api_answer(request, target));
      take_place();
      workers->add([this, request = std::move(request), target = std::move(target), reply] {
        const Answer answer = api_answer(request, target);
        --taken_;
        reply(answer);
      });
    } catch (const ApiError& error) {
      reply(answer_of(error));
    }
  }

  // Claims one of the slots for concurrent requests.
  void take_place() {
    const int64_t now = ++taken_;
    if (now <= options_.most_requests) return;
    --taken_;
    throw ApiError(429, "too_many_requests", "too many requests at once",
                   "at most " + std::to_string(options_.most_requests) + " at once", std::to_string(now));
  }

  Answer api_answer(const HttpRequest& request, const Target& target) {
    try {
      if (request.head.method == "POST") return json_answer(200, service_.post(target, request.body));
      return Service::is_table(target) ? csv_answer(service_.get(target)) : json_answer(200, service_.get(target));
    } catch (const ApiError& error) {
      return answer_of(error);
    } catch (const std::exception& error) {
      return answer_of(ApiError(500, "internal", "the server made a mistake", "", error.what()));
    }
  }

  Service& service_;
  const ServeOptions options_;
  std::atomic<int64_t> taken_ = 0;
  int port_ = 0;
  std::unique_ptr<HttpLoop> loop_;
};

Server::Server(Service& service, const ServeOptions& options) : impl_(new Impl(service, options)) {}
Server::~Server() = default;
int Server::port() const { return impl_->port(); }
void Server::run() { impl_->run(); }
void Server::stop() { impl_->stop(); }

}  // namespace geniepath::serve
