// Preloaded into the program under test (LD_PRELOAD, glibc): makes one chosen operation fail.
//   FAULT=write:7         the seventh write fails, half done, as on a full disk
//   FAULT=write:7+        and so does every later one
//   FAULT=change:12!      the process is killed just before its twelfth change to a file, a write half done
//   FAULT_COUNTS=FILE     gets a line "KIND N" with the number of operations per kind, if the program ends by itself
// Kinds:
//   write, fsync, rename
//   change    any of these, and creating, truncating and removing files and folders
//   mmap      by the program and the libraries built with it
//   malloc    of kLargeAllocation bytes or more, except by oneDNN, which does not check the result. When smaller ones
//             fail, the C library, OpenMP and the loader end a program in ways of their own.
// Operations count from the beginning of main() to _Exit(), with which the program ends.
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
}

namespace {

constexpr size_t kLargeAllocation = 16 << 10;

enum Kind { kWrite, kFsync, kRename, kChange, kMmap, kMalloc, kKinds };
constexpr const char* kNames[kKinds] = {"write", "fsync", "rename", "change", "mmap", "malloc"};

struct Fault {
  int kind = kKinds;
  long at = 0;
  bool onwards = false, deadly = false;
};

Fault fault;
std::atomic<long> counts[kKinds];
std::atomic<bool> armed{false};

void read_fault() {
  const char* text = std::getenv("FAULT");
  const char* colon = text == nullptr ? nullptr : std::strchr(text, ':');
  if (colon == nullptr) return;
  for (int kind = 0; kind < kKinds; ++kind) {
    if (std::strncmp(text, kNames[kind], static_cast<size_t>(colon - text)) == 0) fault.kind = kind;
  }
  char* end = nullptr;
  fault.at = std::strtol(colon + 1, &end, 10);
  fault.onwards = *end == '+';
  fault.deadly = *end == '!';
}

// Whether this operation is the chosen one.
bool strikes(Kind kind) {
  if (!armed) return false;
  const long number = ++counts[kind];
  return kind == fault.kind && (number == fault.at || (fault.onwards && number > fault.at));
}

[[noreturn]] void die() {
  syscall(SYS_kill, getpid(), SIGKILL);
  for (;;) pause();
}

// Counts a change, and ends the process if it is the chosen one.
void before_change() {
  if (strikes(kChange) && fault.deadly) die();
}

bool fails(Kind kind, int with) {
  if (!strikes(kind)) return false;
  errno = with;
  return true;
}

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

// Whether the caller is in a file of this name.
bool is_in(const char* name, void* caller) {
  Dl_info info{};
  return dladdr(caller, &info) != 0 && info.dli_fname != nullptr && std::strstr(info.dli_fname, name) != nullptr;
}

bool no_memory(size_t size, void* caller) {
  return size >= kLargeAllocation && armed && !is_in("libdnnl", caller) && fails(kMalloc, ENOMEM);
}

void write_counts() {
  const char* path = std::getenv("FAULT_COUNTS");
  if (path == nullptr) return;
  const int file = static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0600));
  char line[64];
  for (int kind = 0; kind < kKinds; ++kind) {
    const int size = std::snprintf(line, sizeof line, "%s %ld\n", kNames[kind], counts[kind].load());
    syscall(SYS_write, file, line, static_cast<size_t>(size));
  }
  syscall(SYS_close, file);
}

using Main = int(int, char**, char**);
Main* real_main = nullptr;

int counted_main(int argc, char** argv, char** environment) {
  read_fault();
  armed = true;
  return real_main(argc, argv, environment);
}

}  // namespace

extern "C" {

// How the program ends.
void _Exit(int code) {
  armed = false;
  write_counts();
  syscall(SYS_exit_group, code);
  __builtin_unreachable();
}

int __libc_start_main(Main* main, int argc, char** argv, void (*init)(), void (*fini)(), void (*rtld_fini)(),
                      void* stack) {
  using Start = int(Main*, int, char**, void (*)(), void (*)(), void (*)(), void*);
  real_main = main;
  return next<Start>("__libc_start_main")(counted_main, argc, argv, init, fini, rtld_fini, stack);
}

ssize_t write(int file, const void* bytes, size_t size) {
  const auto half = [&] { return file > STDERR_FILENO ? syscall(SYS_write, file, bytes, size / 2) : 0; };
  if (strikes(kChange) && fault.deadly) {
    half();
    die();
  }
  if (strikes(kWrite)) {
    half();
    errno = ENOSPC;
    return -1;
  }
  return syscall(SYS_write, file, bytes, size);
}

ssize_t writev(int file, const iovec* pieces, int count) {
  before_change();
  return fails(kWrite, ENOSPC) ? -1 : syscall(SYS_writev, file, pieces, count);
}

int fsync(int file) {
  before_change();
  return fails(kFsync, EIO) ? -1 : static_cast<int>(syscall(SYS_fsync, file));
}

int rename(const char* from, const char* to) {
  before_change();
  return fails(kRename, EIO) ? -1 : static_cast<int>(syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to));
}

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  if ((flags & (O_CREAT | O_TRUNC)) != 0) before_change();
  return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}

int mkdir(const char* path, mode_t mode) {
  before_change();
  return static_cast<int>(syscall(SYS_mkdirat, AT_FDCWD, path, mode));
}

int unlinkat(int folder, const char* path, int flags) {
  before_change();
  return static_cast<int>(syscall(SYS_unlinkat, folder, path, flags));
}

int unlink(const char* path) { return unlinkat(AT_FDCWD, path, 0); }

int rmdir(const char* path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }

int remove(const char* path) {
  const int removed = unlink(path);
  return removed != 0 && errno == EISDIR ? rmdir(path) : removed;
}

int ftruncate(int file, off_t size) {
  before_change();
  return static_cast<int>(syscall(SYS_ftruncate, file, size));
}

void* mmap(void* place, size_t size, int protection, int flags, int file, off_t offset) {
  if (is_in("geniepath", __builtin_return_address(0)) && fails(kMmap, ENOMEM)) return MAP_FAILED;
  return reinterpret_cast<void*>(syscall(SYS_mmap, place, size, protection, flags, file, offset));
}

void* malloc(size_t size) {
  return no_memory(size, __builtin_return_address(0)) ? nullptr : __libc_malloc(size);
}

void* calloc(size_t count, size_t size) {
  size_t bytes = 0;
  const bool overflows = __builtin_mul_overflow(count, size, &bytes);
  return !overflows && no_memory(bytes, __builtin_return_address(0)) ? nullptr : __libc_calloc(count, size);
}

void* realloc(void* old, size_t size) {
  return no_memory(size, __builtin_return_address(0)) ? nullptr : __libc_realloc(old, size);
}

int posix_memalign(void** place, size_t alignment, size_t size) {
  if (no_memory(size, __builtin_return_address(0))) return ENOMEM;
  *place = __libc_memalign(alignment, size);
  return *place == nullptr ? ENOMEM : 0;
}

void* aligned_alloc(size_t alignment, size_t size) {
  return no_memory(size, __builtin_return_address(0)) ? nullptr : __libc_memalign(alignment, size);
}

}  // extern "C"
