// Safetensors files with tensors as chosen. A correct file is read completely; a wrong one is an Error, or its tensors
// lie within the file all the same.
#include <ATen/ATen.h>

#include <numeric>

#include "built_safetensors.h"
#include "fuzz_input.h"
#include "io/safetensors.h"

namespace {

using namespace geniepath;

struct Built {
  std::vector<fuzz::BuiltTensor> tensors;
  bool right = true;

  void add(fuzz::Choices& choices) {
    struct Dtype {
      const char* name;
      int64_t size;
    };
    const auto [dtype, size] = choices.of<Dtype>(
        {{"F32", 4}, {"F64", 8}, {"BF16", 2}, {"I64", 8}, {"I32", 4}, {"U8", 1}, {"BOOL", 1}, {"", 1}});
    fuzz::BuiltTensor tensor{std::string(1, static_cast<char>('a' + tensors.size())), dtype, {}, ""};
    right &= tensors.size() < 26 && std::string_view(dtype).size() > 1 && std::string_view(dtype) != "BOOL";
    int64_t elements = 1;
    for (uint64_t dimensions = choices.below(4); dimensions > 0; --dimensions) {
      tensor.shape.push_back(static_cast<int64_t>(choices.below(4)));
      elements *= tensor.shape.back();
    }
    tensor.bytes = choices.bytes(static_cast<size_t>(elements * size));
    if (choices.one_in(8) && !tensor.shape.empty()) lie(tensor.shape[choices.below(tensor.shape.size())], choices);
    if (choices.one_in(8)) lie(tensor.begin_off, choices);
    if (choices.one_in(8)) lie(tensor.end_off, choices);
    tensors.push_back(std::move(tensor));
  }

  void lie(int64_t& value, fuzz::Choices& choices) {
    value = choices.number();
    right = false;
  }
};

// Reads every byte, so that one outside the mapping is noticed.
double sum_of(const at::Tensor& tensor) {
  const auto* bytes = static_cast<const uint8_t*>(tensor.data_ptr());
  return std::accumulate(bytes, bytes + tensor.nbytes(), 0.0);
}

}  // namespace

FUZZ_TARGET(safetensors_built)(const uint8_t* data, size_t size) {
  fuzz::Choices choices(data, size);
  Built built;
  nlohmann::ordered_json metadata = nlohmann::ordered_json::object();
  while (!choices.done()) {
    if (choices.one_in(4)) {
      metadata[choices.bytes(choices.below(4))] = choices.bytes(choices.below(8));
    } else {
      built.add(choices);
    }
  }
  const fuzz::InputFile file(fuzz::built_safetensors(built.tensors, metadata));
  fuzz::only_errors([&] {
    for (const auto& [_, tensor] : read_safetensors(file.path()).tensors)
      fuzz::expect(sum_of(tensor) >= 0, "a sum of bytes");
  });
  fuzz::expect(fuzz::refusal.empty() || !built.right, "a file without fault was refused");
  return 0;
}
