#include "io/pickled_arrays.h"

#include <cstring>

#include "graph/csr.h"

namespace geniepath {
namespace {

constexpr int64_t kElementBytes = 4;

void check_dtype(const Pickle& pickle, const PickleValue& value, std::string_view expected) {
  const auto [arguments, state] = pickle.call(value, "numpy\ndtype", "a dtype");
  if (arguments.empty()) pickle.complain(value, "a dtype without a name");
  const std::string_view name = pickle.bytes(*arguments[0], "a dtype's name");
  if (name != expected) pickle.complain(value, "an array of dtype '", name, "', expected '", expected, "'");
  const auto details = pickle.items(state, PickleValue::Kind::kTuple, "a dtype's state");
  const std::string_view order = details.size() < 2 ? "" : pickle.bytes(*details[1], "a dtype's byte order");
  if (order != "<") pickle.complain(state, "an array of byte order '", order, "', expected little-endian '<'");
}

// Values in row order; an Error unless the shape accounts for all bytes.
template <class T>
std::vector<T> elements(const Pickle& pickle, const PickleValue& value, std::string_view dtype,
                        std::vector<int64_t>& shape) {
  static_assert(sizeof(T) == kElementBytes);
  const auto made = pickle.call(value, "numpy.core.multiarray\n_reconstruct", "an array");
  const auto state = pickle.tuple(made.state, 5, "an array's state");
  check_dtype(pickle, *state[2], dtype);
  if (state[3]->kind != PickleValue::Kind::kBool || state[3]->number != 0) {
    pickle.complain(*state[3], "an array in column order, expected row order");
  }
  const std::string_view raw = pickle.bytes(*state[4], "an array's content");
  int64_t bytes = kElementBytes;
  for (const PickleValue* size : pickle.items(*state[1], PickleValue::Kind::kTuple, "a shape")) {
    shape.push_back(pickle.integer(*size, "a size"));
    if (shape.back() < 0 || __builtin_mul_overflow(bytes, shape.back(), &bytes)) {
      pickle.complain(*size, "a size of ", shape.back(), " in a shape");
    }
  }
  if (bytes != static_cast<int64_t>(raw.size())) {
    pickle.complain(*state[4], "an array of ", raw.size(), " bytes, but its shape takes ", bytes);
  }
  std::vector<T> values(raw.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), raw.data(), raw.size());
  return values;
}

template <class T>
std::vector<T> list_of(const Pickle& pickle, const PickleValue& value, std::string_view dtype) {
  std::vector<int64_t> shape;
  std::vector<T> values = elements<T>(pickle, value, dtype, shape);
  if (shape.size() != 1) pickle.complain(value, "an array of ", shape.size(), " dimensions, expected 1");
  return values;
}

}  // namespace

PickledInts pickled_ints(const Pickle& pickle, const PickleValue& value) {
  std::vector<int64_t> shape;
  std::vector<int32_t> values = elements<int32_t>(pickle, value, "i4", shape);
  if (shape.size() != 2) pickle.complain(value, "an array of ", shape.size(), " dimensions, expected 2");
  return {shape[0], shape[1], std::move(values)};
}

const PickleValue& pickled_object(const Pickle& pickle, const PickleValue& value) {
  const auto made = pickle.call(value, "numpy.core.multiarray\n_reconstruct", "an array");
  const auto state = pickle.tuple(made.state, 5, "an array's state");
  const auto objects = pickle.items(*state[4], PickleValue::Kind::kList, "an array's content");
  if (objects.size() != 1) pickle.complain(*state[4], "an array of ", objects.size(), " objects, expected 1");
  return *objects[0];
}

SparseMatrix pickled_csr(const Pickle& pickle, const PickleValue& value, const std::string& where) {
  const PickleValue& state = pickle.call(value, "scipy.sparse.csr\ncsr_matrix", "the file").state;
  const auto shape = pickle.tuple(pickle.entry(state, "_shape"), 2, "_shape");
  const std::vector<int32_t> begins = list_of<int32_t>(pickle, pickle.entry(state, "indptr"), "i4");
  SparseMatrix matrix;
  matrix.rows = pickle.integer(*shape[0], "rows");
  matrix.columns = pickle.integer(*shape[1], "columns");
  matrix.offset = std::vector<int64_t>(begins.begin(), begins.end());
  matrix.column = list_of<int32_t>(pickle, pickle.entry(state, "indices"), "i4");
  matrix.value = list_of<float>(pickle, pickle.entry(state, "data"), "f4");
  check_csr(matrix, where);
  return matrix;
}

}  // namespace geniepath
