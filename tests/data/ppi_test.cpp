#include "data/formats/ppi.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "expect_error.h"
#include "io/file_writers.h"
#include "real_data.h"
#include "scratch_folder.h"

namespace geniepath {
namespace {

using testing::npy;
using Nodes = std::vector<NodeId>;

// Five nodes: 0 and 1 for training, 2 and 3 for testing, 4 for validation; 3 has none of the labels.
class SmallPpi : public ::testing::Test {
 protected:
  Dataset load() {
    folder_.write("ppi-G.json", graph_);
    folder_.write("ppi-id_map.json", id_map_);
    folder_.write("ppi-class_map.json", class_map_);
    folder_.write("ppi-feats.npy", features_);
    Dataset data = load_ppi(folder_.path());
    data.validate();
    return data;
  }
  testing::ScratchFolder folder_;
  std::string graph_ = R"({"links": [{"target": 0, "source": 1}, {"source": 2, "weight": [1, {}], "target": 3},
      {"source": 4, "target": 4}], "directed": false, "graph": {"name": "x"}, "nodes": [
      {"test": false, "id": 0, "val": false}, {"val": false, "test": false, "id": 1},
      {"id": 3, "val": false, "test": true}, {"test": true, "id": 2, "val": false},
      {"test": false, "id": 4, "val": true, "more": "text"}], "multigraph": false})";
  std::string id_map_ = R"({"4": 4, "0": 0, "1": 1, "2": 2, "3": 3})";
  std::string class_map_ = R"({"4": [1, 1], "0": [0, 1], "3": [0, 0], "1": [1, 0], "2": [0, 1]})";
  std::string features_ = npy<double>("<f8", "(5, 1)", {10, 11, 12, 13, 14});
};

TEST_F(SmallPpi, ReadsKeysInAnyOrder) {
  const Dataset data = load();
  EXPECT_EQ(data.graph.part_begins(), (Nodes{0, 2, 3, 5})) << "one part a split";
  EXPECT_EQ(data.train, (Nodes{0, 1}));
  EXPECT_EQ(data.valid, (Nodes{2}));
  EXPECT_EQ(data.test, (Nodes{3, 4}));
  EXPECT_EQ(data.node_names, (std::vector<std::string>{"0", "1", "4", "2", "3"}));
  EXPECT_EQ(data.graph.num_edges(), 5);
  EXPECT_EQ(data.graph.num_self_loops(), 1);
  EXPECT_TRUE(data.graph.is_symmetric());
  EXPECT_TRUE(data.features.dense().flatten().equal(at::tensor({10.f, 11.f, 14.f, 12.f, 13.f})));
  EXPECT_TRUE(data.labels.flatten().equal(at::tensor({0.f, 1.f, 1.f, 0.f, 1.f, 1.f, 0.f, 1.f, 0.f, 0.f})));
  EXPECT_TRUE(data.inductive);
  EXPECT_EQ(data.num_classes, 2);
}

TEST_F(SmallPpi, FollowsTheIdMap) {
  id_map_ = R"({"4": 0, "0": 4, "1": 1, "2": 2, "3": 3})";
  const Dataset data = load();
  EXPECT_EQ(data.node_names, (std::vector<std::string>{"1", "0", "4", "2", "3"}));
  EXPECT_TRUE(data.features.dense().flatten().equal(at::tensor({11.f, 14.f, 10.f, 12.f, 13.f})));
}

