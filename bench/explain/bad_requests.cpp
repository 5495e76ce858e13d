#include "bad_requests.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>

namespace geniepath::bench {
namespace {

std::string get(const std::string& target, const std::string& headers = "Host: localhost\r\n") {
  return "GET " + target + " HTTP/1.1\r\n" + headers + "Connection: close\r\n\r\n";
}

std::string post(const std::string& body, const std::string& more = "") {
  return "POST /api/v1/score HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n" +
         more + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

int connected(int port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  const timeval patience{20, 0};
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  return socket;
}

}  // namespace

std::vector<BadRequest> bad_requests() {
  const std::string host = "Host: localhost\r\n", brackets(400'000, '['), closed(400'000, ']');
  return {
      {"garbage", "\x01\x02\x03\x04", 400},
      {"TLS", std::string("\x16\x03\x01\x02\x00\x01", 6), 400},
      {"two hosts", get("/api/v1/model", host + host), 400},
      {"a zero byte", get("/api/v1/model", host + "X: " + std::string(1, '\0') + "\r\n"), 400},
      {"a space before a colon", get("/api/v1/model", host + "Transfer-Encoding : chunked\r\n"), 400},
      {"two lengths", post("{}", "Transfer-Encoding: chunked\r\n"), 400},
      {"a huge head", "GET / HTTP/1.1\r\nX: " + std::string(1 << 20, 'x'), 431},
      {"a huge body", post(std::string((1 << 20) + 1, ' ')), 413},
      {"no JSON", post("{\"nodes\": ["), 400},
      {"nested without end", post(std::string(800'000, '[')), 400},
      {"nested within a node", post(R"({"nodes": [{"id": "n", "features": [1, )" + brackets + closed + "]}]}"), 400},
      {"a body that does not fit", post(R"({"nodes": [{"id": "n", "features": [1]}]})"), 422},
      {"no such node", get("/api/v1/nodes/nobody"), 404},
      {"no such address", get("/../../etc/passwd"), 404},
      {"a bad parameter", get("/api/v1/nodes/0/paths?hops=two"), 400},
      {"another site's page", get("/api/v1/model", host + "Origin: http://evil.example\r\n"), 403},
      {"another name", get("/api/v1/model", "Host: evil.example\r\n"), 403},
      {"half a body", post(std::string(1000, ' ')).substr(0, 300), 0, true},
      {"half a head", "GET /api/v1/mod", 0, true},
  };
}

int status_of_answer(int port, const BadRequest& request) {
  const int socket = connected(port);
  // A server that refuses early may close before all is sent; its answer can still be read.
  for (size_t sent = 0; sent < request.bytes.size();) {
    const ssize_t now = ::send(socket, request.bytes.data() + sent, request.bytes.size() - sent, MSG_NOSIGNAL);
    if (now <= 0) break;
    sent += static_cast<size_t>(now);
  }
  if (request.shut) ::shutdown(socket, SHUT_WR);
  std::string answer;
  char piece[4096];
  ssize_t got = 0;
  while ((got = ::recv(socket, piece, sizeof piece, 0)) > 0) answer.append(piece, static_cast<size_t>(got));
  ::close(socket);
  if (answer.rfind("HTTP/1.1 ", 0) == 0) return std::atoi(answer.c_str() + 9);
  return got == 0 ? 0 : -1;
}

int open_slow_connection(int port) {
  const int socket = connected(port);
  const std::string begun = "GET /api/v1/mo";
  ::send(socket, begun.data(), begun.size(), MSG_NOSIGNAL);
  return socket;
}

}  // namespace geniepath::bench
