// Collective operations by LibTorch's engines.
#include <ATen/ATen.h>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string_view>

#include "distributed/c10d/engine.h"
#include "distributed/c10d/meeting.h"
#include "distributed/local_exchange.h"

namespace geniepath::distributed {
namespace {

// The operands of an operation under way; LibTorch 1.13 keeps references to the counts.
struct Operands {
  at::Tensor staged, x;  // the result arrives in `staged` and, if that is another tensor, is then copied to `x`
  at::Tensor sent = {};
  std::vector<int64_t> output = {}, input = {};
};

class EnginePending final : public Pending {
 public:
  EnginePending(c10::intrusive_ptr<c10d::Work> work, std::unique_ptr<Operands> operands,
                std::shared_ptr<const Meeting> meeting)
      : work_(std::move(work)), operands_(std::move(operands)), meeting_(std::move(meeting)) {}
  // After an error the operation may still be running, so its operands are kept alive.
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

// An exchange through shared memory, and the action that completes it.
class LocalPending final : public Pending {
 public:
  LocalPending(std::shared_ptr<LocalExchange> local, std::shared_ptr<LocalExchange::Exchange> exchange,
               std::shared_ptr<const Meeting> meeting, std::function<void()> finish = {})
      : local_(std::move(local)), exchange_(std::move(exchange)), meeting_(std::move(meeting)),
        finish_(std::move(finish)) {}

  void wait() override {
    const auto end = Clock::now() + meeting_->timeout - naming_time(meeting_->timeout);
    auto next_look = Clock::now() + kBeat / 4;
    for (int64_t tries = 0; !local_->is_complete(*exchange_); ++tries) {
      rest(tries);
      const auto now = Clock::now();
      if (now < next_look) continue;
      next_look = now + kBeat / 4;
      look_for_trouble(now > end);
    }
    if (finish_) finish_();
  }

 private:
  // The other processes need the processor as well; after a second or so, they are busy with more than a step.
  static void rest(int64_t tries) {
    constexpr int64_t kAtOnce = 50, kSoon = 20'000;
    if (tries < kAtOnce) return std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::microseconds(tries < kSoon ? 20 : 1000));
  }

  void look_for_trouble(bool late) const {
    meeting_->throw_what_was_heard();
    const int64_t ended = local_->ended();
    if (ended >= 0 && !local_->is_complete(*exchange_)) meeting_->explain("rank " + std::to_string(ended) + " ended");
    if (late) meeting_->explain("no answer");
  }

  std::shared_ptr<LocalExchange> local_;
  std::shared_ptr<LocalExchange::Exchange> exchange_;
  std::shared_ptr<const Meeting> meeting_;
  std::function<void()> finish_;
};

// Tensors in memory go through Gloo, those on GPUs through NCCL where every process has a GPU to itself. Of the two
// engines one may be missing: the other then takes all tensors. Between processes of one machine, rows and sums of
// tensors in memory go through memory that they share.
class EngineGroup final : public Group {
 public:
  EngineGroup(std::shared_ptr<Meeting> meeting, int number) : meeting_(std::move(meeting)) {
    const Place& place = meeting_->place;
    const Milliseconds timeout = meeting_->timeout - naming_time(meeting_->timeout);
    const auto store =
        c10::make_intrusive<c10d::PrefixStore>("group/" + std::to_string(number), meeting_->board->store());
    store->setTimeout(timeout);
    gloo_ = make_gloo(store, place, timeout);
    if (do_all(*store, "can_use_nccl", can_use_nccl(place)))
      nccl_ = make_nccl(c10::make_intrusive<c10d::PrefixStore>("nccl", store), place, timeout);
    local_ = make_local(*store);
    if (!gloo_ && !nccl_) {
      fail(
          "several processes: this geniepath was built without Gloo's headers (install libgloo-dev, or give their "
          "folder, -DGLOO_INCLUDE_DIR, and build it again), and NCCL needs a GPU for each of them");
    }
  }

  // After a failure, operations under way may take the rest of their timeout: the engines are not waited for.
  ~EngineGroup() override {
    if (!meeting_->failed) return;
    gloo_.release();
    nccl_.release();
  }

