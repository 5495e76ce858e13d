// Training and prediction under --memory-limit.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/random.h"
#include "run_program.h"

namespace geniepath {
namespace {

using GraphJson = nlohmann::ordered_json;
using testing::Outcome;

// The arrays of a graph file, written one after another. Features are left to holes of the file but for every 32nd
// node.
class LargeGraphFile {
 public:
  static constexpr int64_t kNodes = 500000, kFeatures = 1000, kDegree = 3;

  explicit LargeGraphFile(const std::filesystem::path& path) {
    add("in_offset", "I64", {kNodes + 1}, 8), add("labels", "I64", {kNodes}, 8),
        add("features", "F32", {kNodes, kFeatures}, 4);
    add("in_neighbour", "I32", {kNodes * kDegree}, 4), add("part_begin", "I32", {2}, 4);
    for (const char* split : {"train", "valid", "test"}) add(split, "I32", {kSplit}, 4);
    std::string head = GraphJson{{"__metadata__", {{"geniepath", about().dump()}}}}.dump();
    head.pop_back();
    for (const auto& [name, entry] : arrays_.items()) head += "," + GraphJson(name).dump() + ":" + entry.dump();
    head += "}";
    head.append((64 - (8 + head.size()) % 64) % 64, ' ');
    file_.open(path, std::ios::binary);
    put(uint64_t{head.size()});
    file_ << head;
    write_arrays();
    file_.close();
  }

 private:
  static constexpr int64_t kSplit = 4000;

  static GraphJson about() {
    return {{"format", "geniepath-graph"}, {"version", 1},         {"name", "large"},
            {"task", "multi-class"},       {"metric", "accuracy"}, {"classes", 3},
            {"inductive", false},          {"nodes", kNodes},      {"feature-columns", kFeatures}};
  }

  void add(const char* name, const char* type, const std::vector<int64_t>& shape, int64_t bytes) {
    for (const int64_t size : shape) bytes *= size;
    arrays_[name] = {{"dtype", type}, {"shape", shape}, {"data_offsets", {end_, end_ + bytes}}};
    end_ += bytes;
  }

  template <class T>
  void put(T value) {
    file_.write(reinterpret_cast<const char*>(&value), sizeof value);
  }

  void write_arrays() {
    Random random{5};
    for (int64_t i = 0; i <= kNodes; ++i) put(i * kDegree);
    for (int64_t i = 0; i < kNodes; ++i) put(i / 7 % 3);
    for (int64_t i = 0; i < kNodes; ++i) {
      for (int k = 0; k < 40 && i % 32 == 0; ++k) put(static_cast<float>(random.uniform()));
      file_.seekp((kFeatures - (i % 32 == 0 ? 40 : 0)) * 4, std::ios::cur);
    }
    for (int64_t i = 0; i < kNodes; ++i) {
      const int64_t jump = std::min<int64_t>(kNodes - 1, i + 1 + static_cast<int64_t>(random.below(5000)));
      for (const int64_t j : {std::max<int64_t>(0, i - 2), i, jump}) put(static_cast<int32_t>(j));
    }
    put(int32_t{0}), put(static_cast<int32_t>(kNodes));
    for (int first = 0; first < 3; ++first) {
      for (int64_t i = 0; i < kSplit; ++i) put(static_cast<int32_t>(first + i * (kNodes / kSplit)));
    }
  }

  GraphJson arrays_;
  int64_t end_ = 0;
  std::ofstream file_;
};

class MemoryLimitCommands : public testing::ProgramTest {
 protected:
  std::string file(const std::string& name) const { return read_text(scratch_ / name); }

  // metrics.jsonl without times.
  std::string metrics(const std::string& run) const {
    std::istringstream lines(file(run + "/metrics.jsonl"));
    std::string all;
    for (std::string line; std::getline(lines, line);) {
      GraphJson record = GraphJson::parse(line);
      record.erase("seconds");
      all += record.dump() + "\n";
    }
    return all;
  }

