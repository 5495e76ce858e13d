// The program from a user's view: commands, output, errors, exit codes.
#include <gtest/gtest.h>

#include <ATen/Parallel.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "cli/run_program.h"
#include "folder_contents.h"
#include "geniepath/run.h"

namespace geniepath {
namespace {

using testing::Outcome;

class Cli : public testing::ProgramTest {
 protected:
  const std::string quick_ = "train --data account-device --size 1000 --hidden 4 --depth 2 --epochs 3 --threads 1 ";
};

TEST_F(Cli, TrainEvaluatePredict) {
  const Outcome trained = run(quick_ + "--model geniepath-lazy --seed 1 --out runs/a --json");
  ASSERT_EQ(trained.code, 0) << trained.err;
  EXPECT_EQ(std::count(trained.out.begin(), trained.out.end(), '\n'), 1);
  const auto result = nlohmann::json::parse(trained.out);
  for (const char* key : {"model", "data", "seed", "epochs", "best_epoch", "valid", "test", "seconds",
                          "seconds_per_epoch", "peak_bytes"}) {
    EXPECT_TRUE(result.contains(key)) << key;
  }
  for (const char* key : {"accuracy", "f1", "micro_f1", "macro_f1", "roc_auc", "average_precision"}) {
    EXPECT_TRUE(result["test"].contains(key)) << key;
  }
  const Outcome evaluated = run("evaluate --run runs/a --data account-device --json");
  ASSERT_EQ(evaluated.code, 0) << evaluated.err;
  EXPECT_EQ(nlohmann::json::parse(evaluated.out)["test"].dump(), result["test"].dump());
  ASSERT_EQ(run("predict --run runs/a --data account-device --out scores.csv").code, 0);
  const std::string csv = read_text(scratch_ / "scores.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1001);
  EXPECT_EQ(csv.substr(0, csv.find('\n')), "node,type,prediction,p_normal,p_malicious,label,split");
  for (const char* file : {"model.json", "config.toml", "best.safetensors", "last.safetensors", "metrics.jsonl"}) {
    EXPECT_TRUE(std::filesystem::exists(scratch_ / (std::string("runs/a/") + file))) << file;
  }
}

TEST_F(Cli, TheLibraryMakesTheSameFolder) {
  ASSERT_EQ(run(quick_ + "--out by-program").code, 0);
  RunRequest request;
  request.data.data = "account-device", request.data.size = 1000;
  request.recipe.model.hidden = 4, request.recipe.model.depth = 2, request.recipe.train.epochs = 3;
  ASSERT_EQ(status_of_fork([&] {
    at::set_num_threads(1);
    train(request, RunFolder(scratch_ / "by-library"));
    return 0;
  }), 0);
  const auto files = testing::contents_without_times(scratch_ / "by-program");
  EXPECT_EQ(files.count("result.json"), 1u);
  EXPECT_EQ(files, testing::contents_without_times(scratch_ / "by-library"));
}

TEST_F(Cli, ConfigFileIsReadAndTheCommandLineWins) {
  scratch_.write("c.toml", "hidden = 6\ndepth = 1\nepochs = 2\nsize = 1000\n");
  ASSERT_EQ(run("train --config c.toml --depth 3 --threads 1 --out a").code, 0);
  const auto model = nlohmann::json::parse(read_text(scratch_ / "a/model.json"))["model"];
  EXPECT_EQ(model["hidden"], 6);
  EXPECT_EQ(model["depth"], 3);
  ASSERT_EQ(run("train --config a/config.toml --threads 1 --out b").code, 0);  // the saved config gives the same run
  EXPECT_EQ(read_text(scratch_ / "a/best.safetensors"), read_text(scratch_ / "b/best.safetensors"));
  scratch_.write("bad.toml", "hiden = 6\n");
  expect_complaint("train --config bad.toml --out c", {"bad.toml", "unknown key 'hiden'", "did you mean 'hidden'?"});
  scratch_.write("empty.toml", "hidden =\n");
  expect_complaint("train --config empty.toml --out c", {"empty.toml: the key 'hidden' has no value"});
  expect_complaint("train --config . --out c", {".: expected a config file, found a folder"});
  scratch_.write("short.toml", "# K\n\nx\n");
  expect_complaint("train --config short.toml --out c", {"short.toml:3: expected KEY = VALUE, found 'x'"});
  scratch_.write("marked.toml", "\xEF\xBB\xBFhiden = 6\n");
  expect_complaint("train --config marked.toml --out c", {"unknown key 'hiden'"});
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "c"));
}

TEST_F(Cli, AnEmptyValueIsRefused) {
  expect_complaint("serve --run a --token ''", {"--token: expected a value, found nothing"});
  expect_complaint("train --memory-limit= --out a", {"--memory-limit=: expected a value, found nothing"});
  expect_complaint("predict ''", {"argument 2: expected a value, found nothing"});
}

// Rounds that waiting threads spin, as reported by the OpenMP runtime.
std::string rounds_in(const std::string& display) {
  const std::string name = "GOMP_SPINCOUNT = '";
  const size_t at = display.find(name);
  if (at == std::string::npos) return "";
  return display.substr(at + name.size(), display.find('\'', at + name.size()) - at - name.size());
}

TEST_F(Cli, MoreFeaturesThanTrainingNodesAreRegularisedUnlessToldOtherwise) {
  std::string nodes = "id,label,features\n", edges = "src,dst\n";
  for (int i = 0; i < 40; ++i) {
    nodes +=
        std::to_string(i) + (i % 2 == 0 ? ",a," : ",b,") + std::to_string(i) + ":1 " + std::to_string(40 + i) + ":1\n";
    edges += std::to_string(i) + "," + std::to_string((i + 2) % 40) + "\n";
  }
  scratch_.write("nodes.csv", nodes), scratch_.write("edges.csv", edges);
  const std::string tables = "train --data tables --nodes nodes.csv --edges edges.csv --epochs 1 --threads 1 ";
  const Outcome trained = run(tables + "--out a --dropout 0.1");
  ASSERT_EQ(trained.code, 0) << trained.err;
  EXPECT_NE(trained.err.find("has more features (80) than training nodes ("), std::string::npos) << trained.err;
  const RunDescription chosen = RunFolder(scratch_ / "a").description();
  EXPECT_EQ(chosen.model.dropout, 0.1) << "was typed";
  EXPECT_GT(chosen.model.input_dropout, 0);
  EXPECT_GT(chosen.train.l2, 0);
  const Outcome typed = run(tables + "--out b --dropout 0 --input-dropout 0 --l2 0 --weight-decay 1");
  ASSERT_EQ(typed.code, 0) << typed.err;
  EXPECT_EQ(typed.err.find("more features"), std::string::npos);
  EXPECT_EQ(RunFolder(scratch_ / "b").description().model.input_dropout, 0);
  const Outcome many = run("train --data known-paths --size 1000 --epochs 1 --threads 1 --out c");
  ASSERT_EQ(many.code, 0) << many.err;
  EXPECT_EQ(many.err.find("more features"), std::string::npos);
  EXPECT_EQ(RunFolder(scratch_ / "c").description().train.l2, 0);
}

TEST_F(Cli, LabelsThatLieOutOfReachAreSaidToDoSo) {
  const std::string train = "train --data known-paths --size 1000 --steps 4 --hidden 4 --epochs 1 --threads 1 --depth ";
  const std::string note = "labels lie up to 4 steps away, further than --depth 3 reaches";
  EXPECT_NE(run(train + "3 --out a").err.find(note), std::string::npos);
  EXPECT_EQ(run(train + "4 --out b").err.find("labels lie"), std::string::npos);
}

TEST_F(Cli, TheLazyVariantWithMoreWeightsThanLabelsIsRegularisedALittleUnlessToldOtherwise) {
  const std::string train = "train --data known-paths --size 1000 --epochs 1 --threads 1 --model ";
  const auto dropout_of = [&](const std::string& options, const std::string& name) {
    const Outcome trained = run(train + options + " --out " + name);
    EXPECT_EQ(trained.code, 0) << trained.err;
    const double dropout = RunFolder(scratch_ / name).description().model.dropout;
    EXPECT_EQ(trained.err.find("has fewer labels (500) than geniepath-lazy has weights (") != std::string::npos,
              dropout == 0.05)
        << trained.err;
    return dropout;
  };
  EXPECT_EQ(dropout_of("geniepath-lazy", "wide"), 0.05);
  EXPECT_EQ(dropout_of("geniepath-lazy --dropout 0", "typed"), 0);
  EXPECT_EQ(dropout_of("geniepath-lazy --hidden 2 --depth 1", "narrow"), 0);
  EXPECT_EQ(dropout_of("geniepath-lazy --residual hop", "skipping"), 0);
  EXPECT_EQ(dropout_of("geniepath", "eager"), 0);
}

TEST_F(Cli, WaitingThreadsSpinForMicrosecondsUnlessToldOtherwise) {
  const auto rounds = [&](const std::string& set) {
    return rounds_in(run("--version", "env -u GOMP_SPINCOUNT -u OMP_WAIT_POLICY OMP_DISPLAY_ENV=verbose " + set).err);
  };
  const std::string usual = rounds("");
  if (usual.empty()) GTEST_SKIP() << "not libgomp";
  EXPECT_GT(std::stod(usual), 0);
  EXPECT_LT(std::stod(usual), 100000) << "a tenth of a millisecond, even where a round is one nanosecond";
  EXPECT_EQ(rounds("GOMP_SPINCOUNT=4321"), "4321");
  EXPECT_GT(std::stod(rounds("OMP_WAIT_POLICY=active")), 1e6);
}

TEST_F(Cli, SaysWhatIsWrong) {
  expect_complaint("train --data nothing", {"nothing", "account-device"});
  expect_complaint("train --data pubmd", {"pubmd", "did you mean 'pubmed'?"});
  expect_complaint("train --model gnn", {"--model", "'gnn' is not one of geniepath, ", "did you mean 'gcn'?"});
  expect_complaint("train --hiden 3", {"--hiden: not an option of", "did you mean '--hidden'?"});
  expect_complaint("train --hidden 0", {"--hidden", "expected 1 to", "found 0"});
  expect_complaint("train --depth -1", {"--depth", "expected 1 to", "-1"});
  expect_complaint("train --dropout 1.5", {"--dropout", "expected 0 to below 1", "1.5"});
  expect_complaint("train --hidden ten", {"--hidden", "expected a whole number", "ten"});
  expect_complaint("train --config none.toml", {"none.toml"});
  expect_complaint("trian", {"'trian' is not a command", "did you mean 'train'?"});
  expect_complaint("evaluate --run nowhere", {"nowhere", "no run here"});
  expect_complaint("evaluate", {"--run"});
}

TEST_F(Cli, EveryInstructionSetTrainsInBothPrecisions) {
  for (const std::string set : {"sse4", "avx2", "avx512", "avx512_bf16", "amx"}) {
    for (const std::string precision : {"f32", "bf16"}) {
      const Outcome outcome =
          run(quick_ + "--precision " + precision + " --out " + set + precision, "GENIEPATH_CPU=" + set);
      EXPECT_EQ(outcome.code, 0) << set << ", " << precision << "\n" << outcome.err;
    }
  }
}

TEST_F(Cli, AnUnknownInstructionSetIsAMistake) {
  const Outcome outcome = run("datasets", "GENIEPATH_CPU=avx3");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err, "geniepath: GENIEPATH_CPU is 'avx3'; expected one of sse4, avx2, avx512, avx512_bf16, amx\n");
}

