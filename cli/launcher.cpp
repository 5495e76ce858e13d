// Launcher of `geniepath`: sets environment variables that libraries read when loaded, then runs the program.
//
// Waiting threads of libgomp (LibTorch's, oneDNN's and ours) spin for 300,000 rounds, 3 to 20 ms, before they sleep.
// Where another process or a container's limit leaves fewer cores than threads, the awaited thread does not run
// meanwhile, and every step takes a time slice: trainings that shared two cores took 25 times as long. Not spinning at
// all slows down a training that has its cores to itself. Waking a thread costs some microseconds; spinning for about
// as long is never much worse than the better of the two.

#include <sys/auxv.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace {

constexpr int kUserError = 2;
constexpr std::chrono::duration<double, std::micro> kSpinFor{50};

// One round of libgomp's spinning; its duration differs tenfold between CPUs.
void pause_once() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#else
  __asm__ volatile("" ::: "memory");
#endif
}

long rounds_to_spin() {
  constexpr int kSample = 500;
  const auto start = std::chrono::steady_clock::now();
  for (int round = 0; round < kSample; ++round) pause_once();
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
  return static_cast<long>(kSample * kSpinFor / took);
}

void wait_patiently() {
  if (std::getenv("OMP_WAIT_POLICY") != nullptr) return;  // the user's choice
  ::setenv("GOMP_SPINCOUNT", std::to_string(rounds_to_spin()).c_str(), /*overwrite=*/0);
}

// OpenBLAS asks for its buffers again and again where there is no room for them.
bool has_address_space() {
  constexpr rlim_t kLeast = rlim_t{1} << 30;
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= kLeast) return true;
  std::fprintf(stderr, "geniepath: address space: expected at least %llu KiB, found a limit of %llu (ulimit -v)\n",
               static_cast<unsigned long long>(kLeast >> 10), static_cast<unsigned long long>(limit.rlim_cur >> 10));
  return false;
}

// Follows links to the launcher, without /proc, which a bare chroot lacks.
std::string program() {
  const std::filesystem::path started_as = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));
  std::error_code not_found;
  const std::filesystem::path launcher = std::filesystem::canonical(started_as, not_found);
  return (not_found ? started_as : launcher).parent_path() / GENIEPATH_PROGRAM_FROM_HERE;
}

}  // namespace

int main(int, char** argv) {
  if (!has_address_space()) return kUserError;
  wait_patiently();
  const std::string path = program();
  ::execv(path.c_str(), argv);
  std::perror(("geniepath: cannot start " + path).c_str());
  return kUserError;
}
