// Checks that options given with --resume match the original run's.
#pragma once

#include "base/given_options.h"
#include "geniepath/run.h"

namespace geniepath::run {

// Options of a command: their values, and which of them were given explicitly.
struct GivenOptions {
  RunDescription values;
  IsGiven given;
};

// The description of the folder's run, with a new number of epochs and a new location of its data where given. Data in
// another location must be the same: by name (--data-dir) or by content (--data). Any other difference is an Error.
RunDescription resumed_run(const RunFolder& folder, GivenOptions options);

// An Error unless the fingerprint of the run's data, as found now, is that of its training.
void check_unchanged(const RunDescription& saved, const std::string& print, const std::string& folder);

// The check of resumed_run(), also for the number of epochs and the content of a user's own files.
void check_same_run(const RunFolder& folder, const GivenOptions& options);

}  // namespace geniepath::run
