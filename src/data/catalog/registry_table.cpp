// The table of data sets. Counts, sizes and hashes are those of the published files.
#include "data/catalog/registry.h"

#include <sstream>

namespace geniepath {
namespace {

// As sha256sum prints them, followed by their sizes in bytes.
constexpr const char* kPlanetoidFiles = R"(
fbe9cb5c47200d1b7769a26e579be3b7130b556831f9d850e77c4c74f2599b33  ind.pubmed.x  23172
4eb5f5d0f30f26497eb0ac6ac9719d09c67e284f1ed0385c93f3ef27a671da3d  ind.pubmed.tx  405505
508e538e2abdccdd54c4d3e9f49d638b4af7107d85845f66ddea5a5152658b7e  ind.pubmed.allx  7578385
e6c807633307a07ed659249006536a147c7999c797f11a2560752990181b41b3  ind.pubmed.y  854
ee2e0d4819d9fbcc403689c3bf2e49face401b605932f093bc58ab6461130fdd  ind.pubmed.ty  12135
0c37bbe3b5014ec365e9d393cf4791925e5ed94fb194305d74f064a8d7b50f0e  ind.pubmed.ally  224739
5b89f0036ca22909471f1e6558eb42fa06e0c730a577bde5b058b40638f81dc9  ind.pubmed.graph  471808
b101d421688bbaecbd82e8a18f1e282378d6830f3a37666f28ebc47f844341b5  ind.pubmed.test.index  6000
23cfa55d91c6f624233f5eb7b6e3f141f1bd2b2ae39608a63cf5d084bb27baab  ind.cora.x  22119
b9afbaa4a400df991f6f02ef677e1e44da55ffc04801fd02f9e673987829226a  ind.cora.tx  148025
9419ba2f26f5c35243db64aba110e0f35a04851609e0dc5433450676ca6b8543  ind.cora.allx  257305
94465c14eb53e04ca262198dcbb2521ee8af60fb3f3d546cd6ca24a511b0e7d1  ind.cora.y  4054
41f5ac76596a1699cc33f53084a2419e92961c42bb75f36fc38e616d348532ad  ind.cora.ty  28135
2b998f5cc7fedc86e7f97ca2498f47a1ffc1462c29e2d578b23bf3f62b6e7d71  ind.cora.ally  47959
58f13302f39dde8852dad6fe6d15b89b077b6d7f837626bce671ef80344b383d  ind.cora.graph  59847
297ce89af2b51a6a194181c7dbe1796c6a1cf9cd9349a88383b1b1e227867875  ind.cora.test.index  5000
d20de19150741e555de0ed037195630fc194114ebc7fd72ced62810148aa22f6  ind.citeseer.x  31087
539a8906a2da97628d212f2fdd668c109a8b3f0d36574b59e5d3fd5b5303da21  ind.citeseer.tx  260321
2ac30345d95c9ec933a817ee0bdd6a5f077f8c184a20e696910192d534414668  ind.citeseer.allx  595021
8ba87e515d8e3ee3cf52f6d2c5b86aa73f11ecad825a808455209ec26cd54924  ind.citeseer.y  3014
55e5bd1ba1e733a04598753ad1a8d57957f4b8f89e74519f41f4f4938767e4ce  ind.citeseer.ty  24135
f704b2d986dde6c2669934de1f3ae5696a6cf9455c0f6b2646a2d135ea0a1c95  ind.citeseer.ally  55623
d79a4ef9d3e7169aee8946145f6b7306e35bc79bffad26346cfb94e10e9912a7  ind.citeseer.graph  61987
2af990671580b6b2df5d158d1038f8292e30c9cd821b5453f399659b25b723d4  ind.citeseer.test.index  5000
)";

// The files of one data set.
std::vector<RemoteFile> planetoid_files(const std::string& data) {
  const std::string home = "https://raw.githubusercontent.com/kimiyoung/planetoid/master/data/";
  std::vector<RemoteFile> result;
  std::istringstream lines(kPlanetoidFiles);
  std::string sha256, name;
  for (int64_t bytes = 0; lines >> sha256 >> name >> bytes;) {
    if (name.starts_with("ind." + data + ".")) result.push_back({"planetoid/" + name, home + name, bytes, {sha256}});
  }
  return result;
}

// Published only together, as one zip. ppi-G.json: as published, or the same graph with its links sorted.
std::vector<RemoteFile> ppi_files() {
  return {
      {"ppi/ppi-G.json", "", 31684076,
       {"7b323bbb677de2538c0b4c17d13a1bf691af6e6d76946035b7649c6c2fce3013",
        "44400e92cc0b282921a5d2be1198c798d0d2e96bf6fff318d3be76179138706a"}},
      {"ppi/ppi-class_map.json", "", 21285946,
       {"388d404c24704a29b74940ca64df52ef7dc9affb3cfc96345210bf6aa1e31932"}},
      {"ppi/ppi-feats.npy", "", 22777680,
       {"953149689098eed72c0154fb40a8fff4e634d34c5ad139c7ae9d601db1cad3d3"}},
      {"ppi/ppi-id_map.json", "", 888884,
       {"5b9f264c242f3078a347f037839105e069739f404fe603c82ca19e2b8e45c04e"}},
  };
}

std::vector<RemoteFile> blogcatalog_files() {
  return {
      {"blogcatalog/blogcatalog.mat",
       "https://raw.githubusercontent.com/phanein/deepwalk/master/example_graphs/blogcatalog.mat", 1255783,
       {"d4f4fb89ce1ccd4b7e2a183386c000773cc9362cc61f1be5b246a6d9c259da8f"}},
  };
}

std::vector<RemoteFile> coauthor_physics_files() {
  return {
      {"coauthor-physics/coauthor_phy.npz",
       "https://raw.githubusercontent.com/EdisonLeeeee/GraphData/master/datasets/coauthor_phy.npz", 3772032,
       {"1c930d99910763bc5f0c1aa90e8baa945f5ad6027663fe5332d0f08fde33cd7d"}},
  };
}

std::vector<RemoteFile> pygod_reddit_files() {
  return {
      {"pygod-reddit/reddit.pt.zip", "https://raw.githubusercontent.com/pygod-team/data/main/reddit.pt.zip", 2410608,
       {"276432d36219349b7ad98e974649f73c94e124e11f5282f53b1ec41086c1e18a"}},
  };
}

std::vector<RemoteFile> tolokers_files() {
  return {
      {"tolokers/tolokers.npz",
       "https://raw.githubusercontent.com/yandex-research/heterophilous-graphs/main/data/tolokers.npz", 1329769,
       {"dacf3ac94cec53d03cd2adb5255c08b33dee1656c33ca8164a464bd9450a1667"}},
  };
}

std::vector<RemoteFile> bitcoin_otc_files() {
  const std::string home = "https://raw.githubusercontent.com/fpour/TGBase/HEAD/data/otc/";
  return {
      {"bitcoin-otc/otc_network.csv", home + "otc_network.csv", 1011180,
       {"76bd9d8f1d3ff9a1813d9fc8e6902a0ee4d0a2f8c1003842dbc9ec79149ab60c"}},
      {"bitcoin-otc/otc_gt.csv", home + "otc_gt.csv", 2408,
       {"73dab2edf3004b112cedaf75cbc4c953981798bfaa83eac3fa5bac2d59a3d040"}},
      {"bitcoin-otc/masks_0.csv", home + "masks/masks_0.csv", 87226,
       {"76ab88e8e31972cdbdb6f328b579fa7d3cae5ff6b63659e24aff1abb92aca044"}},
      {"bitcoin-otc/masks_1.csv", home + "masks/masks_1.csv", 87226,
       {"7af47064b4f8de1c9d9c2a1fac6f1045a6baa1e68e03ff443d1fb571e9631c69"}},
      {"bitcoin-otc/masks_2.csv", home + "masks/masks_2.csv", 87226,
       {"dfa13f8be98e5b99bcf8af4815c8d4db597e2d29566c03ef13b0c1c25f4a5a10"}},
  };
}

// Published only in a .tgz, which `download` does not unpack.
std::vector<RemoteFile> amlsim_files() {
  return {
      {"amlsim/nodes.csv", "", 369385, {"c43ac5dccc8bd18f2a67f13d7aaa2291664291410b911c00f8577a071d2a2113"}},
      {"amlsim/transactions.csv", "", 2660496, {"5f650f8b4ce7cc328f1334c65e719496920c422191adbf9fe67f8ae7cfa99fd5"}},
  };
}

std::vector<RemoteFile> s_ffsd_files() {
  return {{"s-ffsd/S-FFSD.csv", "", 2894099, {"a2d78b983dfacaae394e4d69ece46ae880fd6bd4761bc5ee759977ba12b185c6"}}};
}

TransformOptions row_normalised() {
  TransformOptions options;
  options.feature_transform = FeatureTransform::kRowNormalise;
  return options;
}

TransformOptions standardised() {
  TransformOptions options;
  options.feature_transform = FeatureTransform::kStandardise;
  return options;
}

TransformOptions made_features(NodeFeatures node_features) {
  TransformOptions options;
  options.node_features = node_features;
  options.split = SplitKind::kRandom;
  return options;
}

TransformOptions stratified(TransformOptions options) {
  options.split = SplitKind::kStratified;
  return options;
}

TransformOptions symmetrised(TransformOptions options) {
  options.symmetrise = true;
  return options;
}

std::vector<DatasetEntry> citations() {
  const char* home = "https://github.com/kimiyoung/planetoid";
  return {
      {"pubmed", "citations between diabetes papers", Task::kMultiClass, "accuracy", "planetoid", "planetoid",
       {19717, 44324, 500, 3, 1, 60, 500, 1000}, false, planetoid_files("pubmed"), {}, home, row_normalised()},
      {"cora", "citations between machine-learning papers", Task::kMultiClass, "accuracy", "planetoid", "planetoid",
       {2708, 5278, 1433, 7, 1, 140, 500, 1000}, false, planetoid_files("cora"), {}, home, row_normalised()},
      {"citeseer", "citations between computer-science papers", Task::kMultiClass, "accuracy", "planetoid", "planetoid",
       {3327, 4552, 3703, 6, 1, 120, 500, 1000}, false, planetoid_files("citeseer"), {}, home, row_normalised()},
  };
}

std::vector<DatasetEntry> others() {
  const char* blogs = "https://github.com/phanein/deepwalk";
  const std::vector<std::string> tables{"edges.csv", "group-edges.csv"};
  const std::vector<std::string> arrays{"adj_indptr.npy",   "adj_indices.npy", "attr_indptr.npy",
                                        "attr_indices.npy", "attr_data.npy",   "label.npy"};
  const std::vector<std::string> edge_index{"edge_index.npy", "x.npy", "y.npy"};
  const char* proteins = "http://snap.stanford.edu/graphsage/ppi.zip";
  constexpr int64_t kMostZipBytes = 256 << 20;  // neither the zip's size nor its hash is published
  return {
      {"ppi", "protein interactions in 24 tissues, 4 of them unseen while training", Task::kMultiLabel, "micro_f1",
       "ppi", "ppi", {56944, 818716, 50, 121, 24, 44906, 6514, 5524}, true, ppi_files(), {},
       proteins, standardised(), "0.5", RemoteFile{"ppi/ppi.zip", proteins, kMostZipBytes, {}}},
      {"blogcatalog-1", "bloggers who know each other; features are node ids", Task::kMultiLabel, "macro_f1",
       "blogcatalog", "blogcatalog", {10312, 333983, -1, 39, 1, 0, 0, 0}, false, blogcatalog_files(), tables, blogs,
       made_features(NodeFeatures::kOneHot), "tuned"},
      {"blogcatalog-2", "bloggers who know each other; 128 features by SVD", Task::kMultiLabel, "macro_f1",
       "blogcatalog", "blogcatalog", {10312, 333983, -1, 39, 1, 0, 0, 0}, false, blogcatalog_files(), tables, blogs,
       made_features(NodeFeatures::kSvd), "tuned"},
      {"account-device", "accounts and the devices they use, made up; find the bad accounts", Task::kBinary, "f1",
       "account-device", "", {}, false, {}, {}, "", {}},
      {"known-paths", "labels at the ends of paths marked by keys, made up; the true paths are known",
       Task::kMultiClass, "accuracy", "known-paths", "", {}, false, {}, {}, "", {}},
      {"coauthor-physics", "physicists who wrote together", Task::kMultiClass, "accuracy", "csr-arrays",
       "coauthor-physics", {34493, 247962, 8415, 5, 1, 0, 0, 0}, false, coauthor_physics_files(), arrays,
       "https://github.com/EdisonLeeeee/GraphData", stratified(row_normalised())},
      {"pygod-reddit", "users and the subreddits they post in; find the banned users", Task::kBinary, "f1",
       "edge-index", "pygod-reddit", {10984, 78516, 64, 2, 1, 0, 0, 0}, false, pygod_reddit_files(), edge_index,
       "https://github.com/pygod-team/data", stratified({})},
  };
}

std::vector<DatasetEntry> frauds() {
  const char* payments = "https://raw.githubusercontent.com/AI4Risk/antifraud/main/data/S-FFSD.zip";
  constexpr int64_t kMostPaymentsZipBytes = 16 << 20;  // neither the zip's size nor its hash is published
  return {
      {"tolokers", "crowd workers who shared a task; find the banned ones", Task::kBinary, "roc_auc", "heterophilous",
       "tolokers", {11758, 519000, 10, 2, 1, 5879, 2939, 2940}, false, tolokers_files(), {},
       "https://github.com/yandex-research/heterophilous-graphs", {}, "0.5", {}, 10},
      {"bitcoin-otc", "traders who rate each other; find the frauds", Task::kBinary, "roc_auc", "bitcoin-otc",
       "bitcoin-otc", {5881, 21492, 14, 2, 1, -1, -1, -1}, false, bitcoin_otc_files(), {},
       "https://github.com/fpour/TGBase", symmetrised(standardised()), "0.5", {}, 3},
      {"amlsim", "bank accounts and transfers, simulated; find the launderers", Task::kBinary, "average_precision",
       "amlsim", "amlsim", {20000, 117021, 18, 2, 1, 0, 0, 0}, false, amlsim_files(), {},
       "https://github.com/IBM/AMLSim", stratified(symmetrised(standardised())), "0.5", {}, 1,
       "unpack sample/20K_fanin200cycle200.tgz of https://github.com/IBM/AMLSim"},
      {"s-ffsd", "card payments in order of time, simulated; find the frauds", Task::kBinary, "roc_auc", "s-ffsd",
       "s-ffsd", {77881, 335139, 20, 2, 1, 14821, 2964, 11858}, false, s_ffsd_files(), {},
       "https://github.com/AI4Risk/antifraud", standardised(), "0.5",
       RemoteFile{"s-ffsd/S-FFSD.zip", payments, kMostPaymentsZipBytes, {}}},
  };
}

}  // namespace

const std::vector<DatasetEntry>& dataset_registry() {
  static const std::vector<DatasetEntry> all = [] {
    std::vector<DatasetEntry> entries = citations();
    for (const auto& more : {others(), frauds()}) entries.insert(entries.end(), more.begin(), more.end());
    return entries;
  }();
  return all;
}

}  // namespace geniepath
