#include "serve/score_request.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <set>

#include "base/json_text.h"
#include "base/suggestion.h"
#include "geniepath/error.h"
#include "geniepath/names.h"
#include "io/csv.h"
#include "serve/api_error.h"
#include "serve/request.h"

namespace geniepath::serve {
namespace {

using JsonByKey = nlohmann::json;  // finds one of very many keys quickly

constexpr size_t kMostNodes = 256, kMostEdges = 10000, kMostValues = 65536, kMostIdCharacters = 512;

[[noreturn]] void refuse(const std::string& where, const std::string& what, const std::string& expected,
                         const std::string& found) {
  throw ApiError(422, "bad_body", where + ": " + what, expected, found);
}

std::string kind_of(const JsonByKey& value) {
  return value.is_array() ? std::to_string(value.size()) + " items" : std::string(value.type_name());
}

void expect_object(const JsonByKey& value, const std::string& where, const std::vector<std::string>& required,
                   const std::vector<std::string>& allowed) {
  if (!value.is_object()) refuse(where, "not an object", "an object", kind_of(value));
  for (const std::string& key : required) {
    if (!value.contains(key)) refuse(where, "'" + key + "' is missing", "'" + key + "'", "an object without it");
  }
  for (const auto& [key, _] : value.items()) {
    if (std::find(allowed.begin(), allowed.end(), key) == allowed.end()) {
      refuse(where, "unknown key", listed(allowed), key);
    }
  }
}

const JsonByKey& expect_array(const JsonByKey& value, const std::string& where, size_t fewest, size_t most) {
  if (!value.is_array() || value.size() < fewest || value.size() > most) {
    refuse(where, "not a list of the right size",
           std::to_string(fewest) + " to " + std::to_string(most) + " items", kind_of(value));
  }
  return value;
}

constexpr double kLargestExact = 0x1p53;  // beyond, a double does not hold every whole number

// Whole numbers are ids, too: JSON's 17 and 17.0, which writers of tables make of it.
std::optional<std::string> id_text(const JsonByKey& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_integer()) return value.dump();
  const double number = value.is_number_float() ? value.get<double>() : NAN;
  if (std::trunc(number) != number || std::abs(number) > kLargestExact) return std::nullopt;
  return std::to_string(static_cast<int64_t>(number));
}

std::string expect_id(const JsonByKey& value, const std::string& where) {
  const std::string expected = "a whole number, or a text of 1 to " + std::to_string(kMostIdCharacters) + " characters";
  const std::optional<std::string> text = id_text(value);
  if (!text) refuse(where, "not an id", expected, value.is_number() ? value.dump() : kind_of(value));
  const std::string& id = *text;
  if (id.empty() || num_characters(id) > kMostIdCharacters) refuse(where, "not an id", expected, id);
  return id;
}

float expect_number(const JsonByKey& value, const std::string& where) {
  const auto number = value.is_number() ? static_cast<float>(value.get<double>()) : NAN;
  if (!std::isfinite(number)) refuse(where, "not a number the model accepts", "a number within f32", value.dump());
  return number;
}

std::string at(const std::string& where, size_t index) { return where + "[" + std::to_string(index) + "]"; }

void read_dense(const JsonByKey& list, const std::string& where, int64_t features, NewNode& node) {
  if (std::ssize(list) != features) {
    refuse(where, "wrong number of features", std::to_string(features) + " numbers",
           std::to_string(list.size()) + " numbers");
  }
  for (size_t c = 0; c < list.size(); ++c) {
    node.column.push_back(static_cast<int32_t>(c));
    node.value.push_back(expect_number(list[c], at(where, c)));
  }
}

void read_sparse(const JsonByKey& object, const std::string& where, int64_t features, NewNode& node) {
  expect_object(object, where, {"columns", "values"}, {"columns", "values"});
  const JsonByKey& columns = expect_array(object["columns"], where + ".columns", 0, kMostValues);
  const JsonByKey& values = expect_array(object["values"], where + ".values", 0, kMostValues);
  if (columns.size() != values.size()) {
    refuse(where, "columns and values differ in number", std::to_string(columns.size()) + " values",
           std::to_string(values.size()) + " values");
  }
  std::vector<std::pair<int32_t, float>> entries;
  for (size_t n = 0; n < columns.size(); ++n) {
    const int64_t column = columns[n].is_number_integer() ? columns[n].get<int64_t>() : -1;
    if (column < 0 || column >= features) {
      refuse(at(where + ".columns", n), "not a column", "a whole number from 0 to " + std::to_string(features - 1),
             columns[n].dump());
    }
    entries.emplace_back(static_cast<int32_t>(column), expect_number(values[n], at(where + ".values", n)));
  }
  std::sort(entries.begin(), entries.end());
  for (size_t n = 0; n < entries.size(); ++n) {
    if (n > 0 && entries[n].first == entries[n - 1].first) {
      refuse(where + ".columns", "a column twice", "each column once", std::to_string(entries[n].first));
    }
    node.column.push_back(entries[n].first);
    node.value.push_back(entries[n].second);
  }
}

bool is_sparse_row(const JsonByKey& row) {
  const auto is_list = [&](const char* key) { return row.contains(key) && row[key].is_array(); };
  return row.is_object() && is_list("columns") && is_list("values");
}

// A cell as it would stand in a table.
std::string cell_text(const JsonByKey& value, const std::string& where) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_number()) refuse(where, "not a cell", "a number, a text or null", kind_of(value));
  return value.dump();
}

