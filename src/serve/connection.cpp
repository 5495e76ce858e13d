#include "serve/connection.h"

#include <sys/socket.h>

#include <cerrno>

namespace geniepath::serve {
namespace {

constexpr size_t kPiece = 64 << 10;

bool would_wait() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

}  // namespace

void Connection::receive() {
  char piece[kPiece];
  const ssize_t got = ::recv(socket(), piece, sizeof piece, 0);
  if (got > 0) received_.append(piece, static_cast<size_t>(got));
  if (got == 0 || (got < 0 && !would_wait())) ended_ = true;
}

std::optional<HttpRequest> Connection::next_request(const std::function<void(const Head&)>& check) {
  if (!head_) {
    keep_ = with_body_ = true;
    const size_t bytes = head_bytes(received_, searched_);
    searched_ = received_.size();
    if (bytes == 0) return {};
    head_ = parse_head(std::string_view(received_).substr(0, bytes));
    received_.erase(0, bytes);
    searched_ = 0;
    keep_ = head_->keep;
    with_body_ = head_->method != "HEAD";
    check(*head_);
    if (head_->expects_continue && received_.empty()) {
      unsent_ += "HTTP/1.1 100 Continue\r\n\r\n";
      flush();
    }
  }
  if (received_.size() < head_->body_bytes) return {};
  HttpRequest request{std::move(*head_), received_.substr(0, head_->body_bytes)};
  received_.erase(0, request.body.size());
  head_.reset();
  return request;
}

void Connection::send(const Answer& answer, bool keep) {
  keep_ = keep_ && keep;
  unsent_ += bytes_of(answer, keep_, with_body_);
  flush();
}

bool Connection::flush() {
  while (!broken_ && sent_ < unsent_.size()) {
    const ssize_t sent = ::send(socket(), unsent_.data() + sent_, unsent_.size() - sent_, MSG_NOSIGNAL);
    if (sent > 0) {
      sent_ += static_cast<size_t>(sent);
    } else if (would_wait()) {
      return false;
    } else {
      broken_ = true;
    }
  }
  if (broken_) return false;
  unsent_.clear();
  sent_ = 0;
  return true;
}

void Connection::hang_up() { ::shutdown(socket(), SHUT_WR); }

void Connection::discard() {
  received_.clear();
  receive();
  received_.clear();
}

}  // namespace geniepath::serve
