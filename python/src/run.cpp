#include "run.h"

#include <ATen/ATen.h>

#include <limits>

#include "bindings.h"
#include "geniepath/device.h"
#include "geniepath/error.h"
#include "geniepath/row_scores.h"
#include "models.h"

namespace geniepath::python {

PyRun::PyRun(const std::string& folder, const std::string& device)
    : folder_(folder), device_(device_named(device)), predictor_(folder_, device_) {}

std::string PyExplanation::json() const { return run_->writer().json(explanation_, reasons()); }

std::string PyExplanation::svg(int64_t layer) const { return run_->writer().svg(explanation_, layer, reasons()); }

std::string PyExplanation::html(int64_t layer) const { return run_->writer().html(explanation_, layer, reasons()); }

const ReasonTexts& PyExplanation::reasons() const {
  std::call_once(known_->once, [&] { known_->reasons = run_->writer().reasons(explanation_); });
  return known_->reasons;
}

const Dataset& PyRun::data() const {
  const std::lock_guard lock(mutex_);
  if (data_) return *data_;
  Dataset raw = predictor_.load_raw_data();
  raw_ = raw.features;
  data_ = std::make_unique<const Dataset>(predictor_.prepare(std::move(raw)));
  return *data_;
}

double PyRun::threshold() const {
  if (predictor_.has_threshold()) return predictor_.threshold();
  const std::lock_guard lock(mutex_);
  if (!threshold_) threshold_ = predictor_.threshold(data());
  return *threshold_;
}

const Explainer& PyRun::explainer() const {
  const std::lock_guard lock(mutex_);
  if (!explainer_) {
    const std::shared_ptr<const Model> on_cpu = device_.is_cpu() ? predictor_.model() : load_model(folder_);
    explainer_ = std::make_unique<const Explainer>(on_cpu, data());
  }
  return *explainer_;
}

const ExplanationWriter& PyRun::writer() const {
  const std::lock_guard lock(mutex_);
  if (writer_) return *writer_;
  const RunDescription& run = predictor_.description();
  const Explainer& explainer = this->explainer();  // reads the data, too
  writer_ = std::make_unique<const ExplanationWriter>(data(), explainer, run.class_names, threshold(),
                                                      RawColumns{raw_, run.tables, run.schema});
  return *writer_;
}

NodeId PyRun::find(const std::string& id) const {
  const auto node = writer().find(id);
  if (!node) fail("node '", id, "': ", data().name, " has no such node among its ", data().graph.num_nodes());
  return *node;
}

PyExplanation PyRun::explain(NodeId node, const ExplainOptions& options) const {
  options.check();
  return {shared_from_this(), explainer().explain(node, options)};
}

at::Tensor PyRun::score(const at::Tensor& features, const at::Tensor& edges, bool directed) const {
  if (edges.dim() != 2 || edges.size(0) != 2 || !at::isIntegralType(edges.scalar_type(), false)) {
    fail("score: edges has shape ", c10::str(edges.sizes()), " of ", at::toString(edges.scalar_type()),
         ", expected integers [2, E]");
  }
  Features rows(features);
  if (data().features.is_sparse()) rows = sparse_of(features);  // prepared as the run's own, and joined to them
  UnseenNodes unseen{predictor_.prepare(rows), {}, directed};
  const at::Tensor ids = edges.to(at::kCPU, at::kLong).contiguous();
  const int64_t nodes = data().graph.num_nodes() + features.size(0), *id = ids.data_ptr<int64_t>();
  for (int64_t e = 0; e < ids.size(1); ++e) {
    for (const int64_t end : {id[e], id[e + ids.size(1)]}) {
      if (end < 0 || end >= nodes) fail("score: edge ", e, " has the node ", end, ", expected 0 to below ", nodes);
    }
    unseen.edges.emplace_back(static_cast<NodeId>(id[e]), static_cast<NodeId>(id[e + ids.size(1)]));
  }
  return score_unseen(*predictor_.model(), data(), unseen);
}

PyScoredRows PyRun::score_tables(const std::string& options) const {
  constexpr int64_t kAll = std::numeric_limits<int64_t>::max();
  const RunDescription& run = predictor_.description();
  TableOptions rows = run.tables;
  rows.edges.clear();
  rows.read_json_text(options, "score");
  rows.check();
  RowScorer scorer(predictor_.model(), data(), {run.tables, run.schema, folder_.transforms()}, rows);
  if (scorer.at_end()) fail("score: nodes has no rows");
  ScoredRows scored = scorer.next(kAll);
  scorer.finish();
  return {std::move(scored.ids), std::move(scored.types), scorer.notes(), scored.probabilities};
}

void PyRun::save_weights(const std::map<std::string, at::Tensor>& weights) const {
  const auto model = load_model(folder_);
  set_weights(*model, weights);
  save_model(folder_, *model);
}

namespace {

const Dataset& data_of(const PyRun& run) {
  const py::gil_scoped_release unlocked;
  return run.data();
}

double threshold_of(const PyRun& run) {
  const py::gil_scoped_release unlocked;
  return run.threshold();
}

py::dict splits_of(const PyRun& run) {
  py::dict splits;
  const auto add = [&](const char* name, const std::vector<NodeId>& nodes) {
    splits[name] = at::tensor(nodes, at::kInt).to(at::kLong);
  };
  const Dataset& data = data_of(run);
  add("train", data.train), add("valid", data.valid), add("test", data.test);
  return splits;
}

// ids, types, probabilities and notes.
py::tuple score_tables(const PyRun& run, const std::string& options) {
  PyScoredRows scored;
  {
    const py::gil_scoped_release unlocked;
    scored = run.score_tables(options);
  }
  return py::make_tuple(scored.ids, scored.types, scored.probabilities, scored.notes);
}

PyExplanation explain_node(const PyRun& run, NodeId node, int64_t hops, int64_t top, double threshold) {
  ExplainOptions options;
  options.hops = hops, options.top = top, options.threshold = threshold;
  return run.explain(node, options);
}

// Names of the columns of each node table, or of a graph file's features.
std::vector<std::vector<std::string>> columns_of_tables(const PyRun& run) {
  std::vector<std::vector<std::string>> tables;
  for (const TableSchema::Table& table : run.predictor().description().schema.tables) {
    tables.push_back(table.numbers);
    for (const TableSchema::Categories& column : table.one_hot) tables.back().push_back(column.column);
  }
  return tables;
}

void bind_explanation(py::module_& module) {
  py::class_<PyExplanation>(module, "Explanation")
      .def("json", &PyExplanation::json, Unlocked())
      .def("svg", &PyExplanation::svg, py::arg("layer") = 1, Unlocked())
      .def("html", &PyExplanation::html, py::arg("layer") = 1, Unlocked());
}

// Whether some edges went one way in training.
bool is_directed(const PyRun& run) {
  const RunDescription& description = run.predictor().description();
  if (description.data.data == "tables") return description.tables.directed && !description.transforms.symmetrise;
  return !data_of(run).graph.is_symmetric();
}

}  // namespace

void bind_run(py::module_& module) {
  bind_explanation(module);
  const auto make = [](const std::string& folder, const std::string& device) {
    return std::make_shared<PyRun>(folder, device);
  };
  py::class_<PyRun, std::shared_ptr<PyRun>>(module, "Run")
      .def(py::init(make), py::arg("folder"), py::arg("device") = "cpu", Unlocked())
      .def_property_readonly("task", [](const PyRun& run) { return to_string(run.predictor().description().task); })
      .def_property_readonly("classes", [](const PyRun& run) { return run.predictor().description().class_names; })
      .def_property_readonly("num_classes", [](const PyRun& run) { return run.predictor().description().classes; })
      .def_property_readonly("num_features", [](const PyRun& run) { return run.predictor().description().features; })
      .def_property_readonly("model_options",
                             [](const PyRun& run) { return run.predictor().description().model.to_json_text(); })
      .def_property_readonly("threshold", &threshold_of)
      .def_property_readonly("is_of_tables",
                             [](const PyRun& run) { return run.predictor().description().data.data == "tables"; })
      .def_property_readonly("id_column",
                             [](const PyRun& run) { return run.predictor().description().tables.id_column; })
      .def_property_readonly("directed", &is_directed)
      .def_property_readonly("columns", &columns_of_tables)
      .def_property_readonly("num_nodes", [](const PyRun& run) { return data_of(run).graph.num_nodes(); })
      .def_property_readonly("node_names", [](const PyRun& run) { return data_of(run).node_names; })
      .def_property_readonly("labels", [](const PyRun& run) { return data_of(run).labels; })
      .def("splits", &splits_of)
      .def("weights", [](const PyRun& run) { return weights_of(*run.predictor().model()); })
      .def("save_weights", &PyRun::save_weights, py::arg("weights"), Unlocked())
      .def(
          "predict", [](const PyRun& run) { return run.predictor().predict(run.data()); }, Unlocked())
      .def(
          "embed", [](const PyRun& run) { return run.predictor().embed(run.data()); }, Unlocked())
      .def("find", &PyRun::find, py::arg("id"), Unlocked())
      .def("explain", explain_node, py::arg("node"), py::arg("hops"), py::arg("top"), py::arg("threshold"), Unlocked())
      .def("score", &PyRun::score, py::arg("features"), py::arg("edges"), py::arg("directed"), Unlocked())
      .def("score_tables", score_tables, py::arg("options"));
}

}  // namespace geniepath::python
