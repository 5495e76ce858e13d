// Processes that fail, and processes that do not fit together: every other one says which and why, and none waits
// forever.
#include <chrono>

#include "distributed/together_program.h"

namespace geniepath {
namespace {

constexpr int kUserError = 2, kLostProcess = 3;

class FaultsTogether : public testing::TogetherProgram {
 protected:
  // Starts a long training, waits for its first checkpoint or line, and does something to it.
  std::string while_training(const std::string& options, const std::string& deed) const {
    return program() + training("run", 100000) + " " + options + " & all=$!\n" +
           "while ! grep -q ^epoch err.txt && kill -0 $all; do sleep 0.1; done\n" +
           "rank() { for p in $(pgrep -P $all); do tr '\\0' '\\n' </proc/$p/environ | grep -qx RANK=$1 && echo $p; "
           "done; }\n" +
           deed + "\nwait $all";
  }
  // `count` processes, started one by one, each with options of its own.
  std::string one_by_one(const std::vector<std::string>& options, int size) const {
    std::string script = "export WORLD_SIZE=" + std::to_string(size) + " LOCAL_WORLD_SIZE=" + std::to_string(size) +
                         " MASTER_ADDR=127.0.0.1 MASTER_PORT=" + std::to_string(port_) + "\n";
    for (size_t rank = 0; rank < options.size(); ++rank) {
      script += "RANK=" + std::to_string(rank) + " " + program() + training("run", 3) + " --timeout 4 " +
                options[rank] + " & all+=($!)\n";
    }
    return script + "code=0; for p in ${all[@]}; do wait $p || code=$?; done; exit $code";
  }
  uint16_t port_ = testing::free_port();
};

TEST_F(FaultsTogether, AKilledProcessEndsTheOthersAndTheRunResumes) {
  EXPECT_EQ(shell(while_training("--processes 3", "kill -KILL $(rank 1)")), kLostProcess) << said();
  expect_said("rank 1 was killed by signal 9");
  expect_said("geniepath: rank 0: rank 1");
  expect_said("geniepath: rank 2: rank 1");
  const auto done = static_cast<int>(losses("run").size());
  ASSERT_GT(done, 0);
  ASSERT_EQ(shell(program() + "train --resume --out run --processes 2 --epochs " + std::to_string(done + 2)), 0)
      << said();
  EXPECT_EQ(static_cast<int>(losses("run").size()), done + 2);
}

TEST_F(FaultsTogether, AStoppedProcessEndsTheOthersWithinTheTimeout) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(shell(while_training("--processes 2 --timeout 3", "kill -STOP $(rank 1)")), kLostProcess) << said();
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
  expect_said("rank 1 was stopped by signal 19");
  EXPECT_TRUE(holds("rank 0: rank 1 does not answer") || holds("rank 0: the launcher's store"))
      << said();  // if stopped amid a request
}

TEST_F(FaultsTogether, AStoreThatWaitsForTheRestOfARequestHoldsNobodyUp) {
  const std::string half_a_request =
      "port=$(tr '\\0' '\\n' </proc/$(rank 1)/environ | sed -n s/^MASTER_PORT=//p)\n"
      "exec 3<>/dev/tcp/127.0.0.1/$port; printf '\\x03' >&3\n";
  EXPECT_EQ(shell(while_training("--processes 2 --timeout 3", half_a_request + "kill -STOP $(rank 1)")), kLostProcess)
      << said();
  expect_said("rank 1 was stopped by signal 19");
  EXPECT_EQ(shell(while_training("--force --processes 2 --timeout 3", half_a_request + "kill -KILL $(rank 1)")),
            kLostProcess)
      << said();
  expect_said("rank 1 was killed by signal 9");
}

TEST_F(FaultsTogether, TheStopOfTheFirstProcessIsFoundByItsSilence) {
  const std::string first =
      "kill -STOP ${all[0]}; for p in ${all[@]:1}; do wait $p; code=$?; done; kill -KILL ${all[0]}; exit $code";
  std::string script = one_by_one({"--epochs 100000", "--epochs 100000"}, 2);
  script = script.substr(0, script.find("code=0")) +
           "while ! grep -q ^epoch err.txt && kill -0 ${all[1]}; do sleep 0.1; done\n" + first;
  EXPECT_EQ(shell(script), kLostProcess) << said();
  expect_said("geniepath: rank 1: rank 0 does not answer");
}

TEST_F(FaultsTogether, AnInterruptStopsAllAndTheRunResumes) {
  EXPECT_EQ(shell(while_training("--processes 2", "kill -INT $all")), 0) << said();
  expect_said("continue with: geniepath train --resume");
  const auto done = static_cast<int>(losses("run").size());
  ASSERT_EQ(shell(program() + "train --resume --out run --processes 3 --epochs " + std::to_string(done + 2)), 0)
      << said();
  EXPECT_EQ(static_cast<int>(losses("run").size()), done + 2);
}

TEST_F(FaultsTogether, OptionsThatDifferAreNamed) {
  EXPECT_EQ(shell(one_by_one({"", "--depth 3"}, 2)), kUserError) << said();
  expect_said("geniepath: rank 0: --depth: rank 0 was started with 2, but rank 1 with 3");
  expect_said("geniepath: rank 1: --depth: rank 0 was started with 2, but rank 1 with 3");
}

TEST_F(FaultsTogether, DataThatDiffersIsNamed) {
  ASSERT_EQ(shell("mkdir a b && " + program() +
                  "convert --data account-device --size 1000 --out a/graph.safetensors && " + program() +
                  "convert --data account-device --size 1010 --out b/graph.safetensors"),
            0)
      << said();
  const auto in = [&](const std::string& folder) { return "env -C " + folder + " "; };
  std::string script = one_by_one({"--data graph.safetensors", "--data graph.safetensors"}, 2);
  script.replace(script.find("RANK=0 "), 7, "RANK=0 " + in("a"));
  script.replace(script.find("RANK=1 "), 7, "RANK=1 " + in("b"));
  for (size_t at; (at = script.find(" --data account-device --size 1000")) != std::string::npos;) script.erase(at, 34);
  EXPECT_EQ(shell(script), kUserError) << said();
  expect_said("the data of rank 1 is not that of rank 0");
}

// A partition whose piece of rank 1 is missing, damaged, or of another graph.
TEST_F(FaultsTogether, PiecesThatDoNotFitAreNamed) {
  const std::string divide = program() + "partition --data account-device --pieces 2 --size ";
  ASSERT_EQ(shell(divide + "1000 --out good && " + divide + "1010 --out other"), 0) << said();
  const auto with_pieces = [&](const std::string& change) {
    return shell("rm -rf bad; cp -r good bad; " + change + "; " + program() +
                 "train --hidden 8 --depth 2 --epochs 3 --out run --force --processes 2 --partition bad --timeout 20");
  };
  EXPECT_EQ(with_pieces("true"), 0) << said();
  EXPECT_EQ(with_pieces("rm bad/piece-1.safetensors"), kUserError) << said();
  expect_said("geniepath: rank 1: bad/piece-1.safetensors: ");
  expect_said("geniepath: rank 0: rank 1 stopped: bad/piece-1.safetensors: ");
  EXPECT_EQ(with_pieces("printf x | dd of=bad/piece-1.safetensors bs=1 seek=5000 conv=notrunc status=none"), kUserError)
      << said();
  expect_said("geniepath: rank 1: bad/piece-1.safetensors: ");
  EXPECT_EQ(with_pieces("cp other/piece-1* bad"), kUserError) << said();
  expect_said("geniepath: rank 1: bad/piece-1-map.safetensors: a piece with partition");
  EXPECT_EQ(shell(program() + "train --out run --processes 3 --partition good --timeout 20"), kUserError);
  expect_said("good: 2 pieces, one per process, but there are 3 processes");
  EXPECT_EQ(shell(program() + "train --resume --out run --processes 2 --partition other --epochs 5 --timeout 20"),
            kUserError);
  expect_said("other: pieces of other data");
}

TEST_F(FaultsTogether, ARankThatNeverComesIsNamed) {
  EXPECT_EQ(shell(one_by_one({"", ""}, 3)), kLostProcess) << said();
  expect_said("rank 0: rank 2 of 3 has not come within 4 s");
  expect_said("rank 1: rank 2 of 3 has not come within 4 s");
}

TEST_F(FaultsTogether, AFirstRankThatNeverComesIsNamed) {
  std::string script = one_by_one({"", ""}, 2);
  script.erase(script.find("RANK=0"), script.find("RANK=1") - script.find("RANK=0"));
  EXPECT_EQ(shell(script), kLostProcess) << said();
  expect_said("nobody answers at 127.0.0.1:");
}

TEST_F(FaultsTogether, APortThatIsTakenIsNamed) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port_);
  ASSERT_EQ(::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(::listen(socket, 8), 0);
  shell(one_by_one({"", ""}, 2));
  ::close(socket);
  expect_said("rank 0 cannot listen at port " + std::to_string(port_));
  expect_said("geniepath: rank 1: nobody answers at 127.0.0.1:" + std::to_string(port_));
}

TEST_F(FaultsTogether, AFullDiskOfTheFirstRankIsSaidByAll) {
  std::string script = one_by_one({"", ""}, 2);
  // Files of rank 0 may grow to 4 KiB only.
  script.replace(script.find("RANK=0"), 0, "trap '' XFSZ\n(ulimit -f 4; exec env ");
  script.replace(script.find(" & all"), 0, ")");
  EXPECT_NE(shell(script), 0);
  expect_said("geniepath: rank 0: run/");
  expect_said("geniepath: rank 1: rank 0 stopped: run/");
}

TEST_F(FaultsTogether, CommandsThatMakeNoSenseAreRefused) {
  EXPECT_EQ(shell("RANK=0 WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 " + program() + training("run", 1) + " --processes 3"),
            kUserError);
  expect_said("--processes 3: the launcher started 2");
  EXPECT_EQ(shell(program() + training("run", 1) + " --processes 2 --seeds 2"), kUserError);
  expect_said("in a single process");
  EXPECT_EQ(shell(program() + training("run", 1) + " --processes 2 --model graphsage-lstm"), kUserError);
  expect_said("graphsage-lstm takes a single process");
}

}  // namespace
}  // namespace geniepath
