#include "distributed/c10d/board.h"

namespace geniepath::distributed {
namespace {

std::string prefix_of(const Place& place) { return "geniepath/" + place.attempt; }

// LibTorch 2 asks for libuv by default, even where it was built without it.
template <class StoreOptions>
void do_without_libuv(StoreOptions& options) {
  if constexpr (requires { options.useLibUV; }) options.useLibUV = false;
}

}  // namespace

Board::Board(const Place& place, bool serves, Milliseconds timeout) {
  c10d::TCPStoreOptions options;
  options.port = place.port;
  options.isServer = serves;
  options.waitWorkers = false;
  options.timeout = timeout;
  do_without_libuv(options);
  served_ = c10::make_intrusive<c10d::TCPStore>(place.address, options);
  store_ = c10::make_intrusive<c10d::PrefixStore>(prefix_of(place), served_);
}

void Board::leave_note(int64_t rank, const std::string& why) {
  set(of("left", rank), why);
  add("notes", 1);
}

std::string Board::note(int64_t size) {
  if (add("notes", 0) == 0) return "";
  for (int64_t r = 0; r < size; ++r) {
    if (has(of("left", r))) return get(of("left", r));
  }
  return "";
}

Heart::Heart(std::shared_ptr<Board> board, const Place& place) : shared_(std::make_shared<Shared>()) {
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

}  // namespace geniepath::distributed
