#include <unistd.h>

#include <chrono>
#include <iostream>

#include "arguments/class_names.h"
#include "arguments/output_file.h"
#include "arguments/run_arguments.h"
#include "base/file.h"
#include "commands/commands.h"
#include "data/node_names.h"
#include "geniepath/error.h"
#include "geniepath/explain.h"
#include "geniepath/path_quality.h"
#include "geniepath/tensor_memory.h"
#include "report/drawing.h"
#include "report/escape.h"
#include "report/explanation_json.h"
#include "report/explanation_text.h"
#include "report/html_page.h"
#include "report/path_quality_text.h"
#include "report/reasons.h"
#include "run/run_threshold.h"
#include "terminal/console.h"
#include "terminal/explain_tree.h"
#include "terminal/help.h"
#include "terminal/option_binder.h"
#include "terminal/text.h"

namespace geniepath::cli {
namespace {

using report::Json;
using report::NodeFacts;

constexpr int64_t kMostColumns = 1000;  // in JSON

struct ExplainCommand {
  RunArguments run;
  ClassNames classes;
  ExplainOptions options;
  std::vector<std::string> nodes;
  std::string out;
  int64_t layer = 1;
};

NodeId node_named(const NodeNames& names, const Dataset& data, const std::string& id) {
  if (const auto node = names.find(id)) return *node;
  fail("--node ", id, ": ", data.name, " has no such node; its ", data.graph.num_nodes(),
       data.graph.num_nodes() == 1 ? " node is " : " nodes are ",
       data.node_names.empty() ? "numbered from 0"
                               : "called as in the tables, for instance " + data.node_names.front());
}

// The explanations of the requested nodes, and the facts to present them with.
struct Explained {
  const NodeFacts& facts;
  const Explainer& explainer;
  const report::Columns& columns;
  std::vector<NodeId> original;  // of the requested nodes, in `columns`
  std::vector<Explanation> explanations{};
  std::vector<report::Reasons> reasons{};
  std::vector<double> seconds{};

