// A run that was begun, and options given for it again: they must match the original run's.
#pragma once

#include "base/given_options.h"
#include "geniepath/run.h"

namespace geniepath::run {

// Options given with --resume: their values, and which of them were given at all.
struct GivenOptions {
  RunDescription values;
  IsGiven given;
};

// The run in the folder as it was begun, but for the number of epochs and where its data lies, which may be given anew.
// Data in another place must be the same: known by its name (--data-dir), or by its content (--data).
// An Error where anything else given differs.
RunDescription resumed_run(const RunFolder& folder, GivenOptions options);

// The same, the number of epochs included.
void check_same_run(const RunFolder& folder, const GivenOptions& options);

}  // namespace geniepath::run
