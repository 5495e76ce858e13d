// Collective operations by LibTorch's engines.
#include <ATen/ATen.h>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>

#include "distributed/c10d/engine.h"
#include "distributed/c10d/meeting.h"

namespace geniepath::distributed {
namespace {

// What an operation under way refers to; LibTorch 1.13 keeps references to the counts.
struct Operands {
  at::Tensor staged, x;  // the result arrives in `staged` and, if that is another tensor, is then copied to `x`
  at::Tensor sent = {};
  std::vector<int64_t> output = {}, input = {};
};

class EnginePending final : public Pending {
 public:
  EnginePending(c10::intrusive_ptr<c10d::Work> work, std::unique_ptr<Operands> operands, std::shared_ptr<const Meeting> meeting)
      : work_(std::move(work)), operands_(std::move(operands)), meeting_(std::move(meeting)) {}
  // Where nobody waits for it, after an error, it may go on: what it refers to stays.
  ~EnginePending() override {
    if (!work_->isCompleted()) operands_.release();
  }
  void wait() override {
    try {
      work_->wait();
    } catch (const std::exception& error) {
      meeting_->explain(c10::GetExceptionString(error));
    }
    if (!operands_->x.is_same(operands_->staged)) operands_->x.copy_(operands_->staged);
  }

 private:
  c10::intrusive_ptr<c10d::Work> work_;
  std::unique_ptr<Operands> operands_;
  std::shared_ptr<const Meeting> meeting_;
};

// Tensors in memory go through Gloo, those on GPUs through NCCL where every process has a GPU to itself. Of the two
// engines one may be missing: the other then takes all tensors.
class EngineGroup final : public Group {
 public:
  EngineGroup(std::shared_ptr<Meeting> meeting, int number) : meeting_(std::move(meeting)) {
    const Place& place = meeting_->place;
    const Milliseconds timeout = meeting_->timeout - naming_time(meeting_->timeout);
    const auto store = c10::make_intrusive<c10d::PrefixStore>("group/" + std::to_string(number), meeting_->board->store());
    store->setTimeout(timeout);
    gloo_ = make_gloo(store, place, timeout);
    if (all_can_use_nccl(*store)) nccl_ = make_nccl(c10::make_intrusive<c10d::PrefixStore>("nccl", store), place, timeout);
    if (!gloo_ && !nccl_) {
      fail("several processes: this geniepath was built without Gloo's headers (install libgloo-dev, or give their folder, "
           "-DGLOO_INCLUDE_DIR, and build it again), and NCCL needs a GPU for each of them");
    }
  }

  // After a failure, operations under way may take the rest of their timeout: they are left to it.
  ~EngineGroup() override {
    if (!meeting_->failed) return;
    gloo_.release();
    nccl_.release();
  }

  int64_t rank() const override { return meeting_->place.rank; }
  int64_t size() const override { return meeting_->place.size; }

  std::unique_ptr<Group> another() override { return meeting_->make_group(); }

  std::unique_ptr<Pending> start_sum(at::Tensor x) override {
    std::vector<at::Tensor> tensors{staged(x)};
    return started({tensors[0], std::move(x)}, [&](Engine& engine, Operands&) { return engine.allreduce(tensors); });
  }

  at::Tensor all_rows(const at::Tensor& x) override {
    const at::Tensor counts = at::zeros({size()}, at::kLong);
    counts[rank()] = x.size(0);
    sum(counts);
    const int64_t most = counts.max().item<int64_t>();
    auto shape = x.sizes().vec();
    shape[0] = most;
    at::Tensor padded = staged(at::zeros(shape, x.options()));
    padded.narrow(0, 0, x.size(0)).copy_(x);
    std::vector<at::Tensor> input{padded};
    std::vector<std::vector<at::Tensor>> output(1);
    for (int64_t r = 0; r < size(); ++r) output[0].push_back(at::empty(shape, padded.options()));
    if (padded.numel() > 0) {
      started({padded, padded}, [&](Engine& engine, Operands&) { return engine.allgather(output, input); })->wait();
    }
    std::vector<at::Tensor> rows;
    for (int64_t r = 0; r < size(); ++r) rows.push_back(output[0][static_cast<size_t>(r)].narrow(0, 0, counts[r].item<int64_t>()));
    return at::cat(rows).to(x.device());
  }

  void copy_from_first(at::Tensor x) override {
    if (x.numel() == 0) return;
    std::vector<at::Tensor> tensors{staged(x.contiguous())};
    started({tensors[0], std::move(x)}, [&](Engine& engine, Operands&) { return engine.broadcast(tensors); })->wait();
  }

  std::unique_ptr<Pending> start_exchange(at::Tensor x, at::Tensor received, const std::vector<int64_t>& to,
                                          const std::vector<int64_t>& from) override {
    at::Tensor sent = staged(x), arriving = staged(received);
    return started({std::move(arriving), std::move(received), std::move(sent), from, to},
                   [](Engine& engine, Operands& o) { return engine.alltoall_base(o.staged, o.sent, o.output, o.input); });
  }

 private:
  // Agreed on by all, at the store.
  bool all_can_use_nccl(c10d::Store& store) const {
    const auto key = [](int64_t r) { return "can_use_nccl/" + std::to_string(r); };
    store.set(key(rank()), std::vector<uint8_t>{can_use_nccl(meeting_->place)});
    bool all = true;
    for (int64_t r = 0; r < size(); ++r) all = store.get(key(r)).at(0) != 0 && all;
    return all;
  }

  Engine& engine_of(const at::Tensor& staged) const { return staged.is_cuda() && nccl_ ? *nccl_ : gloo_ ? *gloo_ : *nccl_; }

  // x where an engine takes it.
  at::Tensor staged(const at::Tensor& x) const { return gloo_ || x.is_cuda() ? x : x.to(at::Device(at::kCUDA)); }

  template <class Start>
  std::unique_ptr<Pending> started(Operands given, Start start) {
    try {
      auto operands = std::make_unique<Operands>(std::move(given));
      auto work = start(engine_of(operands->staged), *operands);
      return std::make_unique<EnginePending>(std::move(work), std::move(operands), meeting_);
    } catch (const std::exception& error) {
      meeting_->explain(c10::GetExceptionString(error));
    }
  }

  std::shared_ptr<Meeting> meeting_;
  SharedEngine gloo_, nccl_;
};

}  // namespace

std::unique_ptr<Group> Meeting::make_group() {
  const auto made = std::make_shared<std::unique_ptr<Group>>();
  try {
    const auto work = [made, number = groups++, meeting = shared_from_this()] {
      *made = std::make_unique<EngineGroup>(meeting, number);
    };
    if (ends_within(timeout, work)) return std::move(*made);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    explain(c10::GetExceptionString(error));
  }
  explain("no answer");
}

}  // namespace geniepath::distributed
