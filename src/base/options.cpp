#include "geniepath/options.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/given_options.h"
#include "base/json_text.h"
#include "base/options_json.h"
#include "geniepath/error.h"

namespace geniepath {
namespace {

using Json = nlohmann::ordered_json;

void check_name(const char* option, const std::string& value, const std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), value) == names.end()) {
    fail(option, ": '", value, "' is not one of ", listed(names));
  }
}

class Checker : public OptionVisitor {
 public:
  void integer(const char* name, int64_t& value, Bounds<int64_t> bounds, const char*) override {
    check(name, value, bounds);
  }
  void real(const char* name, double& value, Bounds<double> bounds, const char*) override {
    check(name, value, bounds);
  }
  void flag(const char*, bool&, const char*) override {}
  void one_of(const char* name, const ChoiceField& field, const char*) override {
    check_name(name, field.get(), field.names);
  }
  void text(const char*, std::string&, const char*) override {}

 private:
  template <class T>
  static void check(const char* name, T value, const Bounds<T>& bounds) {
    const bool low_enough = bounds.below_high ? value < bounds.high : value <= bounds.high;
    if (value >= bounds.low && low_enough) return;  // NaN fails both
    if (bounds.high == std::numeric_limits<T>::max()) fail(name, ": expected ", bounds.low, " or more, found ", value);
    fail(name, ": expected ", bounds.low, bounds.below_high ? " to below " : " to ", bounds.high, ", found ", value);
  }
};

class Writer : public OptionVisitor {
 public:
  void integer(const char* name, int64_t& value, Bounds<int64_t>, const char*) override { object[name] = value; }
  void real(const char* name, double& value, Bounds<double>, const char*) override { object[name] = value; }
  void flag(const char* name, bool& value, const char*) override { object[name] = value; }
  void one_of(const char* name, const ChoiceField& field, const char*) override { object[name] = field.get(); }
  void text(const char* name, std::string& value, const char*) override { object[name] = value; }
  Json object = Json::object();
};

class Reader : public OptionVisitor {
 public:
  Reader(const Json& object, std::string where) : object_(object), where_(std::move(where)) {
    if (!object.is_object()) fail(where_, ": expected an object, found ", object.type_name());
    for (const auto& [key, _] : object.items()) unread_.insert(key);
  }
  void integer(const char* name, int64_t& value, Bounds<int64_t>, const char*) override {
    read(name, value, &Json::is_number_integer, "a whole number");
  }
  void real(const char* name, double& value, Bounds<double>, const char*) override {
    read(name, value, &Json::is_number, "a number");
  }
  void flag(const char* name, bool& value, const char*) override {
    read(name, value, &Json::is_boolean, "true or false");
  }
  void one_of(const char* name, const ChoiceField& field, const char*) override {
    if (!unread_.contains(name)) return;
    std::string value;
    read(name, value, &Json::is_string, "a string");
    try {
      check_name(name, value, field.names);
    } catch (const Error& error) {
      fail(where_, ": ", error.what());
    }
    field.set(value);
  }
  void text(const char* name, std::string& value, const char*) override {
    read(name, value, &Json::is_string, "a string");
  }
  void finish() const {
    if (!unread_.empty()) fail(where_, ": unknown key '", *unread_.begin(), "'");
  }

 private:
  template <class T>
  void read(const char* name, T& value, bool (Json::*is_right)() const noexcept, const char* expected) {
    if (unread_.erase(name) == 0) return;
    const Json& found = object_.at(name);
    if (!(found.*is_right)()) fail(where_, ": ", name, ": expected ", expected, ", found ", found.dump());
    value = found.get<T>();
  }

  const Json& object_;
  std::string where_;
  std::set<std::string> unread_;
};

}  // namespace

void OptionVisitor::only_where(const char*, const std::vector<OptionCondition>&) {}

// visit() is not const, as it hands out references for readers to fill; writing and checking only read them.
Json to_json(const Options& options) {
  Writer writer;
  const_cast<Options&>(options).visit(writer);
  return writer.object;
}

void read_json(Options& options, const Json& object, const std::string& where) {
  Reader reader(object, where);
  options.visit(reader);
  reader.finish();
  try {
    options.check();
  } catch (const Error& error) {
    fail(where, ": ", error.what());
  }
}

std::string Options::to_json_text() const { return to_json(*this).dump(); }

void Options::read_json_text(const std::string& text, const std::string& where) {
  read_json(*this, parse_json<Json>(text, where), where);
}

void Options::check() const {
  Checker checker;
  const_cast<Options*>(this)->visit(checker);
}

void take_given(const Options& values, const IsGiven& given, Options& kept) {
  Json merged = to_json(kept);
  const Json all = to_json(values);
  for (const auto& [name, value] : all.items()) {
    if (given(name)) merged[name] = value;
  }
  read_json(kept, merged, "options");
}

}  // namespace geniepath
