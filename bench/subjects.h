// One measured subject per file. Each add_* declares a subcommand of geniepath-bench and what it measures.
#pragma once

#include <CLI/CLI.hpp>

#include "terminal/console.h"
#include "terminal/text.h"

namespace geniepath::bench {

using cli::bytes_text, cli::fixed, cli::grouped, cli::ProgressLine, cli::table, cli::use_threads;

void add_operations(CLI::App& app);  // attention, layer, spmm, features
void add_products(CLI::App& app);
void add_walks(CLI::App& app);
void add_loading(CLI::App& app);  // loading, sampling
void add_gpu(CLI::App& app);
void add_processes(CLI::App& app);
void add_scaling(CLI::App& app);

}  // namespace geniepath::bench
