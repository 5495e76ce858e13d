#include "serve/workers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <latch>
#include <stdexcept>

namespace geniepath::serve {
namespace {

TEST(Workers, GiveWhatIsReturnedAndThrowWhatIsThrown) {
  Workers workers(2);
  EXPECT_EQ(workers.run([] { return std::string("answer"); }), "answer");
  EXPECT_THROW(workers.run([]() -> int { throw std::invalid_argument("question"); }), std::invalid_argument);
  EXPECT_EQ(workers.run([] { return 7; }), 7);
}

TEST(Workers, AreAsManyAtOnceAsThereAreAndNeverMore) {
  Workers workers(2);
  std::barrier both(2);
  std::atomic<int> now = 0, most = 0, done = 0;
  std::vector<std::jthread> callers;
  for (int c = 0; c < 8; ++c) {
    callers.emplace_back([&] {
      workers.run([&] {
        const int here = ++now;
        for (int seen = most; here > seen && !most.compare_exchange_weak(seen, here);) {
        }
        both.arrive_and_wait();
        --now;
        return ++done;
      });
    });
  }
  callers.clear();
  EXPECT_EQ(done, 8);
  EXPECT_EQ(most, 2);
}

TEST(Workers, TakeWhoCameFirst) {
  Workers workers(1);
  std::latch begun(1), go(1);
  std::jthread first([&] {
    workers.run([&] {
      begun.count_down();
      go.wait();
      return 0;
    });
  });
  begun.wait();
  std::vector<int> order;  // written by the one worker alone
  std::vector<std::jthread> callers;
  for (int c = 0; c < 5; ++c) {
    callers.emplace_back([&, c] { workers.run([&, c] { return order.push_back(c), c; }); });
    while (workers.waiting() <= c) std::this_thread::yield();
  }
  go.count_down();
  callers.clear();
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4}));
}

}  // namespace
}  // namespace geniepath::serve
