#include "training/state.h"

#include <ATen/ATen.h>

#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "geniepath/error.h"

namespace geniepath::training {
namespace {

constexpr const char* kState = "geniepath";  // metadata key of the counters
constexpr const char *kAdam = "adam.", *kBestOf = "best.";  // prefixes of tensors other than the model's

nlohmann::json to_json(const LossWatch& loss) {
  return {{"first", loss.first}, {"smooth", loss.smooth}, {"least", loss.least}, {"least_epoch", loss.least_epoch}};
}

LossWatch loss_watch_of(const nlohmann::json& counters) {
  const auto loss = counters.find("loss");
  if (loss == counters.end()) return {};  // of a version that did not watch the loss
  return {loss->at("first"), loss->at("smooth"), loss->at("least"),
          whole_number(loss->at("least_epoch"), "least_epoch")};
}

bool begins(const std::string& name, const std::string& start) { return name.rfind(start, 0) == 0; }

nlohmann::json parse_state(const TensorFile& file, const std::string& where) {
  const auto text = file.metadata.find(kState);
  if (text == file.metadata.end()) fail(where, ": not a checkpoint to resume from");
  return parse_json<nlohmann::json>(text->second, where + ": the checkpoint's counters");
}

}  // namespace

Weights copy_weights(const torch::nn::Module& model) {
  Weights weights;
  for (const auto& [name, parameter] : nn::parameters_of(model)) weights[name] = parameter.detach().clone();
  return weights;
}

void set_weights(torch::nn::Module& model, const Weights& weights, const std::string& where) {
  const at::NoGradGuard no_grad;
  size_t used = 0;
  for (const auto& [name, parameter] : nn::parameters_of(model)) {
    const auto found = weights.find(name);
    if (found == weights.end()) fail(where, ": no tensor '", name, "', which the model has");
    if (found->second.sizes() != parameter.sizes()) {
      fail(where, ": tensor '", name, "' has shape ", c10::str(found->second.sizes()), ", but the model's is ",
           c10::str(parameter.sizes()));
    }
    parameter.copy_(found->second);
    ++used;
  }
  if (used == weights.size()) return;
  for (const auto& [name, _] : weights) {
    if (model.named_parameters().find(name) == nullptr) fail(where, ": tensor '", name, "' is not one of the model's");
  }
}

TensorFile state_of(const torch::nn::Module& model, const Adam& adam, const Progress& progress) {
  TensorFile file;
  for (const auto& [name, parameter] : nn::parameters_of(model)) file.tensors[name] = parameter;
  file.tensors.merge(adam.state());
  for (const auto& [name, tensor] : progress.best) file.tensors[kBestOf + name] = tensor;
  const nlohmann::json counters = {{"epoch", progress.epoch},
                                   {"best_epoch", progress.best_epoch},
                                   {"best_value", progress.best_value},
                                   {"adam_steps", adam.steps()},
                                   {"loss", to_json(progress.loss)}};
  file.metadata[kState] = counters.dump();
  return file;
}

int64_t epoch_of(const TensorFile& state, const std::string& where) {
  try {
    return parse_state(state, where).at("epoch");
  } catch (const nlohmann::json::exception& error) {
    fail(where, ": ", json_reason(error));
  }
}

std::map<std::string, std::string> epoch_metadata(int64_t epoch) {
  return {{kState, nlohmann::json{{"epoch", epoch}}.dump()}};
}

Progress restore_state(const TensorFile& state, torch::nn::Module& model, Adam& adam, const std::string& where) {
  const nlohmann::json counters = parse_state(state, where);
  Weights weights, best;
  for (const auto& [name, tensor] : state.tensors) {
    if (begins(name, kBestOf)) {
      best[name.substr(std::string(kBestOf).size())] = tensor.clone();
    } else if (!begins(name, kAdam)) {
      weights[name] = tensor;
    }
  }
  set_weights(model, weights, where);
  try {
    adam.restore(state.tensors, counters.at("adam_steps"));
    return {counters.at("epoch"), counters.at("best_epoch"), counters.at("best_value"), std::move(best),
            loss_watch_of(counters)};
  } catch (const nlohmann::json::exception& error) {
    fail(where, ": ", json_reason(error));
  } catch (const Error& error) {
    fail(where, ": ", error.what());
  }
}

}  // namespace geniepath::training
