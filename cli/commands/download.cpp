// geniepath download: a data set's files, from their public homes or a mirror.
#include "io/download.h"

#include <unistd.h>

#include <iostream>
#include <memory>

#include "commands/commands.h"
#include "data/catalog/registry.h"
#include "geniepath/error.h"
#include "terminal/text.h"

namespace geniepath::cli {
namespace {

struct DownloadCommand {
  std::string name;
  std::string data_dir;
  std::string mirror;
};

// One line, written over, on a terminal; nothing elsewhere.
void show_progress(const RemoteFile& file, int64_t done) {
  std::cerr << "\r\033[K" << file.name << "  " << bytes_text(done);
  if (file.is_known()) {
    std::cerr << " of " << bytes_text(file.bytes) << "  "
              << bar(static_cast<double>(done) / static_cast<double>(file.bytes), 20);
  }
  std::cerr << std::flush;
}

// A mirror is a copy of the data folder, so it has the files of an archive one by one.
void fetch(const DatasetEntry& entry, const DownloadOptions& options) {
  if (entry.zip && options.mirror.empty()) return download_archive({*entry.zip, entry.files}, options);
  download(entry.files, options);
}

void run_download(const DownloadCommand& arguments) {
  const DatasetEntry& entry = dataset_named(arguments.name);
  if (entry.files.empty()) fail(entry.name, ": is made by the program, there is nothing to download");
  DownloadOptions options;
  options.folder = data_folder(arguments.data_dir);
  options.mirror = arguments.mirror;
  const bool terminal = ::isatty(STDERR_FILENO) != 0;
  if (terminal) options.progress = show_progress;
  try {
    fetch(entry, options);
  } catch (...) {
    if (terminal) std::cerr << '\n';
    throw;
  }
  if (terminal) std::cerr << "\r\033[K";
  std::cout << entry.name << ": " << entry.files.size() << (entry.files.size() == 1 ? " file in " : " files in ")
            << (options.folder / entry.folder).string() << '\n';
}

}  // namespace

void add_download(CLI::App& app) {
  CLI::App* command = app.add_subcommand("download", "fetch a data set's files and check them");
  const auto arguments = std::make_shared<DownloadCommand>();
  command->add_option("name", arguments->name, "of the data set; `geniepath datasets` lists them")->required();
  command->add_option("--data-dir", arguments->data_dir,
                      "folder of the data sets' files; default: the environment's GENIEPATH_DATA, else ./data");
  command->add_option("--mirror", arguments->mirror,
                      "http or https address of a copy of the data folder, in place of the public homes");
  command->callback([arguments] { run_download(*arguments); });
}

}  // namespace geniepath::cli
