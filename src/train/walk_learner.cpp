#include "train/walk_learner.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "base/random.h"
#include "io/safetensors.h"
#include "geniepath/error.h"
#include "ops/pair_loss.h"
#include "train/adam.h"
#include "train/batch.h"
#include "train/bookkeeping.h"
#include "train/checkpoint.h"
#include "walk/skip_gram.h"
#include "walk/walk_pairs.h"

namespace geniepath::training {
namespace {

constexpr const char *kEmbedding = "input.w_x", *kContext = "context";

walk::Walker::Options walker_options(const RunDescription& run) {
  return {run.walk.p, run.walk.q, static_cast<uint64_t>(run.train.seed)};
}

// node2vec and DeepWalk: skip-gram's center rows are the model's embedding.
class SkipGramLearner : public WalkLearner {
 public:
  SkipGramLearner(const Dataset& data, const RunDescription& run, Model& model)
      : config_(run.train),
        walker_(data.graph, walker_options(run)),
        skip_gram_(data.graph, walker_,
                   {run.walk.walk_length, run.walk.window, run.walk.negatives, run.model.hidden,
                    run.train.learning_rate, static_cast<uint64_t>(run.train.seed), at::get_num_threads()}),
        embedding_(model.named_parameters()[kEmbedding]) {
    if (run.features != data.graph.num_nodes()) {
      fail(run.model.model, ": ", run.features, " features for ", data.graph.num_nodes(),
           " nodes, expected one-hot node ids (node-features = one-hot)");
    }
  }

  void run_epoch(EpochRecord& record) override {
    const double left = 1 - static_cast<double>(record.epoch - 1) / static_cast<double>(config_.epochs);
    record.learning_rate = config_.learning_rate * left;
    record.loss = skip_gram_.run_epoch(record.epoch, config_.epochs).loss;
    show();
  }

  void save(const std::filesystem::path& path, int64_t epoch) const override {
    write_safetensors(path, {{{kEmbedding, skip_gram_.center}, {kContext, skip_gram_.context}}, epoch_metadata(epoch)});
  }

  int64_t restore(const std::filesystem::path& path) override {
    const TensorFile file = read_learned(path);
    const auto take = [&](const char* name, at::Tensor& into) {
      const auto found = file.tensors.find(name);
      if (found == file.tensors.end() || found->second.sizes() != into.sizes()) {
        fail(path.string(), ": no tensor '", name, "' of shape ", c10::str(into.sizes()));
      }
      into.copy_(found->second);
    };
    take(kEmbedding, skip_gram_.center);
    take(kContext, skip_gram_.context);
    show();
    return load_epoch(path);
  }

 private:
  void show() {
    const at::NoGradGuard no_grad;
    embedding_.copy_(skip_gram_.center);
  }

  const TrainConfig& config_;
  walk::Walker walker_;
  walk::SkipGram skip_gram_;
  at::Tensor embedding_;
};

// Any model: the walk loss on what its output layer would read, by Adam. Of an inductive data set the training graphs.
class ModelLearner : public WalkLearner {
 public:
  ModelLearner(const Dataset& data, const RunDescription& run, Model& model)
      : config_(run.train),
        model_(model),
        graph_(data.inductive ? data.graph.select(parts_with(data, data.train)) : data.graph),
        batch_(split_batch(data, data.train).to(model.device())),
        walker_(graph_, walker_options(run)),
        table_(graph_),
        options_{run.walk.window, run.walk.negatives, static_cast<uint64_t>(run.train.seed)},
        adam_(parameters_of(model), {.l2 = run.train.l2, .clip = run.train.clip}) {}

  void run_epoch(EpochRecord& record) override {
    constexpr uint64_t kDropoutStream = 2;
    const SparseTensors pairs(walk::draw_walk_pairs(graph_, walker_, table_, options_, record.epoch));
    model_.train();
    model_.set_dropout_key(RandomStream{options_.seed, kDropoutStream, static_cast<uint64_t>(record.epoch), 0}.key());
    const at::Tensor loss = ops::pair_loss(pairs, model_.embed(batch_.input).to(at::kCPU));
    record.loss = loss.item<double>();
    loss.backward();
    record.learning_rate = learning_rate_at(config_, record.epoch);
    adam_.step(record.learning_rate);
    record.gradient_norm = adam_.gradient_norm();
  }

  void save(const std::filesystem::path& path, int64_t epoch) const override {
    save_state(path, model_, adam_, {epoch, epoch, 0});
  }
  int64_t restore(const std::filesystem::path& path) override { return load_state(path, model_, adam_).epoch; }

 private:
  static std::vector<std::pair<std::string, at::Tensor>> parameters_of(const Model& model) {
    std::vector<std::pair<std::string, at::Tensor>> parameters;
    for (const auto& item : model.named_parameters()) parameters.emplace_back(item.key(), item.value());
    return parameters;
  }

  const TrainConfig& config_;
  Model& model_;
  Graph graph_;
  Batch batch_;
  walk::Walker walker_;
  walk::NegativeTable table_;
  walk::WalkPairOptions options_;
  Adam adam_;
};

}  // namespace

std::unique_ptr<WalkLearner> make_walk_learner(const Dataset& data, const RunDescription& run, Model& model) {
  if (run.model.model == "deepwalk" && (run.walk.p != 1 || run.walk.q != 1)) {
    fail("deepwalk: p = ", run.walk.p, " and q = ", run.walk.q, ", expected 1; node2vec has them");
  }
  if (is_walk_model(run.model.model)) return std::make_unique<SkipGramLearner>(data, run, model);
  return std::make_unique<ModelLearner>(data, run, model);
}

}  // namespace geniepath::training
