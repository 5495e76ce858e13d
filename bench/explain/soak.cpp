// Soak test of a running `geniepath serve` under mixed load (scripts/soak):
//   soak PORT PID MINUTES [CLIENTS]
// Clients request scores and paths from a fixed list, others send bad requests, and slow connections stay open. Every
// answer must equal that given to a single client, every refusal must be the expected one, and memory must stay flat.
#include <httplib.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <numeric>
#include <thread>

#include "bad_requests.h"
#include "questions.h"

namespace {

using namespace geniepath;
using Clock = std::chrono::steady_clock;
using Json = nlohmann::json;

constexpr size_t kScores = 300, kPaths = 100, kSlow = 64;
constexpr double kGrowth = 0.05, kGrowthMiB = 16;  // of memory, whichever is more, still counts as flat

struct Question {
  std::string path, body;  // GET if there is no body
  Json answer;             // as given to a single client
};

struct Totals {
  std::mutex mutex;
  std::vector<double> score_times, path_times;  // milliseconds
  int64_t different = 0, failed = 0, refused = 0, unexpected = 0;
};

// The answer, without its time.
Json ask(httplib::Client& client, const Question& question) {
  const auto result =
      question.body.empty() ? client.Get(question.path) : client.Post(question.path, question.body, "application/json");
  if (!result || result->status != 200) return nullptr;
  Json answer = Json::parse(result->body, nullptr, false);
  if (answer.is_object()) answer.erase("seconds");
  return answer;
}

std::vector<Question> questions(httplib::Client& client) {
  const auto described = client.Get("/api/v1/model");
  if (!described || described->status != 200) return {};
  const Json model = Json::parse(described->body);
  const uint64_t nodes = model["dataset"]["nodes"], features = model["features"];
  Random random{7};
  std::vector<Question> all;
  for (size_t n = 0; n < kScores; ++n) all.push_back({"/api/v1/score", bench::score_body(random, features, nodes), {}});
  for (size_t n = 0; n < kPaths; ++n) {
    all.push_back({"/api/v1/nodes/" + std::to_string(random.below(nodes)) + "/paths?hops=" + std::to_string(1 + n % 3) +
                       "&top=50",
                   "",
                   {}});
  }
  for (Question& question : all) question.answer = ask(client, question);
  return all;
}

void ask_on(int port, const std::vector<Question>& all, uint64_t seed, Clock::time_point end, Totals& totals) {
  httplib::Client client("127.0.0.1", port);
  client.set_keep_alive(true);
  client.set_tcp_nodelay(true);
  for (Random random{seed}; Clock::now() < end;) {
    const Question& question = all[random.below(all.size())];
    const auto sent = Clock::now();
    const Json answer = ask(client, question);
    const double time = std::chrono::duration<double, std::milli>(Clock::now() - sent).count();
    const std::lock_guard lock(totals.mutex);
    (question.body.empty() ? totals.path_times : totals.score_times).push_back(time);
    totals.failed += answer.is_null();
    totals.different += !answer.is_null() && answer != question.answer;
  }
}

void misbehave(int port, Clock::time_point end, Totals& totals) {
  const auto all = bench::bad_requests();
  for (size_t n = 0; Clock::now() < end; ++n) {
    const bench::BadRequest& request = all[n % all.size()];
    const int status = bench::status_of_answer(port, request);
    const std::lock_guard lock(totals.mutex);
    ++totals.refused;
    totals.unexpected += status != request.status;
    if (status != request.status)
      std::fprintf(stderr, "%s: expected status %d, found %d\n", request.what, request.status, status);
    if (n % all.size() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
}

// Keeps a number of connections open that began a request and never finish it.
void hold_slow_connections(int port, Clock::time_point end) {
  std::vector<int> sockets(kSlow, -1);
  for (size_t n = 0; Clock::now() < end; ++n) {
    int& socket = sockets[n % kSlow];
    if (socket >= 0) ::close(socket);
    socket = bench::open_slow_connection(port);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  for (const int socket : sockets) ::close(socket);
}

double resident_mib(int64_t process) {
  std::ifstream statm("/proc/" + std::to_string(process) + "/statm");
  double size = 0, resident = 0;
  statm >> size >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) / (1 << 20);
}

// Mean of a tenth of the samples, beginning at this share of them.
double mean_around(const std::vector<double>& samples, double share) {
  const auto begin = static_cast<size_t>(share * static_cast<double>(samples.size()));
  const size_t end = std::min(samples.size(), begin + samples.size() / 10 + 1);
  return std::accumulate(samples.begin() + static_cast<std::ptrdiff_t>(begin),
                         samples.begin() + static_cast<std::ptrdiff_t>(end), 0.0) /
         static_cast<double>(end - begin);
}

std::vector<double> memory_until(Clock::time_point end, int64_t process) {
  std::vector<double> samples;
  for (; Clock::now() < end; std::this_thread::sleep_for(std::chrono::milliseconds(500)))
    samples.push_back(resident_mib(process));
  return samples;
}

void print_times(const char* what, std::vector<double>& times) {
  std::sort(times.begin(), times.end());
  std::printf("| %s | %zu | p50 %.2f ms, p99 %.2f ms, worst %.1f ms |\n", what, times.size(),
              bench::quantile(times, 0.5), bench::quantile(times, 0.99), times.empty() ? 0 : times.back());
}

// Prints the table; returns whether every check passed.
bool report(Totals& totals, const std::vector<double>& memory, bool healthy) {
  const double start = mean_around(memory, 0.1), middle = mean_around(memory, 0.45), end = mean_around(memory, 0.9);
  const bool flat = end <= start + std::max(kGrowthMiB, kGrowth * start);
  std::printf("| | requests | |\n|---|---|---|\n");
  print_times("scores", totals.score_times);
  print_times("paths", totals.path_times);
  std::printf("| of them without an answer | %lld | 0 expected |\n", static_cast<long long>(totals.failed));
  std::printf("| of them answered differently than for a single client | %lld | 0 expected |\n",
              static_cast<long long>(totals.different));
  std::printf("| bad requests | %lld | %lld not refused as expected |\n", static_cast<long long>(totals.refused),
              static_cast<long long>(totals.unexpected));
  std::printf("| memory | | %.1f MiB at the start, %.1f in the middle, %.1f at the end%s |\n", start, middle, end,
              flat ? "" : ": it grows");
  std::printf("| health at the end | | %s |\n", healthy ? "ok" : "not ok");
  const bool asked = !totals.score_times.empty() && !totals.path_times.empty() && totals.refused > 0;
  return asked && flat && healthy && totals.failed + totals.different + totals.unexpected == 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return std::fprintf(stderr, "soak PORT PID MINUTES [CLIENTS]\n"), 2;
  const int port = std::atoi(argv[1]);
  const int64_t process = std::atoll(argv[2]);
  const auto clients = static_cast<uint64_t>(argc > 4 ? std::atoll(argv[4]) : 6);
  httplib::Client first("127.0.0.1", port);
  const std::vector<Question> all = questions(first);
  if (all.empty()) return std::fprintf(stderr, "no server at port %d\n", port), 2;
  const auto end = Clock::now() +
                   std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(60 * std::atof(argv[3])));
  Totals totals;
  std::vector<std::thread> threads;
  for (uint64_t c = 0; c < clients; ++c) threads.emplace_back([&, c] { ask_on(port, all, c + 1, end, totals); });
  threads.emplace_back([&] { misbehave(port, end, totals); });
  threads.emplace_back([&] { hold_slow_connections(port, end); });
  const std::vector<double> memory = memory_until(end, process);
  for (std::thread& thread : threads) thread.join();
  const auto health = first.Get("/api/v1/health");
  return report(totals, memory, health && health->status == 200) ? 0 : 1;
}
