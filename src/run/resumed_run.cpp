#include "run/resumed_run.h"

#include <map>
#include <nlohmann/json.hpp>

#include "base/options_json.h"
#include "data/catalog/registry.h"
#include "data/fingerprint.h"
#include "data/tables/table_schema_json.h"
#include "geniepath/error.h"
#include "run/data_files.h"
#include "run/prepared_run.h"

namespace geniepath::run {
namespace {

// Identity of a data set, independent of its location.
struct Content {
  std::string fingerprint;
  Task task = Task::kMultiClass;
  int64_t classes = 0;
};

// Cached, so that several runs read the data once.
const Content& content_of(const DataOptions& source, const TableOptions& tables, TableSchema schema = {}) {
  static std::map<std::string, Content> known;
  const std::string key = source.to_json_text() + tables.to_json_text() + to_json(schema).dump();
  if (const auto found = known.find(key); found != known.end()) return found->second;
  const Dataset data = load_dataset(source, tables, schema);
  return known[key] = {fingerprint(data), data.task, data.num_classes};
}

void check_same_data(const RunDescription& saved, const DataOptions& typed, const std::string& folder) {
  const Content& content = content_of(typed, saved.tables);
  const bool same = saved.fingerprint.empty() ? content.task == saved.task && content.classes == saved.classes
                                              : content.fingerprint == saved.fingerprint;
  if (same) return;
  fail("--data ", typed.data, ": the run in ", folder, " was started with ", saved.data.data,
       ", and this is other data; a resumed run keeps its options");
}

// Data sets are compared by name, files by their content.
void take_data(const GivenOptions& options, RunDescription& saved, const std::string& folder) {
  DataOptions source = saved.data;
  take_given(options.values.data, options.given, source);
  if (source.data != saved.data.data && !same_files(source.data, saved.data.data))
    check_same_data(saved, source, folder);
  saved.data = source;
}

}  // namespace

RunDescription resumed_run(const RunFolder& folder, GivenOptions options) {
  RunDescription saved = folder.description();
  RunDescription& given = options.values;
  const std::string where = folder.path().string();
  const bool unsupervised = given.tables.task == TableTask::kUnsupervised;
  choose_objective(given);
  const auto check = [&](const Options& now_options, const Options& kept_options) {
    const auto now = to_json(now_options), before = to_json(kept_options);
    for (const auto& [key, value] : now.items()) {
      const bool asked = options.given(key) || (key == "objective" && unsupervised);
      const bool may_change = key == "epochs" || key == "data" || key == "data-dir" || key == "verify";
      if (!asked || may_change || value == before[key]) continue;
      if ((key == "edges" || key == "nodes") && same_files(value, before[key])) continue;
      fail("--", key, " ", value.dump(), ": the run in ", where, " was started with ", before[key].dump(),
           "; a resumed run keeps its options");
    }
  };
  check(given.model, saved.model);
  check(given.train, saved.train);
  check(given.walk, saved.walk);
  check(given.data, saved.data);
  check(given.tables, saved.tables);
  check(given.transforms, saved.transforms);
  take_data(options, saved, where);
  if (options.given("epochs")) saved.train.epochs = given.train.epochs;
  return saved;
}

void check_unchanged(const RunDescription& saved, const std::string& print, const std::string& folder) {
  if (saved.fingerprint.empty() || print == saved.fingerprint) return;
  fail(folder, ": the run's data (", data_name(saved),
       ") is not what it was when the run was started, and a run resumes on the same data alone; restore it, or start "
       "anew (--force)");
}

void check_same_run(const RunFolder& folder, const GivenOptions& options) {
  const RunDescription run = folder.description(), resumed = resumed_run(folder, options);
  if (run.data.data == "tables" || find_dataset(run.data.data) == nullptr) {
    if (!options.given("data")) check_data_files(resumed);
    check_unchanged(run, content_of(resumed.data, resumed.tables, run.schema).fingerprint, folder.path().string());
  }
  const int64_t kept = run.train.epochs, given = resumed.train.epochs;
  if (given != kept) {
    fail("--epochs ", given, ": the run in ", folder.path().string(), " was started with ", kept,
         "; choose another folder");
  }
}

}  // namespace geniepath::run