TEST_F(Cli, AnOutputFolderIsNeverOverwrittenByChance) {
  ASSERT_EQ(run(quick_ + "--out a").code, 0);
  const std::string before = read_text(scratch_ / "a/best.safetensors");
  expect_complaint(quick_ + "--out a --seed 5", {"already holds a run", "--resume", "--force"});
  EXPECT_EQ(read_text(scratch_ / "a/best.safetensors"), before);
  EXPECT_EQ(run(quick_ + "--out a --seed 5 --force").code, 0);
  EXPECT_NE(read_text(scratch_ / "a/best.safetensors"), before);
  scratch_.write("file", "x");
  expect_complaint(quick_ + "--out file/a", {"file/a", "cannot create the folder"});
  expect_complaint(quick_ + "--out a --resume --hidden 9", {"--hidden 9", "was started with 4"});
  expect_complaint("train --resume --out nowhere", {"no run here"});
}

TEST_F(Cli, AnInterruptLeavesARunThatResumesToTheSameBits) {
  const std::string options = "train --size 2000 --hidden 8 --depth 3 --epochs 200 --threads 1 --out ";
  ASSERT_EQ(run(options + "whole").code, 0);
  const Outcome cut = run_until("cut/metrics.jsonl", options + "cut");
  ASSERT_NE(cut.err.find("stopped after epoch"), std::string::npos) << cut.err;
  ASSERT_EQ(run("train --resume --threads 1 --out cut").code, 0);
  EXPECT_EQ(read_text(scratch_ / "cut/last.safetensors"), read_text(scratch_ / "whole/last.safetensors"));
}

