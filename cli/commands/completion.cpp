#include <iostream>

#include "commands/commands.h"
#include "terminal/help.h"
#include "terminal/option_binder.h"
#include "terminal/option_list.h"

namespace geniepath::cli {
namespace {

std::string spaced(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : commands_of(app)) names.push_back(command->get_name());
  return names;
}

// Within single quotes of a shell; `special` characters get a backslash.
std::string quoted(const std::string& text, std::string_view special = "") {
  std::string safe;
  for (const char c : text) {
    if (c == '\'') {
      safe += "'\\''";
      continue;
    }
    if (special.find(c) != std::string_view::npos) safe += '\\';
    safe += c == '\n' ? ' ' : c;
  }
  return "'" + safe + "'";
}

void write_bash(std::ostream& out, const CLI::App& app) {
  out << "# bash completion of geniepath\n_geniepath() {\n"
         "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n  COMPREPLY=()\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    COMPREPLY=($(compgen -W "
      << quoted(spaced(command_names(app)) + " --help --version") << " -- \"$cur\"))\n    return\n  fi\n"
      << "  case \"${COMP_WORDS[1]},$prev\" in\n";
  for (const CLI::App* command : commands_of(app)) {
    for (const ListedOption& option : options_of(*command)) {
      if (option.choices.empty() || option.positional) continue;
      out << "    " << command->get_name() << "," << option.name << ") COMPREPLY=($(compgen -W "
          << quoted(spaced(option.choices)) << " -- \"$cur\")); return ;;\n";
    }
  }
  out << "  esac\n  case \"${COMP_WORDS[1]}\" in\n";
  for (const CLI::App* command : commands_of(app)) {
    std::vector<std::string> names, words;
    for (const ListedOption& option : options_of(*command)) {
      if (!option.positional) names.push_back(option.name);
      if (option.positional) words.insert(words.end(), option.choices.begin(), option.choices.end());
    }
    out << "    " << command->get_name() << ")\n      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "
        << quoted(spaced(names)) << " -- \"$cur\"))\n";
    if (!words.empty()) out << "      else COMPREPLY=($(compgen -W " << quoted(spaced(words)) << " -- \"$cur\"))\n";
    out << "      fi ;;\n";
  }
  out << "  esac\n}\ncomplete -o default -F _geniepath geniepath\n";
}

void write_zsh(std::ostream& out, const CLI::App& app) {
  out << "#compdef geniepath\n_geniepath() {\n  local -a commands\n  commands=(\n";
  for (const CLI::App* command : commands_of(app)) {
    out << "    " << quoted(command->get_name() + ":" + command->get_description(), "") << "\n";
  }
  out << "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n"
         "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n";
  for (const CLI::App* command : commands_of(app)) {
    out << "    " << command->get_name() << ")\n      _arguments";
    for (const ListedOption& option : options_of(*command)) {
      const std::string values =
          !option.choices.empty() ? ":(" + spaced(option.choices) + ")" : option.takes_file() ? ":_files" : ": ";
      const std::string takes = option.value.empty() ? "" : ":" + option.value + values;
      if (option.positional) {
        out << " \\\n        " << quoted("*:" + option.name + values);
      } else {
        out << " \\\n        " << quoted("*" + option.name + "[") << quoted(option.help, "[]:\\")
            << quoted("]" + takes);
      }
    }
    out << " ;;\n";
  }
  out << "  esac\n}\n_geniepath \"$@\"\n";
}

void write_fish(std::ostream& out, const CLI::App& app) {
  out << "# fish completion of geniepath\n";
  for (const CLI::App* command : commands_of(app)) {
    out << "complete -c geniepath -n __fish_use_subcommand -f -a " << command->get_name() << " -d "
        << quoted(command->get_description(), "\\") << "\n";
    const std::string here = "complete -c geniepath -n '__fish_seen_subcommand_from " + command->get_name() + "' ";
    for (const ListedOption& option : options_of(*command)) {
      const std::string choices = option.choices.empty() ? "" : " -a " + quoted(spaced(option.choices), "\\");
      if (option.positional) {
        if (!choices.empty()) out << here << "-f" << choices << "\n";
        continue;
      }
      const char* takes = option.value.empty() ? "" : option.takes_file() ? " -r" : " -x";
      out << here << "-l " << option.name.substr(2) << takes << choices << " -d " << quoted(option.help, "\\") << "\n";
    }
  }
}

struct Shell {
  const char* name;
  void (*write)(std::ostream&, const CLI::App&);
};
constexpr Shell kShells[] = {{"bash", write_bash}, {"zsh", write_zsh}, {"fish", write_fish}};

}  // namespace

void add_completion(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  std::vector<std::string> names;
  for (const Shell& known : kShells) names.push_back(known.name);
  CLI::App* sub = app.add_subcommand("completion", "print a script that completes commands and options in a shell");
  sub->add_option("shell", *shell, "the shell")->required()->check(one_of_names(names));
  add_help(*sub, {},
           {"geniepath completion bash > ~/.local/share/bash-completion/completions/geniepath",
            "geniepath completion zsh > ~/.zfunc/_geniepath",
            "geniepath completion fish > ~/.config/fish/completions/geniepath.fish"});
  sub->callback([shell, &app] {
    for (const Shell& known : kShells) {
      if (*shell == known.name) known.write(std::cout, app);
    }
  });
}

}  // namespace geniepath::cli
