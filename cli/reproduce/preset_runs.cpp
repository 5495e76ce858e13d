#include "reproduce/preset_runs.h"

#include "arguments/train_command.h"
#include "data/catalog/registry.h"
#include "geniepath/error.h"

namespace geniepath::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::vector<std::string> arguments_of(const PresetRuns& runs, const PresetRun& run) {
  std::vector<std::string> arguments{"--config=" + (runs.presets / (run.preset + ".toml")).string(),
                                     "--out=" + (runs.out / run.folder()).string(),
                                     "--seed=" + std::to_string(run.seed)};
  if (run.depth > 0) arguments.push_back("--depth=" + std::to_string(run.depth));
  const bool is_generated = !runs.data_files.contains(run.data);
  if (run.new_world && is_generated) arguments.push_back("--data-seed=" + std::to_string(run.seed));
  if (const int64_t splits = dataset_named(run.data).published_splits; splits > 1) {
    arguments.push_back("--published-split=" + std::to_string((run.seed % splits + splits - 1) % splits));
  }
  if (const auto file = runs.data_files.find(run.data); file != runs.data_files.end()) {
    arguments.push_back("--data=" + file->second);
  }
  arguments.insert(arguments.end(), runs.options.begin(), runs.options.end());
  return arguments;
}

}  // namespace

bool PresetRuns::has(const std::string& preset) const { return fs::exists(presets / (preset + ".toml")); }

fs::path PresetRun::folder() const {
  fs::path path = fs::path("runs") / preset;
  if (depth > 0) path /= "depth-" + std::to_string(depth);
  return path / ("seed-" + std::to_string(seed));
}

std::optional<Json> result_of(const PresetRuns& runs, const PresetRun& run, const std::string& title) {
  ParsedTrain train(arguments_of(runs, run));
  const std::string& data = train.command.data.data.data;
  if (!runs.data_files.contains(run.data) && data != run.data) {
    fail((runs.presets / (run.preset + ".toml")).string(), ": data: expected ", run.data, ", found ", data);
  }
  train.command.title = title;
  train.command.brief = true;
  return finished_result(train.command);
}

Dataset data_of(const PresetRuns& runs, const PresetRun& run) {
  ParsedTrain train(arguments_of(runs, run));
  const RunFolder folder(train.command.out);
  RunDescription description = run::resumed_run(folder, train.command.given());
  return apply_transforms(load_dataset(description.data, description.tables, description.schema), folder.transforms());
}

fs::path preset_folder(const std::string& given) {
  std::vector<fs::path> candidates{given};
  if (given.empty()) {
    std::error_code problem;
    const fs::path program = fs::read_symlink("/proc/self/exe", problem).parent_path();
    candidates = {program / "../../share/geniepath/configs", program / "../../../configs", "configs"};
  }
  for (const fs::path& folder : candidates) {
    if (fs::is_directory(folder)) return fs::weakly_canonical(folder);
  }
  fail(given.empty() ? "configs" : given, ": no presets here; name their folder with --configs");
}

}  // namespace geniepath::cli
