// The program's output on a terminal: one line of progress however narrow it is, colours where they are wanted,
// completion and manual pages.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "cli/run_program.h"
#include "terminal/console.h"
#include "terminal/text.h"

namespace geniepath {
namespace {

using testing::Outcome;

class Terminal : public testing::ProgramTest {
 protected:
  // The program's output on a terminal of `columns` columns.
  std::string on_terminal(const std::string& arguments, int columns,
                          const std::string& environment = "NO_COLOR=") const {
    const std::string command = "cd '" + scratch_.path().string() + "' && TERM=xterm " + environment +
                                " script -qec \"stty cols " + std::to_string(columns) + "; '" GENIEPATH_PROGRAM "' " +
                                arguments + "\" /dev/null >tty.txt </dev/null";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    return read_text(scratch_ / "tty.txt");
  }
  void SetUp() override {
    if (std::system("command -v script >/dev/null") != 0) GTEST_SKIP() << "script(1) is not installed";
  }

  const std::string train_ =
      "train --data account-device --size 1000 --hidden 4 --depth 1 --epochs 40 --threads 1 --force --out a";
};

// The progress lines as drawn, without control sequences.
std::vector<std::string> drawn_lines(const std::string& output) {
  constexpr std::string_view kClear = "\r\x1b[K";
  std::vector<std::string> lines;
  for (size_t at = output.find(kClear); at != std::string::npos; at = output.find(kClear, at + 1)) {
    const size_t begin = at + kClear.size(), end = output.find('\r', begin);
    std::string line;
    for (size_t n = begin; n < std::min(end, output.size()); ++n) {
      if (output[n] == '\x1b') {
        n = output.find('m', n);
      } else {
        line += output[n];
      }
    }
    lines.push_back(line);
  }
  return lines;
}

TEST_F(Terminal, ProgressIsOneLineHoweverNarrow) {
  for (const int columns : {12, 30, 61, 80, 200}) {
    const auto lines = drawn_lines(on_terminal(train_, columns));
    ASSERT_FALSE(lines.empty());
    for (const std::string& line : lines) EXPECT_LT(cli::shown_width(line), static_cast<size_t>(columns)) << line;
    const bool has_bar = lines.back().find("━") != std::string::npos;
    EXPECT_EQ(has_bar, columns > 24) << lines.back();
    EXPECT_NE(lines.back().find(columns > 24 ? "epoch 40/40" : "epoch"), std::string::npos) << lines.back();
    EXPECT_EQ(lines.back().find("100 %") != std::string::npos, columns > 60) << lines.back();
  }
}

TEST_F(Terminal, ColoursOnlyWhereTheyAreWanted) {
  EXPECT_NE(on_terminal(train_, 100).find("\x1b[36m"), std::string::npos);
  EXPECT_EQ(on_terminal(train_, 100, "NO_COLOR=1").find("\x1b[36m"), std::string::npos);
  const Outcome piped = run(train_);
  EXPECT_EQ(piped.err.find('\x1b'), std::string::npos) << piped.err;
  EXPECT_EQ(piped.err.find("━"), std::string::npos) << piped.err;
  EXPECT_NE(piped.err.find("epoch 40/40"), std::string::npos) << piped.err;
  const std::string explain = "explain --run a --node 3";
  EXPECT_EQ(on_terminal(explain, 100, "NO_COLOR=1").find("\x1b["), std::string::npos);
  EXPECT_EQ(run(explain).out.find("\x1b["), std::string::npos);
}

TEST_F(Terminal, QuietWritesNothingButErrors) {
  const Outcome trained = run(train_ + " --quiet");
  EXPECT_EQ(trained.code, 0);
  EXPECT_EQ(trained.err, "");
  EXPECT_NE(trained.out.find("test   accuracy"), std::string::npos) << trained.out;
  const Outcome wrong = run("evaluate --quiet --run nowhere");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.err.find("geniepath: nowhere: no run here"), std::string::npos) << wrong.err;
}

TEST(FittedTable, IsTurnedWhereItIsTooWide) {
  const std::vector<std::vector<std::string>> rows{
      {"run", "accuracy", "micro_f1"}, {"one", "0.5", "0.25"}, {"two", "0.7", "0.5"}};
  using cli::fitted_table, cli::table;
  EXPECT_EQ(fitted_table(rows, 23), table(rows));
  EXPECT_EQ(fitted_table(rows, 22),
            "run        one  two\n--------  ----  ---\naccuracy   0.5  0.7\nmicro_f1  0.25  0.5\n");
  EXPECT_EQ(fitted_table(rows, 18), table(rows)) << "neither fits";
}

TEST(CutTo, CountsCharacters) {
  EXPECT_EQ(cli::cut_to("abcdef", 6), "abcdef");
  EXPECT_EQ(cli::cut_to("abcdef", 4), "abc…");
  EXPECT_EQ(cli::cut_to("äöüß", 3), "äö…");
  EXPECT_EQ(cli::cut_to("ab", 1), "…");
  EXPECT_EQ(cli::cut_to("ab", 0), "");
}

class Shells : public testing::ProgramTest {};

TEST_F(Shells, BashCompletesCommandsOptionsAndValues) {
  const Outcome script = run("completion bash");
  ASSERT_EQ(script.code, 0) << script.err;
  scratch_.write("complete.bash", script.out + R"(
ask() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _geniepath; echo "${COMPREPLY[@]}"; }
ask geniepath tr
ask geniepath train --learn
ask geniepath train --residual ''
ask geniepath completion f
)");
  ASSERT_EQ(std::system(("cd '" + scratch_.path().string() + "' && bash complete.bash >answers.txt 2>&1").c_str()), 0);
  EXPECT_EQ(read_text(scratch_ / "answers.txt"), "train\n--learning-rate\nnone hop input\nfish\n");
}

