// geniepath embed: writes the hidden representation of every node, the input of a run's output layer.
#include <ATen/ATen.h>

#include <filesystem>
#include <iostream>

#include "arguments/output_file.h"
#include "arguments/run_arguments.h"
#include "base/file.h"
#include "base/noun.h"
#include "commands/commands.h"
#include "geniepath/error.h"
#include "io/npy.h"
#include "io/safetensors.h"
#include "report/csv_writer.h"
#include "terminal/console.h"
#include "terminal/help.h"
#include "terminal/text.h"

namespace geniepath::cli {
namespace {

using Write = void (*)(const std::filesystem::path&, const at::Tensor&, const Dataset&);

void write_csv(const std::filesystem::path& path, const at::Tensor& z, const Dataset& data) {
  const int64_t width = z.size(1);
  write_atomically(path, [&](std::ostream& out) {
    report::CsvWriter table(out);
    table.text("node");
    for (int64_t k = 0; k < width; ++k) table.text("z" + std::to_string(k));
    table.end_row();
    for (NodeId node = 0; node < data.graph.num_nodes(); ++node) {
      table.text(data.node_name(node));
      for (int64_t k = 0; k < width; ++k) table.number(z.data_ptr<float>()[node * width + k]);
      table.end_row();
    }
  });
}

Write writer_for(const std::string& path) {
  const std::string kind = std::filesystem::path(path).extension().string();
  if (kind == ".npy") return [](const auto& to, const at::Tensor& z, const Dataset&) { write_npy(to, z); };
  if (kind == ".csv") return write_csv;
  if (kind == ".safetensors") {
    return [](const auto& to, const at::Tensor& z, const Dataset&) { write_safetensors(to, {{{"embedding", z}}, {}}); };
  }
  fail("--out ", path, ": expected a name that ends in .npy, .csv or .safetensors");
}

void run_embed(const RunArguments& options, const std::string& out) {
  const Write write = writer_for(out);
  const RunFolder folder(options.run);
  const RunDescription run = folder.description();
  options.check_output(out, folder, run);
  options.memory.apply(options.device, out);
  const Dataset data = options.load(folder, run).data;
  const at::Tensor z = [&] {
    LayerLine embedding("embedding");
    return embed(*options.model(folder), data, embedding.progress());
  }();
  write(out, z, data);
  std::cerr << "wrote " << counted(z.size(0), "row") << " of " << counted(z.size(1), "number") << " to "
            << output_text(out) << "\n";
}

}  // namespace

void add_embed(CLI::App& app) {
  auto options = std::make_shared<RunArguments>();
  auto out = std::make_shared<std::string>();
  CLI::App* sub = app.add_subcommand("embed", "write a trained run's representation of every node");
  options->bind(*sub);
  options->memory.bind(*sub);
  sub->add_option("--out", *out, "file to write: .npy, .csv or .safetensors")->required();
  add_help(*sub, with_data_options({}),
           {"geniepath embed --run runs/first --out embedding.npy"});
  sub->callback([=] { run_embed(*options, *out); });
}

}  // namespace geniepath::cli