TEST_F(Cli, HelpExplainsEverything) {
  const Outcome help = run("train --help-all");
  EXPECT_EQ(help.code, 0);
  for (const char* word : {"--hidden", "width K", "--residual", "--learning-rate", "Data", "Model", "Training"}) {
    EXPECT_NE(help.out.find(word), std::string::npos) << word;
  }
  const Outcome brief = run("train --help");
  EXPECT_EQ(brief.code, 0);
  for (const char* word : {"--edges", "--label-column", "--hidden", "--epochs", "--out", "--help-all",
                           "Examples:", "geniepath train --edges"}) {
    EXPECT_NE(brief.out.find(word), std::string::npos) << word;
  }
  for (const char* word : {"--residual", "--walk-length", "--sparse-size", "\n\n\n"}) {
    EXPECT_EQ(brief.out.find(word), std::string::npos) << word;
  }
  EXPECT_LT(std::count(brief.out.begin(), brief.out.end(), '\n'), 80);
  for (const std::string command : {"evaluate", "predict", "embed", "tune", "explain", "report", "serve", "compare",
                                    "reproduce", "datasets", "inspect", "convert", "partition", "download"}) {
    EXPECT_NE(run(command + " --help").out.find("\n  geniepath " + command), std::string::npos) << command;
  }
  const Outcome alone = run("");
  EXPECT_EQ(alone.code, 0);
  EXPECT_NE(alone.out.find("serve"), std::string::npos) << alone.out;
  EXPECT_TRUE(std::regex_match(run("--version").out, std::regex("[0-9]+\\.[0-9]+\\.[0-9]+\n")));
}

