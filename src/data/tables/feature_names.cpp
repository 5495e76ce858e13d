#include "data/tables/feature_names.h"

#include <algorithm>

namespace geniepath {

std::vector<std::string> feature_names(const TableSchema& schema, const std::vector<std::string>& kinds) {
  const auto is_sparse = [](const TableSchema::Table& table) { return table.sparse_size >= 0; };
  if (std::ranges::any_of(schema.tables, is_sparse)) return {};
  std::vector<std::string> names;
  for (size_t t = 0; t < schema.tables.size(); ++t) {
    const TableSchema::Table& table = schema.tables[t];
    const std::string kind = schema.tables.size() > 1 && t < kinds.size() ? kinds[t] + "." : "";
    for (const std::string& column : table.numbers) names.push_back(kind + column);
    for (const auto& [column, values] : table.one_hot) {
      for (const std::string& value : values) names.push_back(kind + column + "=" + value);
    }
    for (const std::string& column : table.marked) names.push_back(kind + column + " is empty");
  }
  return names;
}

}  // namespace geniepath
