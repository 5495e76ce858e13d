// geniepath-bench: our code beside its rivals, in the same run. Not installed.

#include "bench/subjects.h"
#include "terminal/program.h"

namespace geniepath {
namespace {

void run(std::vector<std::string> arguments) {
  CLI::App app("Measures geniepath's code beside the same formulas in LibTorch's operators, and beside other rivals.",
               "geniepath-bench");
  app.require_subcommand(1);
  bench::add_operations(app);
  bench::add_products(app);
  bench::add_walks(app);
  bench::add_loading(app);
  bench::add_gpu(app);
  bench::add_processes(app);
  bench::add_scaling(app);
  cli::parse(app, std::move(arguments));
}

}  // namespace
}  // namespace geniepath

int main(int argc, char** argv) { return geniepath::cli::run_program("geniepath-bench", argc, argv, geniepath::run); }