TEST_F(Cli, DatasetsListsTheGenerators) {
  const Outcome listed = run("datasets");
  EXPECT_EQ(listed.code, 0);
  EXPECT_NE(listed.out.find("account-device"), std::string::npos);
  EXPECT_NE(listed.out.find("known-paths"), std::string::npos);
}

TEST_F(Cli, DownloadSaysWhereToGetWhatItCannotFetch) {
  expect_complaint(
      "download amlsim --data-dir d",
      {"amlsim: cannot be fetched", "unpack sample/20K_fanin200cycle200.tgz", "into d/amlsim", "--mirror"});
}

TEST_F(Cli, PartitionByAStreamIsTheSameEveryTime) {
  const std::string divide = "partition --data known-paths --size 2000 --pieces 3 --method stream --out ";
  const Outcome first = run(divide + "a"), second = run(divide + "b");
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_NE(first.out.find("piece 2: "), std::string::npos) << first.out;
  EXPECT_NE(first.err.find("writing piece 3 of 3"), std::string::npos) << first.err;
  for (const char* file : {"piece-0.safetensors", "piece-2-map.safetensors"}) {
    EXPECT_EQ(read_text(scratch_ / ("a/" + std::string(file))), read_text(scratch_ / ("b/" + std::string(file))))
        << file;
  }
  expect_complaint(divide + "c --seed 2", {"--seed is METIS's"});
  expect_complaint(divide + "c --method fast", {"--method"});
}

