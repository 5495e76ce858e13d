// A graph divided among processes: each owns some nodes with all edges into them, and reads nodes that others own, its
// halo. Their values are fetched before a hop reads them, and gradients with respect to them are sent back.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "distributed/group.h"

namespace geniepath::distributed {

class Halo {
 public:
  // own: numbers of this process's nodes, in any order; wanted: those of its halo, in order of their owners. All
  // processes of the group must construct theirs together. The group must outlive it. A node that its owner does not
  // have is an Error.
  Halo(Group& group, std::span<const int32_t> own, std::span<const int32_t> wanted, std::span<const int32_t> owner);

  int64_t own_nodes() const { return own_nodes_; }
  int64_t halo_nodes() const { return halo_nodes_; }

  // The same, for values on another device.
  Halo to(at::Device device) const;

  // h [own, K] -> rows [halo, K], contiguous, complete after waiting.
  std::unique_ptr<Pending> start_fetch(const at::Tensor& h, at::Tensor rows) const;
  at::Tensor fetch(const at::Tensor& h) const;  // [own + halo, K]: h with these rows below

  // The transpose. Gradients of others' rows [halo, K], contiguous, travel to their owners; finish() adds those that
  // arrive here to `own` [own, K], contiguous: the sum over all processes that read a row.
  class Returning {
   public:
    void finish(at::Tensor& own);

   private:
    friend class Halo;
    std::unique_ptr<Pending> pending_;
    at::Tensor received_, rows_;
    std::span<const int64_t> counts_;  // rows per reader, of the Halo, which outlives it
  };
  Returning start_return(const at::Tensor& grad) const;
  at::Tensor send_back(const at::Tensor& grad) const;  // [own + halo, K] -> [own, K]

 private:
  Group& group_;
  int64_t own_nodes_, halo_nodes_;
  std::vector<int64_t> to_, from_;  // rows per process
  at::Tensor sent_rows_;            // int64: the rows that others read, in order of the readers
};

}  // namespace geniepath::distributed
