// The options that say which data and how it is prepared, shared by the subcommands that read some.
#pragma once

#include <CLI/CLI.hpp>

#include "base/given_options.h"
#include "geniepath/data.h"

namespace geniepath::cli {

// Which options were typed of those bound to `app`, which must outlive it.
IsGiven typed_in(const CLI::App& app);

struct DataArguments {
  DataOptions data;
  TableOptions tables;
  TransformOptions transforms;
  CLI::App* app = nullptr;

  // The struct must outlive the parsing. bind() is all of the others: which data, its tables, and its preparation.
  void bind(CLI::App& command);
  void bind_source(CLI::App& command);
  void bind_tables(CLI::App& command);
  void bind_preparation(CLI::App& command);
  // What the literature does to the data set of this name, changed by what was typed.
  TransformOptions chosen_transforms(const std::string& name) const;
};

}  // namespace geniepath::cli
