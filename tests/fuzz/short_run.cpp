// The short run of fuzz targets, for any compiler: short_run CORPUS_FOLDER/TARGET...
// Replays the corpus, then runs the target on a fixed number of deterministic mutations of each file. A file named
// good* must be accepted. An input that causes an unexpected exception is kept as short_run.<target>.input.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <vector>

#include "base/file.h"
#include "base/random.h"
#include "fuzz_input.h"

namespace {

namespace fs = std::filesystem;
using geniepath::Random;

constexpr uint64_t kSeed = 20190127;
constexpr uint64_t kMutations = 2000;  // per file
constexpr uint64_t kMostEdits = 4;

size_t below(Random& random, size_t limit) { return static_cast<size_t>(random.below(limit)); }

// Mostly edits that keep the length, so that many inputs pass the first checks.
void edit(std::string& input, const std::vector<std::string>& corpus, Random& random) {
  static constexpr uint32_t kTelling[] = {0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff};
  const size_t at = below(random, input.size() + 1), from = below(random, input.size() + 1);
  const size_t length = 1 + below(random, 16), width = size_t{1} << below(random, 3);
  const uint32_t telling = kTelling[below(random, std::size(kTelling))];
  const std::string& other = corpus[below(random, corpus.size())];
  switch (const uint64_t bits = random.bits(); bits % 16) {
    case 0: input.erase(at, length); return;
    case 1: input.insert(at, input.substr(from, length)); return;
    case 2: input.resize(at); return;
    case 3: input.replace(at, std::string::npos, other, std::min(from, other.size()), std::string::npos); return;
    case 4: case 5: case 6: input.replace(at, width, reinterpret_cast<const char*>(&telling), width); return;
    case 7: case 8: case 9: input.replace(at, length, input.substr(from, length)); return;
    default:
      if (at < input.size()) input[at] = static_cast<char>(bits % 2 ? bits >> 8 : input[at] ^ (1 << (bits >> 8) % 8));
  }
}

// Runs the target on one input; one that causes an unexpected exception is kept on disk.
int run(geniepath::fuzz::Target target, const std::string& input, const fs::path& left_behind) {
  try {
    return target(reinterpret_cast<const uint8_t*>(input.data()), input.size());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "an exception that is no geniepath::Error: %s\nthe input is %s\n", error.what(),
                 left_behind.c_str());
    std::ofstream(left_behind, std::ios::binary) << input;
    std::exit(1);
  }
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files{fs::directory_iterator(folder), {}};
  std::sort(files.begin(), files.end());
  return files;
}

// Replays the corpus in `folder`, named after its target, then mutations of it. False if something good was refused.
bool run_all(geniepath::fuzz::Target target, const fs::path& folder) {
  const std::string name = folder.filename().string();
  const fs::path left_behind = "short_run." + name + ".input";
  std::vector<std::string> corpus;
  for (const fs::path& file : files_in(folder)) {
    corpus.push_back(geniepath::read_text(file));
    run(target, corpus.back(), left_behind);
    if (file.filename().string().starts_with("good") && !geniepath::fuzz::refusal.empty()) {
      std::fprintf(stderr, "%s was refused: %s\n", file.c_str(), geniepath::fuzz::refusal.c_str());
      return false;
    }
  }
  uint64_t read = 0;
  for (size_t i = 0; i < corpus.size(); ++i) {
    for (uint64_t mutation = 0; mutation < kMutations; ++mutation) {
      Random random{kSeed, i, mutation};
      std::string input = corpus[i];
      for (uint64_t edits = 1 + random.below(kMostEdits); edits > 0; --edits) edit(input, corpus, random);
      run(target, input, left_behind);
      read += geniepath::fuzz::refusal.empty();
    }
  }
  std::printf("%s: %zu files, %zu mutations, %zu of them read, the others refused\n", name.c_str(), corpus.size(),
              static_cast<size_t>(kMutations * corpus.size()), static_cast<size_t>(read));
  return !corpus.empty();
}

}  // namespace

int main(int argc, char** argv) {
  int failed = argc > 1 ? 0 : 1;
  for (int i = 1; i < argc; ++i) {
    const fs::path folder = argv[i];
    const auto target = geniepath::fuzz::targets().find(folder.filename().string());
    if (target == geniepath::fuzz::targets().end()) {
      std::fprintf(stderr, "%s: no target of this name\n", folder.c_str());
      failed = 1;
    } else if (!run_all(target->second, folder)) {
      failed = 1;
    }
  }
  return failed;
}