  void expect_same_run(const std::string& one, const std::string& other) const {
    EXPECT_EQ(metrics(one), metrics(other));
    EXPECT_EQ(file(one + "/best.safetensors"), file(other + "/best.safetensors"));
    const GraphJson a = GraphJson::parse(file(one + "/result.json")),
                    b = GraphJson::parse(file(other + "/result.json"));
    EXPECT_EQ(a.at("test"), b.at("test"));
    EXPECT_EQ(a.at("valid"), b.at("valid"));
  }
};

// In KiB: private memory that libraries reserve when they are loaded and do not touch; most of it is OpenBLAS's.
int64_t untouched_by_libraries() {
  std::ifstream status("/proc/self/status");
  int64_t reserved = 0, touched = 0;
  for (std::string word; status >> word;) {
    if (word == "VmData:") status >> reserved;
    if (word == "RssAnon:") status >> touched;
  }
  return reserved - touched;
}

// The file is 4.2 times as large as the limit. Private memory is capped by the system at the limit, beside what
// libraries reserve in vain.
TEST_F(MemoryLimitCommands, TrainAndPredictOnAGraphFourTimesLarger) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers reserve memory of their own";
#endif
  const LargeGraphFile graph(scratch_ / "large.safetensors");
  constexpr int64_t kMiB = 448;
  ASSERT_GT(std::filesystem::file_size(scratch_ / "large.safetensors"), 4 * (kMiB << 20));
  const std::string limit = " --memory-limit " + std::to_string(kMiB) + "MiB --threads 2",
                    capped = "ulimit -d " + std::to_string((kMiB << 10) + untouched_by_libraries()) + " && ";
  const std::string train =
      "train --data large.safetensors --model geniepath --hidden 8 --depth 2 --batch neighbours --batch-size 400 "
      "--fan-out 5,5 --epochs 2 --out ";
  ASSERT_EQ(run(train + "free").code, 0);
  const Outcome limited = run(train + "limited" + limit, capped);
  ASSERT_EQ(limited.code, 0) << limited.err;
  EXPECT_NE(limited.out.find(", and pages of files ("), std::string::npos) << limited.out;
  expect_same_run("free", "limited");
  ASSERT_EQ(run("predict --run free --out free.csv").code, 0);
  const Outcome predicted = run("predict --run free --out limited.csv" + limit, capped);
  ASSERT_EQ(predicted.code, 0) << predicted.err;
  EXPECT_TRUE(file("free.csv") == file("limited.csv"));
  ASSERT_EQ(run("embed --run free --out free.npy").code, 0);
  const Outcome embedded = run("embed --run free --out limited.npy" + limit, capped);
  ASSERT_EQ(embedded.code, 0) << embedded.err;
  EXPECT_TRUE(file("free.npy") == file("limited.npy"));
  const Outcome refused =
      run(train + "refused" + limit, "ulimit -d " + std::to_string(untouched_by_libraries() + (160 << 10)) + " && ");
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find(": the program and its libraries reserve "), std::string::npos) << refused.err;
  for (const auto& entry : std::filesystem::directory_iterator(scratch_.path())) {
    EXPECT_EQ(entry.path().string().find("geniepath-scratch"), std::string::npos) << entry.path();
  }
}

// The rows of one step's nodes alone are larger than the limit leaves room for.
TEST_F(MemoryLimitCommands, SayWhatDoesNotFitBeforeTraining) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers reserve memory of their own";
#endif
  const LargeGraphFile graph(scratch_ / "large.safetensors");
  expect_complaint(
      "train --data large.safetensors --model gcn --hidden 8 --depth 2 --batch labor --batch-size 4000 --fan-out 20,20 "
      "--out run --memory-limit 448MiB --threads 2",
      {"--memory-limit 448.0 MiB: a step of ", " nodes, with the batches made ahead, needs ",
       " for the program and its lists of nodes, but ",
       "choose a smaller --batch-size or --fan-out, or --memory-limit "});
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "run/metrics.jsonl"));
}

TEST_F(MemoryLimitCommands, ChangeNoBitWithAnyBatches) {
  ASSERT_EQ(run("convert --data account-device --size 3000 --out small.safetensors").code, 0);
  for (const std::string batch : {"labor --batch-size 300", "components --node-budget 500"}) {
    const std::string train =
        "train --data small.safetensors --feature-transform standardise --hidden 8 --depth 2 --epochs 3 --batch " +
        batch;
    ASSERT_EQ(run(train + " --out free --force").code, 0);
    const Outcome limited = run(train + " --out limited --force --memory-limit 4GiB");
    ASSERT_EQ(limited.code, 0) << limited.err;
    expect_same_run("free", "limited");
  }
  ASSERT_EQ(run("train --resume --out limited --epochs 4 --memory-limit 4GiB").code, 0);
  ASSERT_EQ(run("train --resume --out free --epochs 4").code, 0);
  expect_same_run("free", "limited");
}

TEST_F(MemoryLimitCommands, RefuseALimitWithoutEffect) {
  const std::string file = "train --data graph.safetensors --out run --batch labor ", limit = "--memory-limit 4GiB";
  expect_complaint("train --data graph.safetensors --out run " + limit,
                   {"--memory-limit: a step of --batch whole holds the whole graph; choose --batch neighbours, labor"});
  expect_complaint(file + "--processes 2 " + limit, {"--memory-limit: several processes train without a limit"});
  expect_complaint("train --batch labor --memory-limit 4GiB",
                   {"account-device is loaded into memory as a whole; write it to a graph file"});
  expect_complaint(file + "--memory-limit 2elephants", {"'2elephants': expected a size such as 2GiB or 500MB"});
  expect_complaint(file + "--memory-limit 20MB", {"--memory-limit 19.1 MiB: the program itself takes ", "or more"});
  expect_complaint(file + "--scratch .", {"--scratch requires --memory-limit"});
  expect_complaint(file + "--scratch nowhere " + limit, {"--scratch nowhere: no such folder"});
  ASSERT_EQ(run("train --size 1000 --epochs 1 --out done").code, 0);
  expect_complaint("predict --run done --out p.csv --memory-limit 4GiB",
                   {"account-device is loaded into memory as a whole"});
  expect_complaint("evaluate --run done --paths --memory-limit 4GiB",
                   {"--memory-limit: --paths needs the whole graph in memory"});
  expect_complaint("explain --run done --node 1 --memory-limit 4GiB", {"--memory-limit: not an option of 'explain'"});
}

}  // namespace
}  // namespace geniepath
