#include "data/tables/table_schema_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "geniepath/error.h"

namespace geniepath {
namespace {

using Json = nlohmann::ordered_json;

Json table_json(const TableSchema::Table& table) {
  Json one_hot = Json::array();
  for (const auto& [column, values] : table.one_hot) one_hot.push_back({{"column", column}, {"values", values}});
  return {{"kind", table.kind},     {"numbers", table.numbers}, {"dates", table.dates},       {"means", table.means},
          {"one_hot", one_hot},     {"marked", table.marked},   {"left_out", table.left_out},
          {"sparse_size", table.sparse_size}};
}

// For lists that schemas of older versions lack.
template <class T>
void get_list(const Json& object, const char* name, std::vector<T>& list) {
  if (object.contains(name)) object.at(name).get_to(list);
}

// Checks that the names are among the numbers, each at most once: features are counted by them.
void check_among_numbers(const TableSchema::Table& table, const std::vector<std::string>& names, const char* what) {
  for (const std::string& name : names) {
    const bool known = std::ranges::find(table.numbers, name) != table.numbers.end();
    if (!known || std::ranges::count(names, name) > 1)
      fail(what, ": '", name, "' is not one of the numbers, or there twice");
  }
}

TableSchema::Table table_of(const Json& object) {
  TableSchema::Table table;
  table.kind = object.value("kind", "");
  object.at("numbers").get_to(table.numbers);
  get_list(object, "dates", table.dates);
  get_list(object, "means", table.means);
  get_list(object, "marked", table.marked);
  get_list(object, "left_out", table.left_out);
  for (const Json& column : object.at("one_hot")) {
    table.one_hot.push_back({column.at("column"), column.at("values").get<std::vector<std::string>>()});
  }
  table.sparse_size = whole_number(object.at("sparse_size"), "sparse_size");
  check_among_numbers(table, table.dates, "dates");
  check_among_numbers(table, table.marked, "marked");
  if (!table.means.empty() && table.means.size() != table.numbers.size()) {
    fail("means: expected ", table.numbers.size(), ", one per number, found ", table.means.size());
  }
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
    fail(where, ": ", json_reason(error));
  } catch (const Error& error) {
    fail(where, ": ", error.what());
  }
  schema.learned = true;
  return schema;
}

}  // namespace geniepath
