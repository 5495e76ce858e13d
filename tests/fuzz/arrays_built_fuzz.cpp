// Graphs as NumPy arrays in an .npz with valid checksums, and lengths, types and entries as chosen.
#include "data/formats/csr_arrays.h"
#include "fuzz_input.h"
#include "io/numpy_writer.h"
#include "io/zip_writer.h"

namespace {

using namespace geniepath;

class Archive {
 public:
  explicit Archive(fuzz::Choices& choices) : choices_(choices), nodes_(1 + choices.below(6)) {}

  std::string file() {
    const uint64_t entries = rows("adj");
    if (choices_.one_in(4)) add("adj_data", entries, 2);
    if (choices_.one_in(2)) {
      add("attr_data", rows("attr"), 4);
      if (choices_.one_in(2)) add("attr_shape", 2, 8);
    } else {
      add("attr", nodes_ * 2, 4, std::to_string(nodes_) + ", 2");
    }
    add(std::string(choices_.text({"label", "labels", "node_label"})), nodes_, 3);
    return testing::zip_file(members_);
  }

 private:
  // Ascending offsets and their entries; returns the number of entries.
  uint64_t rows(const std::string& name) {
    std::vector<int64_t> offset{0};
    for (uint64_t r = 0; r < nodes_; ++r) offset.push_back(offset.back() + static_cast<int64_t>(choices_.below(3)));
    const auto entries = static_cast<uint64_t>(offset.back());
    if (choices_.one_in(8)) offset[choices_.below(offset.size())] = choices_.number();
    put(name + "_indptr", "<i8", std::to_string(offset.size()) + ",", testing::raw(offset));
    add(name + "_indices", entries, nodes_);
    return entries;
  }

  void add(const std::string& name, uint64_t count, uint64_t limit, const std::string& shape = "") {
    struct Kind {
      const char* descr;
      size_t size;
    };
    const auto [descr, size] =
        choices_.of<Kind>({{"<i4", 4}, {"<i8", 8}, {"<f4", 4}, {"<u2", 2}, {"|b1", 1}, {"<f8", 8}, {"|i1", 1}});
    std::string bytes;
    for (uint64_t n = 0; n < count; ++n) {
      const int64_t value = choices_.one_in(16) ? choices_.number() : static_cast<int64_t>(choices_.below(limit));
      const std::string_view kind(descr);
      bytes += (kind == "<f4"   ? testing::raw(static_cast<float>(value))
                : kind == "<f8" ? testing::raw(static_cast<double>(value))
                                : testing::raw(value).substr(0, size));
    }
    const uint64_t said = choices_.one_in(16) ? static_cast<uint64_t>(choices_.number()) : count;
    put(name, descr, shape.empty() ? std::to_string(said) + "," : shape, bytes);
  }

  void put(const std::string& name, const char* descr, const std::string& shape, const std::string& bytes) {
    if (choices_.one_in(32)) return;
    const std::string array = testing::npy_file(descr, shape, bytes, 1, choices_.one_in(8));
    members_.push_back(choices_.one_in(4) ? testing::deflated(name + ".npy", array)
                                          : testing::stored(name + ".npy", array));
  }

  fuzz::Choices& choices_;
  uint64_t nodes_;
  std::vector<testing::ZipMember> members_;
};

}  // namespace

FUZZ_TARGET(arrays_built)(const uint8_t* data, size_t size) {
  fuzz::Choices choices(data, size);
  const fuzz::InputFile file(Archive(choices).file());
  return fuzz::only_errors([&] { load_csr_arrays(file.path(), "input").validate(); });
}
