// Load test of scoring unseen accounts over HTTP, by several clients at once, against a running `geniepath serve`:
//   score_load PORT [CLIENTS [REQUESTS_EACH [FEATURES [NODES]]]]
// Each client sends its next request as soon as it is answered, over a persistent connection.
#include <httplib.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

#include "questions.h"

namespace {

using geniepath::Random;
using Clock = std::chrono::steady_clock;

}  // namespace

int main(int argc, char** argv) {
  const auto argument = [&](int n, int64_t otherwise) { return argc > n ? std::atoll(argv[n]) : otherwise; };
  const auto port = static_cast<int>(argument(1, 8080));
  const int64_t clients = argument(2, 8), each = argument(3, 500), features = argument(4, 400),
                nodes = argument(5, 20000);
  std::vector<std::vector<double>> times(static_cast<size_t>(clients));
  std::vector<int> failed(static_cast<size_t>(clients), 0);
  std::vector<std::thread> threads;
  const auto start = Clock::now();
  for (size_t c = 0; c < times.size(); ++c) {
    threads.emplace_back([&, c] {
      httplib::Client client("127.0.0.1", port);
      client.set_keep_alive(true);
      client.set_tcp_nodelay(true);
      Random random{7, c};
      for (int64_t n = 0; n < each; ++n) {
        const std::string request =
            geniepath::bench::score_body(random, static_cast<uint64_t>(features), static_cast<uint64_t>(nodes));
        const auto sent = Clock::now();
        const auto result = client.Post("/api/v1/score", request, "application/json");
        times[c].push_back(std::chrono::duration<double, std::milli>(Clock::now() - sent).count());
        failed[c] += !result || result->status != 200;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  std::vector<double> all;
  int failures = 0;
  for (size_t c = 0; c < times.size(); ++c)
    all.insert(all.end(), times[c].begin(), times[c].end()), failures += failed[c];
  std::sort(all.begin(), all.end());
  const auto at = [&](double share) { return geniepath::bench::quantile(all, share); };
  std::printf(
      "%lld clients, %zu requests, %d failed, %.0f per second: median %.2f ms, p90 %.2f, p99 %.2f, worst %.2f\n",
      static_cast<long long>(clients), all.size(), failures, static_cast<double>(all.size()) / seconds, at(0.5),
      at(0.9), at(0.99), all.back());
  return failures == 0 ? 0 : 1;
}
