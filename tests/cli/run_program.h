// Runs the program in the test's own folder.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wordexp.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "base/file.h"
#include "scratch_folder.h"

namespace geniepath::testing {

struct Outcome {
  int code;
  std::string out, err;
};

// The program's main, in tests that link it. A command then runs in a fork of the test, which has loaded LibTorch
// already: that takes half a second of a program started anew.
inline int (*linked_main)(int, char**) = nullptr;

class ProgramTest : public ::testing::Test {
 protected:
  // `before` precedes the program on the command line.
  Outcome run(const std::string& arguments, const std::string& before = "") const {
    return before.empty() && can_fork(arguments) ? forked(arguments) : shell(before + program(arguments));
  }

  // The status of a process that ends with the code of `work`. A test that trains does so here: LibTorch's autograd
  // refuses forks of a process that has used it.
  static int status_of_fork(const std::function<int()>& work) {
    std::fflush(nullptr);  // else the child writes it again
    const pid_t child = ::fork();
    if (child == 0) {
      const int code = work();
      std::fflush(nullptr);
      std::_Exit(code);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
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
  static constexpr int kCannotStart = 127;

  static std::string program(const std::string& arguments) {
    return " '" GENIEPATH_PROGRAM "' " + arguments + " >out.txt 2>err.txt";
  }

  // False for arguments that need a shell, and for commands that look for files beside the program.
  static bool can_fork(const std::string& arguments) {
    wordexp_t words;
    if (linked_main == nullptr || arguments.starts_with("reproduce ")) return false;
    if (::wordexp(arguments.c_str(), &words, WRDE_NOCMD) != 0) return false;
    ::wordfree(&words);
    return true;
  }

  Outcome forked(const std::string& arguments) const {
    return outcome(status_of_fork([&] {
      if (::chdir(scratch_.path().c_str()) != 0) return kCannotStart;
      constexpr int kNew = O_WRONLY | O_CREAT | O_TRUNC;
      ::dup2(::open("out.txt", kNew, 0666), STDOUT_FILENO);
      ::dup2(::open("err.txt", kNew, 0666), STDERR_FILENO);
      wordexp_t words;
      if (::wordexp(("geniepath " + arguments).c_str(), &words, WRDE_NOCMD) != 0) return kCannotStart;
      return linked_main(static_cast<int>(words.we_wordc), words.we_wordv);
    }));
  }

  Outcome shell(const std::string& command) const {
    return outcome(std::system(("cd '" + scratch_.path().string() + "' && " + command).c_str()));
  }

  Outcome outcome(int status) const {
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_text(scratch_ / "out.txt"),
            read_text(scratch_ / "err.txt")};
  }
};

}  // namespace geniepath::testing
