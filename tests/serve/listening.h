// A listening server and its clients: httplib's, and raw bytes.
#pragma once

#include <arpa/inet.h>
#include <httplib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <charconv>
#include <memory>
#include <string>
#include <thread>

#include "serve/server.h"
#include "served_run.h"

namespace geniepath::testing {

// One raw connection.
class Wire {
 public:
  explicit Wire(int port, int receive_buffer = 0) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    const timeval patience{10, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (receive_buffer > 0) ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }
  ~Wire() { ::close(socket_); }
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;

  bool send(const std::string& bytes) const {
    return ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
  }
  void no_more() const { ::shutdown(socket_, SHUT_WR); }

  // The next answer, head and body; its beginning if the connection ended or stalled.
  std::string answer() {
    for (;;) {
      const size_t head = received_.find("\r\n\r\n");
      if (head != std::string::npos && received_.size() >= head + 4 + body_bytes(head)) {
        const std::string whole = received_.substr(0, head + 4 + body_bytes(head));
        received_.erase(0, whole.size());
        return whole;
      }
      if (!receive()) return std::exchange(received_, {});
    }
  }

  // Everything until the server hangs up; fails if it does not.
  std::string everything() {
    while (receive()) {
    }
    EXPECT_TRUE(ended_) << "still open after: " << received_.substr(0, 300);
    return std::exchange(received_, {});
  }

 private:
  size_t body_bytes(size_t head) const {
    const std::string name = "Content-Length: ";
    const size_t at = received_.find(name);
    size_t bytes = 0;
    if (at < head) std::from_chars(received_.data() + at + name.size(), received_.data() + head, bytes);
    return bytes;
  }

  bool receive() {
    char buffer[4096];
    const ssize_t got = ::recv(socket_, buffer, sizeof buffer, 0);
    ended_ = got == 0 || (got < 0 && errno == ECONNRESET);
    if (got > 0) received_.append(buffer, static_cast<size_t>(got));
    return got > 0;
  }

  int socket_;
  std::string received_;
  bool ended_ = false;
};

class Listening {
 public:
  explicit Listening(serve::ServeOptions options = {}) {
    options.port = 0;
    server_ = std::make_unique<serve::Server>(*run.service, options);
    thread_ = std::thread([this] { server_->run(); });
    run.get("/api/v1/search?limit=1");  // the nodes are scored
  }
  ~Listening() {
    server_->stop();
    thread_.join();
  }
  int port() const { return server_->port(); }
  httplib::Client client() const { return httplib::Client("127.0.0.1", port()); }

  // The answer to these bytes; `shut`: the client then closes its side.
  std::string answer_to(const std::string& bytes, bool shut = false) const {
    Wire wire(port());
    wire.send(bytes);
    if (shut) wire.no_more();
    return wire.answer();
  }

  ServedRun run;

 private:
  std::unique_ptr<serve::Server> server_;
  std::thread thread_;
};

inline std::string get_head(const std::string& target, const std::string& more = "") {
  return "GET " + target + " HTTP/1.1\r\nHost: localhost\r\n" + more + "\r\n";
}
inline std::string post_score(const std::string& body) {
  return "POST /api/v1/score HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

}  // namespace geniepath::testing
