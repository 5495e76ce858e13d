#include "terminal/config_file.h"

#include <filesystem>
#include <sstream>

#include "base/file.h"
#include "base/suggestion.h"
#include "geniepath/error.h"
#include "terminal/program.h"

namespace geniepath::cli {
namespace {

constexpr const char* kOption = "--config";

// FILE of "--config FILE" or "--config=FILE"; empty if missing.
std::string config_path(const std::vector<std::string>& arguments) {
  const std::string joined = std::string(kOption) + "=";
  for (size_t a = 0; a < arguments.size(); ++a) {
    if (arguments[a] == kOption && a + 1 < arguments.size()) return arguments[a + 1];
    if (arguments[a].rfind(joined, 0) == 0) return arguments[a].substr(joined.size());
  }
  return {};
}

// The file's text without a byte order mark. CLI11 skips lines of one or two characters, and comments.
std::string config_text(const std::string& path) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  std::string text = read_text(path);
  if (text.starts_with(kMark)) text.erase(0, kMark.size());
  std::istringstream lines(text);
  int64_t number = 1;
  for (std::string line; std::getline(lines, line); ++number) {
    const std::string content = CLI::detail::trim_copy(line);
    if (content.empty() || content.size() > 2 || content[0] == '#' || content == "]") continue;
    fail(path, ":", number, ": expected KEY = VALUE, found '", content, "'");
  }
  return text;
}

std::vector<CLI::ConfigItem> read_items(const std::string& path) {
  std::error_code none;
  if (std::filesystem::is_directory(path, none)) fail(path, ": expected a config file, found a folder");
  try {
    std::istringstream text(config_text(path));
    return CLI::ConfigTOML().from_config(text);
  } catch (const CLI::Error& error) {
    fail(path, ": cannot read the config file: ", error.what());
  }
}

}  // namespace

std::vector<std::string> config_keys(const std::string& path) {
  std::vector<std::string> keys;
  for (const CLI::ConfigItem& item : read_items(path)) keys.push_back(item.name);
  return keys;
}

const CLI::App* find_command(const CLI::App& app, const std::string& name) {
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    if (command->get_name() == name) return command;
  }
  return nullptr;
}

std::vector<std::string> with_config_file(const CLI::App& app, std::vector<std::string> arguments) {
  if (arguments.empty()) return arguments;
  const CLI::App* command = find_command(app, arguments[0]);
  const std::string path = config_path(arguments);
  if (command == nullptr || command->get_option_no_throw(kOption) == nullptr || path.empty()) return arguments;
  std::vector<std::string> from_file;
  for (const CLI::ConfigItem& item : read_items(path)) {
    if (!item.parents.empty() || command->get_option_no_throw("--" + item.name) == nullptr) {
      fail(path, ": unknown key '", item.fullname(), "'; the keys are the options of 'geniepath ", arguments[0], "'",
           did_you_mean(item.fullname(), long_names(*command)));
    }
    std::string value;
    for (const std::string& input : item.inputs) value += (value.empty() ? "" : ",") + input;
    if (value.empty()) fail(path, ": the key '", item.name, "' has no value");
    from_file.push_back("--" + item.name + "=" + value);
  }
  arguments.insert(arguments.begin() + 1, from_file.begin(), from_file.end());
  return arguments;
}

}  // namespace geniepath::cli
