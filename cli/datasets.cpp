#include "commands.h"

namespace geniepath::cli {

void add_datasets(CLI::App& app) { app.add_subcommand("datasets", "list the data sets known by name"); }

}  // namespace geniepath::cli
