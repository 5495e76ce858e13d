#include "terminal/option_binder.h"

#include <algorithm>

#include "base/suggestion.h"
#include "base/text_stream.h"

namespace geniepath::cli {
namespace {

template <class T>
std::string range_text(const Bounds<T>& bounds) {
  TextStream text;
  const bool open_above = bounds.high == std::numeric_limits<T>::max();
  if (bounds.low == std::numeric_limits<T>::lowest() && open_above) return "";
  if (open_above) {
    text << bounds.low << " or more";
  } else {
    text << bounds.low << (bounds.below_high ? " to below " : " to ") << bounds.high;
  }
  return text.str();
}

template <class T>
CLI::Validator within(const Bounds<T>& bounds) {
  const std::string expected = range_text(bounds);
  const auto check = [bounds, expected](std::string& input) -> std::string {
    T value{};
    if (!CLI::detail::lexical_cast(input, value)) {
      return "expected a " + std::string(std::is_integral_v<T> ? "whole " : "") + "number, found '" + input + "'";
    }
    const bool low_enough = bounds.below_high ? value < bounds.high : value <= bounds.high;
    if (value >= bounds.low && low_enough) return {};
    return "expected " + expected + ", found " + input;
  };
  return {check, expected};
}

class Binder : public OptionVisitor {
 public:
  Binder(CLI::App& app, std::string group) : app_(app), group_(std::move(group)) {}
  void integer(const char* name, int64_t& value, Bounds<int64_t> bounds, const char* help) override {
    add(name, value, help)->check(within(bounds));
  }
  void real(const char* name, double& value, Bounds<double> bounds, const char* help) override {
    add(name, value, help)->check(within(bounds));
  }
  void flag(const char* name, bool& value, const char* help) override {
    app_.add_flag(dashed(name) + ",!--no-" + name, value, help)
        ->group(group_)
        ->take_last()
        ->default_str(value ? "on" : "off");
  }
  void one_of(const char* name, const ChoiceField& field, const char* help) override {
    CLI::Option* option = app_.add_option_function<std::string>(dashed(name), field.set, help);
    option->default_str(field.get())->group(group_)->take_last()->check(one_of_names(field.names));
  }
  void text(const char* name, std::string& value, const char* help) override { add(name, value, help); }

 private:
  static std::string dashed(const char* name) { return std::string("--") + name; }
  template <class T>
  CLI::Option* add(const char* name, T& value, const char* help) {
    return app_.add_option(dashed(name), value, help)->capture_default_str()->group(group_)->take_last();
  }
  CLI::App& app_;
  std::string group_;
};

}  // namespace

CLI::Validator one_of_names(const std::vector<std::string>& names) {
  const auto check = [names](std::string& input) -> std::string {
    if (std::ranges::find(names, input) != names.end()) return {};
    return "'" + input + "' is not one of " + listed(names) + did_you_mean(input, names);
  };
  return {check, "{" + CLI::detail::join(names, ",") + "}"};
}

void bind_options(CLI::App& app, Options& options, const std::string& group) {
  Binder binder(app, group);
  options.visit(binder);
}

}  // namespace geniepath::cli
