#include "run/shared_recorder.h"

#include <ATen/ATen.h>

#include <nlohmann/json.hpp>

namespace geniepath::run {

TensorFile of_first(TensorFile file, distributed::Group& group) {
  if (group.is_alone()) return file;
  nlohmann::json shapes = nlohmann::json::object();
  for (const auto& [name, tensor] : file.tensors) {
    shapes[name] = {{"type", static_cast<int>(tensor.scalar_type())}, {"shape", tensor.sizes().vec()}};
  }
  const nlohmann::json own = {{"tensors", shapes}, {"metadata", file.metadata}};
  const auto received = nlohmann::json::parse(group.text_of_first(own.dump()));
  TensorFile all{{}, received.at("metadata").get<std::map<std::string, std::string>>()};
  for (const auto& [name, form] : received.at("tensors").items()) {
    const auto type = static_cast<at::ScalarType>(form.at("type").get<int>());
    at::Tensor tensor = group.is_first() ? file.tensors.at(name).detach().clone(at::MemoryFormat::Contiguous)
                                         : at::empty(form.at("shape").get<std::vector<int64_t>>(), type);
    group.copy_from_first(tensor);
    all.tensors[name] = tensor;
  }
  return all;
}

void SharedRecorder::begin(training::Training& training) {
  if (first_) first_->begin(training);
  const TensorFile state = of_first(training.state(), group_);
  if (!group_.is_first()) training.restore(state, "the state of rank 0");
}

void SharedRecorder::add(const EpochRecord& record) {
  if (first_) first_->add(record);
}

void SharedRecorder::save(const training::Training& training) {
  if (first_) first_->save(training);
}

void SharedRecorder::save_best(const training::Training& training) {
  if (first_) first_->save_best(training);
}

}  // namespace geniepath::run
