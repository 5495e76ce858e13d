// Structured tables: edges and up to two node tables with columns, cells and options as chosen. Accepted tables give a
// valid data set, and the same one when read again by the resulting schema, also after that was written and read.
#include <nlohmann/json.hpp>

#include <memory>

#include "base/json_text.h"
#include "data/fingerprint.h"
#include "fuzz_input.h"
#include "data/tables/table_schema_json.h"

namespace {

using namespace geniepath;
using Names = std::initializer_list<std::string_view>;

class Tables {
 public:
  explicit Tables(fuzz::Choices& choices)
      : choices_(choices), separator_(choices.text({",", ",", ",", ",", "\t", "\t", ";", " "})) {
    options.directed = choices.one_in(2);
    options.edge_header = choices.of({TableHeader::kAuto, TableHeader::kYes, TableHeader::kNo});
    options.unknown_nodes = choices.of({UnknownNodes::kAdd, UnknownNodes::kSkip, UnknownNodes::kError});
    options.missing = choices.of({Missing::kZero, Missing::kError, Missing::kMean});
    if (choices.one_in(8)) options.node_header = choices.of({TableHeader::kYes, TableHeader::kNo});
    options.id_column = choices.text({"id", "id", "id", "id", "id", "id", "row", "column1"});
    options.most_categories = static_cast<int64_t>(choices.below(4));
    options.task = choices.of({TableTask::kAuto, TableTask::kAuto, TableTask::kAuto, TableTask::kMultiClass,
                                  TableTask::kMultiLabel, TableTask::kBinary, TableTask::kUnsupervised});
    options.label_column = choices.text({"label", "label", "label", "label", "y,x", "x"});
    options.one_hot = choices.text({"", "", "c", "c", "c,x", "none"});
    options.ignore_columns = choices.text({"", "", "x", "type"});
    options.positive = choices.text({"", "", "", "a", "1"});
    options.sparse_size = choices.one_in(8) ? choices.number() & 0xffff : 0;
    options.edges = add(edges());
    for (uint64_t tables = choices.below(3); tables > 0; --tables) {
      options.nodes += (options.nodes.empty() ? "" : ",") + add(nodes());
    }
  }

  TableOptions options;

 private:
  std::string add(const std::string& text) {
    files_.push_back(std::make_unique<fuzz::InputFile>(text));
    return files_.back()->path();
  }

  std::string cell(std::string_view text) {
    if (!choices_.one_in(8)) return std::string(text);
    return choices_.one_in(16) ? choices_.bytes(choices_.below(5)) : "\"" + std::string(text) + "\"";
  }
  std::string line(const std::vector<std::string>& cells) {
    std::string text;
    for (const std::string& one : cells) text += (&one == cells.data() ? "" : separator_) + one;
    return text + std::string(choices_.text({"\n", "\n", "\n", "\n", "\n", "\n", "\n", "\r\n"}));
  }
  std::string id() { return cell(choices_.text({"a", "b", "c", "0", "1", "2", "10", "ä", "", "1.0", "2e+00"})); }
  // Id of a row of a node table: mostly unique.
  std::string own_id() {
    constexpr const char* kIds[] = {"a", "b", "c", "0", "1", "2", "10", "ä", "e", "f", "g"};
    return choices_.one_in(16) ? id() : kIds[rows_++ % std::size(kIds)];
  }

  std::string edges() {
    std::string text = choices_.one_in(2) ? "" : line({"src", "dst"});
    for (uint64_t rows = choices_.below(6); rows > 0; --rows) text += line({id(), id()});
    return text;
  }

  std::string value_of(std::string_view column) {
    if (column == "id") return own_id();
    if (column == "label" || column == "y")
      return cell(choices_.text({"", "a", "b", "a;b", "a|c", "|", "0", "1", "true"}));
    if (column == "split") return cell(choices_.text({"", "train", "valid", "val", "test", "none"}));
    if (column == "graph") return cell(choices_.text({"g", "g", "h", ""}));
    if (column == "type") return cell(choices_.text({"u", "v", ""}));
    if (column == "features")
      return cell(choices_.text({"", "0:1", "3:2 1:-1", "2:0.5", "1:1", choices_.one_in(8) ? "-1:1" : "0:2",
                                 choices_.one_in(8) ? "1:1 1:1" : "5:1"}));
    if (!choices_.one_in(16)) return cell(choices_.text({"0", "1", "-2.5e3", "1e-320"}));
    return cell(choices_.text({"", "1e39", "nan", "NA", "x", "0x1", "2024-05-01", "1970-01-01T10:00Z"}));
  }

  std::string nodes() {
    std::vector<std::string> columns{"id"};
    for (const std::string_view column : Names{"label", "split", "graph", "type", "features", "x", "y", "c"}) {
      if (choices_.one_in(2)) columns.emplace_back(column);
    }
    if (choices_.one_in(16)) columns.push_back(choices_.bytes(choices_.below(4)));
    std::string text = line(columns);
    for (uint64_t rows = choices_.below(6); rows > 0; --rows) {
      std::vector<std::string> cells;
      for (const std::string& column : columns) cells.push_back(value_of(column));
      text += line(cells);
    }
    return text;
  }

  fuzz::Choices& choices_;
  std::string separator_;
  size_t rows_ = 0;  // of all node tables
  std::vector<std::unique_ptr<fuzz::InputFile>> files_;
};

void load(const TableOptions& options) {
  TableSchema schema;
  const Dataset data = load_tables(options, schema);
  fuzz::expect_valid(data);
  const auto kept = parse_json<nlohmann::ordered_json>(to_json(schema).dump(), "schema");
  TableSchema again = table_schema_from_json(kept, "schema");
  fuzz::expect(to_json(again) == kept, "a schema that changes on its way through a file");
  try {
    fuzz::expect(fingerprint(load_tables(options, again)) == fingerprint(data), "the same tables, other data");
  } catch (const Error& error) {
    throw std::logic_error(std::string("tables refused by their own schema: ") + error.what());
  }
}

}  // namespace

FUZZ_TARGET(tables_built)(const uint8_t* data, size_t size) {
  fuzz::Choices choices(data, size);
  const Tables tables(choices);
  return fuzz::only_errors([&] { load(tables.options); });
}
