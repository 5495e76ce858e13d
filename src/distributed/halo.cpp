#include "distributed/halo.h"

#include <ATen/ATen.h>
#include <ATen/Dispatch.h>

#include <algorithm>
#include <numeric>

namespace geniepath::distributed {
namespace {

std::vector<int64_t> numbers_of(const at::Tensor& x) {
  return {x.data_ptr<int64_t>(), x.data_ptr<int64_t>() + x.numel()};
}

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

// The same on any device, one reader's rows after another's: no reader has a row twice, so the order of additions is
// fixed.
void add_rows(at::Tensor& to, const at::Tensor& from, const at::Tensor& rows, std::span<const int64_t> counts) {
  if (to.is_cpu()) return add_rows_in_memory(to, from, rows);
  int64_t begin = 0;
  for (const int64_t count : counts) {
    to.index_add_(0, rows.narrow(0, begin, count), from.narrow(0, begin, count));
    begin += count;
  }
}

// The position of each node in an unordered list.
class Places {
 public:
  explicit Places(std::span<const int32_t> nodes) {
    for (const int32_t node : nodes) sorted_.emplace_back(node, std::ssize(sorted_));
    std::ranges::sort(sorted_);
  }
  // -1: not in the list.
  int64_t of(int32_t node) const {
    const auto found = std::ranges::lower_bound(sorted_, node, {}, &std::pair<int32_t, int64_t>::first);
    return found == sorted_.end() || found->first != node ? -1 : found->second;
  }

 private:
  std::vector<std::pair<int32_t, int64_t>> sorted_;
};

}  // namespace

Halo::Halo(Group& group, std::span<const int32_t> own, std::span<const int32_t> wanted, std::span<const int32_t> owner)
    : group_(group), own_nodes_(std::ssize(own)), halo_nodes_(std::ssize(wanted)),
      from_(static_cast<size_t>(group.size()), 0) {
  for (const int32_t rank : owner) ++from_[static_cast<size_t>(rank)];
  const std::vector<int64_t> one_each(from_.size(), 1);
  to_ = numbers_of(group.exchange(at::tensor(from_, at::kLong), one_each, one_each));
  const at::Tensor requests = at::empty({halo_nodes_}, at::kInt);
  std::copy(wanted.begin(), wanted.end(), requests.data_ptr<int32_t>());
  const at::Tensor asked = group.exchange(requests, from_, to_);
  sent_rows_ = at::empty({asked.numel()}, at::kLong);
  const Places places(own);
  for (int64_t n = 0; n < asked.numel(); ++n) {
    const int32_t node = asked.data_ptr<int32_t>()[n];
    const int64_t place = places.of(node);
    if (place < 0) fail("another process reads node ", node, " of rank ", group.rank(), ", which does not own it");
    sent_rows_.data_ptr<int64_t>()[n] = place;
  }
}

std::unique_ptr<Pending> Halo::start_fetch(const at::Tensor& h, at::Tensor rows) const {
  return group_.start_exchange(h.index_select(0, sent_rows_), std::move(rows), to_, from_);
}

at::Tensor Halo::fetch(const at::Tensor& h) const {
  const at::Tensor all = at::empty({own_nodes_ + halo_nodes_, h.size(1)}, h.options());
  const auto pending = start_fetch(h, all.narrow(0, own_nodes_, halo_nodes_));
  all.narrow(0, 0, own_nodes_).copy_(h);
  pending->wait();
  return all;
}

Halo::Returning Halo::start_return(const at::Tensor& grad) const {
  Returning returning;
  returning.received_ = at::empty({sent_rows_.numel(), grad.size(1)}, grad.options());
  returning.rows_ = sent_rows_;
  returning.counts_ = to_;
  returning.pending_ = group_.start_exchange(grad, returning.received_, from_, to_);
  return returning;
}

void Halo::Returning::finish(at::Tensor& own) {
  pending_->wait();
  add_rows(own, received_, rows_, counts_);
}

Halo Halo::to(at::Device device) const {
  Halo copy = *this;
  copy.sent_rows_ = sent_rows_.to(device);
  return copy;
}

at::Tensor Halo::send_back(const at::Tensor& grad) const {
  Returning returning = start_return(grad.narrow(0, own_nodes_, halo_nodes_));
  at::Tensor own = grad.narrow(0, 0, own_nodes_).clone(at::MemoryFormat::Contiguous);
  returning.finish(own);
  return own;
}

}  // namespace geniepath::distributed
