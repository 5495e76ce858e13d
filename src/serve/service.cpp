#include "serve/service.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <limits>

#include "geniepath/error.h"
#include "serve/api_error.h"
#include "serve/new_node_scores.h"
#include "serve/seconds_since.h"

namespace geniepath::serve {
namespace {

using report::Json;

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

constexpr int64_t kLastOffset = std::numeric_limits<NodeId>::max();

std::string folder_name(const RunFolder& folder) {
  const std::filesystem::path path = std::filesystem::absolute(folder.path()).lexically_normal();
  return (path.has_filename() ? path : path.parent_path()).filename().string();
}

// /api/v1/other/... as an address of the other service.
Target of_other(Target target) {
  target.segments.erase(target.segments.begin() + 2);
  return target;
}

ExplainOptions explain_options(Parameters& parameters) {
  ExplainOptions options;
  options.hops = parameters.integer("hops", 1, 1000, 2);
  options.top = parameters.integer("top", 1, 500, 50);
  options.threshold = parameters.real("threshold", 0, 1, 0);
  return options;
}

[[noreturn]] void no_such_address(const char* method) {
  throw ApiError(404, "not_found", "there is no such address", "an address of /api/v1, with its method", method);
}

int64_t undirected_edges(const Graph& graph, bool directed) {
  const int64_t edges = graph.num_edges() - graph.num_self_loops();
  return directed ? edges : edges / 2;
}

}  // namespace

Service::Service(const RunFolder& folder, Dataset data, std::string version, report::Presentation presentation,
                 std::unique_ptr<Service> other)
    : version_(std::move(version)), name_(folder_name(folder)), predictor_(folder), columns_(predictor_.description()),
      data_(std::move(data)), raw_(presentation.raw.value_or(data_.features)), directed_(!data_.graph.is_symmetric()),
      classes_(report::class_names(data_.num_classes, presentation.class_names.empty()
                                                          ? predictor_.description().class_names
                                                          : presentation.class_names)),
      threshold_(presentation.threshold ? *presentation.threshold : predictor_.threshold(data_)),
      score_workers_(at::get_num_threads()), path_workers_(at::get_num_threads()), other_(std::move(other)) {
  if (!has_paths(*predictor_.model())) {
    fail("serve: ", predictor_.description().model.model,
         " has no paths, as it does not attend to neighbours by hops that can be followed; expected geniepath or "
         "geniepath-lazy");
  }
  scoring_ = std::async(std::launch::async, [this, folder, threads = at::get_num_threads()] {
    at::set_num_threads(threads);
    scored_ = std::make_unique<const NodeAnswers>(predictor_, data_, raw_, classes_, threshold_, folder);
    at::set_num_threads(1);  // for threads started after this
  }).share();
}

int64_t Service::num_workers() { return 2 * static_cast<int64_t>(at::get_num_threads()); }

bool Service::scoring_done() const { return scoring_.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }

const NodeAnswers& Service::scored() const {
  try {
    scoring_.get();
    return *scored_;
  } catch (const std::exception& error) {
    throw ApiError(503, "failed", "the nodes could not be scored", "", error.what());
  }
}

std::string Service::failure() const {
  try {
    if (scoring_done()) scored();
    return {};
  } catch (const ApiError& error) {
    return error.message + ": " + error.found;
  }
}

std::string Service::get(const Target& target) {
  const auto& path = target.segments;
  if (path.size() < 3 || path[0] != "api" || path[1] != "v1") no_such_address("GET");
  if (path[2] == "other") {
    if (!other_) throw ApiError(404, "not_found", "no other run is served", "geniepath serve --other RUN", "");
    return other_->get(of_other(target));
  }
  Parameters parameters(target.query);
  if (is_table(target)) return scored().queue_table(parameters);
  if (path.size() == 3) return text_of(about_all(path[2], parameters));
  if (path[2] == "nodes" && path.size() <= 5)
    return text_of(about_node(path[3], path.size() == 5 ? path[4] : "", parameters));
  no_such_address("GET");
}

Json Service::about_all(const std::string& what, Parameters& parameters) const {
  if (what == "health") return parameters.finish(), health();
  if (what == "model") return parameters.finish(), model();
  if (what == "metrics") return parameters.finish(), metrics();
  if (what == "search") {
    const std::string query = parameters.text("q", 512, "");
    const int64_t limit = parameters.integer("limit", 1, 100, 20);
    return parameters.finish(), scored().search(query, limit);
  }
  if (what == "decided") {
    const int64_t limit = parameters.integer("limit", 1, 100, 24);
    return parameters.finish(), scored().decided(limit);
  }
  if (what == "queue") {
    const QueueQuery query = queue_query(parameters);
    const int64_t offset = parameters.integer("offset", 0, kLastOffset, 0),
                  limit = parameters.integer("limit", 1, 100, 50);
    return parameters.finish(), scored().queue(query, offset, limit);
  }
  no_such_address("GET");
}

Json Service::about_node(const std::string& id, const std::string& what, Parameters& parameters) const {
  if (what.empty()) return parameters.finish(), scored().node(id);
  if (what == "paths" || what == "reasons") {
    const ExplainOptions options = explain_options(parameters);
    parameters.finish();
    return what == "paths" ? scored().paths(id, options) : scored().reasons(id, options);
  }
  if (what == "neighbours") {
    const int64_t limit = parameters.integer("limit", 1, 100, 20);
    return parameters.finish(), scored().neighbours(id, limit);
  }
  if (what == "routes") {
    const std::string to = parameters.text("to", 512, id);
    const int64_t limit = parameters.integer("limit", 1, 50, 10);
    return parameters.finish(), scored().routes(id, to, limit);
  }
  no_such_address("GET");
}

bool Service::is_table(const Target& target) {
  return target.segments == std::vector<std::string>{"api", "v1", "queue.csv"};
}

std::string Service::post(const Target& target, const std::string& body) {
  const auto& path = target.segments;
  if (path.size() != 3 || path[0] != "api" || path[1] != "v1" || path[2] != "score") no_such_address("POST");
  Parameters(target.query).finish();
  return text_of(score_new_nodes({scored(), predictor_, columns_, data_.features.is_sparse(), directed_}, body));
}

Workers* Service::workers_for(const Target& target) {
  const std::string name = target.segments.size() > 2 ? target.segments[2] : "";
  if (name == "other") return other_ ? other_->workers_for(of_other(target)) : nullptr;
  if (name == "score") return &score_workers_;
  const bool takes_time = name == "search" || name == "decided" || name == "nodes" || name == "metrics" ||
                          name == "queue" || name == "queue.csv";
  return takes_time ? &path_workers_ : nullptr;
}

void Service::count_answer(int status) {
  ++requests_;
  errors_ += status >= 400;
}

double Service::uptime() const { return seconds_since(started_); }

Json Service::health() const {
  if (!scoring_done()) throw ApiError(503, "starting", "the nodes are being scored", "", "");
  scored();
  return {{"status", "ok"}, {"version", version_}, {"uptime_seconds", uptime()}};
}

Json Service::model() const {
  Json types = Json::array();
  for (size_t t = 0; t < data_.type_names.size(); ++t) {
    types.push_back({{"name", data_.type_names[t]},
                     {"nodes", std::count(data_.node_type.begin(), data_.node_type.end(), static_cast<uint8_t>(t))}});
  }
  const bool binary = data_.task == Task::kBinary;
  const RunDescription& run = predictor_.description();
  return {{"run", name_},
          {"other", other_ ? Json(other_->name_) : Json(nullptr)},
          {"name", run.model.model},
          {"threshold", threshold_},
          {"hidden", run.model.hidden},
          {"depth", run.model.depth},
          {"features", run.features},
          {"columns", columns_.json()},
          {"parameters", num_parameters(*predictor_.model())},
          {"task", to_string(data_.task)},
          {"positive", binary ? Json(classes_[1]) : Json(nullptr)},
          {"classes", classes_},
          {"dataset",
           {{"name", data_.name},
            {"nodes", data_.graph.num_nodes()},
            {"edges", undirected_edges(data_.graph, directed_)},
            {"directed", directed_},
            {"types", types},
            {"splits", {{"train", data_.train.size()}, {"valid", data_.valid.size()}, {"test", data_.test.size()}}}}}};
}

Json Service::metrics() const {
  return {{"model", scored().model_scores()},
          {"server", {{"uptime_seconds", uptime()}, {"requests", requests_.load()}, {"errors", errors_.load()}}}};
}

}  // namespace geniepath::serve
