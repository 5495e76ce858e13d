// One thread that reads requests and writes answers for any number of connections, so that a slow client costs a little
// memory and no thread. Answers are computed elsewhere.
#pragma once

#include <sys/epoll.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "serve/connection.h"

namespace geniepath::serve {

class HttpLoop {
 public:
  using Reply = std::function<void(const Answer&)>;
  struct Handler {
    std::function<void(const Head&)> check;           // throws an ApiError to refuse a head
    std::function<void(HttpRequest, Reply)> answer;  // must not block; replies once, from any thread
    std::function<void(int status)> answered;        // called by any thread
  };
  struct Limits {
    size_t connections;             // beyond these, the one nearest its deadline is closed
    std::chrono::seconds patience;  // to send a whole request, and to receive an answer
  };

  HttpLoop(Descriptor listening, Handler handler, Limits limits);
  void run();   // until stop() and all pending requests are answered
  void stop();  // from any thread

 private:
  using Clock = Connection::Clock;
  using State = Connection::State;

  void accept_new();
  bool make_room();
  void go_on(Connection& connection);
  void serve_next(Connection& connection);
  void hand_out(Connection& connection, HttpRequest request);
  void refuse(Connection& connection, const ApiError& error);
  void take_back();
  void after_sending(Connection& connection);
  void end_overdue();
  void wait_for(Connection& connection, uint32_t events, State state, std::chrono::seconds patience);
  void watch(int operation, int descriptor, uint32_t events);
  void drop(const Connection& connection) { connections_.erase(connection.socket()); }
  void wake();

  Descriptor listening_, epoll_, woken_;
  Handler handler_;
  Limits limits_;
  std::atomic<bool> stopping_ = false;
  std::unordered_map<int, std::unique_ptr<Connection>> connections_;  // by socket
  std::mutex mutex_;
  std::vector<int> answered_;  // sockets of connections to take back
};

}  // namespace geniepath::serve
