// Scores as text for the terminal.
#pragma once

#include <string>

#include "geniepath/metrics.h"
#include "geniepath/train.h"

namespace geniepath::cli {

// One row per class: positives, precision, recall, F1, ROC-AUC, average precision. Long lists are cut to the first
// `most` classes, with a note.
std::string class_table(const Scores& scores, size_t most = 20);

// "accuracy 0.97  f1 0.81 ..."
std::string summary_line(const Scores& scores);

}  // namespace geniepath::cli
