// geniepath convert: writes any data set as one graph file, which opens at once and needs no other library.
#include <filesystem>
#include <iostream>
#include <memory>

#include "arguments/data_arguments.h"
#include "base/file.h"
#include "commands/commands.h"
#include "data/formats/graph_file.h"
#include "data/tables/feature_names.h"
#include "geniepath/error.h"
#include "terminal/console.h"
#include "terminal/help.h"
#include "terminal/table_report.h"
#include "terminal/text.h"

namespace geniepath::cli {
namespace {

struct ConvertCommand {
  DataArguments data;
  std::string out;
};

void convert(const ConvertCommand& arguments) {
  const std::filesystem::path out(arguments.out);
  if (out.extension() != ".safetensors") {
    fail("--out: '", arguments.out, "' must end with .safetensors, which identifies it when it is read");
  }
  check_writable(out);
  TableSchema schema;
  const Dataset data = [&] {
    const Activity loading("loading the data");
    return load_dataset(arguments.data.data, arguments.data.tables, schema);
  }();
  say_tables(schema.report, arguments.data.data.data);
  write_graph_file(out, data, feature_names(schema, data.type_names));
  std::cout << terminal(out.string()) << ": " << terminal(data.name) << ", " << grouped(data.graph.num_nodes(), "node");
  if (std::filesystem::is_regular_file(out)) {
    std::cout << ", " << bytes_text(static_cast<int64_t>(std::filesystem::file_size(out)));
  }
  std::cout << '\n';
}

}  // namespace

void add_convert(CLI::App& app) {
  CLI::App* command = app.add_subcommand("convert", "write a data set as one graph file that opens at once");
  const auto arguments = std::make_shared<ConvertCommand>();
  arguments->data.bind_source(*command);
  arguments->data.bind_tables(*command);
  command->add_option("--out", arguments->out, "the graph file, .safetensors")->required();
  add_help(*command, with_data_options({}),
           {"geniepath convert --data pubmed --out pubmed.safetensors",
            "geniepath convert --edges edges.csv --nodes nodes.csv --out graph.safetensors"});
  command->callback([arguments] {
    arguments->data.settle();
    convert(*arguments);
  });
}

}  // namespace geniepath::cli
