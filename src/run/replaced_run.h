// Replacement of one run by another. The new run starts in a folder inside the old one's and takes its place at its
// first checkpoint. A process killed at any moment leaves the old run unchanged, or the new one ready for --resume.
#pragma once

#include "geniepath/run.h"

namespace geniepath::run {

// Whether any state of the run's training was saved. A run without a checkpoint may be overwritten.
bool has_checkpoint(const RunFolder& folder);

// Creates the place where a new run starts: inside a folder that holds a run with a checkpoint, else the folder itself.
RunFolder make_starting_place(const RunFolder& folder);
// The same place, once the run has been created there.
RunFolder starting_place(const RunFolder& folder);

// Moves a run with a checkpoint from its starting place to its folder, replacing the old run. Returns its new place.
RunFolder take_place(const RunFolder& run);

// Whether a process was killed while moving a run.
bool is_being_replaced(const RunFolder& folder);

// Cleans up after a killed process: completes a replacement in progress, and removes a new run without a checkpoint
// that was to replace another.
void tidy_up(const RunFolder& folder);

// Removes result.json and paths.json: a run that trains further has no result until it is finished again.
void drop_result(const RunFolder& folder);

}  // namespace geniepath::run
