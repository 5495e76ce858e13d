// The program as several processes, started by itself and by the launchers that people have.
#include <torch/version.h>

#include <regex>

#include "distributed/together_program.h"
#include "require_gpu.h"

namespace geniepath {
namespace {

class Launchers : public testing::TogetherProgram {
 protected:
  // Two processes train as one does, and one of them alone writes and prints.
  void expect_two_as_one(const std::string& script) {
    ASSERT_EQ(shell(program() + training("one", 20) + " --json"), 0) << said();
    const std::string alone = read_text(scratch_ / "out.txt");
    ASSERT_EQ(shell(script), 0) << said();
    expect_same_losses("two", "one");
    std::smatch printed;
    const std::string out = read_text(scratch_ / "out.txt");
    ASSERT_TRUE(std::regex_search(out, printed, std::regex("\\{\"model\".*\\}"))) << out;
    const auto result = nlohmann::json::parse(printed.str()), expected = nlohmann::json::parse(alone);
    EXPECT_EQ(out.find("\"model\"", static_cast<size_t>(printed.position()) + 10), std::string::npos) << out;
    EXPECT_NEAR(result.at("test").at("roc_auc").get<double>(), expected.at("test").at("roc_auc").get<double>(), 1e-3);
    EXPECT_NE(result.at("hardware").get<std::string>().find("2 processes"), std::string::npos);
  }
  // The rendezvous of torchrun's agents: a port or, from 2.x on, a file, as a port takes libuv, which Debian's lacks.
  std::string meeting() const {
    if (TORCH_VERSION_MAJOR < 2) return "--master_port " + std::to_string(testing::free_port());
    ::setenv("TORCH_DISABLE_SHARE_RDZV_TCP_STORE", "1", 1);
    return "--nnodes 1 --rdzv_id 1 --rdzv_backend c10d --rdzv_conf store_type=file --rdzv_endpoint '" +
           (scratch_ / "meeting").string() + "'";
  }
  std::string two() const { return program() + training("two", 20) + " --json"; }
};

TEST_F(Launchers, TheProgramItself) { expect_two_as_one(two() + " --processes 2"); }

// From pieces, none of which is the whole graph; and resumed without them.
TEST_F(Launchers, TheProgramItselfOnPieces) {
  const std::string pieces = program() + "partition --data account-device --size 1000 --pieces 2 --out pieces && ";
  std::string command = two() + " --processes 2 --partition pieces";
  command.erase(command.find(" --data account-device --size 1000"), 34);
  expect_two_as_one(pieces + command);
  ASSERT_EQ(shell(program() + "train --resume --out two --processes 3 --epochs 22"), 0) << said();
  EXPECT_EQ(losses("two").size(), 22u);
}

// Features are standardised a few rows at a time, as pieces are cut from the mapped graph.
TEST_F(Launchers, TheProgramItselfOnPiecesOfAStream) {
  const std::string prepared = " --feature-transform standardise --feature-scale 0.5";
  const std::string pieces = program() + "convert --data account-device --size 1000 --out graph.safetensors && " +
                             program() + "partition --data graph.safetensors --method stream --pieces 2 --out pieces" +
                             prepared + " && ";
  const std::string hidden =
      " --hidden 8 --depth 2 --dropout 0 --input-dropout 0 --learning-rate 0.003 --threads 1 --epochs 10";
  ASSERT_EQ(shell(pieces + program() + "train --partition pieces --processes 2 --out two" + hidden), 0) << said();
  ASSERT_EQ(shell(program() + "train --data graph.safetensors --out one" + hidden + prepared), 0) << said();
  const std::vector<double> one = losses("one"), two = losses("two");
  ASSERT_EQ(one.size(), two.size());
  for (size_t n = 0; n < one.size(); ++n) EXPECT_NEAR(two[n], one[n], 1e-5 * one[0]) << n;
}

// Two processes that share a GPU, on pieces of a graph that is cut: rows travel through Gloo, by way of memory.
TEST_F(Launchers, TheProgramItselfOnAGpu) {
  REQUIRE_GPU();
  ASSERT_EQ(shell(program() + "convert --data known-paths --size 1000 --out graph.safetensors && " + program() +
                  "partition --data graph.safetensors --method stream --pieces 2 --out pieces"), 0) << said();
  for (const std::string model : {"geniepath", "geniepath-lazy", "gcn", "gat", "graphsage-mean", "graphsage-max"}) {
    const std::string train =
        program() + "train --hidden 8 --depth 2 --learning-rate 0.003 --threads 1 --epochs 10 --model " + model;
    const std::string on_gpu = train + " --partition pieces --processes 2 --device cuda --out ";
    ASSERT_EQ(shell(train + " --data graph.safetensors --out one-" + model), 0) << said();
    ASSERT_EQ(shell(on_gpu + "two-" + model), 0) << said();
    const std::vector<double> one = losses("one-" + model), two = losses("two-" + model);
    ASSERT_EQ(one.size(), two.size());
    for (size_t n = 0; n < one.size(); ++n) EXPECT_NEAR(two[n], one[n], 1e-4) << model << ", epoch " << n + 1;
    if (model != "geniepath") continue;
    ASSERT_EQ(shell(on_gpu + "again"), 0) << said();
    EXPECT_EQ(losses("again"), two) << "the same bits";
  }
}

TEST_F(Launchers, Torchrun) {
  if (!testing::has_program("torchrun")) GTEST_SKIP() << "no torchrun (python3-torch)";
  // stdout is redirected and shown: without that, torchrun 1.13 fails under Python 3.11 (Debian 12).
  expect_two_as_one("torchrun --redirects 1 --tee 1 --log_dir logs --no_python --nproc_per_node 2 " + meeting() + " " +
                    two());
}

TEST_F(Launchers, Mpirun) {
  if (!testing::has_program("mpirun")) GTEST_SKIP() << "no mpirun (openmpi-bin)";
  expect_two_as_one("export MASTER_PORT=" + std::to_string(testing::free_port()) +
                    "; mpirun --allow-run-as-root --oversubscribe -n 2 " + two());
}

TEST_F(Launchers, Srun) {
  if (!testing::has_program("slurmctld") || !testing::has_program("munged") || ::geteuid() != 0) {
    GTEST_SKIP() << "no Slurm (slurm-wlm), or not root";
  }
  const std::string with_slurm = std::string("'" GENIEPATH_SLURM "' '") + (scratch_ / "slurm").string() + "' ";
  if (shell(with_slurm + "true") == 77) GTEST_SKIP() << "Slurm does not start here";
  expect_two_as_one("export MASTER_PORT=" + std::to_string(testing::free_port()) + "; " + with_slurm + "srun -n 2 " +
                    two());
}

// Two network namespaces, joined by a cable, as two machines with a disk each.
TEST_F(Launchers, TwoMachines) {
  const std::string a = "gpa" + std::to_string(::getpid()), b = "gpb" + std::to_string(::getpid());
  const std::string ends = "ip netns del " + a + "; ip netns del " + b;
  const std::string cable = "set -e; ip netns add " + a + "; ip netns add " + b + "; ip link add " + a +
                            " type veth peer name " + b + "; ip link set " + a + " netns " + a + "; ip link set " + b +
                            " netns " + b + "; ip -n " + a + " addr add 10.77.0.1/24 dev " + a + "; ip -n " + b +
                            " addr add 10.77.0.2/24 dev " + b + "; for n in " + a + " " + b +
                            "; do ip -n $n link set $n up; ip -n $n link set lo up; done";
  if (!testing::has_program("ip") || shell(cable) != 0) {
    shell(ends);
    GTEST_SKIP() << "no network namespaces (iproute2, root)";
  }
  const auto start = [&](const std::string& machine, int rank) {
    return "(mkdir -p " + machine + "; cd " + machine + "; RANK=" + std::to_string(rank) +
           " WORLD_SIZE=2 LOCAL_WORLD_SIZE=1 MASTER_ADDR=10.77.0.1 MASTER_PORT=29511 ip netns exec " + machine + " " +
           program() + training("../two", 20) + " --json)";
  };
  expect_two_as_one(start(b, 1) + " & " + start(a, 0) + " && wait $!");
  shell(ends);
}

}  // namespace
}  // namespace geniepath
