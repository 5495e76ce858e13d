// Whether data is what a run was trained on.
#pragma once

#include "geniepath/dataset.h"
#include "geniepath/run.h"
#include "geniepath/tables.h"
#include "geniepath/transforms.h"

namespace geniepath::run {

enum class DataState {
  kOwn,         // what the run was trained on, from wherever it was read
  kOtherSplit,  // the run's own, split or prepared by other options
  kChanged,     // from the run's own files, the content of which is no longer the same
  kOther,
};

// The state of `raw`, loaded by these options and not yet prepared. Content is compared where data comes from files;
// generated data, and runs of older versions without a fingerprint, are told by their options.
DataState data_state(const RunDescription& run, const Dataset& raw, const DataOptions& source,
                     const TableOptions& tables, const TransformOptions& transforms);

// The same for data loaded by the run's own options: kOwn or kChanged.
DataState data_state(const RunDescription& run, const Dataset& raw);

// "edges.csv, nodes.csv: changed since the run was trained on it"
std::string changed_text(const RunDescription& run);

}  // namespace geniepath::run
