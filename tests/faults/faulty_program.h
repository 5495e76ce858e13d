// Runs the program with one of its operations failing (fault_shim.cpp), beside an existing small run.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "cli/run_program.h"
#include "folder_contents.h"

namespace geniepath::testing {

class FaultyProgram : public ProgramTest {
 protected:
  void SetUp() override {
    static const ScratchFolder kept("_kept");  // the data and the run, made by the first test for all
    constexpr auto everything = std::filesystem::copy_options::recursive;
    if (std::filesystem::is_empty(kept.path())) {
      ASSERT_EQ(run("convert --data account-device --size 1000 --out data.safetensors").code, 0);
      const Outcome trained = run("train " + small_ + "--out base/run");
      ASSERT_EQ(trained.code, 0) << trained.err;
      std::filesystem::copy(scratch_.path(), kept.path(), everything);
    } else {
      std::filesystem::copy(kept.path(), scratch_.path(), everything);
    }
  }

  void TearDown() override { std::cout << "           " << tried_ << " tried\n"; }

  // Commands work in the folder "case", which is created anew for each: it contains the run and, under the names of
  // outputs, older files.
  void make_case(const std::vector<std::string>& outputs = {}) const {
    std::filesystem::remove_all(scratch_ / "case");
    std::filesystem::copy(scratch_ / "base", scratch_ / "case", std::filesystem::copy_options::recursive);
    for (const std::string& output : outputs) scratch_.write("case/" + output, old_);
  }

  Outcome run_with(const std::string& fault, const std::string& arguments) const {
    return run(arguments, "env LD_PRELOAD='" FAULT_SHIM "' FAULT_COUNTS=counts.txt FAULT='" + fault + "'");
  }

  // Number of operations per kind in the last command of run_with.
  std::map<std::string, int64_t> counts() const {
    std::istringstream lines(read_text(scratch_ / "counts.txt"));
    std::map<std::string, int64_t> counts;
    for (std::string kind; lines >> kind;) lines >> counts[kind];
    return counts;
  }

  static bool all() {
    const char* wish = std::getenv("GENIEPATH_FAULTS");
    return wish != nullptr && std::string(wish) == "all";
  }

  // Every number from 1 to `total` if all are requested, otherwise `few` of them, evenly spaced.
  static std::vector<int64_t> chosen(int64_t total, int64_t few) {
    if (all() || total <= few) few = total;
    std::vector<int64_t> numbers;
    for (int64_t n = 0; n < few; ++n) numbers.push_back(1 + (2 * n + 1) * total / (2 * few));
    return numbers;
  }

  // Runs the commands until one succeeds; each but the last may find nothing to do.
  void repair(const std::vector<std::string>& commands) const {
    Outcome outcome{-1, "", ""};
    for (const std::string& command : commands) {
      outcome = run(command);
      if (outcome.code == 0) return;
    }
    ADD_FAILURE() << commands.back() << "\n" << outcome.err;
  }

  std::map<std::string, std::string> contents(const std::string& folder) const {
    return contents_without_times(scratch_ / folder);
  }

  // Files that no command may leave behind.
  std::vector<std::string> leftovers() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(scratch_ / "case")) {
      const std::string name = entry.path().filename().string();
      if (name.find(".part") != std::string::npos) names.push_back(entry.path().string());
    }
    return names;
  }

  mutable int64_t tried_ = 0;  // operations that failed
  const std::string old_ = "what was there before\n";
  const std::string model_ = "--data data.safetensors --hidden 4 --depth 1 --threads 1 ";
  const std::string small_ = model_ + "--epochs 3 ";
};

}  // namespace geniepath::testing
