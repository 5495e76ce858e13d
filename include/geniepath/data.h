// Data sets by name, or a user's own files, as one Dataset each.
#pragma once

#include <string>

#include "geniepath/dataset.h"
#include "geniepath/options.h"

namespace geniepath {

// Which data, and what to do with it before a model sees it. Recorded with a run and applied again at prediction.
struct DataOptions : Options {
  std::string data = "account-device";
  std::string data_dir;
  int64_t nodes = 20000;
  int64_t data_seed = 1;

  void visit(OptionVisitor& options) override;
};

// Loads and validates. An unknown name is an Error that lists the known ones.
Dataset load_dataset(const DataOptions& options);

}  // namespace geniepath
