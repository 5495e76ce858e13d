// The table of layers in ARCHITECTURE.md is what the tree must follow: this reads the table, and every #include.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

const fs::path kProject = GENIEPATH_SOURCE;

struct Layer {
  std::string name;
  fs::path folder;
  std::set<std::string> headers;      // in include/geniepath
  std::set<std::string> may_include;  // other layers
};

std::string read(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// The words of a cell, without `backticks` and commas.
std::vector<std::string> words(std::string cell) {
  for (char& c : cell) c = c == '`' || c == ',' ? ' ' : c;
  std::istringstream in(cell);
  return {std::istream_iterator<std::string>(in), {}};
}

std::vector<std::string> cells(const std::string& row) {
  std::vector<std::string> found;
  std::istringstream in(row.substr(1));
  for (std::string cell; std::getline(in, cell, '|');) found.push_back(cell);
  return found;
}

// The rows below "| layer | folder | public headers | may include | …".
std::vector<Layer> layers() {
  std::vector<Layer> found;
  std::istringstream lines(read(kProject / "ARCHITECTURE.md"));
  bool in_table = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("| layer | folder | public headers | may include |")) in_table = true;
    if (!line.starts_with('|')) in_table = false;
    if (!in_table || line.starts_with("|---") || line.starts_with("| layer")) continue;
    const auto row = cells(line);
    Layer layer{words(row[0])[0], words(row[1])[0], {}, {}};
    for (const std::string& header : words(row[2])) layer.headers.insert(header);
    for (const std::string& other : words(row[3])) layer.may_include.insert(other);
    found.push_back(std::move(layer));
  }
  return found;
}

// Precompiled headers are the build's own.
bool is_source(const fs::path& path) {
  const std::string kind = path.extension().string();
  if (path.string().ends_with(".pch.h")) return false;
  return kind == ".h" || kind == ".cpp" || kind == ".cu" || kind == ".cuh";
}

class Layers : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_GE(layers_.size(), 10u) << "no table of layers in ARCHITECTURE.md"; }

  // "" where the file belongs to none.
  std::string layer_of_header(const std::string& header) const {
    for (const Layer& layer : layers_) {
      if (layer.headers.contains(header)) return layer.name;
    }
    return "";
  }

  // The layer of `#include "path"` in a file of this layer: geniepath/X.h is a public header, the rest lies in a folder
  // of src or, in programs, of their own.
  std::string layer_of_include(const Layer& from, const fs::path& file, const std::string& path) const {
    if (path.starts_with("geniepath/")) return layer_of_header(path.substr(std::string("geniepath/").size()));
    for (const Layer& layer : layers_) {
      const std::string folder = layer.folder.filename().string() + "/";
      if (path.starts_with(folder) && fs::exists(kProject / layer.folder.parent_path() / path)) return layer.name;
    }
    if (fs::exists(kProject / from.folder / path) || fs::exists(file.parent_path() / path)) return from.name;
    return fs::exists(kProject / "cli" / path) ? "cli" : "";
  }

  // The layers it includes.
  std::set<std::string> check_file(const Layer& layer, const fs::path& file) const {
    static const std::regex include("#include \"([^\"]+)\"");
    const std::string text = read(file);
    std::set<std::string> included;
    for (std::sregex_iterator m(text.begin(), text.end(), include), end; m != end; ++m) {
      const std::string path = (*m)[1], other = layer_of_include(layer, file, path);
      included.insert(other);
      EXPECT_TRUE(other == layer.name || layer.may_include.contains(other))
          << fs::relative(file, kProject).string() << " includes " << path << ": the layer " << layer.name
          << " may not include " << (other.empty() ? "what is in no layer" : other);
    }
    return included;
  }

  const std::vector<Layer> layers_ = layers();
};

TEST_F(Layers, IncludeWhatTheTableAllowsAndNoMore) {
  for (const Layer& layer : layers_) {
    std::set<std::string> included;
    for (const auto& entry : fs::recursive_directory_iterator(kProject / layer.folder)) {
      if (entry.is_regular_file() && is_source(entry.path())) included.merge(check_file(layer, entry.path()));
    }
    for (const std::string& header : layer.headers) {
      included.merge(check_file(layer, kProject / "include/geniepath" / header));
    }
    for (const std::string& other : layer.may_include) {
      EXPECT_TRUE(included.contains(other))
          << layer.name << " includes nothing of " << other << ", which the table allows";
    }
  }
}

TEST_F(Layers, PointOneWay) {
  std::set<std::string> above;
  for (const Layer& layer : layers_) {
    for (const std::string& other : layer.may_include) {
      EXPECT_TRUE(above.contains(other)) << layer.name << " may include " << other << ", which is no row above it";
    }
    above.insert(layer.name);
  }
}

TEST_F(Layers, CoverTheTree) {
  std::set<std::string> folders, headers;
  for (const Layer& layer : layers_) {
    folders.insert(layer.folder.string());
    headers.insert(layer.headers.begin(), layer.headers.end());
  }
  for (const auto& entry : fs::directory_iterator(kProject / "src")) {
    const std::string folder = "src/" + entry.path().filename().string();
    EXPECT_TRUE(!entry.is_directory() || folders.contains(folder)) << folder;
  }
  const std::string all = read(kProject / "include/geniepath/geniepath.h");
  for (const auto& entry : fs::directory_iterator(kProject / "include/geniepath")) {
    const std::string name = entry.path().filename().string();
    if (name == "geniepath.h") continue;
    EXPECT_EQ(headers.count(name), 1u) << name << " is in no layer";
    EXPECT_NE(all.find("\"geniepath/" + name + "\""), std::string::npos) << name << " is not in geniepath.h";
  }
}

// A user must have only the standard library and LibTorch installed.
TEST_F(Layers, PublicHeadersNeedLibTorchAlone) {
  static const std::regex include("#include <([^>]+)>");
  for (const auto& entry : fs::directory_iterator(kProject / "include/geniepath")) {
    const std::string text = read(entry.path());
    for (std::sregex_iterator m(text.begin(), text.end(), include), end; m != end; ++m) {
      const std::string path = (*m)[1];
      const bool standard = path.find_first_of("/.") == std::string::npos;
      EXPECT_TRUE(standard || path.starts_with("ATen/") || path.starts_with("c10/") || path.starts_with("torch/"))
          << entry.path().filename().string() << " includes <" << path << ">";
    }
  }
}

}  // namespace
