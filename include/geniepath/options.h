// Options, declared once: a config struct visits its fields with their names, bounds and help, from which visitors
// derive command-line options, config files, JSON and checks. `geniepath COMMAND --help` describes the fields.
//
//   void ModelConfig::visit(OptionVisitor& options) {
//     options.integer("hidden", hidden, {1, 4096}, "width K of every hidden layer");
//     options.choice("residual", residual, "skip connection of each hop");      // an enum with names (names.h)
//     options.only_where("order", {{"model", {"chebyshev"}}});                  // refused with other models
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "geniepath/export.h"
#include "geniepath/names.h"

namespace geniepath GENIEPATH_EXPORT {

template <class T>
struct Bounds {
  T low = std::numeric_limits<T>::lowest();
  T high = std::numeric_limits<T>::max();
  bool below_high = false;  // excludes `high`: a dropout rate is in [0, 1)
};

// A field with one of several names: an enum or a string.
struct ChoiceField {
  std::vector<std::string> names;
  std::function<std::string()> get;
  std::function<void(const std::string&)> set;
};

// Holds where an option has one of these values: "*" is any text but an empty one, "*.x" any that ends in ".x".
struct OptionCondition {
  std::string option;
  std::vector<std::string> values;
};

class OptionVisitor {
 public:
  virtual ~OptionVisitor() = default;
  // Declares that an option has an effect only where one of these conditions holds, on options of its own struct or of
  // others that are used together with it. Declared several times, all declarations must hold.
  virtual void only_where(const char* name, const std::vector<OptionCondition>& any_of);
  virtual void integer(const char* name, int64_t& value, Bounds<int64_t> bounds, const char* help) = 0;
  virtual void real(const char* name, double& value, Bounds<double> bounds, const char* help) = 0;
  virtual void flag(const char* name, bool& value, const char* help) = 0;
  virtual void one_of(const char* name, const ChoiceField& field, const char* help) = 0;
  virtual void text(const char* name, std::string& value, const char* help) = 0;

  template <NamedEnum E>
  void choice(const char* name, E& value, const char* help) {
    one_of(name,
           {names_of<E>(), [&value] { return std::string(to_string(value)); },
            [&value, name](const std::string& text) { value = from_string<E>(text, name); }},
           help);
  }
  // For names that are only known at run time.
  void choice(const char* name, std::string& value, const std::vector<std::string>& names, const char* help) {
    one_of(name, {names, [&value] { return value; }, [&value](const std::string& text) { value = text; }}, help);
  }
};

// A config struct. Copies are independent; visit() hands out references to this object's fields.
class Options {
 public:
  virtual ~Options() = default;
  virtual void visit(OptionVisitor& options) = 0;

  void check() const;  // an Error names the first value out of bounds

  // All options as one JSON object, and back. Unknown keys, wrong types and values out of bounds are Errors, which
  // begin with `where`. Options without a key keep their value.
  std::string to_json_text() const;
  void read_json_text(const std::string& text, const std::string& where);
};

}  // namespace geniepath
