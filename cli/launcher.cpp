// What `geniepath` starts as: it sets what libraries read from the environment when they are loaded, then becomes the
// program proper.
//
// Threads of libgomp (LibTorch's, oneDNN's and ours) that wait spin 300,000 rounds before they sleep, which is 3 to 20 ms.
// Where a neighbour or a container's limit leaves fewer cores than threads, the thread that is waited for does not run
// meanwhile, and every step takes a time slice: trainings that share two cores took 25 times as long. Not to spin at all
// makes one that has its cores to itself slower. Waking a thread costs some microseconds; to spin about as long as that is
// never much worse than the better of the two.

#include <sys/auxv.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace {

constexpr int kUserError = 2;
constexpr std::chrono::duration<double, std::micro> kSpinFor{50};

// One round of libgomp's spinning: CPUs differ tenfold in how long they pause.
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

// Links to the launcher are followed; nothing needs /proc, which a bare chroot lacks.
std::string program() {
  const std::filesystem::path started_as = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));
  std::error_code not_found;
  const std::filesystem::path launcher = std::filesystem::canonical(started_as, not_found);
  return (not_found ? started_as : launcher).parent_path() / GENIEPATH_PROGRAM_FROM_HERE;
}

}  // namespace

int main(int, char** argv) {
  wait_patiently();
  const std::string path = program();
  ::execv(path.c_str(), argv);
  std::perror(("geniepath: cannot start " + path).c_str());
  return kUserError;
}
