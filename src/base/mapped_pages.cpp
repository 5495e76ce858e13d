#include "base/mapped_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>

namespace geniepath {
namespace {

struct Mapping {
  uintptr_t end;
  std::string path;
};

struct Mappings {
  std::mutex mutex;
  std::map<uintptr_t, Mapping> by_begin;

  // The mapping that contains these bytes, or nullptr.
  const Mapping* around(uintptr_t first, uintptr_t last) const {
    const auto after = by_begin.upper_bound(first);
    if (after == by_begin.begin() || std::prev(after)->second.end < last) return nullptr;
    return &std::prev(after)->second;
  }
};

Mappings& mappings() {
  static auto* all = new Mappings;  // never destroyed: arrays may outlive everything
  return *all;
}

uintptr_t address(const std::byte* at) { return reinterpret_cast<uintptr_t>(at); }

const char* program_name = "";
int lost_exit_code = 0;

void say(const char* text) { static_cast<void>(::write(STDERR_FILENO, text, std::strlen(text)) + 1); }

// Runs in the reading thread. It may lock the mutex: no mapped byte is read while the mutex is held.
void on_bus_error(int signal, siginfo_t* info, void*) {
  const auto at = reinterpret_cast<uintptr_t>(info->si_addr);
  if (info->si_code > 0) {
    const std::lock_guard<std::mutex> lock(mappings().mutex);
    if (const Mapping* lost = mappings().around(at, at + 1)) {
      say(program_name), say(": "), say(lost->path.c_str());
      say(": can no longer be read: it was truncated while in use, or its disk failed\n");
      ::_exit(lost_exit_code);
    }
  }
  ::signal(signal, SIG_DFL);  // not ours: the read is retried and fails by default
  if (info->si_code <= 0) ::raise(signal);
}

}  // namespace

void exit_when_a_mapping_is_lost(const char* program, int exit_code) {
  program_name = program, lost_exit_code = exit_code;
  struct sigaction action {};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO;
  ::sigaction(SIGBUS, &action, nullptr);
}

void note_mapped(std::span<const std::byte> bytes, const std::string& path) {
  const std::lock_guard<std::mutex> lock(mappings().mutex);
  mappings().by_begin[address(bytes.data())] = {address(bytes.data() + bytes.size()), path};
}

void note_unmapped(std::span<const std::byte> bytes) {
  const std::lock_guard<std::mutex> lock(mappings().mutex);
  mappings().by_begin.erase(address(bytes.data()));
}

void let_go_of_mapped(std::span<const std::byte> bytes) {
  const auto page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  const uintptr_t first = (address(bytes.data()) + page - 1) / page * page;
  const uintptr_t last = address(bytes.data() + bytes.size()) / page * page;
  if (first >= last) return;
  const std::lock_guard<std::mutex> lock(mappings().mutex);
  if (mappings().around(first, last) == nullptr) return;
  ::madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

}  // namespace geniepath
