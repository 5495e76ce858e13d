#include "serve/server.h"

#include <httplib.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <optional>

#include "geniepath/error.h"
#include "serve/access.h"
#include "serve/api_error.h"
#include "serve/page.h"
#include "serve/score_request.h"

namespace geniepath::serve {
namespace {

using httplib::Request;
using httplib::Response;

constexpr const char* kJson = "application/json; charset=utf-8";
// Nothing from elsewhere, nothing inline (web/README.md).
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

// Sent through a provider, since httplib packs a set body again as it sees fit. A provider that says it failed after
// the last byte closes the connection: what is left of an unread body must not be taken for the next request.
void send(Response& response, int status, const char* type, std::string_view body, bool close = false) {
  response.status = status;
  if (body.empty()) return;
  response.set_content_provider(body.size(), type,
                                [held = std::string(body), close](size_t offset, size_t length, httplib::DataSink& sink) {
                                  return sink.write(held.data() + offset, length) && !close;
                                });
}

void send(Response& response, const ApiError& error, bool close = false) {
  send(response, error.status, kJson, body_of(error), close);
}

// At most so many at once.
class Place {
 public:
  Place(std::atomic<int64_t>& taken, int64_t most) : taken_(taken) {
    const int64_t now = ++taken_;
    if (now <= most) return;
    --taken_;
    throw ApiError(429, "too_many_requests", "too many requests at once",
                   "at most " + std::to_string(most) + " at once", std::to_string(now));
  }
  ~Place() { --taken_; }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

 private:
  std::atomic<int64_t>& taken_;
};

// The body a request says it has; 0 where it says nothing.
uint64_t announced_bytes(const Request& request) {
  const std::string text = request.get_header_value("Content-Length");
  uint64_t bytes = 0;
  if (text.empty()) return 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), bytes);
  if (problem != std::errc() || end != text.data() + text.size() || request.get_header_value_count("Content-Length") > 1) {
    throw ApiError(400, "bad_parameter", "Content-Length is not a number", "one number of bytes", text);
  }
  return bytes;
}

// Everything that can be told before the body is read.
void check_head(const Request& request, const std::string& name) {
  if (request.has_header("Transfer-Encoding")) {
    throw ApiError(400, "bad_parameter", "a body must say its length", "a Content-Length header",
                   "Transfer-Encoding: " + request.get_header_value("Transfer-Encoding"));
  }
  const uint64_t bytes = announced_bytes(request);
  if (bytes > kMostBodyBytes) {
    throw ApiError(413, "too_large", "the body is too large", "at most " + std::to_string(kMostBodyBytes) + " bytes",
                   std::to_string(bytes) + " bytes");
  }
  const bool api = request.path.rfind("/api/", 0) == 0;
  check_access({request.get_header_value("Host"), request.get_header_value("Origin"),
                request.get_header_value("Sec-Fetch-Site")}, api, name);
  if (request.method == "POST") {
    const std::string type = request.get_header_value("Content-Type");
    if (type.substr(0, type.find(';')) != "application/json") {
      throw ApiError(400, "bad_content_type", "the body must be JSON", "Content-Type: application/json", type);
    }
  } else if (bytes > 0) {
    throw ApiError(400, "bad_parameter", "only POST takes a body", "no body", std::to_string(bytes) + " bytes");
  } else if (request.method != "GET" && request.method != "HEAD") {
    throw ApiError(404, "not_found", "there is no such address", "GET, or POST /api/v1/score", request.method);
  }
}

const PageFile* find_page_file(std::string_view path) {
  const auto files = page_files();
  const auto found = std::find_if(files.begin(), files.end(), [&](const PageFile& file) {
    return file.path == (path == "/" ? "/index.html" : path);
  });
  return found == files.end() ? nullptr : &*found;
}

void send_page(const Request& request, Response& response) {
  const std::string path = request.target.substr(0, request.target.find('?'));
  const PageFile* file = find_page_file(path);
  if (file == nullptr && path == "/") {
    send(response, 200, "text/plain; charset=utf-8",
         "The page is not included: this geniepath was built without Node.js. The API is at /api/v1/health.\n");
    return;
  }
  if (file == nullptr) throw ApiError(404, "not_found", "there is no such address", "/ or /api/v1/...", path);
  const bool packed = request.get_header_value("Accept-Encoding").find("gzip") != std::string::npos;
  response.set_header("Vary", "Accept-Encoding");
  if (packed) response.set_header("Content-Encoding", "gzip");
  send(response, 200, std::string(file->type).c_str(), packed ? file->gzip : file->plain);
}

}  // namespace

