#include "serve/http_loop.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <thread>

#include "geniepath/error.h"

namespace geniepath::serve {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kKept{60};    // idle time between two requests
constexpr seconds kClosing{2};  // for the client to read the end
constexpr milliseconds kLook{200};  // interval of deadline checks

Descriptor made(int number) {
  if (number < 0) fail("serve: cannot wait for connections: ", std::strerror(errno));
  return Descriptor(number);
}

}  // namespace

HttpLoop::HttpLoop(Descriptor listening, Handler handler, Limits limits)
    : listening_(std::move(listening)),
      epoll_(made(::epoll_create1(EPOLL_CLOEXEC))),
      woken_(made(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC))),
      handler_(std::move(handler)),
      limits_(limits) {
  watch(EPOLL_CTL_ADD, listening_.number(), EPOLLIN);
  watch(EPOLL_CTL_ADD, woken_.number(), EPOLLIN);
}

void HttpLoop::run() {
  std::array<epoll_event, 64> events;
  Clock::time_point looked = Clock::now();
  while (!stopping_ || !connections_.empty()) {
    const int ready =
        ::epoll_wait(epoll_.number(), events.data(), static_cast<int>(events.size()), static_cast<int>(kLook.count()));
    for (int e = 0; e < ready; ++e) {
      const int descriptor = events[static_cast<size_t>(e)].data.fd;
      if (descriptor == listening_.number()) {
        accept_new();
      } else if (descriptor == woken_.number()) {
        take_back();
      } else if (const auto found = connections_.find(descriptor); found != connections_.end()) {
        go_on(*found->second);
      }
    }
    if (stopping_) listening_ = {};
    if (!stopping_ && Clock::now() - looked < kLook) continue;
    looked = Clock::now();
    end_overdue();
  }
}

void HttpLoop::stop() {
  stopping_ = true;
  wake();
}

void HttpLoop::accept_new() {
  for (int n = 0; n < 64; ++n) {  // then open connections get their turn
    Descriptor socket(::accept4(listening_.number(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!socket.is_open() && (errno == EMFILE || errno == ENFILE)) {
      if (!make_room()) std::this_thread::sleep_for(milliseconds(10));
      return;
    }
    if (!socket.is_open() && errno != ECONNABORTED && errno != EINTR) return;
    if (!socket.is_open() || (connections_.size() >= limits_.connections && !make_room())) continue;
    const int number = socket.number(), yes = 1;
    ::setsockopt(number, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    Connection& connection = *(connections_[number] = std::make_unique<Connection>(std::move(socket)));
    connection.deadline = Clock::now() + limits_.patience;
    watch(EPOLL_CTL_ADD, number, EPOLLIN | EPOLLONESHOT);
  }
}

// Closes the connection nearest its deadline, which has kept us waiting longest.
bool HttpLoop::make_room() {
  const Connection* first = nullptr;
  for (const auto& [_, connection] : connections_) {
    const bool ours = connection->state != State::kAnswering;
    if (ours && (first == nullptr || connection->deadline < first->deadline)) first = connection.get();
  }
  if (first != nullptr) drop(*first);
  return first != nullptr;
}

// Continues a connection of the loop's own whose socket is ready.
void HttpLoop::go_on(Connection& connection) {
  switch (connection.state) {
    case State::kAnswering: return;
    case State::kWriting: return after_sending(connection);
    case State::kClosing:
      connection.discard();
      if (connection.ended()) return drop(connection);
      return watch(EPOLL_CTL_MOD, connection.socket(), EPOLLIN | EPOLLONESHOT);
    case State::kIdle:
    case State::kReading:
      connection.receive();
      return serve_next(connection);
  }
}

void HttpLoop::serve_next(Connection& connection) {
  try {
    if (auto request = connection.next_request(handler_.check)) return hand_out(connection, std::move(*request));
  } catch (const ApiError& error) {
    return refuse(connection, error);
  }
  if (connection.ended()) return drop(connection);
  if (connection.begun() && connection.state != State::kReading) {
    return wait_for(connection, EPOLLIN, State::kReading, limits_.patience);
  }
  watch(EPOLL_CTL_MOD, connection.socket(), EPOLLIN | EPOLLONESHOT);
}

void HttpLoop::hand_out(Connection& connection, HttpRequest request) {
  connection.state = State::kAnswering;
  handler_.answer(std::move(request), [this, &connection](const Answer& answer) {
    try {
      handler_.answered(answer.status);
      connection.send(answer, !stopping_);
    } catch (const std::exception&) {  // out of memory
      connection.break_off();
    }
    const std::lock_guard lock(mutex_);
    answered_.push_back(connection.socket());
    wake();  // under the lock: the loop is not touched once it owns the connection again
  });
}

void HttpLoop::refuse(Connection& connection, const ApiError& error) {
  handler_.answered(error.status);
  connection.send(answer_of(error), false);
  after_sending(connection);
}

void HttpLoop::take_back() {
  uint64_t times;
  [[maybe_unused]] const ssize_t emptied = ::read(woken_.number(), &times, sizeof times);
  std::vector<int> back;
  {
    const std::lock_guard lock(mutex_);
    back.swap(answered_);
  }
  for (const int socket : back) after_sending(*connections_.at(socket));
}

// An answer is queued and possibly sent in part.
void HttpLoop::after_sending(Connection& connection) {
  const bool sent = connection.flush();
  if (connection.broken()) return drop(connection);
  if (!sent && connection.state != State::kWriting)
    return wait_for(connection, EPOLLOUT, State::kWriting, limits_.patience);
  if (!sent) return watch(EPOLL_CTL_MOD, connection.socket(), EPOLLOUT | EPOLLONESHOT);
  if (!connection.keeps()) {
    connection.hang_up();
    return wait_for(connection, EPOLLIN, State::kClosing, kClosing);
  }
  connection.state = State::kIdle;
  connection.deadline = Clock::now() + kKept;
  serve_next(connection);  // it may have arrived with the last
}

// Late requests get a 408, idle connections are closed; all of them when the loop stops.
void HttpLoop::end_overdue() {
  const Clock::time_point now = Clock::now();
  std::vector<Connection*> overdue;
  for (const auto& [_, connection] : connections_) {
    const bool unneeded = stopping_ && connection->state != State::kWriting;
    if (connection->state != State::kAnswering && (unneeded || connection->deadline <= now))
      overdue.push_back(connection.get());
  }
  for (Connection* connection : overdue) {
    if (stopping_ || connection->state != State::kReading) {
      drop(*connection);
      continue;
    }
    refuse(*connection, ApiError(408, "too_slow", "the request did not arrive in time",
                                 "a whole request within " + std::to_string(limits_.patience.count()) + " seconds",
                                 "a part of one"));
  }
}

void HttpLoop::wait_for(Connection& connection, uint32_t events, State state, seconds patience) {
  connection.state = state;
  connection.deadline = Clock::now() + patience;
  watch(EPOLL_CTL_MOD, connection.socket(), events | EPOLLONESHOT);
}

void HttpLoop::watch(int operation, int descriptor, uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.fd = descriptor;
  ::epoll_ctl(epoll_.number(), operation, descriptor, &event);
}

void HttpLoop::wake() {
  const uint64_t once = 1;
  [[maybe_unused]] const ssize_t written = ::write(woken_.number(), &once, sizeof once);
}

}  // namespace geniepath::serve
