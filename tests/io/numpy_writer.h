// .npy and .npz files as NumPy writes them, and malformed ones.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <string>
#include <vector>

namespace geniepath::testing {

template <class Number>
std::string raw(Number value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

template <class Number>
std::string raw(const std::vector<Number>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Number)};
}

inline std::string npy_file(const std::string& dictionary, const std::string& data, int major = 1) {
  const size_t length_bytes = major == 1 ? 2 : 4;
  std::string header = dictionary;
  header.append(63 - (8 + length_bytes + header.size()) % 64, ' ');
  header += '\n';
  const auto length = static_cast<uint32_t>(header.size());
  const std::string version{static_cast<char>(major), '\0'};
  return "\x93NUMPY" + version + raw(length).substr(0, length_bytes) + header + data;
}

inline std::string npy_file(const std::string& descr, const std::string& shape, const std::string& data, int major = 1,
                            bool fortran_order = false) {
  return npy_file("{'descr': '" + descr + "', 'fortran_order': " + (fortran_order ? "True" : "False") +
                      ", 'shape': (" + shape + "), }",
                  data, major);
}

inline std::string npy_file(const at::Tensor& tensor) {
  std::string shape, descr;
  for (const int64_t size : tensor.sizes()) shape += std::to_string(size) + ", ";
  switch (tensor.scalar_type()) {
    case at::kFloat: descr = "<f4"; break;
    case at::kDouble: descr = "<f8"; break;
    case at::kInt: descr = "<i4"; break;
    case at::kLong: descr = "<i8"; break;
    case at::kHalf: descr = "<f2"; break;
    case at::kShort: descr = "<i2"; break;
    case at::kChar: descr = "|i1"; break;
    case at::kByte: descr = "|u1"; break;
    case at::kBool: descr = "|b1"; break;
    default: throw std::invalid_argument("npy_file: dtype");
  }
  const at::Tensor held = tensor.contiguous();
  return npy_file(descr, shape, {static_cast<const char*>(held.data_ptr()), held.nbytes()});
}

template <class Number>
at::Tensor vector(const std::vector<Number>& values) {
  return at::tensor(values, c10::CppTypeToScalarType<Number>::value);
}

}  // namespace geniepath::testing