size_t table_of(const JsonByKey& node, const std::string& where, const std::vector<NamedColumns>& tables) {
  if (tables.size() == 1) return 0;
  std::vector<std::string> kinds;
  for (const NamedColumns& table : tables) kinds.push_back(table.kind);
  const std::string type = node.contains("type") && node["type"].is_string() ? node["type"].get<std::string>() : "";
  const auto found = std::ranges::find(kinds, type);
  if (found == kinds.end()) refuse(where, "'type' is not one of the run's node tables", listed(kinds), type);
  return static_cast<size_t>(found - kinds.begin());
}

void read_named(const JsonByKey& row, const std::string& where, const NamedColumns& columns, NewNode& node) {
  if (!row.is_object()) refuse(where, "not features", "a list of numbers, or an object", kind_of(row));
  node.cells.resize(columns.names.size());
  for (const auto& [name, value] : row.items()) {
    const auto found = std::ranges::find(columns.names, name);
    if (found == columns.names.end()) {
      refuse(where, "no column of this name" + did_you_mean(name, columns.names), listed(columns.names), name);
    }
    node.cells[static_cast<size_t>(found - columns.names.begin())] = cell_text(value, where + "." + name);
  }
}

NewNode read_node(const JsonByKey& value, const std::string& where, const ScoreColumns& columns) {
  std::vector<std::string> allowed{"id", "features"};
  if (columns.tables.size() > 1) allowed.push_back("type");
  expect_object(value, where, {"id", "features"}, allowed);
  NewNode node;
  node.id = normalised_id(expect_id(value["id"], where + ".id"));
  const JsonByKey& row = value["features"];
  if (row.is_array()) {
    read_dense(row, where + ".features", columns.features, node);
  } else if (is_sparse_row(row) || columns.tables.empty()) {
    read_sparse(row, where + ".features", columns.features, node);
  } else {
    node.table = table_of(value, where, columns.tables);
    read_named(row, where + ".features", columns.tables[node.table], node);
  }
  return node;
}

JsonByKey parse(std::string_view body) {
  try {
    return parse_json<JsonByKey>(body, "body");
  } catch (const Error& error) {
    throw ApiError(400, "bad_json", "the body is not valid JSON", "a JSON object", error.what());
  }
}

}  // namespace

std::string normalised_id(const std::string& id) {
  NumberText digits;
  return std::string(whole_number_text(id, digits));
}

ScoreRequest parse_score_request(std::string_view body, const ScoreColumns& columns) {
  const JsonByKey root = parse(body);
  expect_object(root, "body", {"nodes"}, {"nodes", "edges"});
  ScoreRequest request;
  std::set<std::string> ids;
  for (const JsonByKey& value : expect_array(root["nodes"], "nodes", 1, kMostNodes)) {
    const std::string where = at("nodes", request.nodes.size());
    request.nodes.push_back(read_node(value, where, columns));
    if (!ids.insert(request.nodes.back().id).second) {
      refuse(where + ".id", "twice in the request", "each id once", request.nodes.back().id);
    }
  }
  if (!root.contains("edges")) return request;
  for (const JsonByKey& value : expect_array(root["edges"], "edges", 0, kMostEdges)) {
    const std::string where = at("edges", request.edges.size());
    expect_object(value, where, {"source", "target"}, {"source", "target"});
    request.edges.emplace_back(expect_id(value["source"], where + ".source"),
                               expect_id(value["target"], where + ".target"));
  }
  return request;
}

}  // namespace geniepath::serve
