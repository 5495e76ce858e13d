// Rows that travel between processes of one machine, through memory that they share: one copy at each end, and no
// thread of a connection, which would need a core that the processes keep busy.
#pragma once

#include <ATen/core/Tensor.h>
#include <sys/types.h>

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "distributed/mailbox.h"

namespace geniepath::distributed {

class LocalExchange {
 public:
  // One exchange under way. Copies that could not be made yet are made by later calls.
  struct Exchange {
    at::Tensor x, received;
    int64_t copies = 0;  // left to make
  };

  // The sender's ends; empty if there is no memory to share.
  LocalExchange(int64_t rank, int64_t size);
  // Addresses for the others to open, one line per process; empty if there is no memory to share.
  std::string addresses() const;
  // Opens the receiver's ends, given the addresses of all processes. False if one cannot be reached.
  bool open(const std::vector<std::string>& addresses);

  // As Group::start_exchange().
  std::shared_ptr<Exchange> start(at::Tensor x, at::Tensor received, const std::vector<int64_t>& to,
                                  const std::vector<int64_t>& from);
  // Makes the copies that are possible now; returns whether all copies of this exchange are made.
  bool is_complete(const Exchange& exchange);
  // The first rank whose process has ended; -1: none has.
  int64_t ended() const;

 private:
  struct Copy {
    std::shared_ptr<Exchange> exchange;
    std::byte* data;
    size_t bytes;
  };
  // Messages to and from one other process, in order.
  struct Peer {
    std::optional<Mailbox> to, from;
    std::deque<Copy> leaving, arriving;
    pid_t process = 0;
  };

  void make_copies();

  int64_t rank_;
  std::vector<Peer> peers_;
  std::mutex mutex_;
};

}  // namespace geniepath::distributed
