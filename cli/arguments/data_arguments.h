// Options for the data and its preparation, shared by all subcommands that read data.
#pragma once

#include <CLI/CLI.hpp>

#include "base/given_options.h"
#include "geniepath/data.h"

namespace geniepath::cli {

// The data to load: "tables" if --edges or --nodes was typed but not --data, else `data`.
std::string chosen_data(const IsGiven& typed, const std::string& data);

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
  // Chooses tables as the data if any were given. An Error if an option for the data was given that has no effect.
  void settle();
  // usual_transforms() of the data, overridden by typed options; an Error if one of these has no effect, and for a
  // given split that the data does not have.
  TransformOptions chosen_transforms(const Dataset& raw) const;
};

}  // namespace geniepath::cli