TEST_F(Shells, OtherShellsAcceptTheirScripts) {
  for (const std::string shell : {"zsh", "fish"}) {
    const Outcome script = run("completion " + shell);
    ASSERT_EQ(script.code, 0) << script.err;
    EXPECT_NE(script.out.find("learning-rate"), std::string::npos) << shell;
    scratch_.write("script", script.out);
    if (std::system(("command -v " + shell + " >/dev/null").c_str()) != 0) continue;
    EXPECT_EQ(std::system(("cd '" + scratch_.path().string() + "' && " + shell + " -n script").c_str()), 0) << shell;
  }
  expect_complaint("completion tcsh", {"tcsh"});
}

// In a zsh of its own on a pseudo-terminal, which is read until the completion appears.
TEST_F(Shells, ZshCompletes) {
  if (std::system("command -v zsh >/dev/null") != 0) GTEST_SKIP() << "zsh is not installed";
  scratch_.write("_geniepath", run("completion zsh").out);
  scratch_.write("try.zsh", R"(zmodload zsh/zpty || exit 1
zpty z zsh -f -i
zpty -w z "PS1=; fpath=($PWD \$fpath); autoload -U compinit; compinit -u -D; print rea''dy"
zpty -r z text '*ready*'
zpty -n -w z $'geniepath train --learn\t'
zpty -r z text '*--learning-rate*'
zpty -n -w z $'\x15geniepath train --residual \t\t'
zpty -r z text '*hop*input*none*'
print -r completed >completed.txt
)");
  EXPECT_EQ(std::system(("cd '" + scratch_.path().string() + "' && timeout 60 zsh -f try.zsh >zsh.txt 2>&1").c_str()),
            0)
      << read_text(scratch_ / "zsh.txt");
  EXPECT_EQ(read_text(scratch_ / "completed.txt"), "completed\n");
}

TEST_F(Shells, FishCompletes) {
  if (std::system("command -v fish >/dev/null") != 0) GTEST_SKIP() << "fish is not installed";
  scratch_.write("geniepath.fish", run("completion fish").out);
  const std::string script =
      "source geniepath.fish; for typed in tr \"train --learn\" \"train --residual \" \"train --hidden \";"
      " complete -C \"geniepath $typed\"; echo; end";
  scratch_.write("try.fish", script);
  scratch_.write("a_file_of_the_folder", "");
  ASSERT_EQ(
      std::system(("cd '" + scratch_.path().string() + "' && HOME=. fish --no-config try.fish >fish.txt").c_str()), 0);
  const std::string found = read_text(scratch_ / "fish.txt");
  for (const char* line : {"train\ttrain a model", "--learning-rate\tstep size", "hop\t", "input\t", "none\t"}) {
    EXPECT_NE(found.find(line), std::string::npos) << line << " in\n" << found;
  }
  EXPECT_EQ(found.find("a_file"), std::string::npos) << "a number is no file: " << found;
}

// All but the examples, which are to be copied.
TEST_F(Shells, HelpFitsTheTerminal) {
  for (const std::string command : {"", "train --help", "score --help-all", "compare --help"}) {
    for (const int columns : {70, 80, 120}) {
      const Outcome help = run(command, "COLUMNS=" + std::to_string(columns) + " ");
      ASSERT_EQ(help.code, 0) << help.err;
      std::istringstream lines(
          help.out.substr(0, help.out.find("\nExample")).substr(0, help.out.find("\nStart with:")));
      size_t widest = 0;
      for (std::string line; std::getline(lines, line);) widest = std::max(widest, cli::shown_width(line));
      EXPECT_LT(widest, static_cast<size_t>(columns)) << help.out;
      EXPECT_GT(widest, static_cast<size_t>(columns) * 2 / 3) << help.out;
    }
  }
}

TEST_F(Shells, ManualPagesListEveryOption) {
  const Outcome outcome = run("manual --out man");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string page = read_text(scratch_ / "man/geniepath-train.1");
  EXPECT_EQ(page.rfind(".TH geniepath\\-train 1", 0), 0u) << page.substr(0, 80);
  for (const char* part : {"\\fB\\-\\-learning\\-rate\\fR \\fIFLOAT\\fR", "none|hop|input", ".SH EXAMPLES",
                           "(default: 64)", "\\fB\\-\\-directed\\fR, \\fB\\-\\-no\\-directed\\fR"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
  EXPECT_NE(read_text(scratch_ / "man/geniepath.1").find("geniepath\\-score"), std::string::npos);
  if (std::system("command -v groff >/dev/null") != 0) return;
  EXPECT_EQ(
      std::system(
          ("cd '" + scratch_.path().string() + "' && groff -man -Tutf8 -ww man/*.1 >all.txt 2>warnings.txt").c_str()),
      0);
  EXPECT_EQ(read_text(scratch_ / "warnings.txt"), "");
}

class Start : public testing::ProgramTest {};

TEST_F(Start, LoadsNoLibraryThatLibTorchNamesButNeverCalls) {
  const Outcome outcome = run("--version", "LD_DEBUG=files ");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("calling init: "), std::string::npos) << "the loader's messages";
  EXPECT_NE(outcome.err.find("libtorch_cpu.so"), std::string::npos);
  for (const char* library : {"libQt5Core.so", "libgdal.so", "libX11.so"}) {
    EXPECT_EQ(outcome.err.find(library), std::string::npos) << library;
  }
}

}  // namespace
}  // namespace geniepath
