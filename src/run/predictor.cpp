#include "geniepath/predictor.h"

#include "run/data_files.h"
#include "run/run_threshold.h"

namespace geniepath {

Predictor::Predictor(const RunFolder& folder, at::Device device)
    : description_(folder.description()),
      transforms_(folder.transforms()),
      recorded_threshold_(run::run_threshold(folder)) {
  const auto model = load_model(folder);
  model->to(device);
  model_ = model;
}

double Predictor::threshold(const Dataset& data) const {
  return run::threshold_on(data, *model_, description_, recorded_threshold_);
}

Dataset Predictor::load_data() const { return prepare(load_raw_data()); }

Dataset Predictor::load_raw_data() const {
  run::check_data_files(description_);
  TableSchema schema = description_.schema;
  return load_dataset(description_.data, description_.tables, schema);
}

Dataset Predictor::prepare(Dataset raw) const {
  Dataset data = apply_transforms(std::move(raw), transforms_);
  check_fits(description_, data);
  return data;
}

Features Predictor::prepare(const Features& raw) const { return apply_feature_transforms(raw, transforms_); }

at::Tensor Predictor::predict(const Dataset& data) const { return geniepath::predict(*model_, data); }

at::Tensor Predictor::embed(const Dataset& data) const { return geniepath::embed(*model_, data); }

}  // namespace geniepath
