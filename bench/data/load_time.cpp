// Loading time and peak memory of a data set:
//   load_time ppi FOLDER | load_time blogcatalog FOLDER | load_time tables EDGES NODES
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <string>

#include "data/formats/blogcatalog.h"
#include "data/formats/ppi.h"
#include "geniepath/error.h"
#include "geniepath/tables.h"

namespace {

double peak_mebibytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

geniepath::Dataset load(int count, char** words) {
  const std::string what = count > 2 ? words[1] : "";
  if (what == "ppi") return geniepath::load_ppi(words[2]);
  if (what == "blogcatalog") return geniepath::load_blogcatalog(words[2]);
  if (what != "tables" || count < 4) geniepath::fail("load_time ppi|blogcatalog FOLDER, or tables EDGES NODES");
  geniepath::TableOptions options;
  options.edges = words[2];
  options.nodes = words[3];
  return geniepath::load_tables(options);
}

}  // namespace

int main(int count, char** words) {
  try {
    const double before = peak_mebibytes();
    const auto start = std::chrono::steady_clock::now();
    const geniepath::Dataset data = load(count, words);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    data.validate();
    std::printf("%s: %d nodes, %lld edges, %lld features (%lld non-zeros): %.2f s, peak %.0f MiB (%.0f before)\n",
                data.name.c_str(), data.graph.num_nodes(), static_cast<long long>(data.graph.num_edges()),
                static_cast<long long>(data.features.num_features()),
                static_cast<long long>(data.features.num_nonzeros()), seconds.count(), peak_mebibytes(), before);
  } catch (const geniepath::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
