#include "distributed/local_exchange.h"

#include <signal.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>

namespace geniepath::distributed {
namespace {

std::byte* bytes_of(const at::Tensor& x) { return static_cast<std::byte*>(x.data_ptr()); }

size_t row_bytes(const at::Tensor& x) {
  return x.size(0) == 0 ? 0 : static_cast<size_t>(x.numel() / x.size(0)) * static_cast<size_t>(x.element_size());
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace

LocalExchange::LocalExchange(int64_t rank, int64_t size) : rank_(rank), peers_(static_cast<size_t>(size)) {
  for (int64_t r = 0; r < size; ++r) {
    if (r != rank) peers_[static_cast<size_t>(r)].to = Mailbox::create();
  }
}

std::string LocalExchange::addresses() const {
  std::string text;
  for (int64_t r = 0; r < std::ssize(peers_); ++r) {
    const Peer& peer = peers_[static_cast<size_t>(r)];
    if (r != rank_ && !peer.to) return "";
    text += (peer.to ? peer.to->address() : "") + "\n";
  }
  return text;
}

bool LocalExchange::open(const std::vector<std::string>& addresses) {
  for (int64_t r = 0; r < std::ssize(peers_); ++r) {
    const std::vector<std::string> lines = lines_of(addresses[static_cast<size_t>(r)]);
    if (r == rank_) continue;
    if (lines.size() != peers_.size()) return false;
    Peer& peer = peers_[static_cast<size_t>(r)];
    peer.from = Mailbox::open(lines[static_cast<size_t>(rank_)]);
    peer.process = static_cast<pid_t>(std::strtol(lines[static_cast<size_t>(rank_)].c_str(), nullptr, 10));
    if (!peer.from) return false;
  }
  return true;
}

std::shared_ptr<LocalExchange::Exchange> LocalExchange::start(at::Tensor x, at::Tensor received,
                                                              const std::vector<int64_t>& to,
                                                              const std::vector<int64_t>& from) {
  const auto exchange = std::make_shared<Exchange>(Exchange{std::move(x), std::move(received)});
  std::byte *sent = bytes_of(exchange->x), *arriving = bytes_of(exchange->received);
  const size_t sent_row = row_bytes(exchange->x), arriving_row = row_bytes(exchange->received);
  const std::lock_guard<std::mutex> lock(mutex_);
  for (size_t r = 0; r < peers_.size(); ++r) {
    const size_t sends = static_cast<size_t>(to[r]) * sent_row, receives = static_cast<size_t>(from[r]) * arriving_row;
    if (static_cast<int64_t>(r) == rank_) {
      if (sends > 0) std::memcpy(arriving, sent, sends);
    } else {
      if (sends > 0) peers_[r].leaving.push_back({exchange, sent, sends}), ++exchange->copies;
      if (receives > 0) peers_[r].arriving.push_back({exchange, arriving, receives}), ++exchange->copies;
    }
    sent += sends, arriving += receives;
  }
  make_copies();
  return exchange;
}

bool LocalExchange::is_complete(const Exchange& exchange) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (exchange.copies > 0) make_copies();
  return exchange.copies == 0;
}

int64_t LocalExchange::ended() const {
  for (int64_t r = 0; r < std::ssize(peers_); ++r) {
    if (r != rank_ && ::kill(peers_[static_cast<size_t>(r)].process, 0) != 0 && errno == ESRCH) return r;
  }
  return -1;
}

void LocalExchange::make_copies() {
  const auto take_first = [](std::deque<Copy>& queue) {
    --queue.front().exchange->copies;
    queue.pop_front();
  };
  for (Peer& peer : peers_) {
    while (!peer.leaving.empty() && peer.to->try_send(peer.leaving.front().data, peer.leaving.front().bytes))
      take_first(peer.leaving);
    while (!peer.arriving.empty() && peer.from->try_receive(peer.arriving.front().data, peer.arriving.front().bytes))
      take_first(peer.arriving);
  }
}

}  // namespace geniepath::distributed