TEST_F(Cli, PartitionReplacesAnotherOnlyByForce) {
  const std::string divide = "partition --data known-paths --size 500 --method stream --out pieces ";
  ASSERT_EQ(run(divide + "--pieces 4").code, 0);
  const std::string before = read_text(scratch_ / "pieces/partition.json");
  expect_complaint(divide + "--pieces 2", {"pieces: already holds a partition", "--force"});
  EXPECT_EQ(read_text(scratch_ / "pieces/partition.json"), before);
  const Outcome replaced = run(divide + "--pieces 2 --force");
  ASSERT_EQ(replaced.code, 0) << replaced.err;
  for (const auto& [file, there] :
       {std::pair{"piece-1.safetensors", true}, {"piece-2.safetensors", false}, {"piece-3-map.safetensors", false}}) {
    EXPECT_EQ(std::filesystem::exists(scratch_ / "pieces" / file), there) << file;
  }
}

TEST_F(Cli, KnownPathsAreInspectedConvertedAndTrainedOn) {
  const std::string data = "--data known-paths --size 600 --steps 2 --keys 5 --values 3 --noise 0.1 --graphs 6 ";
  const Outcome inspected = run("inspect --json " + data);
  ASSERT_EQ(inspected.code, 0) << inspected.err;
  const auto counts = nlohmann::json::parse(inspected.out);
  EXPECT_EQ(counts["nodes"], 600);
  EXPECT_EQ(counts["entries"], 3000);
  EXPECT_EQ(counts["features"], 13);
  EXPECT_EQ(counts["classes"], 3);
  EXPECT_EQ(counts["graphs"], 6);
  EXPECT_EQ(counts["train"], 400);
  ASSERT_EQ(run("convert --out g.safetensors " + data).code, 0);
  DataOptions file;
  file.data = scratch_ / "g.safetensors";
  const Dataset converted = load_dataset(file);
  EXPECT_EQ(converted.true_edges.size(), 600u - 204u);  // 34 ends per graph of 100
  EXPECT_EQ(converted.path_length.size(), 600u);
  ASSERT_EQ(run("train --hidden 4 --depth 2 --epochs 2 --threads 1 --out a " + data).code, 0);
  EXPECT_EQ(run("evaluate --run a --threads 1").code, 0);
  expect_complaint("inspect --data known-paths --keys 1", {"--keys", "expected 2 to 100", "found 1"});
  expect_complaint("inspect --data known-paths --graphs 2", {"known-paths: graphs: expected 1, or 3 and more"});
  expect_complaint("inspect --data account-device --size 999", {"account-device: size: expected 1000 to 2147483647"});
}

