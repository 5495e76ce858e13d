// Reader of Python's pickle, protocols 2 and 3, limited to what Planetoid's files, SciPy matrices in .npz files and
// PyTorch Geometric's data use; other opcodes are refused.
//   A program for a stack machine: one-byte opcodes, each followed by its arguments. GLOBAL names a class or function,
//   REDUCE and NEWOBJ call it, BUILD gives the result its state; a memo (BINPUT, BINGET) holds what is used again.
// Nothing is ever called: a call becomes a value that records the callee and its arguments, and only the names that
// those files need are accepted. Values live in one flat arena, so nesting uses no call depth and cycles are harmless.
// Every opcode makes at most one value and moves it once, so memory is bounded by a multiple of the file's length.
#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "geniepath/error.h"

namespace geniepath {

struct PickleValue {
  enum class Kind {
    kNone,
    kBool,    // number
    kInt,     // number
    kBytes,   // text
    kGlobal,  // text: "module\nname"
    kTuple,   // items
    kList,    // items
    kDict,    // items: key, value, key, value, ...; a collections.defaultdict is one, too
    kObject,  // items: the callee, its arguments (a tuple), its state (once given)
    kPersistent,  // items: the id of something stored elsewhere
  };
  Kind kind = Kind::kNone;
  size_t offset = 0;  // of the opcode that made it
  int64_t number = 0;
  std::string_view text;  // within the file's bytes
  std::vector<const PickleValue*> items;
};

class Pickle {
 public:
  using Items = std::span<const PickleValue* const>;

  // `bytes` must outlive the result.
  Pickle(std::span<const std::byte> bytes, std::string where);
  Pickle(const Pickle&) = delete;
  Pickle& operator=(const Pickle&) = delete;

  const PickleValue& root() const { return *root_; }

  // The content of a value, or an Error that names its place, its kind and the kind expected.
  int64_t integer(const PickleValue& value, const char* what) const;
  std::string_view bytes(const PickleValue& value, const char* what) const;
  Items items(const PickleValue& value, PickleValue::Kind kind, const char* what) const;
  Items tuple(const PickleValue& value, size_t size, const char* what) const;
  const PickleValue& entry(const PickleValue& dict, std::string_view key) const;

  // Arguments and state of an object made by calling `global` ("module\nname").
  struct Call {
    Items arguments;
    const PickleValue& state;
  };
  Call call(const PickleValue& value, std::string_view global, const char* what) const;

  template <class... Pieces>
  [[noreturn]] void complain(const PickleValue& value, const Pieces&... pieces) const {
    fail(where_, ": byte ", value.offset, ": ", pieces...);
  }

 private:
  std::string where_;
  std::deque<PickleValue> arena_;
  const PickleValue* root_ = nullptr;
};

}  // namespace geniepath
