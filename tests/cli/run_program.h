// The program run in a folder of the test's own.
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
  // `before` stands in front of the program on the command line.
  Outcome run(const std::string& arguments, const std::string& before = "") const {
    const std::string command = std::string("cd '") + scratch_.path().string() + "' && " + before +
                                " '" GENIEPATH_PROGRAM "' " + arguments + " >out.txt 2>err.txt";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_text(scratch_ / "out.txt"),
            read_text(scratch_ / "err.txt")};
  }

  // One line, the exit code of a user's mistake, and the words in it.
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
};

}  // namespace geniepath::testing
