// Every command with its n-th write, fsync, rename, mmap or large allocation failing: it succeeds or says what failed,
// leaves whole files, and the old run still works. One n per kind by default; GENIEPATH_FAULTS=all tries every one.
#include "faults/faulty_program.h"

namespace geniepath {
namespace {

using testing::Outcome;

struct Command {
  std::string arguments;
  std::vector<std::string> outputs;  // files in "case" that are replaced whole or not at all
  std::vector<std::string> repairs;  // after a failure, the first of these that applies succeeds
};

class Faults : public testing::FaultyProgram {
 protected:
  void expect_whole_outputs(const Command& command, const Outcome& outcome) const {
    for (const std::string& output : command.outputs) {
      const std::string text = read_text(scratch_ / ("case/" + output));
      if (outcome.code != 0 && text == old_) continue;
      EXPECT_EQ(text, reference_.at(output)) << output;
    }
  }

  void try_fault(const Command& command, const std::string& fault) {
    SCOPED_TRACE("FAULT=" + fault + " geniepath " + command.arguments);
    make_case(command.outputs);
    const Outcome outcome = run_with(fault, command.arguments);
    EXPECT_TRUE(outcome.code == 0 || outcome.code == 2) << outcome.code << "\n" << outcome.err;
    if (outcome.code == 2) {
      EXPECT_NE(("\n" + outcome.err).find("\ngeniepath: "), std::string::npos) << outcome.err;
      EXPECT_EQ(outcome.err.find("internal error"), std::string::npos) << outcome.err;
    }
    EXPECT_EQ(leftovers(), std::vector<std::string>());
    if (outcome.code != 0) {
      EXPECT_EQ(loose_pieces(), std::vector<std::string>());
    }
    expect_whole_outputs(command, outcome);
    if (outcome.code != 0 && !command.repairs.empty()) repair(command.repairs);
    ++tried_;
  }

  void try_all(const Command& command) {
    make_case(command.outputs);
    const Outcome well = run_with("", command.arguments);
    ASSERT_EQ(well.code, 0) << command.arguments << "\n" << well.err;
    for (const std::string& output : command.outputs) reference_[output] = read_text(scratch_ / ("case/" + output));
    const auto well_counts = counts();
    for (const auto& [kind, total] : well_counts) {
      if (kind == "change") continue;
      for (const int64_t n : chosen(total, 1)) try_fault(command, kind + ":" + std::to_string(n));
    }
    // A disk that stays full.
    for (const int64_t n : chosen(well_counts.at("write"), 0)) try_fault(command, "write:" + std::to_string(n) + "+");
  }

  // Files of a partition in "case/pieces" that is not whole.
  std::vector<std::string> loose_pieces() const {
    const std::filesystem::path pieces = scratch_ / "case/pieces";
    std::vector<std::string> found;
    if (!std::filesystem::exists(pieces) || std::filesystem::exists(pieces / "partition.json")) return found;
    for (const auto& entry : std::filesystem::directory_iterator(pieces)) {
      if (entry.path().filename().string().starts_with("piece")) found.push_back(entry.path().string());
    }
    return found;
  }

  std::map<std::string, std::string> reference_;
};

TEST_F(Faults, OfTraining) {
  const std::string again = "evaluate --run case/run";
  try_all({"train " + small_ + "--out case/new",
           {},
           {"train --resume --out case/new", "train " + small_ + "--out case/new"}});
  try_all({"train " + small_ + "--seed 5 --force --out case/run", {}, {again, "train --resume --out case/run"}});
  try_all({"train --resume --epochs 5 --threads 1 --out case/run", {}, {again}});
}

TEST_F(Faults, OfUsingARun) {
  try_all({"evaluate --run case/run", {}, {}});
  try_all({"evaluate --run case/run --paths --sample 2", {"run/paths.json"}, {}});
  try_all({"predict --run case/run --out case/p.csv", {"p.csv"}, {}});
  try_all({"embed --run case/run --out case/z.npy", {"z.npy"}, {}});
  try_all({"explain --run case/run --node 1 --out case/e.csv", {"e.csv"}, {}});
  try_all({"report --run case/run --sample 2 --out case/r.html", {"r.html", "run/paths.json"}, {}});
  try_all({"compare case/run", {}, {}});
}

TEST_F(Faults, OfManyRuns) {
  const std::string tune =
      "tune " + model_ +
      "--epochs 2 --least-epochs 1 --keep-one-in 2 --trials 2 --range dropout=0:0.5 --winner-seeds 0 --out case/tune";
  try_all({tune, {}, {tune + " --resume", tune}});
  const std::string seeds = "train " + small_ + "--seeds 2 --out case/seeds";
  try_all({seeds, {}, {seeds + " --resume"}});
  const std::string reproduce =
      "reproduce table-transductive --seeds 1 --only account-device-mlp --threads 1 --set size=1000 --set hidden=4 "
      "--set depth=1 --set epochs=2 --out case/reproduce";
  try_all({reproduce, {}, {reproduce}});
}

TEST_F(Faults, OfScoringNewRows) {
  std::string nodes = "id,x,label\n", edges = "src,dst\n";
  for (int n = 0; n < 30; ++n) {
    nodes += std::to_string(n) + "," + std::to_string(n % 7) + (n % 2 == 0 ? ",a\n" : ",b\n");
    edges += std::to_string(n) + "," + std::to_string((n + 1) % 30) + "\n";
  }
  scratch_.write("nodes.csv", nodes);
  scratch_.write("edges.csv", edges);
  scratch_.write("new.csv", "id,x\n30,4\n31,2\n");
  scratch_.write("new_edges.csv", "src,dst\n30,3\n31,30\n");
  ASSERT_EQ(
      run("train --nodes nodes.csv --edges edges.csv --hidden 4 --depth 1 --epochs 2 --threads 1 --out base/own").code,
      0);
  try_all({"score --run case/own --nodes new.csv --edges new_edges.csv --out case/s.csv", {"s.csv"}, {}});
}

TEST_F(Faults, OfPartition) {
  for (const std::string method : {"metis", "stream"}) {
    const std::string partition =
        "partition --data data.safetensors --pieces 3 --method " + method + " --out case/pieces";
    try_all({partition, {}, {partition + " --force"}});
  }
}

TEST_F(Faults, OfData) {
  try_all({"convert --data data.safetensors --out case/g.safetensors", {"g.safetensors"}, {}});
  try_all({"inspect --data data.safetensors", {}, {}});
  try_all({"manual --out case/man", {}, {}});
}

}  // namespace
}  // namespace geniepath