TEST_F(SmallPpi, SaysWhatIsWrong) {
  const auto with = [&](std::string& file, const std::string& text) {
    const std::string before = std::exchange(file, text);
    try {
      load();
    } catch (...) {
      file = before;
      throw;
    }
    file = before;
  };
  EXPECT_ERROR(load_ppi(folder_ / "nowhere"), "found neither ppi-G.json");
  EXPECT_ERROR(with(graph_, ""), "ppi-G.json");
  EXPECT_ERROR(with(graph_, R"({"nodes": [)"), "ppi-G.json: byte ");
  EXPECT_ERROR(with(graph_, R"({"nodes": []})"), "found no links");
  EXPECT_ERROR(with(graph_, R"({"nodes": [], "links": []})"), "ppi-G.json: no nodes");
  EXPECT_ERROR(with(graph_, R"({"nodes": [], "links": []} {})"), "expected the end of the file");
  EXPECT_ERROR(with(graph_, R"({"nodes": [], "nodes": [], "links": []})"), "\"nodes\" appears twice");
  EXPECT_ERROR(with(graph_, R"({"links": [], "links": [], "nodes": []})"), "\"links\" appears twice");
  EXPECT_ERROR(with(graph_, R"({"nodes": [{"id": "a"}], "links": []})"), "ppi-G.json: byte ");
  EXPECT_ERROR(with(graph_, R"({"nodes": [{"val": true}], "links": []})"), "a node's \"id\" is -1");
  EXPECT_ERROR(with(graph_, R"({"nodes": [{"id": 0, "val": true, "test": true}], "links": []})"), "in both splits");
  EXPECT_ERROR(with(graph_, R"({"nodes": [{"id": 0}], "links": [{"source": 0}]})"), "a link's \"target\" is -1");
  EXPECT_ERROR(with(graph_, R"({"nodes": [{"id": 7}], "links": []})"), "node id 7, but there are 1 nodes");
  EXPECT_ERROR(with(graph_, R"({"nodes": [{"id": 0}, {"id": 0}], "links": []})"), "node id 0 appears twice");
  EXPECT_ERROR(with(id_map_, R"({"0": 0, "1": 1, "2": 2, "3": 3})"), "ppi-id_map.json: no entry for node id 4");
  EXPECT_ERROR(with(id_map_, R"({"0": 0, "1": 0, "2": 2, "3": 3, "4": 4})"), "rows: node id 0 appears twice");
  EXPECT_ERROR(with(id_map_, R"({"x": 0})"), "the key \"x\" is not a node id");
  EXPECT_ERROR(with(id_map_, R"({"0": -4})"), "a row is -4, expected 0 to");
  EXPECT_ERROR(with(class_map_, R"({"0": [0, 2]})"), "a label is 2, expected 0 or 1");
  EXPECT_ERROR(with(class_map_, R"({"0": [0, 1], "1": [0]})"), "node 1 has 1 labels, the first one has 2");
  EXPECT_ERROR(with(class_map_, R"({"0": [0, 1]})"), "ppi-class_map.json: no entry for node id 1");
  EXPECT_ERROR(with(features_, npy<double>("<f8", "(4, 1)", {1, 2, 3, 4})), "expected [5, features]");
  std::string crossing = graph_;
  crossing.replace(crossing.find("\"target\": 3"), 11, "\"target\": 0");
  EXPECT_ERROR(with(graph_, crossing), "a link joins two graphs or two splits");
  std::string beyond = graph_;
  beyond.replace(beyond.find("\"target\": 3"), 11, "\"target\": 5");
  EXPECT_ERROR(with(graph_, beyond), "link 1 names node 5, but there are 5 nodes");
}

TEST_F(SmallPpi, RefusesEveryCut) {
  for (std::string* file : {&graph_, &id_map_, &class_map_, &features_}) {
    const std::string whole = *file;
    for (size_t length = 0; length < whole.size(); length += 3) {
      *file = whole.substr(0, length);
      EXPECT_THROW(load(), Error) << *file;
    }
    *file = whole;
  }
}

class DglPpi : public ::testing::Test {
 protected:
  DglPpi() {
    write("train", R"({"directed": true, "nodes": [{"id": 0}, {"id": 1}, {"id": 2}], "links": [
                   {"source": 0, "target": 1}, {"source": 1, "target": 0}, {"source": 2, "target": 2}]})",
          "(3, 2)", {1, 0, 0, 1, 1, 1}, {1, 1, 2});
    write("valid", R"({"nodes": [{"id": 0}], "links": []})", "(1, 2)", {0, 0}, {21});
    write("test", R"({"nodes": [{"id": 0}], "links": [{"source": 0, "target": 0}]})", "(1, 2)", {1, 1}, {23});
  }
  void write(const std::string& split, const std::string& graph, const std::string& shape,
             const std::vector<int64_t>& labels, const std::vector<int64_t>& graph_id) {
    const std::vector<double> features(labels.size(), 0.5);
    folder_.write(split + "_graph.json", graph);
    folder_.write(split + "_feats.npy", npy("<f8", shape, features));
    folder_.write(split + "_labels.npy", npy("<i8", shape, labels));
    folder_.write(split + "_graph_id.npy", npy("<i8", "(" + std::to_string(graph_id.size()) + ",)", graph_id));
  }
  testing::ScratchFolder folder_;
};

