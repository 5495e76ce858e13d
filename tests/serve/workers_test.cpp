#include "serve/workers.h"

#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <latch>

#include "expect_error.h"

namespace geniepath::serve {
namespace {

TEST(Workers, AreAsManyAtOnceAsThereAreAndNeverMore) {
  std::barrier both(2);
  std::atomic<int> now = 0, most = 0, done = 0;
  {
    Workers workers(2);
    for (int n = 0; n < 8; ++n) {
      workers.add([&] {
        const int here = ++now;
        for (int seen = most; here > seen && !most.compare_exchange_weak(seen, here);) {
        }
        both.arrive_and_wait();
        --now, ++done;
      });
    }
  }
  EXPECT_EQ(done, 8);  // all tasks, before the workers end
  EXPECT_EQ(most, 2);
}

TEST(Workers, TakeWhatCameFirst) {
  std::latch begun(1), go(1);
  std::vector<int> order;  // written only by the one worker
  {
    Workers workers(1);
    workers.add([&] { begun.count_down(), go.wait(); });
    begun.wait();
    for (int n = 0; n < 5; ++n) workers.add([&, n] { order.push_back(n); });
    EXPECT_EQ(workers.waiting(), 5);
    go.count_down();
  }
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4}));
}

// As an unprivileged user with a limit of one process and no further threads.
[[noreturn]] void start_workers_where_no_thread_is_allowed() {
  constexpr uid_t kNobody = 65534;
  const rlimit one{1, 1};
  if (::setrlimit(RLIMIT_NPROC, &one) != 0 || (::geteuid() == 0 && ::setuid(kNobody) != 0)) ::_exit(3);
  try {
    const Workers workers(4);
  } catch (const Error& error) {
    const std::string_view said = error.what();
    ::_exit(said.find("cannot start 4 threads") != std::string_view::npos ? 2 : 4);
  }
  ::_exit(0);
}

TEST(WorkersDeathTest, TooFewThreadsAreAnErrorNotAWaitForEver) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(start_workers_where_no_thread_is_allowed(), ::testing::ExitedWithCode(2), "");
}

}  // namespace
}  // namespace geniepath::serve
