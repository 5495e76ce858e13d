// A queue of messages from one process to another of the same machine, in memory that both of them map: a message costs
// one copy at each end, and no system call. The memory has no name, and vanishes with the processes.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/descriptor.h"

namespace geniepath::distributed {

class Mailbox {
 public:
  // The sender's end; none where the system has no such memory, or limits the size of files.
  static std::optional<Mailbox> create();
  // The receiver's end, of the sender's address; none if it cannot be reached, as from another container.
  static std::optional<Mailbox> open(const std::string& address);

  Mailbox(Mailbox&& other) noexcept;
  Mailbox& operator=(Mailbox&& other) noexcept;
  ~Mailbox();

  std::string address() const;

  // False if the receiver has yet to take earlier messages.
  bool try_send(const void* data, size_t bytes);
  // False if there is no message. One of another size is an Error.
  bool try_receive(void* data, size_t bytes);

 private:
  static constexpr size_t kLetters = 2, kTokenSize = 32;

  struct Letter {
    uint64_t begin, bytes;
  };
  // At the beginning of the memory.
  struct Head {
    char token[kTokenSize];
    alignas(64) std::atomic<uint64_t> sent;
    alignas(64) std::atomic<uint64_t> received;
    Letter letters[kLetters];  // message n is in letter n % kLetters
  };
  static_assert(std::atomic<uint64_t>::is_always_lock_free);

  Mailbox(Descriptor memory, size_t size);
  Head& head() const { return *reinterpret_cast<Head*>(data_); }
  bool map(size_t size);
  void make_room(size_t letter, size_t bytes);

  Descriptor memory_;
  std::byte* data_ = nullptr;
  size_t size_ = 0;
  std::vector<size_t> room_ = std::vector<size_t>(kLetters, 0);  // of the sender's letters
};

}  // namespace geniepath::distributed
