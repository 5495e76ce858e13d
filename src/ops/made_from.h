// Graphs and matrices that registered operators make of tensors from outside, on each device. Found again for as long
// as the tensors live unchanged; of those in use, the last kMadeFrom are kept. A change is seen by the tensor's version,
// which writing through `x.data` or NumPy leaves as it is: whatever is made must be checked on memory of its own. Only
// a graph of thirteen tensors on a GPU is used where it lies, since CUDA graphs record addresses.
#pragma once

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace geniepath::ops {

constexpr size_t kMadeFrom = 32;

// Tensors made in inference mode have no version.
inline bool have_versions(at::TensorList tensors) {
  return std::none_of(tensors.begin(), tensors.end(), [](const at::Tensor& x) { return x.is_inference(); });
}

// A tensor with a version, by both, without keeping its memory. resize_ leaves the version as it is.
struct Identity {
  explicit Identity(const at::Tensor& x)
      : tensor(x.getIntrusivePtr()), version(version_of(x)), memory(memory_of(x)), sizes(x.sizes().vec()) {}

  bool is(const at::Tensor& x) const {
    return tensor._unsafe_get_target() == x.unsafeGetTensorImpl() && !tensor.expired() && version == version_of(x) &&
           memory == memory_of(x) && x.sizes() == at::IntArrayRef(sizes);
  }

  static int64_t version_of(const at::Tensor& x) { return static_cast<int64_t>(x._version()); }
  static const void* memory_of(const at::Tensor& x) { return x.has_storage() ? x.data_ptr() : nullptr; }

  c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl> tensor;
  int64_t version;
  const void* memory;
  std::vector<int64_t> sizes;
};

// T: GraphTensors or SparseTensors. Safe to call from any thread.
template <class T>
class MadeFrom {
 public:
  // The result of make() for the tensors and `size`, made on the CPU and moved to the device of `like`: once, or anew at
  // every call where a change of the tensors would not be seen.
  template <class Make>
  T find(at::TensorList given, int64_t size, const at::Tensor& like, Make make) {
    if (!have_versions(given)) return make().to(like.device());
    const std::lock_guard lock(mutex_);
    Known& known = of(given, size, make);
    if (!like.is_cuda()) return known.on_cpu;
    const auto [place, is_new] = known.on_gpu.try_emplace(like.device().str());
    if (is_new) place->second = known.on_cpu.to(like.device());
    return place->second;
  }

 private:
  struct Known {
    std::vector<Identity> tensors;
    int64_t size;
    T on_cpu;
    std::map<std::string, T> on_gpu{};

    bool is(at::TensorList given, int64_t given_size) const {
      return size == given_size && std::equal(tensors.begin(), tensors.end(), given.begin(), given.end(),
                                              [](const Identity& one, const at::Tensor& x) { return one.is(x); });
    }
    bool expired() const {
      return std::any_of(tensors.begin(), tensors.end(), [](const Identity& one) { return one.tensor.expired(); });
    }
  };

  template <class Make>
  Known& of(at::TensorList given, int64_t size, Make make) {
    const auto found =
        std::find_if(known_.begin(), known_.end(), [&](const Known& one) { return one.is(given, size); });
    if (found != known_.end()) {
      known_.splice(known_.begin(), known_, found);
      return known_.front();
    }
    known_.remove_if([](const Known& one) { return one.expired(); });
    known_.push_front({std::vector<Identity>(given.begin(), given.end()), size, make()});
    if (known_.size() > kMadeFrom) known_.pop_back();
    return known_.front();
  }

  std::mutex mutex_;
  std::list<Known> known_;  // the latest first
};

}  // namespace geniepath::ops
