// State that a world shares with its groups, and the diagnosis when a process is lost.
#pragma once

#include <atomic>
#include <memory>
#include <set>
#include <string>

#include "distributed/c10d/board.h"
#include "distributed/world.h"

namespace geniepath::distributed {

// The state that the groups share with their world.
struct Meeting : std::enable_shared_from_this<Meeting> {
  Place place;
  Milliseconds timeout;
  std::shared_ptr<Board> board;
  std::unique_ptr<Heart> heart;
  std::atomic<int> groups = 0;  // made so far, which numbers them
  mutable std::atomic<bool> failed = false;

  std::unique_ptr<Group> make_group();

  // Throws a LostProcess that says who failed and, if it said so, why.
  [[noreturn]] void explain(const std::string& symptom) const;

  // Throws a LostProcess if another process said why it stops.
  void throw_what_was_heard() const;

 private:
  std::string store_is_lost() const;
};

// "rank 1", "ranks 1, 2".
std::string listed_ranks(const std::set<int64_t>& ranks);

}  // namespace geniepath::distributed
