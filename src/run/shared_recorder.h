// Recording by several processes: the first writes the run's folder, and the others begin with its state.
#pragma once

#include <memory>

#include "distributed/group.h"
#include "training/train_loop.h"

namespace geniepath::run {

class SharedRecorder final : public training::Recorder {
 public:
  // `first`: the recorder of the first process; null in the others.
  SharedRecorder(std::unique_ptr<training::Recorder> first, distributed::Group& group)
      : first_(std::move(first)), group_(group) {}

  void begin(training::Training& training) override;
  void add(const EpochRecord& record) override;
  void save(const training::Training& training) override;
  void save_best(const training::Training& training) override;
  std::string place() const override { return first_ ? first_->place() : ""; }

 private:
  std::unique_ptr<training::Recorder> first_;
  distributed::Group& group_;
};

// The file of the first process, in all of them.
TensorFile of_first(TensorFile file, distributed::Group& group);

}  // namespace geniepath::run