TEST_F(Cli, ExplainShowsATreeAndWritesEveryFormat) {
  ASSERT_EQ(run(quick_ + "--out a").code, 0);
  const Outcome tree = run("explain --run a --node 17 --top 6 --threads 1");
  ASSERT_EQ(tree.code, 0) << tree.err;
  for (const char* part : {"17: ", "Laplacian", "\u2514\u2500 ", "of the sum of their products",
                           "with only these edges", "share of the memory"}) {
    EXPECT_NE(tree.out.find(part), std::string::npos) << part << tree.out;
  }
  const std::pair<const char*, const char*> formats[] = {{"json", "{"},
                                                         {"csv", "node,source,target,alpha_1"},
                                                         {"dot", "digraph"},
                                                         {"svg", "<svg"},
                                                         {"html", "<!DOCTYPE html>"}};
  for (const auto& [extension, begin] : formats) {
    const std::string file = std::string("e.") + extension;
    ASSERT_EQ(run("explain --run a --node 17 --hops 1 --threads 1 --out " + file).code, 0) << extension;
    EXPECT_EQ(read_text(scratch_ / file).rfind(begin, 0), 0u) << extension;
  }
  EXPECT_EQ(nlohmann::json::parse(read_text(scratch_ / "e.json"))["node"], "17");
  ASSERT_EQ(run("explain --run a --node 17 --node 3 --threads 1 --out both.json").code, 0);
  EXPECT_EQ(nlohmann::json::parse(read_text(scratch_ / "both.json"))[1]["node"], "3");
}

TEST_F(Cli, ExplainSaysWhatIsWrong) {
  ASSERT_EQ(run(quick_ + "--out a").code, 0);
  ASSERT_EQ(run(quick_ + "--model mlp --out m").code, 0);
  expect_complaint("explain --run a --node nobody", {"--node nobody", "no such node", "numbered from 0"});
  expect_complaint("explain --run a --node 1 --out e.txt", {"e.txt", ".json, .csv, .dot, .svg or .html"});
  expect_complaint("explain --run a --node 1 --node 2 --out e.svg", {"a drawing shows one node"});
  expect_complaint("explain --run a --node 1 --layer 9", {"--layer 9", "layers 1 to 2"});
  expect_complaint("explain --run m --node 1", {"does not attend to neighbours by hops"});
  expect_complaint("explain --run nowhere --node 1", {"nowhere", "no run here"});
}

TEST_F(Cli, ReportIsOnePage) {
  ASSERT_EQ(run(quick_ + "--out a").code, 0);
  ASSERT_EQ(run("report --run a --threads 1").code, 0);
  EXPECT_NE(read_text(scratch_ / "a/report.html").find("Receptive paths of some nodes"), std::string::npos);
}

// Runs in the background, is stopped as by a user, and exits cleanly.
TEST_F(Cli, ServeListensAndStopsWhenAsked) {
  ASSERT_EQ(run(quick_ + "--out a").code, 0);
  const std::string script =
      "cd '" + scratch_.path().string() +
      "' && { '" GENIEPATH_PROGRAM
      "' serve --run a --port 0 --threads 1 "
      ">out.txt 2>err.txt & pid=$!; for n in $(seq 300); do grep -q listening out.txt && break; sleep 0.1; "
      "done; kill -INT $pid; wait $pid; }";
  const int status = std::system(script.c_str());
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_NE(read_text(scratch_ / "out.txt").find("listening on http://127.0.0.1:"), std::string::npos);
  EXPECT_NE(read_text(scratch_ / "err.txt").find("stopped"), std::string::npos);
}

TEST_F(Cli, ServeSaysWhatItNeedsBeforeItReadsAnything) {
  expect_complaint("serve --run nowhere --token short", {"the token must have 16 to 1024", "found 5 characters"});
  expect_complaint("serve --run nowhere --token-file nothing", {"nothing: cannot open"});
  ASSERT_EQ(run(quick_ + "--out a").code, 0);
  expect_complaint("serve --run a --threads 1 --host 0.0.0.0 --port 0",
                   {"clients need a token", "--token-file", "--insecure"});
}

