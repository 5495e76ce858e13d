#include "distributed/world.h"

#include <csignal>

#include "distributed/c10d/meeting.h"
#include "geniepath/version.h"

namespace geniepath::distributed {
namespace {

std::string seconds_text(Milliseconds time) { return std::to_string((time.count() + 999) / 1000) + " s"; }

[[noreturn]] void fail_to_meet(const Place& place, Milliseconds timeout, const std::string& why) {
  const std::string where = place.address + ":" + std::to_string(place.port);
  if (place.rank == 0 && !place.served_by_launcher) {
    throw Error("rank 0 cannot listen at port " + std::to_string(place.port) + ", where the processes meet: " +
                (why.find("EADDRINUSE") == std::string::npos ? why : "another program does") +
                "; choose a free one (MASTER_PORT) for all of them");
  }
  throw LostProcess("nobody answers at " + where + ", where the processes meet, within " + seconds_text(timeout) +
                    ": rank 0 has not come, or it is not there (MASTER_ADDR, MASTER_PORT)");
}

// First line of a message of c10d's.
std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::shared_ptr<Board> connect(const Place& place, bool serves, Milliseconds timeout) {
  const auto board = std::make_shared<std::shared_ptr<Board>>();
  std::string why = "no answer";
  try {
    const auto work = [board, place, serves, timeout] { *board = std::make_shared<Board>(place, serves, timeout); };
    if (ends_within(timeout + kBeat, work)) return *board;
  } catch (const std::exception& error) {
    why = first_line(error.what());
  }
  fail_to_meet(place, timeout, why);
}

std::string introduction(const Place& place) {
  return std::string("geniepath ") + version() + ", one of " + std::to_string(place.size) + " processes";
}

// Waits until every rank has come, once, and is of this version.
void meet(const std::shared_ptr<Board>& board, const Place& place, Milliseconds timeout) {
  const auto work = [board, place, timeout] {
    if (board->add(Board::of("claimed", place.rank), 1) > 1) fail("two processes say that they are rank ", place.rank);
    board->set(Board::of("came", place.rank), introduction(place));
    const auto has_come = [&](int64_t r) { return board->has(Board::of("came", r)); };
    std::set<int64_t> missing;
    for (int64_t r = 0; r < place.size; ++r) missing.insert(r);
    for (const auto end = Clock::now() + timeout; !missing.empty() && Clock::now() < end;) {
      std::erase_if(missing, has_come);
      if (missing.empty()) break;
      if (board->has("gave_up")) throw LostProcess(board->get("gave_up"));
      std::this_thread::sleep_for(Milliseconds(20));
    }
    if (!missing.empty()) {
      const std::string why = listed_ranks(missing) + " of " + std::to_string(place.size) +
                              (missing.size() == 1 ? " has" : " have") + " not come within " + seconds_text(timeout);
      board->set("gave_up", why);
      std::this_thread::sleep_for(kBeat);  // for the others to read it, if the store is here
      throw LostProcess(why);
    }
    for (int64_t r = 0; r < place.size; ++r) {
      const std::string other = board->get(Board::of("came", r));
      if (other != introduction(place))
        fail("rank ", r, " is ", other, ", but rank ", place.rank, " is ", introduction(place));
    }
  };
  try {
    if (ends_within(timeout + kNaming, work)) return;
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    fail_to_meet(place, timeout, first_line(error.what()));
  }
  fail_to_meet(place, timeout, "no answer");
}

class EngineWorld final : public World {
 public:
  EngineWorld(const Place& place, Milliseconds timeout) : meeting_(std::make_shared<Meeting>()) {
    meeting_->place = place;
    meeting_->timeout = timeout;
    meeting_->board = connect(place, place.rank == 0 && !place.served_by_launcher, timeout);
    meet(meeting_->board, place, timeout);
    meeting_->heart = std::make_unique<Heart>(connect(place, false, timeout), place);
  }

  std::unique_ptr<Group> make_group() override { return meeting_->make_group(); }

  void announce(const std::string& why) override {
    const auto work = [why, own = meeting_->place, board = meeting_->board] {
      board->leave_note(own.rank, why);
      for (const auto end = Clock::now() + kReading; board->add("read", 0) < own.size && Clock::now() < end;) {
        std::this_thread::sleep_for(kBeat / 4);
      }
    };
    attempt_within(kReading + kBeat, work);  // else the others find out by themselves
  }

 private:
  std::shared_ptr<Meeting> meeting_;
};

// The store reads whole requests: while one is half sent, by a process that was stopped, it answers nobody and does not
// end.
class LocalMeetingPoint final : public MeetingPoint {
 public:
  ~LocalMeetingPoint() override {
    attempt_within(kReading, [board = std::move(board_)]() mutable { board.reset(); });
  }
  uint16_t port() const override { return board_->port(); }
  void announce(int64_t rank, const std::string& why) override {
    attempt_within(kReading, [board = board_, rank, why] { board->leave_note(rank, why); });
  }

 private:
  static Place local_place() {
    Place place;
    place.address = "127.0.0.1";
    place.served_by_launcher = true;
    return place;
  }
  std::shared_ptr<Board> board_ = std::make_shared<Board>(local_place(), true, Milliseconds(10'000));
};

// Gloo writes to connections without asking for no signal: a peer that has just closed one would end this process.
void ignore_broken_pipes() {
  struct sigaction now{};
  ::sigaction(SIGPIPE, nullptr, &now);
  if (now.sa_handler == SIG_DFL) ::signal(SIGPIPE, SIG_IGN);
}

}  // namespace

std::unique_ptr<World> join(const Place& place, std::chrono::milliseconds timeout) {
  ignore_broken_pipes();
  return std::make_unique<EngineWorld>(place, timeout);
}

std::unique_ptr<MeetingPoint> make_meeting_point() { return std::make_unique<LocalMeetingPoint>(); }

}  // namespace geniepath::distributed
