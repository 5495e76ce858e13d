// --memory-limit and --scratch: commands that keep their memory below a limit.
#pragma once

#include <CLI/CLI.hpp>

#include <filesystem>
#include <string>

#include "geniepath/data.h"

namespace geniepath::cli {

struct MemoryArguments {
  std::string limit;    // empty: none
  std::string scratch;  // empty: beside what the command writes

  void bind(CLI::App& command);
  bool given() const { return !limit.empty(); }
  // Sets the limit, before anything is loaded; `beside`: what the command writes or reads. An Error unless the device
  // is the CPU. Does nothing without a limit, or a second time.
  void apply(const std::string& device, const std::filesystem::path& beside) const;
  // An Error unless the data is mapped from a graph file.
  void require_graph_file(const DataOptions& data) const;
};

}  // namespace geniepath::cli