TEST_F(DglPpi, MakesAPartOfEveryGraph) {
  const Dataset data = load_ppi(folder_.path());
  data.validate();
  EXPECT_EQ(data.graph.part_begins(), (Nodes{0, 2, 3, 4, 5}));
  EXPECT_EQ(data.graph.num_edges(), 4);
  EXPECT_EQ(data.train, (Nodes{0, 1, 2}));
  EXPECT_EQ(data.valid, (Nodes{3}));
  EXPECT_EQ(data.test, (Nodes{4}));
  EXPECT_EQ(data.labels.sum().item<float>(), 6);
  EXPECT_EQ(data.features.num_features(), 2);
  EXPECT_TRUE(data.inductive);
}

TEST_F(DglPpi, SaysWhatIsWrong) {
  const auto load = [&] { return load_ppi(folder_.path()); };
  const auto labels = [&](const std::string& split, const std::string& bytes) {
    folder_.write(split + "_labels.npy", bytes);
    return load();
  };
  EXPECT_ERROR(labels("valid", npy<int64_t>("<i8", "(1, 2)", {0, 5})), "valid_labels.npy: a label is neither 0 nor 1");
  EXPECT_ERROR(labels("valid", npy<int64_t>("<i8", "(2, 1)", {0, 0})), "expected 1 rows and 2 dimensions");
  EXPECT_ERROR(labels("valid", npy<int64_t>("<i8", "(1, 1)", {0})), "the splits have 2 and 1 labels per node");
  folder_.write("train_graph_id.npy", npy<int64_t>("<i8", "(3,)", {1, 2, 1}));
  EXPECT_ERROR(load(), "train_graph_id.npy: row 2: the rows of graph 1 are not contiguous");
  folder_.write("train_graph_id.npy", npy<int64_t>("<i8", "(3,)", {1, 2, 2}));
  EXPECT_ERROR(load(), "train_graph.json: graph: the edge 1 -> 0 leaves part 0");
  folder_.write("train_graph.json", R"({"nodes": [], "links": []})");
  EXPECT_ERROR(load(), "train_graph.json: no nodes");
  std::filesystem::remove(folder_ / "train_feats.npy");
  folder_.write("train_graph.json", R"({"nodes": [{"id": 0}], "links": []})");
  EXPECT_ERROR(load(), "train_feats.npy: cannot open");
}

TEST(Ppi, PublishedFilesHaveThePublishedCounts) {
  REQUIRE_REAL_DATA(folder, "ppi");
  const Dataset data = load_ppi(folder);
  data.validate();
  EXPECT_EQ(data.name, "ppi");
  EXPECT_EQ(data.task, Task::kMultiLabel);
  EXPECT_EQ(data.metric, "micro_f1");
  EXPECT_TRUE(data.inductive);
  EXPECT_EQ(data.graph.num_nodes(), 56944);
  EXPECT_EQ(data.graph.num_self_loops(), 25084);
  EXPECT_EQ((data.graph.num_edges() - 25084) / 2 + 25084, 818716);
  EXPECT_TRUE(data.graph.is_symmetric());
  EXPECT_TRUE(data.node_names.empty());
  EXPECT_EQ(data.features.num_features(), 50);
  EXPECT_EQ((data.features.dense().sum(1) == 0).sum().item<int64_t>(), 24211);
  EXPECT_EQ(data.features.dense().select(1, 10).sum().item<float>(), 0);
  EXPECT_EQ(data.labels.sizes(), (at::IntArrayRef{56944, 121}));
  EXPECT_EQ(data.labels.sum(at::kDouble).item<double>(), 2102769);
  EXPECT_EQ((data.labels.sum(1) == 0).sum().item<int64_t>(), 1986);
  EXPECT_EQ(data.train.size(), 44906u);
  EXPECT_EQ(data.valid.size(), 6514u);
  EXPECT_EQ(data.test.size(), 5524u);
  const std::vector<EdgeId> links = {16912, 15517, 30839, 33731, 18871, 9635,  23041, 36276,
                                     4193,  54554, 33201, 24016, 23741, 54824, 43854, 30993,
                                     39671, 43964, 48409, 46956, 50061, 52126, 51666, 31665};
  ASSERT_EQ(data.graph.num_parts(), 24);
  for (int64_t p = 0; p < 24; ++p) {
    const Graph part = data.graph.part(p);
    EXPECT_EQ((part.num_edges() + part.num_self_loops()) / 2, links[static_cast<size_t>(p)]) << p;
  }
  EXPECT_EQ(data.graph.part_begin(20), 44906);
  EXPECT_EQ(data.graph.part_begin(22), 44906 + 6514);
}

}  // namespace
}  // namespace geniepath
