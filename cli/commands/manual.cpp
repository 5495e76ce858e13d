#include <iostream>

#include "base/file.h"
#include "base/text_stream.h"
#include "commands/commands.h"
#include "geniepath/version.h"
#include "terminal/help.h"
#include "terminal/option_list.h"
#include "terminal/text.h"

namespace geniepath::cli {
namespace {

// Text of a page: a dash is a dash, and nothing at the beginning of a line is a request.
std::string roff(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    const bool begins_line = safe.empty() || safe.back() == '\n';
    if (begins_line && (c == '.' || c == '\'')) safe += "\\&";
    if (c == '\\') {
      safe += "\\e";
    } else if (c == '-') {
      safe += "\\-";
    } else {
      safe += c;
    }
  }
  return safe;
}

std::string page_name(const CLI::App& command) { return "geniepath-" + command.get_name(); }

void write_heading(std::ostream& out, const std::string& name, const std::string& description) {
  out << ".TH " << roff(name) << " 1 \"\" \"geniepath " << version() << "\"\n.SH NAME\n"
      << roff(name) << " \\- " << roff(description) << "\n";
}

// `off`: the name that switches it off; empty: none.
void write_option(std::ostream& out, const ListedOption& option, const std::string& off) {
  out << ".TP\n\\fB" << roff(option.name) << "\\fR";
  if (!off.empty()) out << ", \\fB" << roff(off) << "\\fR";
  if (!option.takes().empty() && (!option.positional || !option.choices.empty()))
    out << " \\fI" << roff(option.takes()) << "\\fR";
  out << "\n"
      << roff(option.help) << (option.default_value.empty() ? "" : roff(" (default: " + option.default_value + ")"))
      << "\n";
}

void write_group(std::ostream& out, const std::string& group, const std::vector<ListedOption>& options) {
  out << ".SS " << roff(group) << "\n";
  for (size_t at = 0; at < options.size(); ++at) {
    if (options[at].group != group) continue;
    const std::string off = "--no-" + options[at].name.substr(std::min<size_t>(2, options[at].name.size()));
    const bool can_be_off = at + 1 < options.size() && options[at + 1].name == off;
    write_option(out, options[at], can_be_off ? off : "");
    at += can_be_off ? 1 : 0;
  }
}

// The examples that add_help() put into the footer, as typed.
void write_examples(std::ostream& out, const std::string& footer) {
  const size_t first = footer.find('\n');
  if (first == std::string::npos) return;
  out << ".SH EXAMPLES\n.nf\n" << roff(footer.substr(first + 1)) << "\n.fi\n";
}

std::string page_of(const CLI::App& command) {
  TextStream out;
  write_heading(out, page_name(command), command.get_description());
  out << ".SH SYNOPSIS\n\\fBgeniepath " << roff(command.get_name()) << "\\fR [\\fIOPTIONS\\fR]";
  std::vector<std::string> groups;
  const std::vector<ListedOption> options = options_of(command);
  for (const ListedOption& option : options) {
    if (option.positional) out << " \\fI" << roff(option.name) << "\\fR";
    if (std::ranges::find(groups, option.group) == groups.end()) groups.push_back(option.group);
  }
  out << "\n.SH OPTIONS\n";
  for (const std::string& group : groups) {
    write_group(out, group, options);
  }
  write_examples(out, command.get_footer());
  out << ".SH SEE ALSO\n.BR geniepath (1)\n";
  return out.str();
}

std::string main_page(const CLI::App& app) {
  TextStream out;
  write_heading(out, "geniepath", app.get_description());
  out << ".SH SYNOPSIS\n\\fBgeniepath\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n.SH COMMANDS\n";
  for (const CLI::App* command : commands_of(app)) {
    out << ".TP\n\\fB" << roff(page_name(*command)) << "\\fR(1)\n" << roff(command->get_description()) << "\n";
  }
  write_examples(out, app.get_footer());
  out << ".SH EXIT STATUS\n0 on success, 2 for a mistake of the user or a failure of the machine, 1 for one of the "
         "program.\n"
         ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nIf not empty, nothing is coloured.\n.TP\n.B GENIEPATH_DATA\n"
         "Folder of the data sets\\(aq files.\n.TP\n.B GENIEPATH_TOKEN\nToken of serve.\n.TP\n.B GENIEPATH_CPU\n"
         "Instruction set to use at most.\n";
  return out.str();
}

void write_manual(const CLI::App& app, const std::filesystem::path& folder) {
  make_folder(folder);
  const auto write = [&](const std::string& name, const std::string& text) {
    write_atomically(folder / (name + ".1"), [&](std::ostream& out) { out << text; });
  };
  write("geniepath", main_page(app));
  for (const CLI::App* command : commands_of(app)) write(page_name(*command), page_of(*command));
  std::cout << commands_of(app).size() + 1 << " manual pages in " << terminal(folder.string()) << "\n";
}

}  // namespace

void add_manual(CLI::App& app) {
  auto out = std::make_shared<std::string>();
  CLI::App* sub = app.add_subcommand("manual", "write the manual pages of all commands");
  sub->add_option("--out", *out, "folder for the pages")->required();
  add_help(*sub, {},
           {"geniepath manual --out man1"});
  sub->callback([out, &app] { write_manual(app, *out); });
}

}  // namespace geniepath::cli
