#include "data/formats/blogcatalog.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "data/transforms/one_hot.h"
#include "geniepath/error.h"
#include "io/csv.h"
#include "io/mat.h"

namespace geniepath {
namespace {

constexpr int64_t kMostGroups = 1000;       // far above the actual 39; bounds the label matrix
constexpr int64_t kMostBloggers = 10'000'000;

// Two parallel lists of numbers from 0: the columns of a table, or the entries of a matrix.
struct Pairs {
  std::vector<int32_t> first, second;
};

struct Files {
  int64_t num_nodes = 0, num_groups = 0;
  Pairs edges, memberships;  // node, node; node, group
};

Files read_mat(const std::filesystem::path& path) {
  MatFile file(path);
  MatPattern network = file.sparse("network");
  MatPattern group = file.sparse("group");
  if (network.rows != network.columns || group.rows != network.rows) {
    fail(path.string(), ": network is ", network.rows, " x ", network.columns, " and group ", group.rows, " x ",
         group.columns, ", expected N x N and N x L");
  }
  return {network.rows, group.columns, {std::move(network.row), std::move(network.column)},
          {std::move(group.row), std::move(group.column)}};
}

int32_t number_from_1(std::string_view field, const CsvReader& row) {
  const auto number = parse_integer(field);
  if (!number || *number < 1 || *number > kMostBloggers) {
    fail(row.where(), ": expected a number from 1 to ", kMostBloggers, ", found '", field, "'");
  }
  return static_cast<int32_t>(*number - 1);
}

Pairs read_pairs(const std::filesystem::path& path) {
  CsvReader table(path, ',');
  Pairs pairs;
  while (table.next()) {
    if (table.fields().size() != 2) fail(table.where(), ": expected 2 fields, found ", table.fields().size());
    pairs.first.push_back(number_from_1(table.fields()[0], table));
    pairs.second.push_back(number_from_1(table.fields()[1], table));
  }
  return pairs;
}

int64_t count_up_to(const std::vector<int32_t>& numbers) {
  return numbers.empty() ? 0 : *std::max_element(numbers.begin(), numbers.end()) + int64_t{1};
}

Files read_csv(const std::filesystem::path& folder) {
  Files files;
  files.edges = read_pairs(folder / "edges.csv");
  files.memberships = read_pairs(folder / "group-edges.csv");
  files.num_nodes = std::max({count_up_to(files.edges.first), count_up_to(files.edges.second),
                              count_up_to(files.memberships.first)});
  files.num_groups = count_up_to(files.memberships.second);
  const auto named = static_cast<int64_t>(2 * files.edges.first.size() + files.memberships.first.size());
  if (files.num_nodes > named) {
    fail(folder.string(), ": node ids go up to ", files.num_nodes, ", but the tables name only ", named, " nodes");
  }
  return files;
}

Files read_files(const std::filesystem::path& folder) {
  const std::filesystem::path mat = folder / "blogcatalog.mat";
  const bool has_csv = std::filesystem::exists(folder / "edges.csv");
  if (!std::filesystem::exists(mat)) {
    if (!has_csv) fail(folder.string(), ": found neither blogcatalog.mat nor edges.csv");
    return read_csv(folder);
  }
  return has_csv && !MatFile::available() ? read_csv(folder) : read_mat(mat);
}

}  // namespace

Dataset load_blogcatalog(const std::filesystem::path& folder) {
  const Files files = read_files(folder);
  if (files.num_nodes > kMostBloggers || files.num_groups > kMostGroups) {
    fail(folder.string(), ": ", files.num_nodes, " nodes and ", files.num_groups, " groups, expected at most ",
         kMostBloggers, " and ", kMostGroups);
  }
  Dataset data;
  data.name = "blogcatalog";
  data.task = Task::kMultiLabel;
  data.metric = "macro_f1";
  data.num_classes = files.num_groups;
  const auto nodes = static_cast<NodeId>(files.num_nodes);
  data.graph = Graph::from_edges(nodes, files.edges.first, files.edges.second, {.symmetrise = true});
  data.features = one_hot_ids(nodes);
  data.labels = at::zeros({files.num_nodes, files.num_groups}, at::kFloat);
  auto* labels = data.labels.data_ptr<float>();
  for (size_t i = 0; i < files.memberships.first.size(); ++i) {
    labels[files.memberships.first[i] * files.num_groups + files.memberships.second[i]] = 1;
  }
  return data;
}

}  // namespace geniepath
