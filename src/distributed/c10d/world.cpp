#include "distributed/world.h"

#include <ATen/ATen.h>
#include <atomic>
#include <csignal>
#include <future>
#include <mutex>
#include <set>
#include <thread>

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "distributed/c10d/engine.h"
#include "geniepath/version.h"

namespace geniepath::distributed {
namespace {

using Milliseconds = std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr Milliseconds kBeat{200};         // between two signs of life
constexpr Milliseconds kNaming{3000};      // at most, to find out who is lost: many beats, also on a busy machine
constexpr Milliseconds kReading{1500};     // for the others to read an announcement

// Part of the timeout that is left to find out who is lost.
Milliseconds naming_time(Milliseconds timeout) { return std::min(kNaming, timeout / 3); }

// Runs work that might never end, as a host that is stopped does not answer: on a thread that is then left behind. Throws
// what the work throws; returns false if it has not ended in time.
template <class Work>
bool ends_within(Milliseconds limit, Work work) {
  const auto done = std::make_shared<std::promise<void>>();
  std::future<void> ended = done->get_future();
  std::thread([done, work = std::move(work)]() mutable {
    try {
      work();
      done->set_value();
    } catch (...) {
      done->set_exception(std::current_exception());
    }
  }).detach();
  if (ended.wait_for(limit) != std::future_status::ready) return false;
  ended.get();
  return true;
}

std::string prefix_of(const Place& place) { return "geniepath/" + place.attempt; }

// LibTorch 2 asks for libuv by default, also where it is built without.
template <class StoreOptions>
void do_without_libuv(StoreOptions& options) {
  if constexpr (requires { options.useLibUV; }) options.useLibUV = false;
}

// A connection to the store. Its keys:
//   came/RANK   version and number of processes       claimed/RANK  how many say to be this rank
//   alive/RANK  a number that grows                    left/RANK     why it stops
//   notes       how many have stopped                  read          how many have read why
//   gave_up     who did not come, when the first has waited long enough
class Board {
 public:
  Board(const Place& place, bool serves, Milliseconds timeout) {
    c10d::TCPStoreOptions options;
    options.port = place.port;
    options.isServer = serves;
    options.waitWorkers = false;
    options.timeout = timeout;
    do_without_libuv(options);
    served_ = c10::make_intrusive<c10d::TCPStore>(place.address, options);
    store_ = c10::make_intrusive<c10d::PrefixStore>(prefix_of(place), served_);
  }

  uint16_t port() const { return served_->getPort(); }
  const c10::intrusive_ptr<c10d::PrefixStore>& store() const { return store_; }

  void set(const std::string& key, const std::string& text) { store_->set(key, std::vector<uint8_t>(text.begin(), text.end())); }
  bool has(const std::string& key) { return store_->check({key}); }
  std::string get(const std::string& key) {
    const std::vector<uint8_t> bytes = store_->get(key);
    return {bytes.begin(), bytes.end()};
  }
  int64_t add(const std::string& key, int64_t amount) { return store_->add(key, amount); }

  void leave_note(int64_t rank, const std::string& why) {
    set(of("left", rank), why);
    add("notes", 1);
  }
  // Why another process has stopped; empty: none has, or nobody says.
  std::string note(int64_t size) {
    if (add("notes", 0) == 0) return "";
    for (int64_t r = 0; r < size; ++r) {
      if (has(of("left", r))) return get(of("left", r));
    }
    return "";
  }

  static std::string of(const char* key, int64_t rank) { return std::string(key) + "/" + std::to_string(rank); }

 private:
  c10::intrusive_ptr<c10d::TCPStore> served_;
  c10::intrusive_ptr<c10d::PrefixStore> store_;
};

// A thread that tells the others that this process is alive, and listens why one of them stops. It is left behind at the
// end, as the store may no longer answer.
class Heart {
 public:
  Heart(std::shared_ptr<Board> board, const Place& place) : shared_(std::make_shared<Shared>()) {
    std::thread([board, shared = shared_, rank = place.rank, size = place.size] {
      try {
        while (!shared->stopped) {
          board->add(Board::of("alive", rank), 1);
          if (shared->listens && shared->hear(board->note(size))) board->add("read", 1);
          std::this_thread::sleep_for(kBeat);
        }
      } catch (const std::exception&) {  // no store: the operations of the group fail as well
      }
    }).detach();
  }
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

std::string listed_ranks(const std::set<int64_t>& ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (const int64_t rank : ranks) text += (rank == *ranks.begin() ? "" : ", ") + std::to_string(rank);
  return text;
}

std::string seconds_text(Milliseconds time) { return std::to_string((time.count() + 999) / 1000) + " s"; }

// What the groups share with their world.
struct Meeting : std::enable_shared_from_this<Meeting> {
  Place place;
  Milliseconds timeout;
  std::shared_ptr<Board> board;
  std::unique_ptr<Heart> heart;
  std::atomic<int> groups = 0;  // made so far, which numbers them
  mutable std::atomic<bool> failed = false;

