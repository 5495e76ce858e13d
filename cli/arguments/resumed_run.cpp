#include "arguments/resumed_run.h"

#include <map>
#include <nlohmann/json.hpp>

#include "data/fingerprint.h"
#include "geniepath/error.h"

namespace geniepath::cli {
namespace {

// What a data set is, apart from where it lies.
struct Content {
  std::string fingerprint;
  Task task = Task::kMultiClass;
  int64_t classes = 0;
};

// Read once, however many runs ask.
const Content& content_of(const DataOptions& source, const TableOptions& tables) {
  static std::map<std::string, Content> known;
  const std::string key = source.to_json().dump() + tables.to_json().dump();
  if (const auto found = known.find(key); found != known.end()) return found->second;
  const Dataset data = load_dataset(source, tables);
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

// Names are compared, files by what is in them.
void take_place(const TrainCommand& command, RunDescription& saved) {
  DataOptions source = saved.data;
  take_typed(*command.app, command.data.data, source);
  if (source.data != saved.data.data) check_same_data(saved, source, command.out);
  saved.data = source;
}

}  // namespace

RunDescription resumed_run(const TrainCommand& command) {
  RunDescription saved = RunFolder(command.out).description(), typed;
  typed.model = command.model, typed.train = command.train, typed.walk = command.walk;
  typed.data = command.data.data, typed.tables = command.data.tables, typed.transforms = command.data.transforms;
  const bool unsupervised = typed.tables.task == "unsupervised";
  choose_objective(typed);
  const auto check = [&](const Options& given, const Options& kept) {
    const auto now = given.to_json(), before = kept.to_json();
    for (const auto& [key, value] : now.items()) {
      const bool asked = command.app->count("--" + key) > 0 || (key == "objective" && unsupervised);
      const bool may_change = key == "epochs" || key == "data" || key == "data-dir" || key == "verify";
      if (!asked || may_change || value == before[key]) continue;
      fail("--", key, " ", value.dump(), ": the run in ", command.out, " was started with ", before[key].dump(),
           "; a resumed run keeps its options");
    }
  };
  check(typed.model, saved.model);
  check(typed.train, saved.train);
  check(typed.walk, saved.walk);
  check(typed.data, saved.data);
  check(typed.tables, saved.tables);
  check(typed.transforms, saved.transforms);
  take_place(command, saved);
  if (command.app->count("--epochs") > 0) saved.train.epochs = command.train.epochs;
  return saved;
}

void check_same_run(const TrainCommand& command) {
  const int64_t kept = RunFolder(command.out).description().train.epochs, typed = resumed_run(command).train.epochs;
  if (typed != kept) {
    fail("--epochs ", typed, ": the run in ", command.out, " was started with ", kept, "; choose another folder");
  }
}

}  // namespace geniepath::cli
