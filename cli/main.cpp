// geniepath: train, evaluate and use graph neural networks that learn which paths matter.
// Results go to stdout, everything else to stderr. A user's mistake is one line and exit code 2.

#include <cstdio>
#include <cstdlib>

#include "commands/commands.h"
#include "terminal/program.h"

int main(int argc, char** argv) {
  const int code = geniepath::cli::run_program("geniepath", argc, argv, geniepath::cli::run_command);
  std::fflush(nullptr);
  std::_Exit(code);  // skips LibTorch's destructors, an eighth of the time of a short command
}
