#include "serve/service.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "base/checksum.h"
#include "base/file.h"
#include "explain/routes.h"
#include "geniepath/error.h"
#include "run/run_files.h"
#include "serve/api_error.h"
#include "serve/score_request.h"
#include "training/train_json.h"

namespace geniepath::serve {
namespace {

using report::Json;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

constexpr int64_t kLastOffset = std::numeric_limits<NodeId>::max();
constexpr int64_t kMostTableRows = 100000, kMostColumns = 200;

std::string folder_name(const RunFolder& folder) {
  const std::filesystem::path path = std::filesystem::absolute(folder.path()).lexically_normal();
  return (path.has_filename() ? path : path.parent_path()).filename().string();
}

// /api/v1/other/... as the other service knows it.
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

Json scores_json(const Scores& scores) {
  Json out = to_json(scores);
  out["classes"] = Json::array();
  for (const ClassScores& c : scores.classes) {
    out["classes"].push_back({{"name", c.name}, {"positives", c.positives}, {"precision", c.precision},
                              {"recall", c.recall}, {"f1", c.f1}, {"roc_auc", c.roc_auc},
                              {"average_precision", c.average_precision}});
  }
  return out;
}

// The run's scores and best epoch; null if it was never finished.
Json model_scores(const RunFolder& folder, const Dataset& data, const Explainer& explainer,
                  const report::NodeFacts& facts) {
  const auto path = folder.file(run::kResult);
  if (!std::filesystem::exists(path)) return nullptr;
  const Json result = parse_sealed_json(read_text(path), path.string());
  if (!result.is_object() || !result.contains("best_epoch") || !result["best_epoch"].is_number_integer()) return nullptr;
  const auto scores = [&](const std::vector<NodeId>& nodes) {
    const at::Tensor index = at::tensor(nodes, at::kLong);
    return scores_json(score_predictions(data.task, explainer.probabilities().index_select(0, index),
                                         data.labels.index_select(0, index), facts.threshold(), facts.classes()));
  };
  return {{"best_epoch", result["best_epoch"]}, {"valid", scores(data.valid)}, {"test", scores(data.test)}};
}

// All nodes, highest score first.
std::vector<NodeId> ranked(const at::Tensor& probabilities) {
  std::vector<NodeId> order(static_cast<size_t>(probabilities.size(0)));
  std::iota(order.begin(), order.end(), NodeId{0});
  if (order.empty()) return order;
  const at::Tensor best = std::get<0>(probabilities.max(1)).contiguous();
  const auto* score = best.data_ptr<float>();
  std::stable_sort(order.begin(), order.end(), [&](NodeId a, NodeId b) { return score[a] > score[b]; });
  return order;
}

int64_t undirected_edges(const Graph& graph, bool directed) {
  const int64_t edges = graph.num_edges() - graph.num_self_loops();
  return directed ? edges : edges / 2;
}

// The new nodes' features, sparse or dense like the data set's own.
Features features_of(const std::vector<NewNode>& nodes, int64_t width, bool sparse) {
  std::vector<int64_t> offset{0};
  std::vector<int32_t> column;
  std::vector<float> value;
  for (const NewNode& node : nodes) {
    column.insert(column.end(), node.column.begin(), node.column.end());
    value.insert(value.end(), node.value.begin(), node.value.end());
    offset.push_back(static_cast<int64_t>(column.size()));
  }
  const SparseMatrix matrix{std::ssize(nodes), width, std::move(offset), std::move(column), std::move(value)};
  return sparse ? Features(matrix) : Features(matrix.to_dense());
}

}  // namespace

Service::Scored::Scored(const Service& service, const RunFolder& folder)
    : explainer(service.predictor_.model(), service.data_),
      facts(service.data_, explainer, service.classes_, service.predictor_.threshold()),
      columns(service.data_, service.raw_, service.predictor_.description().tables, service.predictor_.description().schema),
      model_scores(serve::model_scores(folder, service.data_, explainer, facts)),
      by_score(ranked(explainer.probabilities())) {}

Service::Service(const RunFolder& folder, Dataset data, std::string version, report::Presentation presentation,
                 std::unique_ptr<Service> other)
    : version_(std::move(version)),
      name_(folder_name(folder)),
      predictor_(folder),
      columns_(predictor_.description()),
      data_(std::move(data)),
      raw_(presentation.raw.value_or(data_.features)),
      directed_(!data_.graph.is_symmetric()),
      classes_(report::class_names(data_.num_classes, presentation.class_names.empty() ? predictor_.description().class_names
                                                                                        : presentation.class_names)),
      score_workers_(at::get_num_threads()),
      path_workers_(at::get_num_threads()),
      other_(std::move(other)) {
  if (!has_paths(*predictor_.model())) {
    fail("serve: ", predictor_.description().model.model, " does not attend to neighbours, so it has no paths; expected geniepath or geniepath-lazy");
  }
  scoring_ = std::async(std::launch::async, [this, folder, threads = at::get_num_threads()] {
    at::set_num_threads(threads);
    scored_ = std::make_unique<const Scored>(*this, folder);
    at::set_num_threads(1);  // for threads started after this
  }).share();
  decided_ = std::async(std::launch::deferred, [this] {
    return report::decided_nodes(scored().facts, scored().explainer, ExplainOptions());
  }).share();
}

int64_t Service::num_workers() { return 2 * static_cast<int64_t>(at::get_num_threads()); }

bool Service::scoring_done() const { return scoring_.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }

const Service::Scored& Service::scored() const {
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
  if (is_table(target)) return queue_table(parameters);
  if (path.size() == 3) return text_of(about_all(path[2], parameters));
  if (path[2] == "nodes" && path.size() <= 5) return text_of(about_node(path[3], path.size() == 5 ? path[4] : "", parameters));
  no_such_address("GET");
}

Json Service::about_all(const std::string& what, Parameters& parameters) const {
  if (what == "health") return parameters.finish(), health();
  if (what == "model") return parameters.finish(), model();
  if (what == "metrics") return parameters.finish(), metrics();
  if (what == "search") {
    const std::string query = parameters.text("q", 512, "");
    const int64_t limit = parameters.integer("limit", 1, 100, 20);
    return parameters.finish(), search(query, limit);
  }
  if (what == "decided") {
    const int64_t limit = parameters.integer("limit", 1, 100, 24);
    return parameters.finish(), decided(limit);
  }
  if (what == "queue") {
    const QueueQuery query = queue_query(parameters);
    const int64_t offset = parameters.integer("offset", 0, kLastOffset, 0), limit = parameters.integer("limit", 1, 100, 50);
    return parameters.finish(), queue(query, offset, limit);
  }
  no_such_address("GET");
}

Json Service::about_node(const std::string& id, const std::string& what, Parameters& parameters) const {
  if (what.empty()) return parameters.finish(), report::node_json(scored().facts, node_named(id));
  if (what == "paths" || what == "reasons") {
    const ExplainOptions options = explain_options(parameters);
    parameters.finish();
    return what == "paths" ? paths(node_named(id), options) : reasons(node_named(id), options);
  }
  if (what == "neighbours") {
    const int64_t limit = parameters.integer("limit", 1, 100, 20);
    return parameters.finish(), neighbours(node_named(id), limit);
  }
  if (what == "routes") {
    const std::string to = parameters.text("to", 512, id);
    const int64_t limit = parameters.integer("limit", 1, 50, 10);
    return parameters.finish(), routes(node_named(id), node_named(to), limit);
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
  return text_of(score(body));
}

Workers* Service::workers_for(const Target& target) {
  const std::string name = target.segments.size() > 2 ? target.segments[2] : "";
  if (name == "other") return other_ ? other_->workers_for(of_other(target)) : nullptr;
  if (name == "score") return &score_workers_;
  const bool takes_time = name == "search" || name == "decided" || name == "nodes" || name == "metrics" || name == "queue" || name == "queue.csv";
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
          {"threshold", predictor_.threshold()},
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
  return {{"model", scored().model_scores},
          {"server", {{"uptime_seconds", uptime()}, {"requests", requests_.load()}, {"errors", errors_.load()}}}};
}

Json Service::search(const std::string& query, int64_t limit) const {
  const report::NodeFacts& facts = scored().facts;
  std::vector<NodeId> matches[3];  // the id itself, ids that begin with it, ids that contain it
  int64_t total = 0;
  for (const NodeId node : scored().by_score) {
    const std::string id = facts.id(node);
    const size_t at = id.find(query);
    if (at == std::string::npos) continue;
    ++total;
    auto& group = matches[id == query ? 0 : at == 0 ? 1 : 2];
    if (std::ssize(group) < limit) group.push_back(node);
  }
  Json nodes = Json::array();
  for (const auto& group : matches) {
    for (const NodeId node : group) {
      if (std::ssize(nodes) == limit) break;
      nodes.push_back(summary(node));
    }
  }
  return {{"query", query}, {"total", total}, {"nodes", nodes}};
}

Json Service::decided(int64_t limit) const {
  const std::vector<report::DecidedNode>& decided = decided_.get();
  Json nodes = Json::array();
  for (const report::DecidedNode& found : decided) {
    if (std::ssize(nodes) == limit) break;
    Json one = summary(found.node);
    one["without"] = found.without;
    nodes.push_back(std::move(one));
  }
  return {{"tried", decided.size()}, {"nodes", nodes}};
}

std::vector<NodeId> Service::queued(const QueueQuery& query) const {
  const Scored& all = scored();
  const std::vector<report::DecidedNode> none;
  return NodeQueue(all.facts, all.columns, all.explainer.probabilities(), all.by_score)
      .matching(query, query.needs_tried() ? decided_.get() : none);
}

Json Service::summary(NodeId node) const {
  const report::NodeFacts& facts = scored().facts;
  return report::summary_json(facts, node, facts.telling_class(node));
}

Json Service::queue(const QueueQuery& query, int64_t offset, int64_t limit) const {
  const std::vector<NodeId> found = queued(query);
  Json nodes = Json::array();
  for (int64_t n = offset; n < std::min<int64_t>(std::ssize(found), offset + limit); ++n) {
    nodes.push_back(summary(found[static_cast<size_t>(n)]));
  }
  return {{"total", found.size()}, {"offset", offset}, {"nodes", nodes}};
}

std::string Service::queue_table(Parameters& parameters) const {
  const QueueQuery query = queue_query(parameters);
  const int64_t limit = parameters.integer("limit", 1, kMostTableRows, 10000);
  parameters.finish();
  std::vector<NodeId> found = queued(query);
  found.resize(static_cast<size_t>(std::min<int64_t>(std::ssize(found), limit)));
  return queue_csv(scored().facts, scored().columns, found);
}

Json Service::reasons(NodeId node, const ExplainOptions& options) const {
  const auto start = Clock::now();
  const Scored& all = scored();
  const Explanation explanation = all.explainer.explain(node, options);
  const report::Reasons found = report::reasons_of(all.facts, all.explainer, explanation, all.columns);
  Json answer = report::reasons_json(all.facts, explanation, found, all.columns, node, kMostColumns);
  answer["seconds"] = seconds_since(start);
  return answer;
}

Json Service::neighbours(NodeId node, int64_t limit) const {
  const report::NodeFacts& facts = scored().facts;
  std::vector<PathEdge> edges = scored().explainer.edges(node, 1);
  std::ranges::stable_sort(edges, std::greater<>(), [](const PathEdge& edge) { return edge.alpha.back(); });
  Json list = Json::array(), nodes = Json::array();
  for (size_t e = 0; e < std::min(edges.size(), static_cast<size_t>(limit)); ++e) {
    list.push_back({{"source", facts.id(edges[e].source)}, {"target", facts.id(node)}, {"alpha", edges[e].alpha}, {"laplacian", edges[e].laplacian}});
    nodes.push_back(summary(edges[e].source));
  }
  return {{"node", facts.id(node)}, {"total", edges.size()}, {"edges", list}, {"nodes", nodes}};
}

Json Service::routes(NodeId from, NodeId to, int64_t limit) const {
  const report::NodeFacts& facts = scored().facts;
  const explain::Routes found = explain::shortest_routes(data_.graph, from, to, static_cast<size_t>(limit));
  Json paths = Json::array(), nodes = Json::array();
  std::set<NodeId> on_the_way;
  for (const std::vector<NodeId>& path : found.paths) {
    Json ids = Json::array();
    for (const NodeId node : path) ids.push_back(facts.id(node)), on_the_way.insert(node);
    paths.push_back(ids);
  }
  for (const NodeId node : on_the_way) nodes.push_back(summary(node));
  return {{"from", facts.id(from)}, {"to", facts.id(to)}, {"all", found.all}, {"paths", paths}, {"nodes", nodes}};
}

NodeId Service::node_named(const std::string& id) const {
  const auto node = scored().facts.find(id);
  if (!node) throw ApiError(404, "unknown_node", "no node has this id", "an id of the graph (see /api/v1/search)", id);
  return *node;
}

Json Service::paths(NodeId node, const ExplainOptions& options) const {
  const auto start = Clock::now();
  const Explanation explanation = scored().explainer.explain(node, options);
  return report::explanation_json(scored().facts, explanation, seconds_since(start));
}

at::Tensor Service::scores_of(const UnseenNodes& unseen) const {
  try {
    return scored().explainer.score(unseen);
  } catch (const Error& error) {
    throw ApiError(422, "bad_body", error.what(), "features near those the model was trained on", "");
  }
}

Json Service::score(const std::string& body) const {
  const auto start = Clock::now();
  const RunDescription& run = predictor_.description();
  ScoreRequest request = parse_score_request(body, columns_.columns());
  const std::vector<std::string> notes = columns_.read(request.nodes);
  std::map<std::string, NodeId> added;
  for (const NewNode& node : request.nodes) {
    if (scored().facts.find(node.id)) {
      throw ApiError(422, "node_exists", "the graph has a node of this id", "an id the graph does not have", node.id);
    }
    added.emplace(node.id, static_cast<NodeId>(scored().explainer.num_nodes() + std::ssize(added)));
  }
  UnseenNodes unseen;
  unseen.directed = run.data.data == "tables" ? run.tables.directed && !run.transforms.symmetrise : directed_;
  for (size_t e = 0; e < request.edges.size(); ++e) {
    const auto end_of = [&](const std::string& id) {
      if (const auto found = added.find(id); found != added.end()) return found->second;
      if (const auto known = scored().facts.find(id)) return *known;
      throw ApiError(422, "bad_body", "edges[" + std::to_string(e) + "]: no node has this id",
                     "an id of the graph or of the request", id);
    };
    const NodeId source = end_of(request.edges[e].first), target = end_of(request.edges[e].second);
    if (std::max(source, target) < scored().explainer.num_nodes()) {
      throw ApiError(422, "bad_body", "edges[" + std::to_string(e) + "]: both ends are nodes of the graph",
                     "an edge with at least one new node", request.edges[e].first + " - " + request.edges[e].second);
    }
    unseen.edges.emplace_back(source, target);
  }
  try {
    unseen.features = predictor_.prepare(features_of(request.nodes, run.features, data_.features.is_sparse()));
  } catch (const Error& error) {
    throw ApiError(422, "bad_body", error.what(), "a model whose features are the nodes' own",
                   to_string(run.transforms.node_features));
  }
  const at::Tensor probabilities = scores_of(unseen);
  Json nodes = Json::array();
  for (size_t n = 0; n < request.nodes.size(); ++n) {
    Json one = {{"id", request.nodes[n].id}};
    one.update(report::prediction_json(scored().facts, probabilities[static_cast<int64_t>(n)]));
    nodes.push_back(std::move(one));
  }
  return {{"nodes", nodes}, {"notes", notes}, {"seconds", seconds_since(start)}};
}

}  // namespace geniepath::serve
