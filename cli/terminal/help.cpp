#include "terminal/help.h"

#include <algorithm>

namespace geniepath::cli {
namespace {

constexpr const char* kHelpAll = "--help-all";
constexpr const char* kOwnGroup = "Options";  // of options without another

class ShortHelp : public CLI::Formatter {
 public:
  explicit ShortHelp(std::vector<std::string> everyday) : everyday_(std::move(everyday)) {}

  std::string make_group(std::string group, bool is_positional, std::vector<const CLI::Option*> options) const override {
    if (!is_positional && group != kOwnGroup) {
      std::erase_if(options, [&](const CLI::Option* option) {
        return std::ranges::none_of(option->get_lnames(), [&](const std::string& name) {
          return std::ranges::find(everyday_, name) != everyday_.end();
        });
      });
    }
    return options.empty() ? "" : CLI::Formatter::make_group(std::move(group), is_positional, std::move(options));
  }

  // Groups without an everyday option leave their blank lines behind.
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    std::string text = CLI::Formatter::make_help(app, std::move(name), mode);
    for (size_t at; (at = text.find("\n\n\n")) != std::string::npos;) text.erase(at, 1);
    return text;
  }

 private:
  std::vector<std::string> everyday_;
};

}  // namespace

void add_help(CLI::App& command, const std::vector<std::string>& everyday, const std::vector<std::string>& examples) {
  command.add_flag(kHelpAll)->description("Print this help message with all options and exit");
  command.add_flag(kQuiet)->description("Write nothing but errors to stderr: no progress, no notes");
  command.formatter(std::make_shared<ShortHelp>(everyday));
  std::string text = examples.size() == 1 ? "Example:" : "Examples:";
  for (const std::string& example : examples) text += "\n  " + example;
  command.footer(text);
}

std::vector<std::string> with_data_options(std::vector<std::string> others) {
  others.insert(others.end(), {"data", "data-dir", "edges", "nodes", "id-column", "label-column", "split-column"});
  return others;
}

void choose_help(CLI::App& app, std::vector<std::string>& arguments) {
  const auto asked = std::ranges::find(arguments, kHelpAll);
  if (asked == arguments.end()) return;
  *asked = "--help";
  for (CLI::App* command : app.get_subcommands(nullptr)) {
    if (command->get_name() == arguments[0]) command->formatter(std::make_shared<CLI::Formatter>());
  }
}

}  // namespace geniepath::cli
