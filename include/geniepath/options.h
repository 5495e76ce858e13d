// Options are declared once: a config struct visits its fields with their name, bounds and help, and visitors turn
// that into command-line options, config files, JSON and checks.
//
//   void ModelConfig::visit(OptionVisitor& options) {
//     options.integer("hidden", hidden, {1, 4096}, "width K of every hidden layer");
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace geniepath {

template <class T>
struct Bounds {
  T low = std::numeric_limits<T>::lowest();
  T high = std::numeric_limits<T>::max();
  bool below_high = false;  // high itself is out: a dropout rate is in [0, 1)
};

class OptionVisitor {
 public:
  virtual ~OptionVisitor() = default;
  virtual void integer(const char* name, int64_t& value, Bounds<int64_t> bounds, const char* help) = 0;
  virtual void real(const char* name, double& value, Bounds<double> bounds, const char* help) = 0;
  virtual void flag(const char* name, bool& value, const char* help) = 0;
  virtual void choice(const char* name, std::string& value, const std::vector<std::string>& choices,
                      const char* help) = 0;
  virtual void text(const char* name, std::string& value, const char* help) = 0;
};

// Anything with void visit(OptionVisitor&). Reading refuses unknown keys, wrong types and values out of bounds;
// `where` names the file or object in the message. Keys that are absent keep their default.
class Options {
 public:
  virtual ~Options() = default;
  virtual void visit(OptionVisitor& options) = 0;

  nlohmann::ordered_json to_json() const;
  void read_json(const nlohmann::ordered_json& object, const std::string& where);
  void check() const;  // every value within its bounds, or an Error that says which is not
};

}  // namespace geniepath
