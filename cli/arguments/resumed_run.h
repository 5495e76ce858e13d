// A run that was begun, met again with options typed: these must be the ones it was begun with.
#pragma once

#include "arguments/train_command.h"

namespace geniepath::cli {

// The run in command.out as it was begun, but for the number of epochs and where its data lies, which may be typed
// anew. Data in another place must be the same: known by its name (--data-dir), or by its content (--data).
// An Error where anything else was typed that differs.
RunDescription resumed_run(const TrainCommand& command);

// The same, the number of epochs included.
void check_same_run(const TrainCommand& command);

}  // namespace geniepath::cli
