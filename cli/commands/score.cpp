#include <ATen/ATen.h>

#include <chrono>
#include <iostream>

#include "arguments/run_arguments.h"
#include "base/file.h"
#include "commands/commands.h"
#include "data/tables/new_edges.h"
#include "data/tables/new_rows.h"
#include "geniepath/device.h"
#include "geniepath/error.h"
#include "geniepath/explain.h"
#include "geniepath/predictor.h"
#include "report/node_facts.h"
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
  bind_options(command, tables, "Tables of the new rows (default: as the run's own)");
  command.get_option("--nodes")->required();
}

TableOptions ScoreCommand::table_options(const RunDescription& description) const {
  const IsGiven typed = typed_in(*app);
  refuse_learned(typed);
  if (typed("directed")) fail("--directed applies only to training: the run keeps how its edges were read");
  for (const char* name : {"edge-source", "edge-target", "edge-header", "unknown-nodes"}) {
    if (typed(name) && !typed("edges")) fail("--", name, " applies only to --edges, which was not given");
  }
  TableOptions options = description.tables;
  options.edges.clear();
  take_given(tables, typed, options);
  return options;
}

void check_scorable(const RunDescription& run) {
  if (run.data.data != "tables") {
    fail("score: the run was trained on ", run.data.data, ", expected tables, whose columns new rows can have");
  }
  const size_t tables = split_list(run.tables.nodes).size();
  if (tables == 0 || tables != run.schema.tables.size()) {
    fail("score: the run's description lists ", tables, " node tables and the columns of ", run.schema.tables.size(),
         "; expected as many, at least one");
  }
}

// Scores one batch after another and writes their rows.
class Scoring {
 public:
  Scoring(const ScoreCommand& command, const Predictor& predictor)
      : command_(command),
        predictor_(predictor),
        run_(predictor.description()),
        options_(command.table_options(run_)),
        schema_(run_.schema),
        data_(loaded(predictor)),
        names_(data_),
        rows_(options_, schema_, kinds(), names_),
        edges_(options_, names_) {}

  void write(std::ostream& out) {
    const report::Decisions decisions(run_.task, report::class_names(run_.classes, run_.class_names),
                                      predictor_.threshold());
    report::PredictionTable table(out, decisions, {.type = !data_.type_names.empty()});
    while (!rows_.at_end()) {
      const NewBatch batch = rows_.next(command_.rows_at_once);
      const at::Tensor probabilities = score(batch);
      const auto width = static_cast<size_t>(probabilities.size(1));
      for (int32_t row = 0; row < batch.ids.size(); ++row) {
        const auto at = static_cast<size_t>(row);
        table.add({.node = std::string(batch.ids[row]),
                   .type = batch.types.empty() ? "" : batch.types[at],
                   .probabilities = {probabilities.data_ptr<float>() + at * width, width}});
      }
      done_ += batch.ids.size();
      show_progress();
    }
    edges_.finish();
  }

  void say_counts() const {
    for (const std::string& note : edges_.notes()) std::cerr << "data   " << terminal(note) << "\n";
    for (const std::string& note : unseen_notes(schema_)) std::cerr << "data   " << terminal(note) << "\n";
    if (options_.edges.empty()) return;
    std::cerr << "edges  " << grouped(edges_.num_read()) << " read, " << grouped(edges_.num_skipped()) << " skipped, "
              << grouped(edges_.num_among_known()) << " among nodes of the graph, which stays as it is\n";
  }
  int64_t rows_done() const { return done_; }

 private:
  static Dataset loaded(const Predictor& predictor) {
    const Activity loading("loading the graph");
    return predictor.load_data();
  }

  std::vector<std::string> kinds() const {
    std::vector<std::string> kinds;
    for (const std::string& path : split_list(run_.tables.nodes)) kinds.push_back(table_kind(path));
    return kinds;
  }

  at::Tensor score(const NewBatch& batch) {
    BatchEdges edges = edges_.of_batch(batch.ids);
    if (edges.unlisted > 0 && (done_ > 0 || !rows_.at_end())) {
      fail("unknown-nodes: add needs all new rows at once, as an unknown id may be a later row; expected --rows-at-once above ",
           command_.rows_at_once, ", or unknown-nodes error or skip");
    }
    Features features = batch.features;
    if (edges.unlisted > 0) features = stacked(features, empty_rows(features, edges.unlisted));
    const UnseenNodes unseen{predictor_.prepare(features), std::move(edges.edges),
                             run_.tables.directed && !run_.transforms.symmetrise};
    return score_unseen(*predictor_.model(), data_, unseen).narrow(0, 0, batch.ids.size()).contiguous();
  }

  static Features empty_rows(const Features& like, int64_t rows) {
    const SparseMatrix none{rows, like.num_features(), std::vector<int64_t>(static_cast<size_t>(rows) + 1), {}, {}};
    return like.is_sparse() ? Features(none) : Features(none.to_dense());
  }

  void show_progress() {
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - started_;
    if (took.count() < 1) return;
    const double per_second = static_cast<double>(done_) / took.count();
    line_.show(rows_.share_read(), "scored " + grouped(done_) + " rows, " + grouped(per_second) + " per second", rows_.at_end());
  }

  const ScoreCommand& command_;
  const Predictor& predictor_;
  const RunDescription& run_;
  TableOptions options_;
  TableSchema schema_;
  Dataset data_;
  NodeNames names_;
  NewRows rows_;
  NewEdges edges_;
  int64_t done_ = 0;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  ProgressLine line_;
};

void run_score(const ScoreCommand& command) {
  check_writable(command.out);
  use_threads(command.threads);
  const RunFolder folder(command.run);
  check_scorable(folder.description());
  const Predictor predictor(folder, device_named(command.device));
  Scoring scoring(command, predictor);
  write_atomically(command.out, [&](std::ostream& out) { scoring.write(out); });
  scoring.say_counts();
  std::cerr << "wrote " << scoring.rows_done() << " rows to " << terminal(command.out) << "\n";
}

}  // namespace

void add_score(CLI::App& app) {
  auto command = std::make_shared<ScoreCommand>();
  CLI::App* sub = app.add_subcommand("score", "write a trained run's prediction for new rows, joined to the graph that it was "
                                              "trained on, as CSV");
  command->bind(*sub);
  add_help(*sub, with_data_options({"unknown-nodes"}),
           {"geniepath score --run runs/own --nodes new.csv --edges new_edges.csv --out scores.csv",
            "geniepath score --run runs/own --nodes new.csv --out scores.csv        rows without edges"});
  sub->callback([=] { run_score(*command); });
}

}  // namespace geniepath::cli
