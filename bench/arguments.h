// Options that several subjects share.
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace geniepath::bench {

inline void add_json(CLI::App& subject, bool& json) {
  subject.add_flag("--json", json, "print the results as one JSON line on stdout");
}

inline void add_threads(CLI::App& subject, int64_t& threads) {
  subject.add_option("--threads", threads, "threads to use (0: every core it may use)")->check(CLI::Range(0, 4096));
}

// Arguments of a subject measured in rounds.
struct RoundArguments {
  bool json = false;
  int64_t threads = 0;
  int repeats;
};

// repeats: the default   shown: what is shown of the rounds, for --help
inline std::shared_ptr<RoundArguments> add_rounds(CLI::App& subject, int repeats, const std::string& shown) {
  const auto arguments = std::make_shared<RoundArguments>(RoundArguments{.repeats = repeats});
  add_json(subject, arguments->json);
  add_threads(subject, arguments->threads);
  subject.add_option("--repeats", arguments->repeats, "rounds; " + shown)
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  return arguments;
}

}  // namespace geniepath::bench
