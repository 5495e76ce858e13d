// Pickles of protocol 2 as Python 2 wrote them for Planetoid, and the eight files of a small graph.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "io/numpy_writer.h"

namespace geniepath::testing {

inline std::string pickled(const std::string& opcodes) { return "\x80\x02" + opcodes + "."; }
inline std::string pickled_global(const std::string& module, const std::string& name) {
  return "c" + module + "\n" + name + "\n";
}
inline std::string pickled_int(int64_t value) {
  if (value >= 0 && value < 256) return "K" + raw(static_cast<uint8_t>(value));
  if (value >= 0 && value < 65536) return "M" + raw(static_cast<uint16_t>(value));
  return "J" + raw(static_cast<int32_t>(value));
}
inline std::string pickled_string(const std::string& text) {
  if (text.size() < 256) return "U" + raw(static_cast<uint8_t>(text.size())) + text;
  return "T" + raw(static_cast<int32_t>(text.size())) + text;
}
inline std::string pickled_tuple(const std::vector<int64_t>& values) {
  std::string text = "(";
  for (const int64_t value : values) text += pickled_int(value);
  return text + "t";
}

inline std::string pickled_dtype(const std::string& name, const std::string& order = "<") {
  return pickled_global("numpy", "dtype") + pickled_string(name) + "K" + raw(uint8_t{0}) + "K\1\x87R(K\3" +
         pickled_string(order) + "NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK" + raw(uint8_t{0}) + "tb";
}

// Parts that tests replace are given as opcodes, raw bytes as they are.
inline std::string pickled_array(const std::string& dtype, const std::string& shape, const std::string& bytes,
                                 const std::string& column_order = "\x89") {
  return pickled_global("numpy.core.multiarray", "_reconstruct") + pickled_global("numpy", "ndarray") + "K" +
         raw(uint8_t{0}) + "\x85U\1b\x87R(K\1" + shape + dtype + column_order + pickled_string(bytes) + "tb";
}
inline std::string pickled_array(const std::vector<int64_t>& shape, const std::vector<int32_t>& values) {
  return pickled_array(pickled_dtype("i4"), pickled_tuple(shape), raw(values));
}
inline std::string pickled_array(const std::vector<int64_t>& shape, const std::vector<float>& values) {
  return pickled_array(pickled_dtype("f4"), pickled_tuple(shape), raw(values));
}

struct SmallCsr {
  int64_t rows, columns;
  std::vector<int32_t> offset, column;
  std::vector<float> value;
};

inline std::string pickled_csr_file(const SmallCsr& m) {
  const auto size = [](const auto& list) { return std::vector<int64_t>{static_cast<int64_t>(list.size())}; };
  return pickled(pickled_global("scipy.sparse.csr", "csr_matrix") + ")\x81q\1}q\2(" + pickled_string("format") +
                 pickled_string("csr") + pickled_string("_shape") + pickled_int(m.rows) + pickled_int(m.columns) +
                 "\x86" + pickled_string("indptr") + pickled_array(size(m.offset), m.offset) +
                 pickled_string("indices") + pickled_array(size(m.column), m.column) + pickled_string("data") +
                 pickled_array(size(m.value), m.value) + pickled_string("maxprint") + "K\x32" "ub");
}

// As GraphData pickles them with Python 3 into an .npz: an array of one csr_matrix.
inline std::string object_npy(const SmallCsr& matrix, const std::string& descr = "|O") {
  const std::string csr = pickled_csr_file(matrix);
  std::string array = pickled_array(pickled_dtype("O8", "|"), ")", "");
  array.resize(array.size() - 4);  // without the empty string of raw bytes, and the tb that ends the array
  return npy_file(descr, "", "\x80\x03" + array + "]" + csr.substr(2, csr.size() - 3) + "atb.");
}

inline std::string pickled_graph_file(const std::vector<std::pair<int64_t, std::vector<int64_t>>>& lists) {
  std::string text = pickled_global("collections", "defaultdict") + pickled_global("__builtin__", "list") + "\x85Rq\3(";
  for (const auto& [node, neighbours] : lists) {
    text += pickled_int(node) + "]";
    if (neighbours.size() == 1) {
      text += pickled_int(neighbours[0]) + "a";
    } else if (!neighbours.empty()) {
      text += "(";
      for (const int64_t neighbour : neighbours) text += pickled_int(neighbour);
      text += "e";
    }
  }
  return pickled(text + "u");
}

// Ten nodes, three features, two classes. Nodes 0..5 are in allx, the first two labelled; 6, 7 and 9 are test nodes
// in the order 9, 6, 7; node 8 is in no list, like 15 of Citeseer's. Feature 0 of a node is 1 + its number.
inline std::map<std::string, std::string> small_planetoid() {
  return {{"x", pickled_csr_file({2, 3, {0, 1, 2}, {0, 0}, {1, 2}})},
          {"y", pickled(pickled_array({2, 2}, std::vector<int32_t>{1, 0, 0, 1}))},
          {"allx", pickled_csr_file({6, 3, {0, 1, 2, 3, 4, 6, 7}, {0, 0, 0, 0, 0, 2, 0}, {1, 2, 3, 4, 5, 0.5f, 6}})},
          {"ally", pickled(pickled_array({6, 2}, std::vector<int32_t>{1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1}))},
          {"tx", pickled_csr_file({3, 3, {0, 2, 3, 4}, {0, 1, 0, 0}, {10, 0.25f, 7, 8}})},
          {"ty", pickled(pickled_array({3, 2}, std::vector<int32_t>{0, 1, 1, 0, 1, 0}))},
          {"graph", pickled_graph_file({{0, {1, 1, 2}},
                                        {1, {0}},
                                        {2, {0, 3}},
                                        {3, {2}},
                                        {4, {5}},
                                        {5, {}},
                                        {6, {6, 7}},
                                        {7, {6}},
                                        {8, {}},
                                        {9, {0}}})},
          {"test.index", "9\n6\n7\n"}};
}

}  // namespace geniepath::testing
