#include "distributed/c10d/meeting.h"

namespace geniepath::distributed {
namespace {

// A note, or else the ranks that show no sign of life.
std::string find_lost(Board& board, const Place& place, Milliseconds limit) {
  std::vector<int64_t> first(static_cast<size_t>(place.size));
  std::set<int64_t> silent;
  const auto alive = [&](int64_t r) { return board.add(Board::of("alive", r), 0); };
  for (int64_t r = 0; r < place.size; ++r) {
    if (r != place.rank) silent.insert(r), first[static_cast<size_t>(r)] = alive(r);
  }
  for (const auto end = Clock::now() + limit; !silent.empty() && Clock::now() < end;) {
    if (std::string note = board.note(place.size); !note.empty()) return note;
    std::this_thread::sleep_for(kBeat / 2);
    std::erase_if(silent, [&](int64_t r) { return alive(r) != first[static_cast<size_t>(r)]; });
  }
  if (silent.empty()) return board.note(place.size);
  return listed_ranks(silent) + (silent.size() == 1 ? " does" : " do") +
         " not answer: killed or stopped, or on a lost machine";
}

}  // namespace

std::string listed_ranks(const std::set<int64_t>& ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (const int64_t rank : ranks) text += (rank == *ranks.begin() ? "" : ", ") + std::to_string(rank);
  return text;
}

void Meeting::explain(const std::string& symptom) const {
  failed = true;
  throw_what_was_heard();
  const auto found = std::make_shared<std::string>();
  const Milliseconds limit = naming_time(timeout);
  try {
    const bool answered = ends_within(2 * limit, [found, limit, own = place, shared = board] {
      *found = find_lost(*shared, own, limit);
    });
    if (!answered) throw std::runtime_error("no answer");
  } catch (const std::exception&) {
    throw_what_was_heard();  // meanwhile, after which rank 0 may end and the store with it
    throw LostProcess(store_is_lost());
  }
  throw LostProcess(found->empty() ? "the connection to another process broke: " + symptom : *found);
}

void Meeting::throw_what_was_heard() const {
  if (const std::string heard = heart->heard(); !heard.empty()) throw LostProcess(heard);
}

std::string Meeting::store_is_lost() const {
  if (!place.served_by_launcher) return "rank 0 does not answer: it was killed or stopped, or its machine is lost";
  return "the launcher's store at " + place.address + ":" + std::to_string(place.port) + " does not answer";
}

}  // namespace geniepath::distributed
