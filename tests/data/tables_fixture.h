// Users' own tables, written and loaded by a test.
#pragma once

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "geniepath/tables.h"
#include "scratch_folder.h"

namespace geniepath {

class Tables : public ::testing::Test {
 protected:
  using Names = std::vector<std::string>;
  using Nodes = std::vector<NodeId>;

  // Loads nodes.csv and edges.csv with these texts; an empty text means no table.
  Dataset load(const std::string& nodes, const std::string& edges) {
    options_.edges = folder_.write("edges.csv", edges).string();
    options_.nodes = nodes.empty() ? "" : folder_.write("nodes.csv", nodes).string();
    schema_ = {};
    Dataset data = load_tables(options_, schema_);
    data.validate();
    return data;
  }
  // The notes of the last load, one per line, without the folder.
  std::string notes() const {
    std::string text;
    for (const std::string& note : schema_.report.notes) text += note + "\n";
    for (size_t at; (at = text.find(folder_.path().string() + "/")) != std::string::npos;) {
      text.erase(at, folder_.path().string().size() + 1);
    }
    return text;
  }
  static std::vector<int64_t> classes(const Dataset& data) {
    const auto* begin = data.labels.data_ptr<int64_t>();
    return {begin, begin + data.labels.numel()};
  }
  static at::Tensor matrix(const std::vector<std::vector<float>>& rows) {
    at::Tensor values = at::empty({static_cast<int64_t>(rows.size()), static_cast<int64_t>(rows[0].size())});
    auto* out = values.data_ptr<float>();
    for (const auto& row : rows) out = std::copy(row.begin(), row.end(), out);
    return values;
  }
  static at::Tensor dense(const Features& features) {
    return features.is_sparse() ? features.sparse().to_dense() : features.dense();
  }

  testing::ScratchFolder folder_;
  TableOptions options_;
  TableSchema schema_;  // of the last load
};

}  // namespace geniepath
