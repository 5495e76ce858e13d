// Files of torch.save with valid checksums: tensors with sizes, strides and storages as chosen.
#include <ATen/ATen.h>

#include "fuzz_input.h"
#include "io/torch_file.h"
#include "io/torch_writer.h"

namespace {

using namespace geniepath;

std::vector<int64_t> numbers(fuzz::Choices& choices, uint64_t count) {
  std::vector<int64_t> values;
  while (count-- > 0) values.push_back(choices.one_in(8) ? choices.number() : static_cast<int64_t>(choices.below(4)));
  return values;
}

std::string build(fuzz::Choices& choices) {
  std::vector<testing::SmallTensor> tensors;
  std::vector<testing::ZipMember> members;
  for (uint64_t count = choices.below(4); tensors.size() < count;) {
    const uint64_t dimensions = choices.below(4), elements = choices.below(20);
    const std::string name(choices.text({"x", "y", "edge_index", "z"})), key = std::to_string(tensors.size());
    const std::string storage(choices.text({"FloatStorage", "LongStorage", "DoubleStorage", "IntStorage"}));
    tensors.push_back({name, storage, choices.one_in(8) ? choices.number() : static_cast<int64_t>(elements),
                       choices.one_in(4) ? choices.number() : 0, numbers(choices, dimensions),
                       numbers(choices, choices.one_in(16) ? choices.below(4) : dimensions)});
    members.push_back(
        testing::stored("archive/data/" + key, choices.bytes(elements * (storage == "FloatStorage" ? 4 : 8))));
  }
  std::string pickle = testing::data_pickle(tensors);
  if (choices.one_in(4)) pickle[choices.below(pickle.size())] = choices.bytes(1)[0];
  members.push_back(testing::stored("archive/data.pkl", pickle));
  return testing::zip_file(members);
}

}  // namespace

FUZZ_TARGET(torch_built)(const uint8_t* data, size_t size) {
  fuzz::Choices choices(data, size);
  const std::string file = build(choices);
  return fuzz::only_errors([&] {
    const auto bytes = fuzz::bytes_of(reinterpret_cast<const uint8_t*>(file.data()), file.size());
    for (const auto& [_, tensor] : read_torch_data(ZipFile::parse(bytes, "input")))
      tensor.to(at::kDouble).sum().item<double>();
  });
}
