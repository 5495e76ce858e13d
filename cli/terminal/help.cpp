#include "terminal/help.h"

#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "terminal/console.h"
#include "terminal/option_list.h"
#include "terminal/text.h"

namespace geniepath::cli {
namespace {

constexpr const char* kHelpAll = "--help-all";
constexpr const char* kOwnGroup = "Options";  // of options without another

// The text in lines of at most `columns` columns, from `at` on; further lines are indented by `indent`.
std::string wrapped(const std::string& text, size_t at, size_t indent, size_t columns) {
  std::string lines;
  std::istringstream words(text);
  bool begins = true;
  for (std::string word; words >> word; begins = false) {
    const size_t width = shown_width(word);
    if (!begins && at + 1 + width > columns) {
      lines += "\n" + std::string(indent, ' ');
      at = indent;
    } else if (!begins) {
      lines += " ";
      ++at;
    }
    lines += word;
    at += width;
  }
  return lines;
}

// Help that fits the terminal: names in a left column, what they mean beside it.
class FittingHelp : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    const std::string left = "  " + name_of(option, is_positional) + make_option_opts(option);
    return beside(left,
                  make_option_desc(option) + (many_choices(*option) ? ": " + listed_option(*option).takes(", ") : ""));
  }
  // The option's name, without the "{false}" that the parser adds to flags that can be negated: it is not their
  // default.
  std::string name_of(const CLI::Option* option, bool is_positional) const {
    std::string name = make_option_name(option, is_positional);
    const std::string added = "{false}";
    const size_t at = name.find(added);
    return at == std::string::npos ? name : name.erase(at, added.size());
  }
  // The option's values, in the words of completion and manual pages.
  std::string make_option_opts(const CLI::Option* option) const override {
    const ListedOption listed = listed_option(*option);
    std::string text = listed.value.empty() ? "" : " " + (many_choices(*option) ? listed.value : listed.takes());
    if (!listed.default_value.empty()) text += "=" + listed.default_value;
    return text + (option->get_required() ? " (required)" : "");
  }
  std::string make_subcommand(const CLI::App* command) const override {
    return beside("  " + command->get_name(), command->get_description());
  }
  std::string make_description(const CLI::App* app) const override {
    const std::string text = CLI::Formatter::make_description(app);
    return text.empty() ? text : wrapped(text, 0, 0, columns_) + "\n";
  }

 private:
  // More than fit in the left column; they are listed in the right one.
  static bool many_choices(const CLI::Option& option) { return listed_option(option).choices.size() > 6; }

  std::string beside(const std::string& left, const std::string& text) const {
    constexpr size_t kRoomForText = 40;
    const size_t indent = columns_ < get_column_width() + kRoomForText ? 6 : get_column_width();
    const size_t width = shown_width(left);
    std::string lines =
        left + (width + 2 > indent ? "\n" + std::string(indent, ' ') : std::string(indent - width, ' '));
    return lines + wrapped(text, indent, indent, columns_) + "\n";
  }

  size_t columns_ = usable_columns(STDOUT_FILENO);
};

class ShortHelp : public FittingHelp {
 public:
  explicit ShortHelp(std::vector<std::string> everyday) : everyday_(std::move(everyday)) {}

  std::string make_group(std::string group, bool is_positional,
                         std::vector<const CLI::Option*> options) const override {
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

void fit_help(CLI::App& app) { app.formatter(std::make_shared<FittingHelp>()); }

void add_help(CLI::App& command, const std::vector<std::string>& everyday, const std::vector<std::string>& examples) {
  command.add_flag(kHelpAll)->description("Print help with all options and exit");
  command.add_flag(kQuiet)->description("Write only errors to stderr");
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
    if (command->get_name() == arguments[0]) command->formatter(std::make_shared<FittingHelp>());
  }
}

}  // namespace geniepath::cli
