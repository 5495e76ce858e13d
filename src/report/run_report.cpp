#include "report/run_report.h"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/noun.h"
#include "geniepath/explain.h"
#include "report/escape.h"
#include "report/html_page.h"
#include "report/model_sections.h"
#include "report/numbers.h"
#include "report/path_quality_text.h"
#include "report/score_sections.h"
#include "report/training_section.h"
#include "run/baselines.h"
#include "run/run_threshold.h"
#include "training/train_json.h"

namespace geniepath::report {
namespace {

std::string summary_section(const RunDescription& run, const Dataset& data, const Model& model) {
  const std::pair<const char*, std::string> rows[] = {
      {"model", run.model.model + ", K " + std::to_string(run.model.hidden) + ", T " + std::to_string(run.model.depth) +
                    ", " + grouped(num_parameters(model), "parameter")},
      {"data", data.name + ": " + grouped(data.graph.num_nodes(), "node") + ", " +
                   grouped(data.graph.num_edges(), "edge entry", "edge entries") + ", " +
                   grouped(data.features.num_features(), "feature")},
      {"task", std::string(to_string(data.task)) + ", " + counted(data.num_classes, "class", "classes") + "; " +
                   grouped(static_cast<double>(data.train.size())) + " training, " +
                   grouped(static_cast<double>(data.valid.size())) + " validation and " +
                   grouped(data.test.size(), "test node")},
      {"seed", std::to_string(run.train.seed)}};
  std::string out = "<table><caption>The run</caption><tbody>\n";
  for (const auto& [name, text] : rows)
    out += std::string("<tr><th scope='row'>") + name + "</th><td>" + html(text) + "</td></tr>\n";
  return out + "</tbody></table>\n";
}

// The sections on a model's attention, and the quality shown there.
struct AttentionPart {
  std::optional<PathQuality> quality;
  std::string sections;
};

std::string quality_part(const std::optional<PathQuality>& quality) {
  return quality ? "<h2>Does attention matter</h2>\n" + quality_section(*quality) : "";
}

// Progress of a part of the work, after `before` of `all` nodes.
PathProgress part_of(const PathProgress& progress, int64_t before, int64_t all) {
  if (!progress) return {};
  return [&progress, before, all](int64_t done, int64_t) { progress(before + done, all); };
}

AttentionPart with_paths(const NodeFacts& facts, const Explainer& explainer, const Columns& columns,
                         const ScoringRule& scoring, const PathQualityOptions& options, const PathProgress& progress) {
  const Dataset& data = facts.data();
  const std::vector<ReportSample> samples = report_samples(facts);
  const int64_t measured = std::min<int64_t>(options.sample, std::ssize(data.test));
  int64_t all = measured;
  for (const ReportSample& sample : samples) all += std::ssize(sample.nodes);
  AttentionPart part;
  if (!data.test.empty())
    part.quality = path_quality(explainer, data, scoring, options, part_of(progress, 0, all));
  part.sections = quality_part(part.quality) + "<h2>Which hops matter</h2>\n" + depth_section(explainer) +
                  "<h2>Which neighbours matter</h2>\n" + entropy_section(explainer) +
                  "<h2>Receptive paths of some nodes</h2>\n" +
                  paths_section(facts, explainer, columns, samples, part_of(progress, measured, all));
  return part;
}

AttentionPart without_paths(const std::shared_ptr<Model>& model, const Dataset& data,
                            const ScoringRule& scoring, const PathQualityOptions& options) {
  AttentionPart part;
  if (!data.test.empty()) part.quality = path_quality(model, data, scoring, options);
  const char* why = part.quality ? "attends to neighbours, but not by hops that can be followed, so it has none"
                                 : "does not attend to neighbours, so it has none";
  part.sections = quality_part(part.quality) + "<h2>Receptive paths</h2>\n<p>This model " + why + ".</p>\n";
  return part;
}

// The test scores of the majority class and of an MLP, where the run measured them.
std::string baselines_table(const RunFolder& folder) {
  const auto found = run::recorded_baselines(folder);
  if (!found) return "";
  Rows rows{{"model"}};
  for (const auto& [name, text] :
       {std::pair{"majority", "majority class"}, std::pair{"mlp", "MLP on the same features, without edges"}}) {
    if (!found->contains(name)) continue;
    std::vector<std::string> row{text};
    for (const std::string& metric : Scores::names()) {
      if (rows.size() == 1) rows[0].push_back(metric);
      row.push_back(fixed(score_from_json(found->at(name).value(metric, nlohmann::ordered_json())), 4));
    }
    rows.push_back(std::move(row));
  }
  const char* warning = found->value("beaten", true)
                            ? ""
                            : "<p class='verdict'>The best of these scores at least as high as the run.</p>\n";
  return warning + table_html("For comparison", rows);
}

}  // namespace

RunReport run_report(const RunFolder& folder, const Dataset& data, const PathQualityOptions& options,
                     const PathProgress& progress, const Presentation& presentation) {
  RunDescription run = folder.description();
  if (!presentation.class_names.empty()) run.class_names = presentation.class_names;
  const auto model = load_model(folder);
  const ScoringRule scoring = run::run_scoring(folder, run, *model, data);
  const double threshold = scoring.threshold;
  const Epochs epochs = read_epochs(folder);
  const auto explainer = has_paths(*model) ? std::make_unique<Explainer>(model, data) : nullptr;
  const at::Tensor probabilities = explainer ? explainer->probabilities() : predict(*model, data);
  const std::string title = run.model.model + " on " + data.name;
  std::string body = "<h1>" + html(title) + "</h1>\n" + summary_section(run, data, *model);
  body += "<h2>Training</h2>\n" + training_section(epochs, scoring.metric);
  body += "<h2>Scores on the test nodes</h2>\n" + (presentation.own_data ? baselines_table(folder) : "");
  body += score_section(data, probabilities, threshold, run.class_names);
  if (const auto lengths = training::accuracy_by_length(data, probabilities, threshold); !lengths.empty()) {
    body += table_html("By length of the true path", length_rows(lengths));
  }
  const auto attention = [&] {
    if (!explainer) return without_paths(model, data, scoring, options);
    const Columns columns(data, presentation.raw.value_or(data.features), run.tables, run.schema);
    const NodeFacts facts(data, *explainer, run.class_names, threshold);
    return with_paths(facts, *explainer, columns, scoring, options, progress);
  }();
  body += attention.sections;
  body += "<footer>Made by geniepath from " + html(folder.path().string()) + ".</footer>\n";
  return {html_page(title, body), attention.quality};
}

}  // namespace geniepath::report
