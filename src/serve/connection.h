// One client's connection: bytes in, requests out, answers in, bytes out. No call blocks.
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
    kIdle,       // nothing of the next request has arrived
    kReading,    // part of it has
    kAnswering,  // owned by whoever answers
    kWriting,    // part of the answer is unsent
    kClosing,    // all is sent; further input is discarded, lest the client miss the answer
  };

  explicit Connection(Descriptor socket) : socket_(std::move(socket)) {}

  int socket() const { return socket_.number(); }

  void receive();
  // Whether the client has closed its side, or is gone.
  bool ended() const { return ended_; }
  bool begun() const { return head_ || !received_.empty(); }
  // The next request, once complete. `check` gets its head before the body arrives. A refused or malformed request is
  // an ApiError, after which no more are read.
  std::optional<HttpRequest> next_request(const std::function<void(const Head&)>& check);

  // Queues the answer to the last request; the connection then ends unless both sides keep it.
  void send(const Answer& answer, bool keep);
  // Sends as much as possible; returns whether all is sent, always false once the client is gone.
  bool flush();
  bool keeps() const { return keep_; }
  void hang_up();  // after the last answer
  void discard();  // input that arrived since
  // Whether nothing more can be sent.
  bool broken() const { return broken_; }
  void break_off() { broken_ = true; }

  State state = State::kIdle;
  Clock::time_point deadline{};

 private:
  Descriptor socket_;
  std::string received_;  // not parsed yet
  size_t searched_ = 0;   // bytes of it searched for the end of a head
  std::optional<Head> head_;
  std::string unsent_;
  size_t sent_ = 0;  // bytes of unsent_
  bool ended_ = false, broken_ = false;
  bool keep_ = true, with_body_ = true;
};

}  // namespace geniepath::serve
