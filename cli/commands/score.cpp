#include <ATen/ATen.h>

#include <chrono>
#include <iostream>
#include <optional>

#include "arguments/class_names.h"
#include "arguments/output_file.h"
#include "arguments/run_arguments.h"
#include "base/file.h"
#include "base/noun.h"
#include "commands/commands.h"
#include "geniepath/device.h"
#include "geniepath/error.h"
#include "geniepath/predictor.h"
#include "geniepath/row_scores.h"
#include "report/prediction_table.h"
#include "terminal/console.h"
#include "terminal/help.h"
#include "terminal/option_binder.h"
#include "terminal/table_report.h"
#include "terminal/text.h"

namespace geniepath::cli {
namespace {

struct ScoreCommand {
  std::string run, out;
  std::string device = "cpu";
  int64_t threads = 0, rows_at_once = 10000;
  TableOptions tables;
  ClassNames classes;
  const CLI::App* app = nullptr;

  void bind(CLI::App& command);
  // The run's own options, with what was typed for the new rows.
  TableOptions table_options(const RunDescription& description) const;
};

void ScoreCommand::bind(CLI::App& command) {
  app = &command;
  command.add_option("--run", run, "folder of the trained run")->required();
  command.add_option("--out", out, "CSV file to write")->required();
  command.add_option("--rows-at-once", rows_at_once,
                     "new rows that join the graph together; the next ones join the graph as it was")
      ->check(CLI::Range(1, 10000000))->capture_default_str();
  command.add_option("--device", device, "where to run: cpu, cuda, cuda:1, ...");
  command.add_option("--threads", threads, "threads to use (0: every core it may use)")->check(CLI::Range(0, 4096));
  classes.bind(command);
  bind_options(command, tables, "Tables of the new rows (default: as the run's own)");
  command.get_option("--nodes")->required();
}

TableOptions ScoreCommand::table_options(const RunDescription& description) const {
  const IsGiven typed = typed_in(*app);
  refuse_learned(typed, description);
  for (const char* name : {"edge-source", "edge-target", "edge-header", "unknown-nodes"}) {
    if (typed(name) && !typed("edges")) fail("--", name, " applies only to --edges, which was not given");
  }
  TableOptions options = description.tables;
  options.edges.clear();
  take_given(tables, typed, options);
  return options;
}

void check_scorable(const RunDescription& run) {
  if (run.data.data == "tables") return;
  fail("score: the run was trained on ", run.data.data, ", expected tables, whose columns new rows can have");
}

// Scores one batch after another and writes their rows.
class Scoring {
 public:
  Scoring(const ScoreCommand& command, const RunFolder& folder, const Predictor& predictor)
      : command_(command),
        predictor_(predictor),
        run_(predictor.description()),
        options_(command.table_options(run_)),
        data_(loaded(predictor)),
        rows_(predictor.model(), data_, {run_.tables, run_.schema, folder.transforms()}, options_) {}

  void write(std::ostream& out) {
    const report::Decisions decisions(run_.task, command_.classes.shown(run_), predictor_.threshold(data_));
    report::PredictionTable table(out, decisions, {.type = !data_.type_names.empty()});
    while (!rows_.at_end()) {
      const ScoredRows scored = rows_.next(command_.rows_at_once);
      const auto width = static_cast<size_t>(scored.probabilities.size(1));
      for (size_t row = 0; row < scored.ids.size(); ++row) {
        table.add({.node = scored.ids[row],
                   .type = scored.types.empty() ? "" : scored.types[row],
                   .probabilities = {scored.probabilities.data_ptr<float>() + row * width, width}});
      }
      done_ += std::ssize(scored.ids);
      show_progress();
    }
    rows_.finish();
    check_matched();
  }

  void say_counts() const {
    for (const std::string& note : rows_.notes()) std::cerr << "data   " << terminal(note) << "\n";
    if (options_.edges.empty()) return;
    const RowScorer::EdgeCounts edges = rows_.edges();
    std::cerr << "edges  " << grouped(edges.read) << " read, " << grouped(edges.skipped) << " skipped, "
              << grouped(edges.among_known) << " among nodes of the graph, which stays as it is\n";
  }
  int64_t rows_done() const { return done_; }

 private:
  static Dataset loaded(const Predictor& predictor) {
    std::optional<Activity> loading("loading the graph");
    Dataset raw = predictor.load_raw_data();
    const run::DataState state = run::data_state(predictor.description(), raw);
    Dataset data = predictor.prepare(std::move(raw));
    loading.reset();
    say_if_changed(state, predictor.description());
    return data;
  }

  // Called before the file is complete, so that an Error leaves none.
  void check_matched() const {
    const RowScorer::EdgeCounts edges = rows_.edges();
    if (edges.read == 0 || edges.skipped < edges.read) return;
    fail("--edges: none of the ", edges.read,
         " edges joins a new row to the graph or to another new row: their ends are unknown ids");
  }

  void show_progress() {
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - started_;
    if (took.count() < 1) return;
    const double per_second = static_cast<double>(done_) / took.count();
    line_.show(rows_.share_read(), "scored " + grouped(done_, "row") + ", " + grouped(per_second) + " per second",
               rows_.at_end());
  }

  const ScoreCommand& command_;
  const Predictor& predictor_;
  const RunDescription& run_;
  TableOptions options_;
  Dataset data_;
  RowScorer rows_;
  int64_t done_ = 0;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  ProgressLine line_;
};

void run_score(const ScoreCommand& command) {
  use_threads(command.threads);
  const RunFolder folder(command.run);
  const RunDescription run = folder.description();
  check_scorable(run);
  check_output(command.out, folder, run, {command.tables.nodes, command.tables.edges});
  const Predictor predictor(folder, device_named(command.device));
  Scoring scoring(command, folder, predictor);
  write_atomically(command.out, [&](std::ostream& out) { scoring.write(out); });
  scoring.say_counts();
  std::cerr << "wrote " << counted(scoring.rows_done(), "row") << " to " << output_text(command.out) << "\n";
}

}  // namespace

void add_score(CLI::App& app) {
  auto command = std::make_shared<ScoreCommand>();
  CLI::App* sub = app.add_subcommand("score",
                                     "write a trained run's prediction for new rows, joined to the graph that it was "
                                     "trained on, as CSV");
  command->bind(*sub);
  add_help(*sub, with_data_options({"unknown-nodes"}),
           {"geniepath score --run runs/own --nodes new.csv --edges new_edges.csv --out scores.csv",
            "geniepath score --run runs/own --nodes new.csv --out scores.csv        rows without edges"});
  sub->callback([=] { run_score(*command); });
}

}  // namespace geniepath::cli
