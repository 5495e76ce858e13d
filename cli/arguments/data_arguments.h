// Options for the data and its preparation, shared by all subcommands that read data.
#pragma once

#include <CLI/CLI.hpp>

#include "base/given_options.h"
#include "geniepath/data.h"

namespace geniepath::cli {

// Tells which of the options bound to `app` were typed; `app` must outlive the result.
IsGiven typed_in(const CLI::App& app);

struct DataArguments {
  DataOptions data;
  TableOptions tables;
  TransformOptions transforms;
  CLI::App* app = nullptr;

  // The struct must outlive the parsing. bind() declares all three groups: data, tables and preparation.
  void bind(CLI::App& command);
  void bind_source(CLI::App& command);
  void bind_tables(CLI::App& command);
  void bind_preparation(CLI::App& command);
  // usual_transforms() of the data set, overridden by typed options.
  TransformOptions chosen_transforms(const std::string& name) const;
};

}  // namespace geniepath::cli
