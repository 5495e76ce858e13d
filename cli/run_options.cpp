#include "run_options.h"

#include "console.h"

namespace geniepath::cli {

void RunOptions::bind(CLI::App& command) {
  command.add_option("--run", run, "folder of the trained run")->required();
  command.add_option("--threads", threads, "threads to use (0: every core)")->check(CLI::Range(0, 4096));
  data.bind(command);
}

Dataset RunOptions::load(const RunFolder& folder, const RunDescription& description) const {
  use_threads(threads);
  DataOptions source = description.data;
  TableOptions tables = description.tables;
  FittedTransforms fitted = folder.transforms();
  take_typed(*data.app, data.data, source);
  take_typed(*data.app, data.tables, tables);
  take_typed(*data.app, data.transforms, fitted.options);
  Dataset dataset = apply_transforms(load_dataset(source, tables), fitted);
  check_fits(description, dataset);
  return dataset;
}

}  // namespace geniepath::cli
