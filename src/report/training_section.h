// Charts of the training: the records of metrics.jsonl.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "geniepath/run.h"
#include "report/plot.h"

namespace geniepath::report {

// One record per epoch, as written by `train`; none if the file is missing. A damaged line is an Error.
using Epochs = std::vector<nlohmann::ordered_json>;
Epochs read_epochs(const RunFolder& folder);

// The epoch whose weights were kept is marked.
LineChart loss_chart(const Epochs& epochs);

// Validation scores, or those of the training nodes where there are no others, `metric` first. A score that was never
// computed has no line; an epoch without it leaves a gap.
LineChart validation_chart(const Epochs& epochs, const std::string& metric);

std::string training_section(const Epochs& epochs, const std::string& metric);

}  // namespace geniepath::report