class Server::Impl {
 public:
  Impl(Service& service, const ServeOptions& options) : service_(service), options_(options) {
    set_limits();
    set_handlers();
    port_ = static_cast<int>(options.port);
    if (options.port == 0) {
      port_ = http_.bind_to_any_port(options.host);
    } else if (!http_.bind_to_port(options.host, port_)) {
      port_ = -1;
    }
    if (port_ < 0) {
      fail("serve: cannot listen on ", options.host, ":", options.port, "; it is taken, or no address of this machine");
    }
    ::listen(listening_, 256);  // httplib lets 5 wait to be accepted; the next would come again a second later
  }

  int port() const { return port_; }
  void run() { http_.listen_after_bind(); }
  void stop() { http_.stop(); }

 private:
  void set_limits() {
    // A connection that is kept holds a thread: more of them than may be answered at once, and not kept for long.
    http_.new_task_queue = [most = options_.most_requests] {
      return new httplib::ThreadPool(static_cast<size_t>(most + 64));
    };
    http_.set_payload_max_length(kMostBodyBytes);
    http_.set_read_timeout(5);
    http_.set_write_timeout(5);
    http_.set_keep_alive_timeout(1);
    http_.set_keep_alive_max_count(10000);
    http_.set_tcp_nodelay(true);
    http_.set_socket_options([this](socket_t socket) {  // not SO_REUSEPORT, with which a taken port would be shared
      listening_ = socket;
      const int yes = 1;
      ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    http_.set_default_headers({{"X-Content-Type-Options", "nosniff"},
                               {"Content-Security-Policy", kPolicy},
                               {"Cross-Origin-Resource-Policy", "same-origin"},
                               {"Cross-Origin-Opener-Policy", "same-origin"},
                               {"Referrer-Policy", "no-referrer"},
                               {"Cache-Control", "no-cache"}});
  }

  void set_handlers() {
    http_.set_pre_routing_handler([this](const Request& request, Response& response) {
      const_cast<Request&>(request).ranges.clear();  // answers are sent whole
      return refused(request, response) ? httplib::Server::HandlerResponse::Handled
                                        : httplib::Server::HandlerResponse::Unhandled;
    });
    http_.set_expect_100_continue_handler([this](const Request& request, Response& response) {
      return refused(request, response) ? response.status : 100;
    });
    http_.Get(".*", [this](const Request& request, Response& response) { answer(request, response); });
    http_.Post(".*", [this](const Request& request, Response& response) { answer(request, response); });
    // What httplib itself refuses has no body yet.
    http_.set_error_handler([](const Request& request, Response& response) {
      if (!response.body.empty() || response.content_length_ > 0) return;
      const ApiError error = response.status == 413
          ? ApiError(413, "too_large", "the body is too large", "at most " + std::to_string(kMostBodyBytes) + " bytes", "")
          : ApiError(400, "bad_parameter", "the request is malformed", "a request as of HTTP/1.1", request.target);
      response.status = error.status;
      response.set_content(body_of(error), kJson);
    });
    http_.set_logger([this](const Request&, const Response& response) { service_.count_answer(response.status); });
  }

  // Whether the request is refused by its head alone; the connection is then closed, so that no body is read.
  bool refused(const Request& request, Response& response) const {
    try {
      check_head(request, options_.name);
      return false;
    } catch (const ApiError& error) {
      send(response, error, true);
      return true;
    }
  }

  void answer(const Request& request, Response& response) {
    try {
      const Place place(taken_, options_.most_requests);
      if (request.path.rfind("/api/", 0) != 0 && request.method != "POST") return send_page(request, response);
      const Target target = parse_target(request.target);
      send(response, 200, kJson, request.method == "POST" ? service_.post(target, request.body) : service_.get(target));
    } catch (const ApiError& error) {
      send(response, error);
    } catch (const std::exception& error) {
      send(response, ApiError(500, "internal", "the server made a mistake", "", error.what()));
    }
  }

  Service& service_;
  ServeOptions options_;
  httplib::Server http_;
  std::atomic<int64_t> taken_ = 0;
  socket_t listening_ = INVALID_SOCKET;
  int port_ = -1;
};

bool Server::available() { return true; }
Server::Server(Service& service, const ServeOptions& options) : impl_(new Impl(service, options)) {}
Server::~Server() = default;
int Server::port() const { return impl_->port(); }
void Server::run() { impl_->run(); }
void Server::stop() { impl_->stop(); }

}  // namespace geniepath::serve
