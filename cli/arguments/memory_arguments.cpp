#include "arguments/memory_arguments.h"

#include <limits>

#include "base/byte_size.h"
#include "base/memory_limit.h"
#include "geniepath/device.h"
#include "geniepath/error.h"
#include "geniepath/tensor_memory.h"
#include "kernels/cpu/onednn_product.h"

namespace geniepath::cli {
namespace {

// Temporary files have no names, so any folder on the same disk will do.
std::filesystem::path existing_folder(std::filesystem::path path) {
  path = std::filesystem::absolute(path);
  std::error_code unknown;
  while (!std::filesystem::is_directory(path, unknown) && path.has_relative_path()) path = path.parent_path();
  return path;
}

}  // namespace

void MemoryArguments::bind(CLI::App& command) {
  constexpr const char* kGroup = "Graphs larger than memory";
  command
      .add_option(
          "--memory-limit", limit,
          "memory to stay below, such as 2GiB; what does not fit is kept in temporary files. Takes a graph file "
          "(geniepath convert), which stays on disk")
      ->group(kGroup);
  command.add_option("--scratch", scratch, "folder on a disk for these files (default: where the command writes)")
      ->needs("--memory-limit")
      ->group(kGroup);
}

void MemoryArguments::apply(const std::string& device, const std::filesystem::path& beside) const {
  if (!given() || memory_limit() > 0) return;
  const int64_t bytes = parse_bytes(limit, "memory-limit");
  if (!device_named(device).is_cpu())
    fail("--memory-limit: the device is ", device, ", but the limit is on the CPU's memory");
  if (!scratch.empty() && !std::filesystem::is_directory(scratch)) fail("--scratch ", scratch, ": no such folder");
  limit_tensor_bytes(std::numeric_limits<int64_t>::max());  // files may hold more than memory
  limit_memory({bytes, scratch.empty() ? existing_folder(beside) : std::filesystem::path(scratch)});
  kernels::cpu::keep_few_onednn_products();
}

void MemoryArguments::require_graph_file(const DataOptions& data) const {
  if (!given() || data.data.ends_with(".safetensors")) return;
  fail("--memory-limit: ", data.data,
       " is loaded into memory as a whole; write it to a graph file (geniepath convert --out "
       "graph.safetensors), and use --data graph.safetensors");
}

}  // namespace geniepath::cli
