#include "arguments/run_arguments.h"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "arguments/applicable.h"
#include "arguments/output_file.h"
#include "base/options_json.h"
#include "data/fingerprint.h"
#include "geniepath/device.h"
#include "geniepath/error.h"
#include "run/data_files.h"
#include "terminal/console.h"
#include "terminal/table_report.h"
#include "terminal/text.h"

namespace geniepath::cli {

void refuse_learned(const IsGiven& typed) {
  for (const char* name : {"one-hot", "most-categories", "task", "positive", "baselines"}) {
    if (typed(name)) fail("--", name, " applies only to training: the run keeps how its tables were read");
  }
}

void RunArguments::bind(CLI::App& command) {
  command.add_option("--run", run, "folder of the trained run")->required();
  command.add_option("--device", device, "where to run: cpu, cuda, cuda:1, ...");
  command.add_option("--threads", threads, "threads to use (0: every core it may use)")->check(CLI::Range(0, 4096));
  data.bind(command);
  command.get_option("--data")->default_str("the run's");
}

std::shared_ptr<Model> RunArguments::model(const RunFolder& folder) const {
  const c10::Device where = device_named(device);
  auto loaded = load_model(folder);
  loaded->to(where);
  return loaded;
}

void RunArguments::require_cpu(const char* command) const {
  if (device.starts_with("cuda") || !device_named(device).is_cpu()) {  // a build without CUDA would ask for one with it
    fail("device: ", device, ", but ", command, " follows receptive paths only on the CPU; use --device cpu");
  }
}

// Whether data loaded as the run's own is what it was trained on. Data that is generated, or a graph read beyond the
// memory, is assumed to be: checking would take as long as using it.
bool RunArguments::is_unchanged(const Dataset& loaded, const RunDescription& description) const {
  const bool of_files = !description.files.empty() && !memory.given();
  return !of_files || description.fingerprint.empty() || fingerprint(loaded) == description.fingerprint;
}

Dataset RunArguments::load(const RunFolder& folder, const RunDescription& description) const {
  return load_with_raw(folder, description).data;
}

LoadedData RunArguments::load_with_raw(const RunFolder& folder, const RunDescription& description) const {
  use_threads(threads);
  DataOptions source = description.data;
  TableOptions tables = description.tables;
  FittedTransforms fitted = folder.transforms();
  const IsGiven typed = typed_in(*data.app);
  take_given(data.data, typed, source);
  take_given(data.tables, typed, tables);
  take_given(data.transforms, typed, fitted.options);
  tables.needs_labels = needs_labels || typed("label-column");
  source.data = chosen_data(typed, source.data);
  memory.require_graph_file(source);
  run::check_data_files(description, typed);
  check_applicable(*data.app, {&source, &tables});
  check_applicable(*data.app, {&fitted.options});
  TableSchema schema = description.schema;
  if (schema.learned) refuse_learned(typed);
  LoadedData loaded;
  {
    const Activity loading("loading the data");
    loaded.data = load_dataset(source, tables, schema);
    loaded.raw = loaded.data.features;
    loaded.own = uses_own_data() && is_unchanged(loaded.data, description);
    loaded.data = apply_transforms(std::move(loaded.data), fitted);
  }
  say_tables(schema.report, source.data);
  check_fits(description, loaded.data);
  if (uses_own_data() && !loaded.own) {
    std::cerr << terminal(run::data_name(description)) << ": changed since the run was trained on it\n";
  }
  return loaded;
}

void RunArguments::check_output(const std::filesystem::path& out, const RunFolder& folder,
                                const RunDescription& description) const {
  cli::check_output(out, folder, description, {data.tables.edges, data.tables.nodes, data.data.data});
}

bool RunArguments::uses_own_data() const {
  const IsGiven typed = typed_in(*data.app);
  const auto any_typed = [&](const Options& options) {
    const nlohmann::ordered_json object = to_json(options);
    return std::ranges::any_of(object.items(), [&](const auto& item) { return typed(item.key()); });
  };
  return !any_typed(data.data) && !any_typed(data.tables) && !any_typed(data.transforms);
}

}  // namespace geniepath::cli