  // Its recovery of the true paths; none if these are unknown.
  std::optional<PathRecovery> recovery(const Explanation& one) const {
    return path_recovery(explainer, facts.data(), one);
  }
};

void write_json(std::ostream& out, const Explained& all, int64_t) {
  Json list = Json::array();
  for (size_t n = 0; n < all.explanations.size(); ++n) {
    list.push_back(report::explanation_json(all.facts, all.explanations[n], all.seconds[n]));
    list.back()["reasons"] = report::reasons_json(all.facts, all.explanations[n], all.reasons[n], all.columns,
                                                  all.original[n], kMostColumns);
    if (const auto recovery = all.recovery(all.explanations[n])) list.back()["recovery"] = report::to_json(*recovery);
  }
  out << (list.size() == 1 ? list[0] : list).dump(1, ' ', false, Json::error_handler_t::replace) << "\n";
}

void write_csv(std::ostream& out, const Explained& all, int64_t) {
  report::CsvWriter table(out);
  report::write_edges_heading(table, all.explainer.depth());
  for (const Explanation& one : all.explanations) {
    report::write_edges(table, all.facts, one.node, all.explainer.edges(one.node, one.hops));
  }
}

void write_svg(std::ostream& out, const Explained& all, int64_t layer) {
  const auto notes = report::reason_lines(all.reasons.front(), all.columns, all.original.front());
  out << report::explanation_svg(all.facts, all.explanations.front(), layer, notes);
}

void write_dot(std::ostream& out, const Explained& all, int64_t layer) {
  out << report::explanation_dot(all.facts, all.explanations.front(), layer);
}

void write_html(std::ostream& out, const Explained& all, int64_t layer) {
  std::string body, title = "Receptive paths of";
  for (size_t n = 0; n < all.explanations.size(); ++n) {
    const Explanation& one = all.explanations[n];
    const std::string reasons = report::reasons_html(all.reasons[n], all.columns, all.original[n]);
    title += " " + all.facts.id(one.node);
    body += "<h1>" + report::html(all.facts.id(one.node)) + "</h1>\n" +
            report::explanation_html(all.facts, one, layer, reasons);
    if (const auto recovery = all.recovery(one))
      body += "<p>" + report::html(report::recovery_line(*recovery)) + "</p>\n";
  }
  out << report::html_page(title, body);
}

struct Format {
  const char* extension;
  void (*write)(std::ostream&, const Explained&, int64_t layer);
  bool many;  // supports several nodes
};
constexpr Format kFormats[] = {{".json", write_json, true},
                               {".csv", write_csv, true},
                               {".dot", write_dot, false},
                               {".svg", write_svg, false},
                               {".html", write_html, true}};

const Format& format_of(const std::string& path, size_t nodes) {
  const std::string extension = std::filesystem::path(path).extension().string();
  for (const Format& format : kFormats) {
    if (extension != format.extension) continue;
    if (nodes > 1 && !format.many) fail("--out ", path, ": a drawing shows one node, but ", nodes, " were requested");
    return format;
  }
  fail("--out ", path, ": expected a file that ends in .json, .csv, .dot, .svg or .html");
}

void run_explain(const ExplainCommand& command) {
  command.run.require_cpu("explain");
  if (!command.out.empty()) format_of(command.out, command.nodes.size());
  set_large_pages(false);  // sizes do not repeat, so kept blocks would not be reused
  const RunFolder folder(command.run.run);
  const RunDescription run = folder.description();
  if (!command.out.empty()) command.run.check_output(command.out, folder, run);
  const std::vector<std::string> chosen = command.classes.names(run);
  LoadedData loaded = command.run.load_with_raw(folder, run);
  const auto model = load_model(folder);
  const double threshold = run::threshold_on(loaded.data, *model, run, run::run_threshold(folder));
  loaded.drop_other_split(run);
  const Dataset& whole = loaded.data;
  const NodeNames names(whole);
  std::vector<NodeId> nodes;
  for (const std::string& id : command.nodes) nodes.push_back(node_named(names, whole, id));
  const int64_t depth = run.model.depth;
  if (command.layer > depth) fail("--layer ", command.layer, ": the model has layers 1 to ", depth);
  std::optional<Activity> working("following paths");
  // Covers everything that the scores of all shown nodes depend on.
  ReceptiveField field = receptive_field(whole, nodes, depth + std::min(depth, command.options.hops));
  const Explainer explainer(model, field.data, std::move(field.degree));
  const NodeFacts facts(field.data, explainer, chosen.empty() ? run.class_names : chosen, threshold);
  const report::Columns columns(whole, std::move(loaded.raw), run.tables, run.schema);
  Explained all{facts, explainer, columns, nodes};
  for (const std::string& id : command.nodes) {
    const auto start = std::chrono::steady_clock::now();
    all.explanations.push_back(explainer.explain(*facts.find(id), command.options));
    all.reasons.push_back(report::reasons_of(facts, explainer, all.explanations.back(), columns, field.original));
    all.seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  working.reset();
  if (!command.out.empty()) {
    const Format& format = format_of(command.out, command.nodes.size());
    write_atomically(command.out, [&](std::ostream& out) { format.write(out, all, command.layer); });
    std::cerr << "wrote " << output_text(command.out) << "\n";
    return;
  }
  for (size_t n = 0; n < all.explanations.size(); ++n) {
    const Explanation& one = all.explanations[n];
    std::cout << explanation_tree(facts, one, all.reasons[n], columns, all.original[n], has_colours(STDOUT_FILENO));
    if (const auto recovery = all.recovery(one)) std::cout << "\n" << report::recovery_line(*recovery) << "\n";
    if (all.explanations.size() > 1) std::cout << "\n";
  }
}

}  // namespace

void add_explain(CLI::App& app) {
  auto command = std::make_shared<ExplainCommand>();
  CLI::App* sub = app.add_subcommand("explain", "show the paths behind a node's prediction");
  sub->add_option("--node", command->nodes, "id of the node to explain; may be given several times")
      ->required()
      ->take_all();
  sub->add_option("--out", command->out,
                  "file to write; its ending, .json, .csv (every edge), .dot, .svg or .html, is the format; "
                  "default: a tree on the terminal");
  sub->add_option("--layer", command->layer, "layer whose attention is drawn; the paper's figure shows the first")
      ->check(CLI::Range(1, 1000))->capture_default_str();
  bind_options(*sub, command->options, "Paths");
  command->classes.bind(*sub);
  command->run.bind(*sub);
  add_help(*sub, with_data_options({"hops", "top"}),
           {"geniepath explain --run runs/first --node 17",
            "geniepath explain --run runs/first --node 17 --node 23 --out paths.html"});
  sub->callback([=] { run_explain(*command); });
}

}  // namespace geniepath::cli
