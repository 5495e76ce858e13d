#include "data/catalog/registry.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "expect_error.h"
#include "geniepath/data.h"
#include "io/gzip.h"
#include "real_data.h"
#include "scratch_folder.h"
#include "small_dataset.h"

namespace geniepath {
namespace {

namespace fs = std::filesystem;
using testing::ScratchFolder;

TEST(Registry, NamesEveryDataSetOnce) {
  std::set<std::string> names;
  for (const DatasetEntry& entry : dataset_registry()) names.insert(entry.name);
  EXPECT_EQ(names, (std::set<std::string>{"pubmed", "cora", "citeseer", "ppi", "blogcatalog-1", "blogcatalog-2",
                                          "account-device", "known-paths", "coauthor-physics", "pygod-reddit",
                                          "tolokers", "bitcoin-otc", "amlsim", "s-ffsd"}));
  EXPECT_EQ(names.size(), dataset_registry().size());
  EXPECT_EQ(find_dataset("nothing"), nullptr);
  EXPECT_ERROR(dataset_named("nothing"), "'nothing' is not one of pubmed, cora");
}

TEST(Registry, DescribesFilesThatCanBeChecked) {
  for (const DatasetEntry& entry : dataset_registry()) {
    EXPECT_EQ(entry.files.empty(), std::string(entry.folder).empty()) << entry.name;
    entry.transforms.check();
    for (const RemoteFile& file : entry.files) {
      EXPECT_EQ(fs::path(file.name).parent_path(), entry.folder);
      EXPECT_TRUE(file.is_known()) << file.name;
      for (const std::string& hash : file.sha256) {
        EXPECT_EQ(hash.size(), 64u) << file.name;
        EXPECT_EQ(hash.find_first_not_of("0123456789abcdef"), std::string::npos) << file.name;
      }
      EXPECT_GT(file.bytes, 0) << file.name;
      EXPECT_EQ(file.url.empty(), entry.zip.has_value() || *entry.by_hand != '\0') << file.name;
      if (!file.url.empty()) {
        EXPECT_EQ(file.url.rfind("https://", 0), 0u) << file.url;
        EXPECT_EQ(fs::path(file.url).filename(), fs::path(file.name).filename());
      }
    }
  }
}

TEST(Registry, KnowsTheArchiveOfPpi) {
  const DatasetEntry& entry = dataset_named("ppi");
  ASSERT_TRUE(entry.zip);
  EXPECT_EQ(entry.zip->url, "http://snap.stanford.edu/graphsage/ppi.zip");
  EXPECT_FALSE(entry.zip->is_known()) << "its hash is not published, those of its members are";
  int64_t unpacked = 0;
  for (const RemoteFile& file : entry.files) unpacked += file.bytes;
  EXPECT_GT(entry.zip->bytes, unpacked);
}

TEST(Registry, FindsFilesInTheirFolderOrInTheDataFolder) {
  const DatasetEntry& entry = dataset_named("pygod-reddit");
  for (const std::string below : {"pygod-reddit/", ""}) {
    ScratchFolder data;
    EXPECT_EQ(find_files_of(entry, data.path()), std::nullopt);
    for (const char* name : {"edge_index.npy", "x.npy", "y.npy"}) data.write(below + name, "");
    ASSERT_TRUE(find_files_of(entry, data.path()));
    EXPECT_TRUE(fs::equivalent(*find_files_of(entry, data.path()), data / below));
  }
}

TEST(Registry, TakesTheTablesInsteadOfTheMatlabFile) {
  const DatasetEntry& entry = dataset_named("blogcatalog-1");
  ScratchFolder data;
  data.write("blogcatalog/edges.csv", "");
  EXPECT_FALSE(find_files_of(entry, data.path()));
  data.write("blogcatalog/group-edges.csv", "");
  EXPECT_TRUE(find_files_of(entry, data.path()));
}

TEST(Registry, SaysWhatIsMissingAndHowToGetIt) {
  ScratchFolder data;
  data.write("planetoid/ind.cora.x", "");
  const auto where = data.path().string();
  EXPECT_ERROR(files_of(dataset_named("cora"), data.path()),
               "cora: ind.cora.tx is missing: looked in " + where + "/planetoid and in " + where +
                   "; `geniepath download cora --data-dir " + where + "` fetches it");
  EXPECT_ERROR(files_of(dataset_named("ppi"), data.path()),
               "`geniepath download ppi --data-dir " + where + "` fetches");
}

TEST(Registry, SaysWhereToGetWhatItCannotFetch) {
  ScratchFolder data;
  EXPECT_ERROR(files_of(dataset_named("amlsim"), data.path()),
               "amlsim: nodes.csv is missing: looked in " + data.path().string() + "/amlsim and in " +
                   data.path().string() + "; unpack sample/20K_fanin200cycle200.tgz of https://");
}

TEST(Registry, RefusesASplitThatIsNotPublished) {
  for (const DatasetEntry& entry : dataset_registry()) EXPECT_NO_THROW(check_published_split(entry, 0)) << entry.name;
  EXPECT_NO_THROW(check_published_split(dataset_named("tolokers"), 9));
  EXPECT_ERROR(check_published_split(dataset_named("tolokers"), 10),
               "published-split: expected 0 to 9 for tolokers, found 10");
  EXPECT_ERROR(check_published_split(dataset_named("cora"), 1), "published-split: expected 0 to 0 for cora, found 1");
}

TEST(Registry, LoadsThePublishedFraudsByName) {
  REQUIRE_REAL_DATA(folder, "tolokers");
  for (const auto& [name, split] : {std::pair{"tolokers", 9}, {"bitcoin-otc", 2}, {"amlsim", 0}, {"s-ffsd", 0}}) {
    if (name == std::string("tolokers") && !GzipReader::available()) continue;  // an .npz file is a zip archive
    DataOptions options;
    options.data = name;
    options.data_dir = folder.parent_path().string();
    options.published_split = split;
    const Dataset data = load_dataset(options);
    EXPECT_EQ(data.name, name);
    EXPECT_EQ(data.metric, dataset_named(name).metric);
    EXPECT_EQ(data.task, Task::kBinary);
    EXPECT_EQ(data.labels.max().item<int64_t>(), 1);
  }
}

TEST(Registry, PicksTheDataFolder) {
  ::unsetenv("GENIEPATH_DATA");
  EXPECT_EQ(data_folder(""), "data");
  ::setenv("GENIEPATH_DATA", "/elsewhere", 1);
  EXPECT_EQ(data_folder(""), "/elsewhere");
  EXPECT_EQ(data_folder("/here"), "/here");
  ::unsetenv("GENIEPATH_DATA");
}

TEST(Registry, ChecksTheCounts) {
  Dataset data = testing::small_dataset();  // 5 nodes, 4 edges and a self-loop
  DatasetEntry entry = dataset_named("cora");
  entry.counts = {5, 4, 3, 2, 1, 2, 1, 1};
  EXPECT_NO_THROW(check_counts(entry, data));
  entry.counts.edges = 5;
  EXPECT_ERROR(check_counts(entry, data), "cora: not the published data set: expected 5 edges, found 4");
  entry.counts = {};
  EXPECT_NO_THROW(check_counts(entry, data));
  entry.counts.test = 2;
  EXPECT_ERROR(check_counts(entry, data), "expected 2 test nodes, found 1");
  entry.task = Task::kBinary;
  EXPECT_ERROR(check_counts(entry, data), "expected a binary task, found multi-class");
}

TEST(Registry, StatesEdgesAsThePublishersDo) {
  EXPECT_EQ(stated_edges("ppi", 818716, 25084), 818716);
  EXPECT_EQ(stated_edges("pubmed", 44327, 3), 44324);
  EXPECT_EQ(stated_edges("my own", 10, 1), 9);
}

}  // namespace
}  // namespace geniepath