  int64_t rank() const override { return meeting_->place.rank; }
  int64_t size() const override { return meeting_->place.size; }

  std::unique_ptr<Group> another() override { return meeting_->make_group(); }

  std::unique_ptr<Pending> start_sum(at::Tensor x) override {
    if (local_ && x.is_cpu() && x.nbytes() <= kMostSummedLocally) return start_local_sum(std::move(x));
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
    for (int64_t r = 0; r < size(); ++r)
      rows.push_back(output[0][static_cast<size_t>(r)].narrow(0, 0, counts[r].item<int64_t>()));
    return at::cat(rows).to(x.device());
  }

  void copy_from_first(at::Tensor x) override {
    if (x.numel() == 0) return;
    std::vector<at::Tensor> tensors{staged(x.contiguous())};
    started({tensors[0], std::move(x)}, [&](Engine& engine, Operands&) { return engine.broadcast(tensors); })->wait();
  }

  std::unique_ptr<Pending> start_exchange(at::Tensor x, at::Tensor received, const std::vector<int64_t>& to,
                                          const std::vector<int64_t>& from) override {
    if (local_ && x.is_cpu() && received.is_cpu()) {
      return std::make_unique<LocalPending>(local_, local_->start(std::move(x), std::move(received), to, from),
                                            meeting_);
    }
    at::Tensor sent = staged(x), arriving = staged(received);
    return started(
        {std::move(arriving), std::move(received), std::move(sent), from, to},
        [](Engine& engine, Operands& o) { return engine.alltoall_base(o.staged, o.sent, o.output, o.input); });
  }

 private:
  // The text of each process, exchanged through the store.
  std::vector<std::string> said_by_all(c10d::Store& store, const std::string& key, const std::string& own) const {
    const auto key_of = [&](int64_t r) { return key + "/" + std::to_string(r); };
    store.set(key_of(rank()), std::vector<uint8_t>(own.begin(), own.end()));
    std::vector<std::string> texts;
    for (int64_t r = 0; r < size(); ++r) {
      const std::vector<uint8_t> text = store.get(key_of(r));
      texts.emplace_back(text.begin(), text.end());
    }
    return texts;
  }
  bool do_all(c10d::Store& store, const std::string& key, bool own) const {
    return std::ranges::count(said_by_all(store, key, own ? "yes" : "no"), "yes") == size();
  }

  // Each process gets all tensors and adds them in order.
  std::unique_ptr<Pending> start_local_sum(at::Tensor x) const {
    std::vector<int64_t> shape{size()};
    shape.insert(shape.end(), x.sizes().begin(), x.sizes().end());
    const at::Tensor copies = x.unsqueeze(0).expand(shape).contiguous(), received = at::empty(shape, x.options());
    const std::vector<int64_t> one_each(static_cast<size_t>(size()), 1);
    return std::make_unique<LocalPending>(local_, local_->start(copies, received, one_each, one_each), meeting_,
                                          [x, received] {
                                            x.copy_(received[0]);
                                            for (int64_t r = 1; r < received.size(0); ++r) x.add_(received[r]);
                                          });
  }

  // None unless every process can use it.
  std::shared_ptr<LocalExchange> make_local(c10d::Store& store) const {
    if (meeting_->place.local_size != size()) return nullptr;
    const auto local = std::make_shared<LocalExchange>(rank(), size());
    const char* wanted = std::getenv("GENIEPATH_SHARED_MEMORY");
    const bool off = wanted != nullptr && std::string_view(wanted) == "off";
    const bool opened = local->open(said_by_all(store, "mailboxes", off ? "" : local->addresses()));
    return do_all(store, "uses_mailboxes", opened) ? local : nullptr;
  }

  Engine& engine_of(const at::Tensor& staged) const {
    return staged.is_cuda() && nccl_ ? *nccl_ : gloo_ ? *gloo_ : *nccl_;
  }

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
  static constexpr size_t kMostSummedLocally =
      16 << 20;  // bytes; a connection has them summed by a ring, with fewer copies

  SharedEngine gloo_, nccl_;
  std::shared_ptr<LocalExchange> local_;
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
