// Where the files of a run's data are: recorded relative to the run's folder and absolutely, and found again if the run
// and its data are moved together, or if it is used from another working folder.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "base/given_options.h"
#include "geniepath/run.h"

namespace geniepath::run {

// The files and folders that the description's options name, seen from the folder.
std::vector<DataFile> data_files(const RunDescription& run, const std::filesystem::path& folder);

// Replaces the paths in the options by those at which the files are now. A path that already leads to the recorded file
// stays as it was typed; one that leads nowhere stays, too.
void find_data_files(RunDescription& run, const std::filesystem::path& folder);

// An Error if a file of the run's data cannot be found, with the places where it was looked for. `typed`: options that
// name other files, in commands that have them.
void check_data_files(const RunDescription& run, const IsGiven& typed = {});

// Whether both paths lead to the same file or folder, which exists.
bool lead_to_one(const std::filesystem::path& a, const std::filesystem::path& b);

// Whether two lists of paths, separated by commas, lead to the same files.
bool same_files(const std::string& a, const std::string& b);

// The run's data in messages: its name, or the files of its tables.
std::string data_name(const RunDescription& run);

nlohmann::ordered_json to_json(const std::vector<DataFile>& files);
std::vector<DataFile> data_files_from_json(const nlohmann::ordered_json& list, const std::string& where);

}  // namespace geniepath::run
