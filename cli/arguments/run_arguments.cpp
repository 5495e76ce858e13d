#include "arguments/run_arguments.h"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "arguments/applicable.h"
#include "arguments/output_file.h"
#include "base/options_json.h"
#include "geniepath/device.h"
#include "geniepath/error.h"
#include "run/data_files.h"
#include "terminal/console.h"
#include "terminal/table_report.h"
#include "terminal/text.h"

namespace geniepath::cli {

void refuse_learned(const IsGiven& typed, const RunDescription& run) {
  const auto refuse = [&](const char* name) {
    if (typed(name)) fail("--", name, " applies only to training: the run keeps how its tables were read");
  };
  if (run.data.data == "tables") refuse("directed");  // a graph file does not say how tables like it are read
  if (!run.schema.learned) return;
  for (const char* name : {"one-hot", "most-categories", "task", "positive", "baselines"}) refuse(name);
}

namespace {

// An Error for an option of the preparation that training fits a model to: all but those of the split.
void refuse_fitted(const IsGiven& typed) {
  for (const char* name : {"symmetrise", "self-loops", "merge-duplicates", "node-features", "svd-dimensions",
                           "feature-transform", "feature-scale"}) {
    if (typed(name)) fail("--", name, " applies only to training: the run keeps how its data was prepared");
  }
}

}  // namespace

void say_if_changed(run::DataState state, const RunDescription& run) {
  if (state == run::DataState::kChanged) std::cerr << terminal(run::changed_text(run)) << "\n";
}

bool LoadedData::has_splits_of_the_training(const RunDescription& run) const {
  return is_own() || (state != run::DataState::kOtherSplit && run.transforms.split == SplitKind::kGiven);
}

void LoadedData::drop_other_split(const RunDescription& run) {
  if (has_splits_of_the_training(run)) return;
  for (auto* split : {&data.train, &data.valid, &data.test}) split->clear();
}

void LoadedData::check_split_is_kept(const char* command, const RunDescription& run) const {
  if (state == run::DataState::kOther || has_splits_of_the_training(run)) return;
  const bool is_changed = state == run::DataState::kChanged;
  fail(command, ": the split of ", run::data_name(run),
       is_changed ? " would be drawn anew from the changed data" : " would be another than in training",
       ", and the run scored on nodes that it was trained on; ",
       is_changed ? "restore the data" : "leave out the options that split it", ", or ", command,
       " data that the run has not seen");
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

LoadedData RunArguments::load(const RunFolder& folder, const RunDescription& description) const {
  LoadedData loaded = load_with_raw(folder, description);
  loaded.raw = {};
  return loaded;
}

LoadedData RunArguments::load_with_raw(const RunFolder& folder, const RunDescription& description) const {
  use_threads(threads);
  DataOptions source = description.data;
  TableOptions tables = description.tables;
  FittedTransforms fitted = folder.transforms();
  const IsGiven typed = typed_in(*data.app);
  refuse_fitted(typed);
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
  refuse_learned(typed, description);
  LoadedData loaded;
  {
    const Activity loading("loading the data");
    loaded.data = load_dataset(source, tables, schema);
    loaded.raw = loaded.data.features;
    loaded.state = run::data_state(description, loaded.data, source, tables, fitted.options);
    loaded.data = apply_transforms(std::move(loaded.data), fitted);
  }
  say_tables(schema.report, source.data);
  check_fits(description, loaded.data);
  say_if_changed(loaded.state, description);
  return loaded;
}

void RunArguments::check_output(const std::filesystem::path& out, const RunFolder& folder,
                                const RunDescription& description) const {
  cli::check_output(out, folder, description, {data.tables.edges, data.tables.nodes, data.data.data});
}

}  // namespace geniepath::cli
