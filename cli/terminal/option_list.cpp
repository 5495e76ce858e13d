#include "terminal/option_list.h"

#include "io/csv.h"

namespace geniepath::cli {
namespace {

// "TEXT:{a,b}" of the parser -> a, b.
std::vector<std::string> choices_of(const std::string& type) {
  const size_t begin = type.find('{'), end = type.rfind('}');
  if (begin == std::string::npos || end == std::string::npos || end < begin) return {};
  return split_list(std::string_view(type).substr(begin + 1, end - begin - 1));
}

ListedOption listed_option(const CLI::Option& option, const std::string& name, bool positional) {
  ListedOption listed;
  listed.name = positional ? name : "--" + name;
  listed.positional = positional;
  listed.help = option.get_description();
  listed.group = option.get_group();
  listed.default_value = option.get_default_str();
  if (option.get_items_expected_max() == 0) return listed;
  const std::string type = option.get_type_name();
  listed.choices = choices_of(type);
  listed.value = type.substr(0, type.find(':'));
  return listed;
}

}  // namespace

std::string ListedOption::takes(const char* between) const {
  std::string text;
  for (const std::string& choice : choices) text += (text.empty() ? "" : between) + choice;
  return text.empty() ? value : text;
}

bool ListedOption::takes_file() const { return choices.empty() && value == "TEXT"; }

ListedOption listed_option(const CLI::Option& option) {
  const bool positional = option.get_positional();
  return listed_option(option,
                       positional || option.get_lnames().empty() ? option.get_single_name() : option.get_lnames()[0],
                       positional);
}

std::vector<ListedOption> options_of(const CLI::App& command) {
  std::vector<ListedOption> list;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional()) list.push_back(listed_option(*option, option->get_single_name(), true));
    for (const std::string& name : option->get_lnames()) list.push_back(listed_option(*option, name, false));
  }
  return list;
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) { return app.get_subcommands(nullptr); }

}  // namespace geniepath::cli
