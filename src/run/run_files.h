// Names of a run's files.
#pragma once

namespace geniepath::run {

constexpr const char* kDescription = "model.json";
constexpr const char* kBest = "best.safetensors";
constexpr const char* kLast = "last.safetensors";
constexpr const char* kMetrics = "metrics.jsonl";
constexpr const char* kTransforms = "transforms.safetensors";
constexpr const char* kResult = "result.json";
constexpr const char* kPaths = "paths.json";
constexpr const char* kConfig = "config.toml";

constexpr const char* kFiles[] = {kDescription, kBest, kLast, kMetrics, kTransforms, kResult, kPaths, kConfig};

}  // namespace geniepath::run
