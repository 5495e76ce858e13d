// One client's connection: bytes in, requests out, answers in, bytes out. No call ever waits.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "base/descriptor.h"
#include "serve/http_answer.h"
#include "serve/http_head.h"

namespace geniepath::serve {

struct HttpRequest {
  Head head;
  std::string body;
};

class Connection {
 public:
  using Clock = std::chrono::steady_clock;
  enum class State {
    kIdle,       // nothing of the next request has come
    kReading,    // a part of it has
    kAnswering,  // whoever answers has the connection, nobody else
    kWriting,    // a part of the answer is not sent yet
    kClosing,    // all is said; what the client still sends is thrown away, lest it miss the answer
  };

  explicit Connection(Descriptor socket) : socket_(std::move(socket)) {}

  int socket() const { return socket_.number(); }

  void receive();
  // The client will send no more, or is gone.
  bool ended() const { return ended_; }
  bool begun() const { return head_ || !received_.empty(); }
  // The next request, once it is whole. `check` sees its head before the body is waited for. What is refused, by it or
  // because it is malformed, is an ApiError; no request is read after it.
  std::optional<HttpRequest> next_request(const std::function<void(const Head&)>& check);

  // The answer to the request taken last; the connection ends after it unless both sides keep it.
  void send(const Answer& answer, bool keep);
  // Sends what it can. Whether all is sent; false for ever where the client is gone.
  bool flush();
  bool keeps() const { return keep_; }
  void hang_up();  // after the last answer
  void discard();  // what has arrived since
  // Nothing can be sent any more.
  bool broken() const { return broken_; }
  void break_off() { broken_ = true; }

  State state = State::kIdle;
  Clock::time_point deadline{};

 private:
  Descriptor socket_;
  std::string received_;  // not taken yet
  size_t searched_ = 0;   // of it, for the end of a head
  std::optional<Head> head_;
  std::string unsent_;
  size_t sent_ = 0;  // of unsent_
  bool ended_ = false, broken_ = false;
  bool keep_ = true, with_body_ = true;
};

}  // namespace geniepath::serve
