// Runs the program in the test's own folder.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "base/file.h"
#include "scratch_folder.h"

namespace geniepath::testing {

struct Outcome {
  int code;
  std::string out, err;
};

class ProgramTest : public ::testing::Test {
 protected:
  // `before` precedes the program on the command line.
  Outcome run(const std::string& arguments, const std::string& before = "") const {
    return shell(before + program(arguments));
  }

  // Runs the program and interrupts it, like Ctrl-C, as soon as `file` is not empty.
  Outcome run_until(const std::string& file, const std::string& arguments) const {
    return shell("{ " + program(arguments) + " & pid=$!; for n in $(seq 10000); do [ -s '" + file +
                 "' ] && break; sleep 0.01; done; kill -INT $pid; wait $pid; }");
  }

  // Expects one line with these words, and the exit code of a user's mistake.
  void expect_complaint(const std::string& arguments, const std::vector<std::string>& parts) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments << "\n" << outcome.err;
    EXPECT_EQ(outcome.out, "") << arguments;
    const size_t last = outcome.err.rfind('\n', outcome.err.size() - 2);
    const std::string line = outcome.err.substr(last == std::string::npos ? 0 : last + 1);
    EXPECT_EQ(line.rfind("geniepath: ", 0), 0u) << outcome.err;
    for (const std::string& part : parts)
      EXPECT_NE(line.find(part), std::string::npos) << part << " in: " << outcome.err;
  }

  ScratchFolder scratch_;

 private:
  static std::string program(const std::string& arguments) {
    return " '" GENIEPATH_PROGRAM "' " + arguments + " >out.txt 2>err.txt";
  }

  Outcome shell(const std::string& command) const {
    const int status = std::system(("cd '" + scratch_.path().string() + "' && " + command).c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_text(scratch_ / "out.txt"),
            read_text(scratch_ / "err.txt")};
  }
};

}  // namespace geniepath::testing