// Nodes posted to a server are prepared as in training, so those of the graph are, too.
TEST_F(Cli, CommandsOnARunPrepareDataAsInTraining) {
  ASSERT_EQ(run(quick_ + "--out a").code, 0);
  for (const std::string option : {"--symmetrise", "--self-loops remove", "--no-merge-duplicates",
                                   "--node-features one-hot", "--svd-dimensions 8", "--feature-transform none",
                                   "--feature-scale 3"}) {
    const std::string name = option.starts_with("--no-m") ? "--merge-duplicates" : option.substr(0, option.find(' '));
    expect_complaint("evaluate --run a --threads 1 " + option,
                     {name + " applies only to training: the run keeps how its data was prepared"});
  }
  for (const std::string command : {"serve --run a --port 0", "report --run a", "explain --run a --node 1",
                                    "predict --run a --out p.csv", "embed --run a --out z.npy"}) {
    expect_complaint(command + " --threads 1 --feature-scale 3", {"--feature-scale applies only to training"});
  }
}

// As an unprivileged user, with a limit below the number of threads needed.
TEST_F(Cli, ServeEndsWhereItGetsTooFewThreads) {
  const std::string nobody = ::geteuid() == 0 ? "setpriv --reuid 65534 --clear-groups " : "";
  const Outcome outcome = run("serve --run nowhere --threads 2", "timeout 60 prlimit --nproc=2:2 " + nobody);
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_NE(outcome.err.find("cannot start"), std::string::npos) << outcome.err;
}

TEST_F(Cli, PredictEndsWhereItGetsTooFewThreads) {
  ASSERT_EQ(run(quick_ + "--out a").code, 0);
  ASSERT_EQ(std::system(("chmod -R a+rwX '" + scratch_.path().string() + "'").c_str()), 0);
  const std::string nobody = ::geteuid() == 0 ? "setpriv --reuid 65534 --clear-groups " : "";
  const Outcome outcome = run("predict --run a --threads 8 --out p.csv", "timeout 60 prlimit --nproc=2:2 " + nobody);
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_NE(outcome.err.find("threads: cannot start 8"), std::string::npos) << outcome.err;
}

TEST_F(Cli, SaysThatItNeedsAddressSpace) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer itself needs more";
#endif
  const Outcome outcome = run("--version", "ulimit -v 400000; timeout 60 ");
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_EQ(outcome.err, "geniepath: address space: expected at least 1048576 KiB, found a limit of 400000 (ulimit -v)\n");
}

TEST_F(Cli, TrainingGoesOnWhereNobodyReadsItsMessages) {
  const std::string command = "cd '" + scratch_.path().string() + "' && { '" GENIEPATH_PROGRAM "' " + quick_ +
                              "--out a 2>&1; echo $? >code; } | head -n 1 >/dev/null";
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_TRUE(std::filesystem::exists(scratch_ / "a/result.json"));
}

TEST_F(Cli, ARunWhoseDescriptionContradictsItselfIsRefused) {
  ASSERT_EQ(run(quick_ + "--out a").code, 0);
  const std::string description = read_text(scratch_ / "a/model.json");
  const auto with = [&](const std::string& key, const nlohmann::json& value) {
    auto changed = nlohmann::ordered_json::parse(description);
    changed.erase("checksum"), changed[key] = value;
    scratch_.write("a/model.json", changed.dump());
  };
  with("classes", 3);
  expect_complaint("predict --run a --out p.csv", {"model.json: classes: expected 2", "found 3"});
  with("classes", 1LL << 40);
  expect_complaint("predict --run a --out p.csv", {"model.json: classes: expected 0 to 1000000"});
  with("class_names", {"one", "two", "three"});
  expect_complaint("predict --run a --out p.csv", {"model.json: class_names: expected at most 2, found 3"});
}

TEST_F(Cli, ServeRefusesDataThatDoesNotFit) {
  ASSERT_EQ(run(quick_ + "--out a").code, 0);
  scratch_.write("edges.csv", "source,target\nx,y\n");
  scratch_.write("nodes.csv", "id,one,label\nx,1,p\ny,2,q\n");
  expect_complaint(
      "serve --run a --port 0 --data tables --edges edges.csv --nodes nodes.csv --positive p --split given",
      {"1 feature, but", "the model takes 400"});
}

}  // namespace
}  // namespace geniepath
