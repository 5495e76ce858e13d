// Tests that run the program as several processes.
#pragma once

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "base/file.h"
#include "distributed/as_processes.h"
#include "scratch_folder.h"

namespace geniepath::testing {

inline bool has_program(const std::string& name) {
  return std::system(("command -v " + name + " >/dev/null").c_str()) == 0;
}

// A port that is free now.
inline uint16_t free_port() {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  socklen_t length = sizeof address;
  EXPECT_EQ(::bind(socket, reinterpret_cast<sockaddr*>(&address), length), 0);
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &length);
  ::close(socket);
  return ntohs(address.sin_port);
}

class TogetherProgram : public ::testing::Test {
 protected:
  void SetUp() override { REQUIRE_GLOO(); }

  // A training that takes a moment, of one graph that is cut.
  static std::string training(const std::string& out, int epochs) {
    return "train --data account-device --size 1000 --hidden 8 --depth 2 --dropout 0 --input-dropout 0 --learning-rate "
           "0.003 --threads 1 --out " +
           out + " --epochs " + std::to_string(epochs);
  }
  static std::string program() { return "'" GENIEPATH_PROGRAM "' "; }

  // The exit code; what it says is in err.txt.
  int shell(const std::string& script) const {
    scratch_.write("script", script);
    const int status = std::system(("cd '" + scratch_.path().string() + "' && bash script >out.txt 2>err.txt").c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::string said() const { return read_text(scratch_ / "err.txt"); }
  bool holds(const std::string& part) const { return said().find(part) != std::string::npos; }
  void expect_said(const std::string& part) const { EXPECT_TRUE(holds(part)) << part << " in: " << said(); }

  std::vector<double> losses(const std::string& run) const {
    std::vector<double> values;
    std::istringstream lines(read_text(scratch_ / (run + "/metrics.jsonl")));
    for (std::string line; std::getline(lines, line);) values.push_back(nlohmann::json::parse(line).at("loss"));
    return values;
  }
  void expect_same_losses(const std::string& run, const std::string& other) const {
    const std::vector<double> a = losses(run), b = losses(other);
    ASSERT_EQ(a.size(), b.size());
    for (size_t n = 0; n < a.size(); ++n) EXPECT_NEAR(a[n], b[n], 1e-5) << "epoch " << n + 1;
  }

  ScratchFolder scratch_;
};

}  // namespace geniepath::testing
