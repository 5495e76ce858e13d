// The options that say which data, shared by the subcommands that read some.
#pragma once

#include <CLI/CLI.hpp>

#include "data/load_dataset.h"
#include "data/tables.h"
#include "data/transforms.h"

namespace geniepath::cli {

struct DataArguments {
  DataOptions data;
  TableOptions tables;

  // --nodes is a number for account-device and a file for tables.
  Dataset load() const;
};

// The struct must outlive the parsing.
void bind_data_arguments(CLI::App& app, DataArguments& arguments);

// What the registry says is done to this data, changed by what was typed. `bound` was bound to `app`.
TransformOptions chosen_transforms(const CLI::App& app, const TransformOptions& bound, const std::string& data);

}  // namespace geniepath::cli