  std::unique_ptr<Group> make_group();

  // Throws a LostProcess that says who failed and, if it said so, why.
  [[noreturn]] void explain(const std::string& symptom) const {
    failed = true;
    throw_what_was_heard();
    const auto found = std::make_shared<std::string>();
    const Milliseconds limit = naming_time(timeout);
    try {
      const bool answered = ends_within(limit + kBeat, [found, limit, own = place, shared = board] {
        *found = find_lost(*shared, own, limit);
      });
      if (!answered) throw std::runtime_error("no answer");
    } catch (const std::exception&) {
      throw_what_was_heard();  // meanwhile, after which rank 0 may end and the store with it
      throw LostProcess(store_is_lost());
    }
    throw LostProcess(found->empty() ? "the connection to another process broke: " + symptom : *found);
  }

  void throw_what_was_heard() const {
    if (const std::string heard = heart->heard(); !heard.empty()) throw LostProcess(heard);
  }

  std::string store_is_lost() const {
    if (!place.served_by_launcher) return "rank 0 does not answer: it was killed or stopped, or its machine is lost";
    return "the launcher's store at " + place.address + ":" + std::to_string(place.port) + " does not answer";
  }

 private:
  // A note, or else the ranks that show no sign of life.
  static std::string find_lost(Board& board, const Place& place, Milliseconds limit) {
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
};

// What an operation under way refers to; LibTorch 1.13 keeps references to the counts.
struct Operands {
  at::Tensor staged, x;  // the result arrives in `staged` and, if that is another tensor, is then copied to `x`
  at::Tensor sent = {};
  std::vector<int64_t> output = {}, input = {};
};

class EnginePending final : public Pending {
 public:
  EnginePending(c10::intrusive_ptr<c10d::Work> work, std::unique_ptr<Operands> operands, std::shared_ptr<const Meeting> meeting)
      : work_(std::move(work)), operands_(std::move(operands)), meeting_(std::move(meeting)) {}
  // Where nobody waits for it, after an error, it may go on: what it refers to stays.
  ~EnginePending() override {
    if (!work_->isCompleted()) operands_.release();
  }
  void wait() override {
    try {
      work_->wait();
    } catch (const std::exception& error) {
      meeting_->explain(c10::GetExceptionString(error));
    }
    if (!operands_->x.is_same(operands_->staged)) operands_->x.copy_(operands_->staged);
  }

 private:
  c10::intrusive_ptr<c10d::Work> work_;
  std::unique_ptr<Operands> operands_;
  std::shared_ptr<const Meeting> meeting_;
};

// Tensors in memory go through Gloo, those on GPUs through NCCL where every process has a GPU to itself. Of the two
// engines one may be missing: the other then takes all tensors.
class EngineGroup final : public Group {
 public:
  EngineGroup(std::shared_ptr<Meeting> meeting, int number) : meeting_(std::move(meeting)) {
    const Place& place = meeting_->place;
    const Milliseconds timeout = meeting_->timeout - naming_time(meeting_->timeout);
    const auto store = c10::make_intrusive<c10d::PrefixStore>("group/" + std::to_string(number), meeting_->board->store());
    store->setTimeout(timeout);
    gloo_ = make_gloo(store, place, timeout);
    if (all_can_use_nccl(*store)) nccl_ = make_nccl(c10::make_intrusive<c10d::PrefixStore>("nccl", store), place, timeout);
    if (!gloo_ && !nccl_) {
      fail("several processes: this geniepath was built without Gloo's headers (install libgloo-dev, or give their folder, "
           "-DGLOO_INCLUDE_DIR, and build it again), and NCCL needs a GPU for each of them");
    }
  }

  // After a failure, operations under way may take the rest of their timeout: they are left to it.
  ~EngineGroup() override {
    if (!meeting_->failed) return;
    gloo_.release();
    nccl_.release();
  }

  int64_t rank() const override { return meeting_->place.rank; }
  int64_t size() const override { return meeting_->place.size; }

  std::unique_ptr<Group> another() override { return meeting_->make_group(); }

