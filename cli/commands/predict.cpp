#include <ATen/ATen.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "arguments/run_arguments.h"
#include "base/file.h"
#include "commands/commands.h"
#include "report/csv_writer.h"
#include "run/run_threshold.h"
#include "terminal/console.h"
#include "terminal/help.h"
#include "terminal/text.h"

namespace geniepath::cli {
namespace {

std::string class_name(const RunDescription& run, int64_t c) {
  const auto at = static_cast<size_t>(c);
  return at < run.class_names.size() ? run.class_names[at] : std::to_string(c);
}

void write_heading(report::CsvWriter& table, const RunDescription& run, const Dataset& data) {
  table.text("node");
  if (!data.type_names.empty()) table.text("type");
  table.text("prediction");
  if (run.task == Task::kBinary) {
    table.text("probability");
  } else {
    for (int64_t c = 0; c < run.classes; ++c) table.text("p_" + class_name(run, c));
  }
  table.end_row();
}

// The finished run's threshold; for an unfinished run, determined on the data, as evaluate does.
double threshold_of(const RunFolder& folder, const RunDescription& run, const Model& model, const Dataset& data) {
  if (const auto kept = run::run_threshold(folder)) return *kept;
  return decision_threshold(model, data, chosen_protocol(run.train, data), chosen_metric(run.train, data));
}

void say_threshold(const RunDescription& run, const Dataset& data, double threshold) {
  if (run.task == Task::kMultiClass) return;
  if (run.task == Task::kMultiLabel && chosen_protocol(run.train, data) == Protocol::kLabelCount) {
    std::cerr << "the run was scored with the true number of labels per node, which is unknown here\n";
  }
  std::cerr << "predictions are those above " << threshold
            << (threshold == 0.5 ? "" : ", the threshold tuned on validation nodes") << "\n";
}

// The class, or the labels separated by ';'.
std::string prediction(const RunDescription& run, const float* row, int64_t columns, float threshold) {
  if (run.task == Task::kBinary) return class_name(run, row[0] > threshold ? 1 : 0);
  if (run.task == Task::kMultiClass) return class_name(run, std::max_element(row, row + columns) - row);
  std::string labels;
  for (int64_t c = 0; c < columns; ++c) {
    if (row[c] > threshold) labels += (labels.empty() ? "" : ";") + class_name(run, c);
  }
  return labels;
}

void run_predict(const RunArguments& options, const std::string& out_path) {
  check_writable(out_path);
  const RunFolder folder(options.run);
  const RunDescription run = folder.description();
  const Dataset data = options.load(folder, run);
  const auto model = options.model(folder);
  const at::Tensor probabilities = predict(*model, data).contiguous();
  const int64_t columns = probabilities.size(1);
  const double threshold = threshold_of(folder, run, *model, data);
  say_threshold(run, data, threshold);
  write_atomically(out_path, [&](std::ostream& out) {
    report::CsvWriter table(out);
    write_heading(table, run, data);
    for (NodeId node = 0; node < data.graph.num_nodes(); ++node) {
      const float* row = probabilities.data_ptr<float>() + node * columns;
      table.text(data.node_name(node));
      if (!data.type_names.empty()) table.text(data.type_names[data.node_type[static_cast<size_t>(node)]]);
      table.text(prediction(run, row, columns, static_cast<float>(threshold)));
      for (int64_t c = 0; c < columns; ++c) table.number(row[c]);
      table.end_row();
    }
  });
  std::cerr << "wrote " << data.graph.num_nodes() << " rows to " << terminal(out_path) << "\n";
}

}  // namespace

void add_predict(CLI::App& app) {
  auto options = std::make_shared<RunArguments>();
  auto out = std::make_shared<std::string>();
  CLI::App* sub = app.add_subcommand("predict", "write a trained run's prediction for every node, as CSV");
  options->bind(*sub);
  sub->add_option("--out", *out, "CSV file to write")->required();
  add_help(*sub, with_data_options({}),
           {"geniepath predict --run runs/first --out predictions.csv",
            "geniepath predict --run runs/first --edges new_edges.csv --nodes new_nodes.csv --out predictions.csv"});
  sub->callback([=] { run_predict(*options, *out); });
}

}  // namespace geniepath::cli
