#include "data/fingerprint.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cstring>
#include <iomanip>
#include <vector>

#include "base/random.h"
#include "base/text_stream.h"

namespace geniepath {
namespace {

class Digest {
 public:
  void word(uint64_t word) { state_ = mix_bits(state_ + 0x9e3779b97f4a7c15ULL + word) + word; }

  template <class T>
  void array(std::span<const T> values) {
    word(values.size());
    const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
    for (size_t at = 0; at < values.size_bytes(); at += sizeof(uint64_t)) {
      uint64_t next = 0;
      std::memcpy(&next, bytes + at, std::min(sizeof next, values.size_bytes() - at));
      word(next);
    }
  }

  template <class T>
  void tensor(const at::Tensor& tensor) {
    const at::Tensor whole = tensor.contiguous();
    for (const int64_t size : whole.sizes()) word(static_cast<uint64_t>(size));
    array(std::span<const T>(whole.data_ptr<T>(), static_cast<size_t>(whole.numel())));
  }

  std::string hex() const {
    TextStream text;
    text << std::hex << std::setw(16) << std::setfill('0') << state_;
    return text.str();
  }

 private:
  uint64_t state_ = 0;
};

// Without the zeros that are stored.
SparseMatrix nonzeros_of(const SparseMatrix& x) {
  std::vector<int64_t> offset{0};
  std::vector<int32_t> column;
  std::vector<float> value;
  for (int64_t r = 0; r < x.rows; ++r) {
    for (int64_t at = x.offset[r]; at < x.offset[r + 1]; ++at) {
      if (x.value[at] != 0) column.push_back(x.column[at]), value.push_back(x.value[at]);
    }
    offset.push_back(std::ssize(value));
  }
  return {x.rows, x.columns, std::move(offset), std::move(column), std::move(value)};
}

void add_features(Digest& digest, const Features& features) {
  digest.word(static_cast<uint64_t>(features.num_features()));
  if (!features.is_sparse()) return digest.tensor<float>(features.dense());
  const auto values = features.sparse().value.span();
  const bool has_zeros = std::ranges::find(values, 0.0f) != values.end();
  const SparseMatrix x = has_zeros ? nonzeros_of(features.sparse()) : features.sparse();
  digest.array(x.offset.span());
  digest.array(x.column.span());
  digest.array(x.value.span());
}

}  // namespace

std::string fingerprint(const Dataset& data) {
  Digest digest;
  digest.array(data.graph.incoming().offset.span());
  digest.array(data.graph.incoming().neighbour.span());
  digest.array(std::span<const NodeId>(data.graph.part_begins()));
  add_features(digest, data.features);
  digest.word(static_cast<uint64_t>(data.task));
  digest.word(static_cast<uint64_t>(data.num_classes));
  if (data.task == Task::kMultiLabel) {
    digest.tensor<float>(data.labels);
  } else {
    digest.tensor<int64_t>(data.labels);
  }
  for (const auto* split : {&data.train, &data.valid, &data.test}) digest.array(std::span<const NodeId>(*split));
  return digest.hex();
}

}  // namespace geniepath
