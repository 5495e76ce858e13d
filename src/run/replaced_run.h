// One run in the place of another. The new one begins in a folder inside the old one's and takes its place with its first
// checkpoint. Whenever a process is killed, what it leaves is the old run as it was, or the new one for --resume.
#pragma once

#include "geniepath/run.h"

namespace geniepath::run {

// Whether anything of the run's training was saved: what was only begun need not be kept.
bool has_checkpoint(const RunFolder& folder);

// Where a new run begins: inside a folder that holds a run worth keeping, otherwise the folder itself.
RunFolder make_starting_place(const RunFolder& folder);
// The same, once the run is made.
RunFolder starting_place(const RunFolder& folder);

// Moves a run that has a checkpoint to where it belongs, in place of what was there. Where it is from then on.
RunFolder take_place(const RunFolder& run);

// Whether a process was killed while it moved a run.
bool is_being_replaced(const RunFolder& folder);

// Finishes what a killed process left: a replacement that had begun is completed, a run without a checkpoint that was to
// replace another is dropped.
void tidy_up(const RunFolder& folder);

// A run that trains on has no result until it is finished again.
void drop_result(const RunFolder& folder);

}  // namespace geniepath::run
