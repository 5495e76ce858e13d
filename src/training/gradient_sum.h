// Sums gradients over the processes in buckets, each as soon as backward has completed it, while backward continues.
#pragma once

#include <memory>
#include <vector>

#include "distributed/group.h"
#include "training/adam.h"

namespace geniepath::training {

class GradientSum {
 public:
  // `adam` holds the gradients, and must outlive it.
  GradientSum(distributed::Group& group, const Adam& adam);
  ~GradientSum();
  GradientSum(GradientSum&&) = delete;

  // The next backward pass is the step's last on this process: what it completes is sent.
  void expect_last();
  // Sends the rest, and waits until all gradients are sums.
  void finish();

 private:
  struct Bucket {
    at::Tensor gradient;  // a part of Adam's array
    size_t parameters = 0, missing = 0;
  };
  struct Completed;
  void complete(size_t bucket);
  void send_completed();

  std::unique_ptr<distributed::Group> group_;  // of its own, as hops fetch rows during backward
  std::vector<Bucket> buckets_;  // the last parameters, which backward completes first, are in the first
  std::vector<std::unique_ptr<distributed::Pending>> sent_;
  std::vector<std::shared_ptr<void>> kept_;  // LibTorch's accumulators, to which our hooks are attached
  bool is_last_ = false;
};

}  // namespace geniepath::training
