#include "report/run_report.h"

#include <memory>

#include "geniepath/explain.h"
#include "report/escape.h"
#include "report/html_page.h"
#include "report/model_sections.h"
#include "report/numbers.h"
#include "report/score_sections.h"
#include "report/training_section.h"
#include "run/run_threshold.h"

namespace geniepath::report {
namespace {

std::string summary_section(const RunDescription& run, const Dataset& data, const Model& model) {
  const std::pair<const char*, std::string> rows[] = {
      {"model", run.model.model + ", K " + std::to_string(run.model.hidden) + ", T " + std::to_string(run.model.depth) +
                    ", " + grouped(static_cast<double>(num_parameters(model))) + " parameters"},
      {"data", data.name + ": " + grouped(data.graph.num_nodes()) + " nodes, " +
                   grouped(static_cast<double>(data.graph.num_edges())) + " edge entries, " +
                   grouped(static_cast<double>(data.features.num_features())) + " features"},
      {"task", std::string(to_string(data.task)) + ", " + std::to_string(data.num_classes) + " classes; " +
                   grouped(static_cast<double>(data.train.size())) + " training, " +
                   grouped(static_cast<double>(data.valid.size())) + " validation and " +
                   grouped(static_cast<double>(data.test.size())) + " test nodes"},
      {"seed", std::to_string(run.train.seed)}};
  std::string out = "<table><caption>The run</caption><tbody>\n";
  for (const auto& [name, text] : rows) out += std::string("<tr><th scope='row'>") + name + "</th><td>" + html(text) + "</td></tr>\n";
  return out + "</tbody></table>\n";
}

}  // namespace

std::string run_report(const RunFolder& folder, const Dataset& data, const OpeningProgress& progress) {
  const RunDescription run = folder.description();
  const std::string metric = run.train.metric == "auto" ? data.metric : run.train.metric;
  const double threshold = run::run_threshold_or_half(folder);
  const auto model = load_model(folder);
  const auto explainer = has_paths(*model) ? std::make_unique<Explainer>(model, data) : nullptr;
  const at::Tensor probabilities = explainer ? explainer->probabilities() : predict(*model, data);
  const std::string title = run.model.model + " on " + data.name;
  std::string body = "<h1>" + html(title) + "</h1>\n" + summary_section(run, data, *model);
  body += "<h2>Training</h2>\n" + training_section(read_epochs(folder), metric);
  body += "<h2>Scores on the test nodes</h2>\n" + score_section(data, probabilities, threshold, run.class_names);
  if (explainer) {
    const NodeFacts facts(data, *explainer, run.class_names, threshold);
    body += "<h2>Which hops matter</h2>\n" + depth_section(*explainer) + "<h2>Which neighbours matter</h2>\n" +
            entropy_section(*explainer) + "<h2>Receptive paths of some nodes</h2>\n" +
            paths_section(facts, *explainer, progress);
  } else {
    body += "<h2>Receptive paths</h2>\n<p>This model does not attend to neighbours, so it has none.</p>\n";
  }
  body += "<footer>Made by geniepath from " + html(folder.path().string()) + ".</footer>\n";
  return html_page(title, body);
}

}  // namespace geniepath::report