  std::unique_ptr<Pending> start_sum(at::Tensor x) override {
    std::vector<at::Tensor> tensors{staged(x)};
    return started({tensors[0], std::move(x)}, [&](Engine& engine, Operands&) { return engine.allreduce(tensors); });
  }

  at::Tensor all_rows(const at::Tensor& x) override {
    const at::Tensor counts = at::zeros({size()}, at::kLong);
    counts[rank()] = x.size(0);
    sum(counts);
    const int64_t most = counts.max().item<int64_t>();
    auto shape = x.sizes().vec();
    shape[0] = most;
    at::Tensor padded = staged(at::zeros(shape, x.options()));
    padded.narrow(0, 0, x.size(0)).copy_(x);
    std::vector<at::Tensor> input{padded};
    std::vector<std::vector<at::Tensor>> output(1);
    for (int64_t r = 0; r < size(); ++r) output[0].push_back(at::empty(shape, padded.options()));
    if (padded.numel() > 0) {
      started({padded, padded}, [&](Engine& engine, Operands&) { return engine.allgather(output, input); })->wait();
    }
    std::vector<at::Tensor> rows;
    for (int64_t r = 0; r < size(); ++r) rows.push_back(output[0][static_cast<size_t>(r)].narrow(0, 0, counts[r].item<int64_t>()));
    return at::cat(rows).to(x.device());
  }

  void copy_from_first(at::Tensor x) override {
    if (x.numel() == 0) return;
    std::vector<at::Tensor> tensors{staged(x.contiguous())};
    started({tensors[0], std::move(x)}, [&](Engine& engine, Operands&) { return engine.broadcast(tensors); })->wait();
  }

  std::unique_ptr<Pending> start_exchange(at::Tensor x, at::Tensor received, const std::vector<int64_t>& to,
                                          const std::vector<int64_t>& from) override {
    at::Tensor sent = staged(x), arriving = staged(received);
    return started({std::move(arriving), std::move(received), std::move(sent), from, to},
                   [](Engine& engine, Operands& o) { return engine.alltoall_base(o.staged, o.sent, o.output, o.input); });
  }

 private:
  // Agreed on by all, at the store.
  bool all_can_use_nccl(c10d::Store& store) const {
    const auto key = [](int64_t r) { return "can_use_nccl/" + std::to_string(r); };
    store.set(key(rank()), std::vector<uint8_t>{can_use_nccl(meeting_->place)});
    bool all = true;
    for (int64_t r = 0; r < size(); ++r) all = store.get(key(r)).at(0) != 0 && all;
    return all;
  }

  Engine& engine_of(const at::Tensor& staged) const { return staged.is_cuda() && nccl_ ? *nccl_ : gloo_ ? *gloo_ : *nccl_; }

  // x where an engine takes it.
  at::Tensor staged(const at::Tensor& x) const { return gloo_ || x.is_cuda() ? x : x.to(at::Device(at::kCUDA)); }

  template <class Start>
  std::unique_ptr<Pending> started(Operands given, Start start) {
    try {
      auto operands = std::make_unique<Operands>(std::move(given));
      auto work = start(engine_of(operands->staged), *operands);
      return std::make_unique<EnginePending>(std::move(work), std::move(operands), meeting_);
    } catch (const std::exception& error) {
      meeting_->explain(c10::GetExceptionString(error));
    }
  }

  std::shared_ptr<Meeting> meeting_;
  SharedEngine gloo_, nccl_;
};

std::unique_ptr<Group> Meeting::make_group() {
  const auto made = std::make_shared<std::unique_ptr<Group>>();
  try {
    const auto work = [made, number = groups++, meeting = shared_from_this()] {
      *made = std::make_unique<EngineGroup>(meeting, number);
    };
    if (ends_within(timeout, work)) return std::move(*made);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    explain(c10::GetExceptionString(error));
  }
  explain("no answer");
}

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
      if (other != introduction(place)) fail("rank ", r, " is ", other, ", but rank ", place.rank, " is ", introduction(place));
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
    try {
      ends_within(kReading + kBeat, work);
    } catch (const std::exception&) {  // the others find out by themselves
    }
  }

 private:
  std::shared_ptr<Meeting> meeting_;
};

class LocalMeetingPoint final : public MeetingPoint {
 public:
  LocalMeetingPoint() : board_(local_place(), true, Milliseconds(10'000)) {}
  uint16_t port() const override { return board_.port(); }
  void announce(int64_t rank, const std::string& why) override { board_.leave_note(rank, why); }

 private:
  static Place local_place() {
    Place place;
    place.address = "127.0.0.1";
    place.served_by_launcher = true;
    return place;
  }
  Board board_;
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
