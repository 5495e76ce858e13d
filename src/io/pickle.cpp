#include "io/pickle.h"

#include <algorithm>
#include <unordered_map>

#include "io/byte_reader.h"

namespace geniepath {
namespace {

using Kind = PickleValue::Kind;

constexpr std::string_view kGlobals[] = {"collections\ndefaultdict", "__builtin__\nlist",
                                         "numpy.core.multiarray\n_reconstruct", "numpy\nndarray", "numpy\ndtype",
                                         "scipy.sparse.csr\ncsr_matrix",
                                         "collections\nOrderedDict", "torch\nFloatStorage", "torch\nDoubleStorage",
                                         "torch\nLongStorage", "torch._utils\n_rebuild_tensor_v2",
                                         "torch_geometric.data.data\nData",
                                         "torch_geometric.data.storage\nGlobalStorage"};

const char* name_of(Kind kind) {
  static constexpr const char* kNames[] = {"None",    "a truth value", "an integer", "a string", "a global",
                                           "a tuple", "a list",        "a dict",     "an object", "a persistent id"};
  return kNames[static_cast<size_t>(kind)];
}

std::string dotted(std::string_view global) {
  std::string name(global);
  std::replace(name.begin(), name.end(), '\n', '.');
  return name;
}

// The stack machine. A mark records the height of the stack; nothing below the newest mark can be taken.
class Machine {
 public:
  Machine(std::span<const std::byte> bytes, const std::string& where, std::deque<PickleValue>& arena)
      : in_(bytes, where), arena_(arena) {}

  const PickleValue* run() {
    for (;;) {
      at_ = in_.offset();
      const auto opcode = in_.number<uint8_t>("an opcode");
      if (opcode == '.') break;
      step(opcode);
    }
    if (stack_.size() != 1 || !marks_.empty()) in_.complain("STOP with ", stack_.size(), " values, expected 1");
    if (!in_.at_end()) in_.complain("expected the end of the file after STOP, found ", in_.left(), " more bytes");
    return stack_.back();
  }

 private:
  void step(uint8_t opcode);
  void push(PickleValue value) {
    value.offset = at_;
    arena_.push_back(std::move(value));
    stack_.push_back(&arena_.back());
  }
  void push_number(Kind kind, int64_t number) { push({kind, 0, number, {}, {}}); }
  void push_bytes(int64_t length) {
    if (length < 0) in_.complain("a string of ", length, " bytes");
    push({Kind::kBytes, 0, 0, in_.text(static_cast<size_t>(length), "a string"), {}});
  }
  void push_items(Kind kind, std::vector<const PickleValue*> items) { push({kind, 0, 0, {}, std::move(items)}); }
  void push_global();
  void call();
  void build();
  void append(Kind kind, std::vector<const PickleValue*> items);
  void remember(uint32_t key) { memo_[key] = &top(); }
  void recall(uint32_t key);

  PickleValue& top() {
    if (stack_.size() <= (marks_.empty() ? 0 : marks_.back())) in_.complain("the stack is empty here");
    return *stack_.back();
  }
  // Pops the topmost `count` values; take_marked() pops those above the newest mark, and the mark.
  std::vector<const PickleValue*> take(size_t count);
  std::vector<const PickleValue*> take_marked();

