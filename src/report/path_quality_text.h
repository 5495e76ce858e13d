// Quality of a run's attention as text, tables, JSON and part of a page.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "geniepath/path_quality.h"
#include "geniepath/run.h"
#include "report/explanation_json.h"
#include "training/length_accuracy.h"

namespace geniepath::report {

constexpr double kNearlyEven = 0.95;  // entropy over that of even attention, from which attention says nothing

using Rows = std::vector<std::vector<std::string>>;  // the first row is the heading

// "200 test nodes, the 10 strongest paths of at most 3 hops into each"
std::string quality_scope(const PathQuality& quality);

// Whether attention matters in this model, in one sentence.
std::string attention_sentence(const PathQuality& quality);

Rows quality_rows(const PathQuality& quality);  // one figure per row, with its meaning
Rows layer_rows(const PathQuality& quality);    // entropy and, where known, AUC, by layer
Rows memory_rows(const PathQuality& quality);   // the memory's shares by hop; empty without memory
Rows length_rows(const std::vector<training::LengthAccuracy>& lengths);

// The recovery of the true paths by one explanation, in one line.
std::string recovery_line(const PathRecovery& recovery);

Json to_json(const PathQuality& quality);
Json to_json(const PathRecovery& recovery);
Json to_json(const std::vector<training::LengthAccuracy>& lengths);

std::string table_html(const std::string& caption, const Rows& rows);
std::string quality_section(const PathQuality& quality);

// paths.json of a run: a sealed to_json(PathQuality) with the checksum of the weights that were measured
// (run::are_of_weights()); none if its attention was never measured.
void record_quality(const RunFolder& folder, const PathQuality& quality, const std::string& weights);
std::optional<Json> recorded_quality(const RunFolder& folder);

}  // namespace geniepath::report
