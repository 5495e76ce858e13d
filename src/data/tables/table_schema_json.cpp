#include "data/tables/table_schema_json.h"

#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "geniepath/error.h"

namespace geniepath {
namespace {

using Json = nlohmann::ordered_json;

Json table_json(const TableSchema::Table& table) {
  Json one_hot = Json::array();
  for (const auto& [column, values] : table.one_hot) one_hot.push_back({{"column", column}, {"values", values}});
  return {{"numbers", table.numbers}, {"one_hot", one_hot}, {"sparse_size", table.sparse_size}};
}

TableSchema::Table table_of(const Json& object) {
  TableSchema::Table table;
  object.at("numbers").get_to(table.numbers);
  for (const Json& column : object.at("one_hot")) {
    table.one_hot.push_back({column.at("column"), column.at("values").get<std::vector<std::string>>()});
  }
  table.sparse_size = whole_number(object.at("sparse_size"), "sparse_size");
  return table;
}

}  // namespace

Json to_json(const TableSchema& schema) {
  Json list = Json::array();
  for (const TableSchema::Table& table : schema.tables) list.push_back(table_json(table));
  return {{"tables", list}, {"sparse", schema.sparse}, {"task", to_string(schema.task)}, {"classes", schema.classes}};
}

TableSchema table_schema_from_json(const Json& object, const std::string& where) {
  TableSchema schema;
  try {
    for (const Json& table : object.at("tables")) schema.tables.push_back(table_of(table));
    object.at("sparse").get_to(schema.sparse);
    schema.task = from_string<Task>(object.at("task"), "task");
    object.at("classes").get_to(schema.classes);
  } catch (const nlohmann::json::exception& error) {
    fail(where, ": ", error.what());
  }
  schema.learned = true;
  return schema;
}

}  // namespace geniepath
