#include "io/torch_file.h"

#include <ATen/ATen.h>

#include <cstring>

#include "io/pickle.h"

namespace geniepath {
namespace {

using Kind = PickleValue::Kind;

constexpr const char* kPickle = "/data.pkl";

struct StorageType {
  std::string_view global;
  at::ScalarType type;
};
constexpr StorageType kStorageTypes[] = {{"torch\nFloatStorage", at::kFloat},
                                         {"torch\nDoubleStorage", at::kDouble},
                                         {"torch\nLongStorage", at::kLong}};

// The prefix of the one member that ends with "/data.pkl".
std::string archive_name(const ZipFile& file) {
  for (const auto& [name, _] : file.members()) {
    if (name.ends_with(kPickle)) return name.substr(0, name.size() - std::strlen(kPickle));
  }
  fail(file.where(), ": no member data.pkl, so not written by torch.save");
}

class TensorReader {
 public:
  TensorReader(const ZipFile& file, const Pickle& pickle, std::string name)
      : file_(file), pickle_(pickle), name_(std::move(name)) {}

  at::Tensor tensor(const PickleValue& value) const {
    const auto parts = pickle_.items(value, Kind::kObject, "a tensor");
    if (parts[0]->text != "torch._utils\n_rebuild_tensor_v2") pickle_.complain(value, "expected a tensor");
    const auto arguments = pickle_.tuple(*parts[1], 6, "a tensor's arguments");
    const at::Tensor elements = storage(*arguments[0]);
    const std::vector<int64_t> sizes = integers(*arguments[2]), strides = integers(*arguments[3]);
    const int64_t first = pickle_.integer(*arguments[1], "an offset");
    check_within(value, first, sizes, strides, elements.numel());
    return elements.as_strided(sizes, strides, first).contiguous();
  }

 private:
  at::Tensor storage(const PickleValue& value) const {
    const auto id = pickle_.items(value, Kind::kPersistent, "a storage");
    const auto parts = pickle_.tuple(*id[0], 5, "a storage's id");
    const std::string key(pickle_.bytes(*parts[2], "a storage's key"));
    const int64_t count = pickle_.integer(*parts[4], "a storage's size");
    for (const StorageType& known : kStorageTypes) {
      if (parts[1]->kind != Kind::kGlobal || parts[1]->text != known.global) continue;
      const ZipFile::Content content = file_.read(name_ + "/data/" + key);
      const auto width = static_cast<int64_t>(c10::elementSize(known.type));
      if (count < 0 || static_cast<int64_t>(content.bytes.size()) % width != 0 ||
          static_cast<int64_t>(content.bytes.size()) / width != count) {
        pickle_.complain(value, "a storage of ", count, " elements, but its member has ", content.bytes.size(),
                         " bytes");
      }
      at::Tensor elements = at::empty({count}, known.type);
      if (count > 0) std::memcpy(elements.data_ptr(), content.bytes.data(), content.bytes.size());
      return elements;
    }
    pickle_.complain(value, "expected a storage of float, double or long");
  }

  std::vector<int64_t> integers(const PickleValue& value) const {
    std::vector<int64_t> numbers;
    for (const PickleValue* item : pickle_.items(value, Kind::kTuple, "sizes or strides")) {
      numbers.push_back(pickle_.integer(*item, "a size or stride"));
    }
    return numbers;
  }

  // Checks that every element lies within the storage and that the tensor is no larger than it.
  void check_within(const PickleValue& value, int64_t first, const std::vector<int64_t>& sizes,
                    const std::vector<int64_t>& strides, int64_t elements) const {
    bool good = first >= 0 && sizes.size() == strides.size();
    int64_t last = first, count = 1;
    for (size_t d = 0; good && d < sizes.size(); ++d) {
      int64_t reach = 0;
      good = sizes[d] >= 0 && strides[d] >= 0 && !__builtin_mul_overflow(sizes[d] - 1, strides[d], &reach) &&
             !__builtin_add_overflow(last, reach, &last) && !__builtin_mul_overflow(count, sizes[d], &count);
    }
    if (!good || count > elements || (count > 0 && last >= elements)) {
      pickle_.complain(value, "a tensor that reaches beyond its storage of ", elements, " elements");
    }
  }

  const ZipFile& file_;
  const Pickle& pickle_;
  std::string name_;
};

}  // namespace

std::map<std::string, at::Tensor> read_torch_data(const ZipFile& file) {
  const std::string name = archive_name(file);
  const ZipFile::Content content = file.read(name + kPickle);
  const Pickle pickle(content.bytes, file.where() + ": " + name + kPickle);
  const PickleValue& state = pickle.call(pickle.root(), "torch_geometric.data.data\nData", "the file").state;
  const PickleValue& store =
      pickle.call(pickle.entry(state, "_store"), "torch_geometric.data.storage\nGlobalStorage", "_store").state;
  const TensorReader reader(file, pickle, name);
  const auto mapping = pickle.items(pickle.entry(store, "_mapping"), Kind::kDict, "_mapping");
  std::map<std::string, at::Tensor> tensors;
  for (size_t i = 0; i + 1 < mapping.size(); i += 2) {
    tensors[std::string(pickle.bytes(*mapping[i], "a name"))] = reader.tensor(*mapping[i + 1]);
  }
  return tensors;
}

}  // namespace geniepath