  ByteReader in_;
  std::deque<PickleValue>& arena_;
  std::vector<PickleValue*> stack_;
  std::vector<size_t> marks_;
  std::unordered_map<uint32_t, PickleValue*> memo_;
  size_t at_ = 0;  // the opcode being run
};

std::vector<const PickleValue*> Machine::take(size_t count) {
  const size_t floor = marks_.empty() ? 0 : marks_.back();
  if (stack_.size() - floor < count) {
    in_.complain("expected ", count, " values on the stack, found ", stack_.size() - floor);
  }
  std::vector<const PickleValue*> taken(stack_.end() - static_cast<ptrdiff_t>(count), stack_.end());
  stack_.resize(stack_.size() - count);
  return taken;
}

std::vector<const PickleValue*> Machine::take_marked() {
  if (marks_.empty()) in_.complain("no mark on the stack");
  std::vector<const PickleValue*> taken = take(stack_.size() - marks_.back());
  marks_.pop_back();
  return taken;
}

void Machine::push_global() {
  const std::string_view rest = in_.rest();
  const size_t end = rest.find('\n', std::min(rest.find('\n'), rest.size() - 1) + 1);
  const std::string_view name = in_.text(std::min(end, rest.size()), "a global");
  if (std::find(std::begin(kGlobals), std::end(kGlobals), name) == std::end(kGlobals)) {
    in_.complain("the global '", dotted(name.substr(0, 80)), "' is not supported");
  }
  in_.take(1, "a new line");
  push({Kind::kGlobal, 0, 0, name, {}});
}

// REDUCE and NEWOBJ: recorded, not executed.
void Machine::call() {
  const auto taken = take(2);
  if (taken[0]->kind != Kind::kGlobal || taken[1]->kind != Kind::kTuple) {
    in_.complain("expected a global and a tuple to call, found ", name_of(taken[0]->kind), " and ",
                 name_of(taken[1]->kind));
  }
  if (taken[0]->text == kGlobals[0]) {
    push_items(Kind::kDict, {});
  } else {
    push_items(Kind::kObject, taken);
  }
}

void Machine::build() {
  const auto state = take(1);
  PickleValue& object = top();
  if (object.kind != Kind::kObject || object.items.size() != 2) {
    in_.complain("expected an object without a state, found ", name_of(object.kind));
  }
  object.items.push_back(state[0]);
}

void Machine::append(Kind kind, std::vector<const PickleValue*> items) {
  PickleValue& into = top();
  if (into.kind != kind) in_.complain("expected ", name_of(kind), " to add to, found ", name_of(into.kind));
  if (kind == Kind::kDict && items.size() % 2 != 0) in_.complain("a key without a value");
  into.items.insert(into.items.end(), items.begin(), items.end());
}

void Machine::recall(uint32_t key) {
  const auto found = memo_.find(key);
  if (found == memo_.end()) in_.complain("no memo entry ", key);
  stack_.push_back(found->second);
}

void Machine::step(uint8_t opcode) {
  switch (opcode) {
    case 0x80:  // PROTO
      if (const int protocol = in_.number<uint8_t>("a protocol"); protocol != 2 && protocol != 3) {
        in_.complain("pickle protocol ", protocol, ", expected 2 or 3");
      }
      return;
    case 'c': return push_global();                                              // GLOBAL
    case 'q': return remember(in_.number<uint8_t>("a memo key"));                // BINPUT
    case 'r': return remember(in_.number<uint32_t>("a memo key"));               // LONG_BINPUT
    case 'h': return recall(in_.number<uint8_t>("a memo key"));                  // BINGET
    case '(': return marks_.push_back(stack_.size());                            // MARK
    case ')': return push_items(Kind::kTuple, {});                               // EMPTY_TUPLE
    case '}': return push_items(Kind::kDict, {});                                // EMPTY_DICT
    case ']': return push_items(Kind::kList, {});                                // EMPTY_LIST
    case 't': return push_items(Kind::kTuple, take_marked());                    // TUPLE
    case 0x85: return push_items(Kind::kTuple, take(1));                         // TUPLE1
    case 0x86: return push_items(Kind::kTuple, take(2));                         // TUPLE2
    case 0x87: return push_items(Kind::kTuple, take(3));                         // TUPLE3
    case 0x81: return call();                                                    // NEWOBJ
    case 'R': return call();                                                     // REDUCE
    case 'b': return build();                                                    // BUILD
    case 'N': return push_number(Kind::kNone, 0);                                // NONE
    case 0x88: return push_number(Kind::kBool, 1);                               // NEWTRUE
    case 0x89: return push_number(Kind::kBool, 0);                               // NEWFALSE
    case 'J': return push_number(Kind::kInt, in_.number<int32_t>("an integer"));  // BININT
    case 'K': return push_number(Kind::kInt, in_.number<uint8_t>("an integer"));  // BININT1
    case 'M': return push_number(Kind::kInt, in_.number<uint16_t>("an integer")); // BININT2
    case 'U': return push_bytes(in_.number<uint8_t>("a length"));                // SHORT_BINSTRING
    case 'T': return push_bytes(in_.number<int32_t>("a length"));                // BINSTRING
    case 'C': return push_bytes(in_.number<uint8_t>("a length"));                // SHORT_BINBYTES
    case 'B': return push_bytes(in_.number<uint32_t>("a length"));               // BINBYTES
    case 'X': return push_bytes(in_.number<uint32_t>("a length"));               // BINUNICODE
    case 'a': return append(Kind::kList, take(1));                               // APPEND
    case 'e': return append(Kind::kList, take_marked());                         // APPENDS
    case 'u': return append(Kind::kDict, take_marked());                         // SETITEMS
    case 's': return append(Kind::kDict, take(2));                               // SETITEM
    case 'Q': return push_items(Kind::kPersistent, take(1));                     // BINPERSID
    default: in_.complain("opcode ", int{opcode}, " is not supported");
  }
}

}  // namespace

Pickle::Pickle(std::span<const std::byte> bytes, std::string where) : where_(std::move(where)) {
  root_ = Machine(bytes, where_, arena_).run();
}

int64_t Pickle::integer(const PickleValue& value, const char* what) const {
  if (value.kind != Kind::kInt) complain(value, what, " is ", name_of(value.kind), ", expected an integer");
  return value.number;
}

std::string_view Pickle::bytes(const PickleValue& value, const char* what) const {
  if (value.kind != Kind::kBytes) complain(value, what, " is ", name_of(value.kind), ", expected a string");
  return value.text;
}

Pickle::Items Pickle::items(const PickleValue& value, Kind kind, const char* what) const {
  if (value.kind != kind) complain(value, what, " is ", name_of(value.kind), ", expected ", name_of(kind));
  return value.items;
}

Pickle::Items Pickle::tuple(const PickleValue& value, size_t size, const char* what) const {
  const Items found = items(value, Kind::kTuple, what);
  if (found.size() != size) complain(value, what, " is a tuple of ", found.size(), ", expected ", size);
  return found;
}

const PickleValue& Pickle::entry(const PickleValue& dict, std::string_view key) const {
  const Items found = items(dict, Kind::kDict, "an object's state");
  for (size_t i = 0; i + 1 < found.size(); i += 2) {
    if (found[i]->kind == Kind::kBytes && found[i]->text == key) return *found[i + 1];
  }
  complain(dict, "the dict has no entry '", key, "'");
}

Pickle::Call Pickle::call(const PickleValue& value, std::string_view global, const char* what) const {
  const Items parts = items(value, Kind::kObject, what);
  if (parts[0]->text != global) {
    complain(value, what, " is made by ", dotted(parts[0]->text), ", expected ", dotted(global));
  }
  if (parts.size() != 3) complain(value, what, " has no state");
  return {parts[1]->items, *parts[2]};
}

}  // namespace geniepath
