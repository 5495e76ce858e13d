#include "arguments/quality_arguments.h"

#include <unistd.h>

#include <chrono>
#include <iostream>

#include "base/file.h"
#include "io/safetensors.h"
#include "report/path_quality_text.h"
#include "run/run_files.h"
#include "terminal/option_binder.h"

namespace geniepath::cli {
namespace {

// Empty where they are missing.
std::string checksum_of_weights(const RunFolder& folder) {
  const auto weights = folder.file(run::kBest);
  return std::filesystem::exists(weights) ? written_checksum(weights) : "";
}

}  // namespace

void QualityArguments::bind(CLI::App& command) { bind_options(command, options, "Quality of the paths"); }

PathProgress QualityArguments::progress(ProgressLine& line) {
  using Clock = std::chrono::steady_clock;
  return [&line, begin = Clock::now()](int64_t done, int64_t nodes) {
    if (Clock::now() - begin < std::chrono::seconds(1)) return;
    line.show(static_cast<double>(done) / static_cast<double>(nodes),
              "paths  node " + std::to_string(done) + " of " + std::to_string(nodes), done == nodes);
  };
}

QualityRecord::QualityRecord(const RunFolder& folder, bool own_data) : folder_(folder) {
  if (!own_data) {
    obstacle_ = "measured on other data than the run's";
  } else if (!std::filesystem::exists(folder.file(run::kResult))) {
    obstacle_ = "the run is not finished";
  } else if (::access(folder.path().c_str(), W_OK) != 0) {
    obstacle_ = "its folder is read-only";
  } else {
    check_writable(folder.file(run::kPaths));
    weights_ = checksum_of_weights(folder);
  }
}

void QualityRecord::write(const PathQuality& quality) const {
  const bool replaced = obstacle_.empty() && checksum_of_weights(folder_) != weights_;
  if (obstacle_.empty() && !replaced) return report::record_quality(folder_, quality, weights_);
  std::cerr << "paths  not recorded in the run: " << (replaced ? "its weights were replaced meanwhile" : obstacle_)
            << "\n";
}

}  // namespace geniepath::cli
