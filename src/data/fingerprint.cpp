#include "data/fingerprint.h"

#include <ATen/ATen.h>

#include <cstring>
#include <iomanip>

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

void add_features(Digest& digest, const Features& features) {
  digest.word(static_cast<uint64_t>(features.num_features()));
  if (!features.is_sparse()) return digest.tensor<float>(features.dense());
  digest.array(features.sparse().offset.span());
  digest.array(features.sparse().column.span());
  digest.array(features.sparse().value.span());
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
