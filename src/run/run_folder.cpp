#include <nlohmann/json.hpp>

#include "base/checksum.h"
#include "base/file.h"
#include "geniepath/error.h"
#include "geniepath/run.h"
#include "io/safetensors.h"
#include "run/replaced_run.h"
#include "run/run_files.h"
#include "run/run_threshold.h"
#include "run/weights_file.h"

namespace geniepath {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "geniepath-run";
constexpr int64_t kVersion = 1;

template <class T>
T field(const Json& object, const char* name, const std::string& where) {
  try {
    return object.at(name).get<T>();
  } catch (const nlohmann::json::exception&) {
    fail(where, ": '", name, "' is missing or of the wrong kind");
  }
}

// Of what runs of geniepath before it was kept do not have.
template <class T>
T field_or(const Json& object, const char* name, const T& otherwise, const std::string& where) {
  return object.contains(name) ? field<T>(object, name, where) : otherwise;
}

}  // namespace

Json RunDescription::to_json() const {
  return {{"format", kFormat},
          {"version", kVersion},
          {"model", model.to_json()},
          {"features", features},
          {"task", to_string(task)},
          {"classes", classes},
          {"class_names", class_names},
          {"train", train.to_json()},
          {"walk", walk.to_json()},
          {"data", data.to_json()},
          {"tables", data.data == "tables" ? tables.to_json() : Json::object()},
          {"schema", data.data == "tables" ? schema.to_json() : Json::object()},
          {"transforms", transforms.to_json()},
          {"fingerprint", fingerprint}};
}

RunDescription RunDescription::from_json(const Json& object, const std::string& where) {
  if (!object.is_object() || field_or(object, "format", std::string(), where) != kFormat) fail(where, ": not a description of a run");
  const auto version = field<int64_t>(object, "version", where);
  if (version > kVersion) {
    fail(where, ": version ", version, " of the format, but this program reads up to ", kVersion,
         "; a newer geniepath wrote it");
  }
  RunDescription run;
  run.model.read_json(field<Json>(object, "model", where), where + ": model");
  run.train.read_json(field<Json>(object, "train", where), where + ": train");
  run.walk.read_json(field_or(object, "walk", Json::object(), where), where + ": walk");
  run.data.read_json(field<Json>(object, "data", where), where + ": data");
  run.tables.read_json(field<Json>(object, "tables", where), where + ": tables");
  const Json schema = field_or(object, "schema", Json::object(), where);
  if (!schema.empty()) run.schema = TableSchema::from_json(schema, where + ": schema");
  run.transforms.read_json(field<Json>(object, "transforms", where), where + ": transforms");
  run.fingerprint = field_or(object, "fingerprint", std::string(), where);
  run.task = task_from_string(field<std::string>(object, "task", where));
  run.features = field<int64_t>(object, "features", where);
  run.classes = field<int64_t>(object, "classes", where);
  run.class_names = field<std::vector<std::string>>(object, "class_names", where);
  return run;
}

bool RunFolder::holds_run() const { return std::filesystem::exists(file(runs::kDescription)); }

void RunFolder::create(const RunDescription& description, const FittedTransforms& transforms, bool force) const {
  runs::tidy_up(*this);
  if (holds_run() && runs::has_checkpoint(*this) && !force) {
    fail(path_.string(), ": already holds a run; resume it (--resume), replace it (--force), or choose another folder");
  }
  const RunFolder place = runs::make_starting_place(*this);
  if (!transforms.tensors.empty()) write_safetensors(place.file(runs::kTransforms), {transforms.tensors, {}});
  place.describe(description);
}

void RunFolder::describe(const RunDescription& description) const {
  write_atomically(file(runs::kDescription), [&](std::ostream& out) { out << sealed_json(description.to_json()); });
}

RunDescription RunFolder::description() const {
  const std::string where = file(runs::kDescription).string();
  if (!holds_run()) {
    if (runs::is_being_replaced(*this)) fail(path_.string(), ": stopped while one run replaced another; go on with train --resume");
    fail(path_.string(), ": no run here (expected ", where, ")");
  }
  return RunDescription::from_json(parse_sealed_json(read_text(where), where), where);
}

int64_t RunFolder::epochs_done() const {
  const auto path = file(runs::kLast);
  return std::filesystem::exists(path) ? runs::load_epoch(path) : 0;
}

std::optional<double> runs::run_threshold(const RunFolder& folder) {
  const auto path = folder.file(kResult);
  if (!std::filesystem::exists(path)) return std::nullopt;
  const Json result = parse_sealed_json(read_text(path), path.string());
  if (!result.is_object() || !result.contains("threshold") || !result["threshold"].is_number()) return std::nullopt;
  const double threshold = result["threshold"];
  return threshold >= 0 && threshold <= 1 ? std::optional(threshold) : std::nullopt;
}

FittedTransforms RunFolder::transforms() const {
  FittedTransforms fitted{description().transforms, {}};
  const auto path = file(runs::kTransforms);
  if (std::filesystem::exists(path)) fitted.tensors = read_learned(path).tensors;
  return fitted;
}

}  // namespace geniepath
