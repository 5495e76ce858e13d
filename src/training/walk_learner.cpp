#include "training/walk_learner.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "geniepath/error.h"
#include "nn/start.h"
#include "ops/pair_loss.h"
#include "training/adam.h"
#include "training/batch.h"
#include "training/bookkeeping.h"
#include "walk/skip_gram.h"
#include "walk/walk_pairs.h"

namespace geniepath::training {
namespace {

constexpr const char *kEmbedding = "input.w_x", *kContext = "context";

walk::Walker::Options walker_options(const Recipe& recipe) {
  return {recipe.walk.p, recipe.walk.q, static_cast<uint64_t>(recipe.train.seed)};
}

// node2vec and DeepWalk: the center rows of skip-gram are the model's embedding.
class SkipGramLearner : public WalkLearner {
 public:
  SkipGramLearner(const Dataset& data, const Recipe& recipe, Model& model)
      : config_(recipe.train),
        walker_(data.graph, walker_options(recipe)),
        skip_gram_(data.graph, walker_,
                   {recipe.walk.walk_length, recipe.walk.window, recipe.walk.negatives, recipe.model.hidden,
                    recipe.train.learning_rate, static_cast<uint64_t>(recipe.train.seed), at::get_num_threads()}),
        embedding_(model.named_parameters()[kEmbedding]) {
    if (data.features.num_features() != data.graph.num_nodes()) {
      fail(recipe.model.model, ": ", data.features.num_features(), " features for ", data.graph.num_nodes(),
           " nodes, expected one-hot node ids (node-features = one-hot)");
    }
  }

  void run_epoch(EpochRecord& record) override {
    const double left = 1 - static_cast<double>(record.epoch - 1) / static_cast<double>(config_.epochs);
    record.learning_rate = config_.learning_rate * left;
    record.loss = skip_gram_.run_epoch(record.epoch, config_.epochs).loss;
    show();
  }

  TensorFile state(int64_t epoch) const override {
    return {{{kEmbedding, skip_gram_.center}, {kContext, skip_gram_.context}}, epoch_metadata(epoch)};
  }

  int64_t restore(const TensorFile& file, const std::string& where) override {
    const auto take = [&](const char* name, at::Tensor& into) {
      const auto found = file.tensors.find(name);
      if (found == file.tensors.end() || found->second.sizes() != into.sizes()) {
        fail(where, ": no tensor '", name, "' of shape ", c10::str(into.sizes()));
      }
      into.copy_(found->second);
    };
    take(kEmbedding, skip_gram_.center);
    take(kContext, skip_gram_.context);
    show();
    return epoch_of(file, where);
  }

 private:
  void show() {
    const at::NoGradGuard no_grad;
    embedding_.copy_(skip_gram_.center);
  }

  TrainConfig config_;
  walk::Walker walker_;
  walk::SkipGram skip_gram_;
  at::Tensor embedding_;
};

// Any model: minimises the walk loss of its representations by Adam. In an inductive data set, only on training graphs.
class ModelLearner : public WalkLearner {
 public:
  ModelLearner(const Dataset& data, const Recipe& recipe, Model& model)
      : config_(recipe.train),
        init_(recipe.model.init),
        model_(model),
        graph_(data.inductive ? data.graph.select(parts_with(data, data.train)) : data.graph),
        batch_(split_batch(data, data.train).to(model.device())),
        walker_(graph_, walker_options(recipe)),
        table_(graph_),
        options_{recipe.walk.window, recipe.walk.negatives, static_cast<uint64_t>(recipe.train.seed)},
        adam_(nn::parameters_of(model), adam_options(config_, 1)) {}

  void run_epoch(EpochRecord& record) override {
    if (record.epoch == 1 && init_ == Init::kSignal) nn::start_weights(model_, options_.seed, batch_.input);
    const SparseTensors pairs(walk::draw_walk_pairs(graph_, walker_, table_, options_, record.epoch));
    const MaskKey key = MaskKey(dropout_key(options_.seed, record.epoch, 0)).to(model_.device());
    const at::Tensor loss = ops::pair_loss(pairs, model_.embed(batch_.input, Pass(key)).to(at::kCPU));
    record.loss = loss.item<double>();
    loss.backward();
    record.learning_rate = learning_rate_at(config_, record.epoch);
    adam_.step(record.learning_rate);
    record.gradient_norm = adam_.gradient_norm();
  }

  TensorFile state(int64_t epoch) const override { return state_of(model_, adam_, {epoch, epoch, 0}); }
  int64_t restore(const TensorFile& state, const std::string& where) override {
    return restore_state(state, model_, adam_, where).epoch;
  }

 private:
  TrainConfig config_;
  Init init_;
  Model& model_;
  Graph graph_;
  Batch batch_;
  walk::Walker walker_;
  walk::NegativeTable table_;
  walk::WalkPairOptions options_;
  Adam adam_;
};

}  // namespace

std::unique_ptr<WalkLearner> make_walk_learner(const Dataset& data, const Recipe& recipe, Model& model) {
  if (recipe.model.model == "deepwalk" && (recipe.walk.p != 1 || recipe.walk.q != 1)) {
    fail("deepwalk: p = ", recipe.walk.p, " and q = ", recipe.walk.q, ", expected 1; use node2vec for other values");
  }
  if (recipe.train.average > 0) fail("average: only for training by labels, not by walks");
  if (is_walk_model(recipe.model.model)) return std::make_unique<SkipGramLearner>(data, recipe, model);
  return std::make_unique<ModelLearner>(data, recipe, model);
}

}  // namespace geniepath::training
