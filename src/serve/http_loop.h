// One thread that reads requests from and writes answers to any number of connections, so that a slow client costs a
// little memory and no thread. Answers are given elsewhere.
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
    std::function<void(const Head&)> check;           // throws an ApiError where a head is refused
    std::function<void(HttpRequest, Reply)> answer;  // must not wait; the reply comes once, from any thread
    std::function<void(int status)> answered;        // called by any thread
  };
  struct Limits {
    size_t connections;             // beyond them, the one nearest its deadline makes room
    std::chrono::seconds patience;  // for a request to come whole, and for an answer to be taken
  };

  HttpLoop(Descriptor listening, Handler handler, Limits limits);
  void run();   // until stop(), and all requests handed out are answered
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
  std::vector<int> answered_;  // sockets whose connections come back
};

}  // namespace geniepath::serve
