// How training went: what metrics.jsonl has of every epoch, drawn.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "geniepath/run.h"
#include "report/plot.h"

namespace geniepath::report {

// One record per epoch, as `train` wrote them; none where there is no such file. A damaged line is an Error.
using Epochs = std::vector<nlohmann::ordered_json>;
Epochs read_epochs(const RunFolder& folder);

LineChart loss_chart(const Epochs& epochs);

// Validation scores, `metric` first. A score that was never computed has no line, and an epoch that lacks one leaves a gap.
LineChart validation_chart(const Epochs& epochs, const std::string& metric);

std::string training_section(const Epochs& epochs, const std::string& metric);

}  // namespace geniepath::report
