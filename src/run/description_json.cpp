#include "run/description_json.h"

#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/options_json.h"
#include "data/tables/table_schema_json.h"
#include "geniepath/error.h"
#include "run/data_files.h"

namespace geniepath {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kRunFormat = "geniepath-run";
constexpr int64_t kRunVersion = 3;

template <class T>
T field(const Json& object, const char* name, const std::string& where) {
  try {
    if constexpr (std::is_same_v<T, int64_t>) return whole_number(object.at(name), where + ": " + name);
    return object.at(name).get<T>();
  } catch (const nlohmann::json::exception&) {
    fail(where, ": '", name, "' is missing or has the wrong type");
  }
}

// For fields that runs of older versions lack.
template <class T>
T field_or(const Json& object, const char* name, const T& otherwise, const std::string& where) {
  return object.contains(name) ? field<T>(object, name, where) : otherwise;
}

// Sets the options that older versions used without recording them; every other option is recorded.
void set_older_version(int64_t version, RunDescription& run) {
  if (version < 3) run.model.output_bias = false;
  if (version > 1) return;
  run.model.init = Init::kXavier;
  run.train.warmup = 0;
  run.train.weight_decay = 0;
}

void check_classes(const RunDescription& run, const std::string& where) {
  constexpr int64_t kMost = 1'000'000;
  if (run.classes < 0 || run.classes > kMost) fail(where, ": classes: expected 0 to ", kMost, ", found ", run.classes);
  if (run.task == Task::kBinary && run.classes != 2)
    fail(where, ": classes: expected 2, as the task is binary, found ", run.classes);
  if (const int64_t names = std::ssize(run.class_names); names > run.classes)
    fail(where, ": class_names: expected at most ", run.classes, ", found ", names);
}

}  // namespace

Json to_json(const RunDescription& run) {
  return {{"format", kRunFormat},
          {"version", kRunVersion},
          {"model", to_json(run.model)},
          {"features", run.features},
          {"task", to_string(run.task)},
          {"classes", run.classes},
          {"class_names", run.class_names},
          {"train", to_json(run.train)},
          {"walk", to_json(run.walk)},
          {"data", to_json(run.data)},
          {"tables", run.data.data == "tables" ? to_json(run.tables) : Json::object()},
          {"schema", run.data.data == "tables" || !run.schema.tables.empty() ? to_json(run.schema) : Json::object()},
          {"transforms", to_json(run.transforms)},
          {"files", run::to_json(run.files)},
          {"fingerprint", run.fingerprint},
          {"unfilled_fingerprint", run.unfilled_fingerprint},
          {"transforms_checksum", run.transforms_checksum}};
}

RunDescription run_description_from_json(const Json& object, const std::string& where) {
  if (!object.is_object() || field_or(object, "format", std::string(), where) != kRunFormat)
    fail(where, ": not a description of a run");
  const auto version = field<int64_t>(object, "version", where);
  if (version > kRunVersion) {
    fail(where, ": version ", version, " of the format, but this program reads up to ", kRunVersion,
         "; a newer geniepath wrote it");
  }
  RunDescription run;
  set_older_version(version, run);
  read_json(run.model, field<Json>(object, "model", where), where + ": model");
  read_json(run.train, field<Json>(object, "train", where), where + ": train");
  read_json(run.walk, field_or(object, "walk", Json::object(), where), where + ": walk");
  read_json(run.data, field<Json>(object, "data", where), where + ": data");
  read_json(run.tables, field<Json>(object, "tables", where), where + ": tables");
  const Json schema = field_or(object, "schema", Json::object(), where);
  if (!schema.empty()) run.schema = table_schema_from_json(schema, where + ": schema");
  read_json(run.transforms, field<Json>(object, "transforms", where), where + ": transforms");
  run.files = run::data_files_from_json(field_or(object, "files", Json::array(), where), where + ": files");
  run.fingerprint = field_or(object, "fingerprint", std::string(), where);
  run.unfilled_fingerprint = field_or(object, "unfilled_fingerprint", std::string(), where);
  run.transforms_checksum = field_or(object, "transforms_checksum", std::string(), where);
  run.task = from_string<Task>(field<std::string>(object, "task", where), "task");
  run.features = field<int64_t>(object, "features", where);
  run.classes = field<int64_t>(object, "classes", where);
  run.class_names = field<std::vector<std::string>>(object, "class_names", where);
  check_classes(run, where);
  return run;
}

}  // namespace geniepath
