#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <csignal>
#include <mutex>

#include "distributed/as_processes.h"
#include "distributed/halo.h"
#include "expect_error.h"
#include "require_gpu.h"

namespace geniepath::distributed {
namespace {

using testing::as_processes;

TEST(Group, OfOneDoesNothing) {
  const at::Tensor x = at::arange(4, at::kFloat);
  at::Tensor sum = x.clone();
  alone().sum(sum);
  EXPECT_TRUE(sum.equal(x));
  EXPECT_TRUE(alone().all_rows(x).equal(x));
  EXPECT_EQ(alone().all_texts("a"), std::vector<std::string>{"a"});
  EXPECT_EQ(alone().text_of_first("b"), "b");
  EXPECT_EQ(alone().number_of_first(3), 3);
}

TEST(Group, SumsToTheSameBitsEverywhere) {
  REQUIRE_GLOO();
  std::mutex mutex;
  std::vector<at::Tensor> sums;
  for (int run = 0; run < 2; ++run) {
    as_processes(3, [&](Group& group) {
      at::Tensor x = at::sin(at::arange(100'000, at::kFloat) * static_cast<double>(group.rank() + 1));
      group.sum(x);
      const std::lock_guard<std::mutex> lock(mutex);
      sums.push_back(x);
    });
  }
  ASSERT_EQ(sums.size(), 6u);
  for (const at::Tensor& x : sums) EXPECT_TRUE(x.equal(sums[0]));
}

// Written to a moment after its peer has closed it, a connection of Gloo's raises SIGPIPE.
TEST(Group, IsNotEndedByABrokenPipe) {
  REQUIRE_GLOO();
  ::signal(SIGPIPE, SIG_DFL);
  as_processes(2, [](Group&) {});
  struct sigaction now{};
  ::sigaction(SIGPIPE, nullptr, &now);
  EXPECT_EQ(now.sa_handler, SIG_IGN);
}

TEST(Group, GathersRowsOfUnevenProcesses) {
  REQUIRE_GLOO();
  as_processes(3, [](Group& group) {
    const int64_t rank = group.rank();
    const at::Tensor all = group.all_rows(at::full({rank, 2}, static_cast<double>(rank)));
    EXPECT_TRUE(all.equal(at::tensor({1., 1., 2., 2., 2., 2.}).to(at::kFloat).view({3, 2})));
    EXPECT_EQ(group.all_rows(at::zeros({0, 2})).size(0), 0);
    EXPECT_EQ(group.all_texts(std::string(static_cast<size_t>(rank), 'x')), (std::vector<std::string>{"", "x", "xx"}));
    EXPECT_EQ(group.text_of_first(rank == 0 ? "first" : "another"), "first");
    EXPECT_EQ(group.number_of_first(static_cast<double>(rank) + 5), 5);
    EXPECT_TRUE(group.any(rank == 2));
    EXPECT_FALSE(group.any(false));
  });
}

// A process by itself, with a GPU to itself: its tensors there go through NCCL, where the build has it.
// Rank r sends 1 + r + n rows, which hold 10 r + n, of exchange n to each process.
TEST(Group, ExchangesManyAtATimeAndWaitsInAnyOrder) {
  REQUIRE_GLOO();
  constexpr int64_t kSize = 3, kExchanges = 9, kWidth = 1000;
  as_processes(kSize, [](Group& group) {
    std::vector<at::Tensor> received;
    std::vector<std::unique_ptr<Pending>> pending;
    for (int64_t n = 0; n < kExchanges; ++n) {
      const std::vector<int64_t> to(kSize, 1 + group.rank() + n), from{1 + n, 2 + n, 3 + n};
      received.push_back(at::zeros({6 + 3 * n, kWidth}));
      pending.push_back(group.start_exchange(
          at::full({kSize * to[0], kWidth}, static_cast<float>(10 * group.rank() + n)), received.back(), to, from));
    }
    for (int64_t n = kExchanges - 1; n >= 0; --n) {
      pending[static_cast<size_t>(n)]->wait();
      at::Tensor rest = received[static_cast<size_t>(n)];
      for (int64_t r = 0; r < kSize; ++r) {
        EXPECT_TRUE((rest.narrow(0, 0, 1 + r + n) == static_cast<double>(10 * r + n)).all().item<bool>());
        rest = rest.narrow(0, 1 + r + n, rest.size(0) - (1 + r + n));
      }
    }
  });
}

TEST(Group, TakesTensorsOnAGpu) {
  REQUIRE_GLOO();
  REQUIRE_GPU();
  as_processes(1, [](Group& group) {
    const at::Tensor x = at::arange(6, at::TensorOptions(at::kFloat).device(device_named("cuda"))).view({3, 2});
    at::Tensor sum = x.clone();
    group.sum(sum);
    EXPECT_TRUE(sum.equal(x));
    EXPECT_TRUE(group.all_rows(x).equal(x));
    EXPECT_TRUE(group.exchange(x, {3}, {3}).equal(x));
    group.copy_from_first(sum);
    EXPECT_TRUE(sum.equal(x));
    EXPECT_EQ(group.all_texts("a"), std::vector<std::string>{"a"});
    EXPECT_EQ(group.sum(2.0), 2.0);
  });
}

// Process r reads node r of every process; process 0 has nodes 0 1 2, process 1 has 3 4 5, process 2 has 6 7 8.
TEST(Halo, FetchesRowsAndSendsGradientsBack) {
  REQUIRE_GLOO();
  as_processes(3, [](Group& group) {
    const auto rank = static_cast<int32_t>(group.rank());
    std::vector<int32_t> own, wanted, owner;
    for (int32_t n = 0; n < 3; ++n) own.push_back(3 * rank + n);
    for (int32_t r = 0; r < 3; ++r) {
      if (r != rank) wanted.push_back(3 * r + rank), owner.push_back(r);
    }
    const Halo halo(group, own, wanted, owner);
    const at::Tensor h = at::tensor(std::vector<float>(own.begin(), own.end())).unsqueeze(1).repeat({1, 4});
    const at::Tensor rows = halo.fetch(h);
    ASSERT_EQ(rows.size(0), 5);
    for (int64_t n = 0; n < 2; ++n)
      EXPECT_EQ(rows[3 + n][2].item<float>(), static_cast<float>(wanted[static_cast<size_t>(n)]));
    // Row n of a process is read by itself and, unless n is its rank, by process n.
    const at::Tensor back = halo.send_back(at::ones({5, 4}));
    for (int64_t n = 0; n < 3; ++n) EXPECT_EQ(back[n][0].item<float>(), n == rank ? 1.f : 2.f);
  });
}

TEST(Halo, RefusesNodesThatTheirOwnerDoesNotHave) {
  REQUIRE_GLOO();
  const auto disagree = [] {
    as_processes(2, [](Group& group) {
      const std::vector<int32_t> own{static_cast<int32_t>(group.rank())}, wanted{7},
          owner{static_cast<int32_t>(1 - group.rank())};
      Halo(group, own, wanted, owner);
    });
  };
  EXPECT_ERROR(disagree(), "reads node 7 of rank 0, which does not own it");
}

TEST(World, NamesARankThatDoesNotCome) {
  REQUIRE_GLOO();
  const auto point = make_meeting_point();
  EXPECT_ERROR(join(testing::place_at(0, 2, point->port()), std::chrono::seconds(1)),
               "rank 1 of 2 has not come within 1 s");
}

TEST(World, RefusesTwoOfOneRank) {
  REQUIRE_GLOO();
  const auto point = make_meeting_point();
  std::thread first(
      [&] { EXPECT_THROW(join(testing::place_at(0, 2, point->port()), std::chrono::seconds(2)), LostProcess); });
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  EXPECT_ERROR(join(testing::place_at(0, 2, point->port()), std::chrono::seconds(1)),
               "two processes say that they are rank 0");
  first.join();
}

}  // namespace
}  // namespace geniepath::distributed
