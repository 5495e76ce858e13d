// Messages between processes outside of collective operations, in LibTorch's store: who has arrived, who is alive, why
// one stops.
#pragma once

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include <atomic>
#include <mutex>
#include <string>

#include "distributed/c10d/deadline.h"
#include "distributed/place.h"

namespace geniepath::distributed {

// A connection to the store. Its keys:
//   came/RANK   version and number of processes       claimed/RANK  how many claim this rank
//   alive/RANK  a number that grows                    left/RANK     why it stops
//   notes       how many have stopped                  read          how many have read why
//   gave_up     who is missing, once the first has waited long enough
class Board {
 public:
  Board(const Place& place, bool serves, Milliseconds timeout);

  uint16_t port() const { return served_->getPort(); }
  const c10::intrusive_ptr<c10d::PrefixStore>& store() const { return store_; }

  void set(const std::string& key, const std::string& text) {
    store_->set(key, std::vector<uint8_t>(text.begin(), text.end()));
  }
  bool has(const std::string& key) { return store_->check({key}); }
  std::string get(const std::string& key) {
    const std::vector<uint8_t> bytes = store_->get(key);
    return {bytes.begin(), bytes.end()};
  }
  int64_t add(const std::string& key, int64_t amount) { return store_->add(key, amount); }

  void leave_note(int64_t rank, const std::string& why);
  // Why a process has stopped; empty: none has, or none has said why.
  std::string note(int64_t size);

  static std::string of(const char* key, int64_t rank) { return std::string(key) + "/" + std::to_string(rank); }

 private:
  c10::intrusive_ptr<c10d::TCPStore> served_;
  c10::intrusive_ptr<c10d::PrefixStore> store_;
};

// A thread that signals that this process is alive, and listens for the reason why another one stops. It is detached,
// as the store may no longer answer at the end.
class Heart {
 public:
  Heart(std::shared_ptr<Board> board, const Place& place);
  ~Heart() { shared_->stopped = true; }

  std::string heard() { return shared_->heard(); }

 private:
  struct Shared {
    bool hear(const std::string& note) {
      if (note.empty()) return false;
      const std::lock_guard<std::mutex> lock(mutex);
      text = note;
      listens = false;
      return true;
    }
    std::string heard() {
      const std::lock_guard<std::mutex> lock(mutex);
      return text;
    }
    std::atomic<bool> stopped = false, listens = true;
    std::mutex mutex;
    std::string text;
  };
  std::shared_ptr<Shared> shared_;
};

}  // namespace geniepath::distributed
