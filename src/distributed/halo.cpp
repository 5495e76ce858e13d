#include "distributed/halo.h"

#include <ATen/ATen.h>
#include <ATen/Dispatch.h>

#include <algorithm>
#include <numeric>

namespace geniepath::distributed {
namespace {

std::vector<int64_t> numbers_of(const at::Tensor& x) { return {x.data_ptr<int64_t>(), x.data_ptr<int64_t>() + x.numel()}; }

// to[rows[n]] += from[n], in this order.
void add_rows_in_memory(at::Tensor& to, const at::Tensor& from, const at::Tensor& rows) {
  const auto* row = rows.data_ptr<int64_t>();
  const int64_t width = to.size(1);
  AT_DISPATCH_FLOATING_TYPES(to.scalar_type(), "halo", [&] {
    auto* sums = to.data_ptr<scalar_t>();
    const auto* values = from.data_ptr<scalar_t>();
    for (int64_t n = 0; n < rows.numel(); ++n) {
      for (int64_t k = 0; k < width; ++k) sums[row[n] * width + k] += values[n * width + k];
    }
  });
}

}  // namespace

Halo::Halo(Group& group, std::span<const int32_t> own, std::span<const int32_t> wanted, std::span<const int32_t> owner)
    : group_(group), own_nodes_(std::ssize(own)), halo_nodes_(std::ssize(wanted)), from_(static_cast<size_t>(group.size()), 0) {
  for (const int32_t rank : owner) ++from_[static_cast<size_t>(rank)];
  const std::vector<int64_t> one_each(from_.size(), 1);
  to_ = numbers_of(group.exchange(at::tensor(from_, at::kLong), one_each, one_each));
  const at::Tensor requests = at::empty({halo_nodes_}, at::kInt);
  std::copy(wanted.begin(), wanted.end(), requests.data_ptr<int32_t>());
  const at::Tensor asked = group.exchange(requests, from_, to_);
  sent_rows_ = at::empty({asked.numel()}, at::kLong);
  for (int64_t n = 0; n < asked.numel(); ++n) {
    const int32_t node = asked.data_ptr<int32_t>()[n];
    const auto place = std::lower_bound(own.begin(), own.end(), node);
    if (place == own.end() || *place != node) fail("another process reads node ", node, " of rank ", group.rank(), ", which does not own it");
    sent_rows_.data_ptr<int64_t>()[n] = place - own.begin();
  }
}

at::Tensor Halo::fetch(const at::Tensor& h) const {
  return at::cat({h, group_.exchange(h.index_select(0, sent_rows_), to_, from_)});
}

Halo Halo::to(at::Device device) const {
  Halo copy = *this;
  copy.sent_rows_ = sent_rows_.to(device);
  return copy;
}

at::Tensor Halo::send_back(const at::Tensor& grad) const {
  const at::Tensor received = group_.exchange(grad.narrow(0, own_nodes_, halo_nodes_), from_, to_);
  at::Tensor own = grad.narrow(0, 0, own_nodes_).clone(at::MemoryFormat::Contiguous);
  if (own.is_cpu()) {
    add_rows_in_memory(own, received, sent_rows_);
    return own;
  }
  // One reader after the other: none reads a row twice, so that the order of additions is given.
  int64_t begin = 0;
  for (const int64_t rows : to_) {
    own.index_add_(0, sent_rows_.narrow(0, begin, rows), received.narrow(0, begin, rows));
    begin += rows;
  }
  return own;
}

}  // namespace geniepath::distributed
