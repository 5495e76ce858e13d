// Links the program into its tests.
#include "cli/run_program.h"
#include "commands/commands.h"
#include "terminal/program.h"

namespace geniepath::testing {
namespace {

int program(int argc, char** argv) { return cli::run_program("geniepath", argc, argv, cli::run_command); }

[[maybe_unused]] const bool linked = (linked_main = program) != nullptr;

}  // namespace
}  // namespace geniepath::testing
