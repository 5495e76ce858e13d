// The processes that train one model together, as collective operations. A process alone is a group of one, for which
// they all do nothing. Every process must call the same operations in the same order. If another process fails, they
// throw a LostProcess.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "geniepath/error.h"

namespace geniepath::distributed {

// Another process of the group failed, was killed or stopped, or never came. The message names its rank.
class LostProcess : public Error {
 public:
  using Error::Error;
};

// A collective operation under way.
class Pending {
 public:
  virtual ~Pending() = default;
  virtual void wait() = 0;
};

class Group {
 public:
  virtual ~Group() = default;

  virtual int64_t rank() const { return 0; }
  virtual int64_t size() const { return 1; }
  bool is_alone() const { return size() == 1; }
  bool is_first() const { return rank() == 0; }

  // x becomes its sum over the processes: the same bits in each of them, and from run to run.
  virtual std::unique_ptr<Pending> start_sum(at::Tensor x);
  void sum(at::Tensor x) { start_sum(std::move(x))->wait(); }
  double sum(double value);
  bool any(bool value) { return sum(value ? 1.0 : 0.0) > 0; }

  // Rows of all processes, in order of their ranks. x: [n, ...], where n may differ between processes.
  virtual at::Tensor all_rows(const at::Tensor& x) { return x; }
  std::vector<std::string> all_texts(const std::string& text);

  // x becomes that of the first process.
  virtual void copy_from_first(at::Tensor /*x*/) {}
  std::string text_of_first(std::string text);
  double number_of_first(double value);

  // A group of the same processes, whose operations are independent of this one's.
  virtual std::unique_ptr<Group> another() { return std::make_unique<Group>(); }

  // Sends the next to[r] rows of x to process r, for all r in order, and receives from[r] rows of each, in order, in
  // `received`. Both are contiguous; `received` is complete, and x may be changed, after waiting.
  virtual std::unique_ptr<Pending> start_exchange(at::Tensor x, at::Tensor received, const std::vector<int64_t>& to,
                                                  const std::vector<int64_t>& from);
  at::Tensor exchange(const at::Tensor& x, const std::vector<int64_t>& to, const std::vector<int64_t>& from);
};

// The group of a process that is alone.
Group& alone();

}  // namespace geniepath::distributed
