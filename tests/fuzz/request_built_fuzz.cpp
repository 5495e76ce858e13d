// Structured bodies of POST /api/v1/score: nodes, features and edges as chosen, sometimes replaced by something else.
#include "checked_request.h"

namespace {

using namespace geniepath;
using Json = nlohmann::ordered_json;

class Body {
 public:
  explicit Body(fuzz::Choices& choices) : choices_(choices) {}

  std::string text() {
    Json body = Json::object();
    body["nodes"] = any(list([this] { return node(); }));
    if (choices_.one_in(2)) body["edges"] = any(list([this] { return edge(); }));
    if (choices_.one_in(16)) body[choices_.bytes(2)] = 1;
    std::string out = body.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (choices_.one_in(8)) out.insert(choices_.below(out.size()), deep());
    return out;
  }

 private:
  template <class Make>
  Json list(Make make) {
    Json items = Json::array();
    for (uint64_t left = choices_.below(choices_.one_in(16) ? 300 : 5); left > 0 && !choices_.done(); --left)
      items.push_back(any(make()));
    return items;
  }

  // The value itself, seldom a value of another kind.
  Json any(Json value) {
    if (!choices_.one_in(16)) return value;
    switch (choices_.below(7)) {
      case 0: return nullptr;
      case 1: return choices_.number();
      case 2: return choices_.bytes(choices_.below(4));
      case 3: return Json::array({value, value});
      case 4: return Json{{"id", value}};
      case 5: return true;
      default: return choices_.of<double>({1e39, -0.0, 1e-320, 0.5});
    }
  }

  Json id() {
    return any(choices_.one_in(8) ? choices_.bytes(choices_.below(8))
                                  : std::string(choices_.text({"a", "b", "c", "0", ""})));
  }
  Json number() { return any(choices_.of<double>({0, 1, -2.5, 3e38, 1e39, 0.1})); }

  Json features() {
    if (choices_.one_in(2)) {
      return {{"columns", any(list([this] { return any(choices_.number()); }))},
              {"values", any(list([this] { return number(); }))}};
    }
    Json row = Json::array();
    for (int64_t n = 0; n < fuzz::kRequestFeatures; ++n) row.push_back(number());
    return row;
  }
  Json node() { return {{"id", id()}, {"features", any(features())}}; }
  Json edge() { return {{"source", id()}, {"target", id()}}; }

  std::string deep() { return std::string(choices_.below(20000), choices_.of<char>({'[', '{'})); }

  fuzz::Choices& choices_;
};

}  // namespace

FUZZ_TARGET(request_built)(const uint8_t* data, size_t size) {
  fuzz::Choices choices(data, size);
  const std::string body = Body(choices).text();
  return fuzz::only_api_errors([&] { fuzz::read_score_request(body); });
}
