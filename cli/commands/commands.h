// One subcommand per file. Each add_* declares its subcommand, options and action on `app`.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace geniepath::cli {

void add_train(CLI::App& app);
void add_evaluate(CLI::App& app);
void add_predict(CLI::App& app);
void add_score(CLI::App& app);
void add_embed(CLI::App& app);
void add_tune(CLI::App& app);
void add_explain(CLI::App& app);
void add_report(CLI::App& app);
void add_serve(CLI::App& app);
void add_compare(CLI::App& app);
void add_reproduce(CLI::App& app);
void add_datasets(CLI::App& app);
void add_inspect(CLI::App& app);
void add_convert(CLI::App& app);
void add_partition(CLI::App& app);
void add_download(CLI::App& app);
void add_completion(CLI::App& app);
void add_manual(CLI::App& app);

// Runs the subcommand that the program's arguments name.
void run_command(std::vector<std::string> arguments);

}  // namespace geniepath::cli
