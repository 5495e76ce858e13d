// The data that a process trains and scores on: all of a data set or, with several processes, a piece of it
// (partition/piece.h).
#pragma once

#include <memory>
#include <vector>

#include "distributed/group.h"
#include "geniepath/dataset.h"
#include "partition/piece.h"
#include "training/batch.h"

namespace geniepath::training {

using distributed::Group;

enum class Split { kTrain, kValid, kTest };

// Its methods are collective: all processes of the group call them together. Data and group must outlive it.
class Share {
 public:
  // All of the data, for a process alone.
  explicit Share(const Dataset& data);
  // A piece for each process of the group, in memory of its own; the first one decides who owns which node.
  Share(const Dataset& data, Group& group, uint64_t seed);
  // A piece of data that no process has as a whole.
  Share(partition::Piece piece, Group& group);

  Group& group() const { return group_; }
  // Task, classes and names, and what this process has of the rest.
  const Dataset& data() const { return piece_ ? piece_->data : *whole_; }
  // The whole data set, for batches that are drawn from it. An Error where there is only a piece.
  const Dataset& whole() const;

  // Over all processes.
  int64_t count(Split split) const { return count_[static_cast<size_t>(split)]; }
  at::Tensor all_labels(Split split) const;
  // The nodes that select the best epoch and the threshold: validation nodes or, without any, training nodes.
  Split judging() const { return count(Split::kValid) > 0 ? Split::kValid : Split::kTrain; }

  // This process's nodes of a split, with the graphs they are in: for inductive data those with nodes of the split,
  // else all.
  const std::vector<NodeId>& nodes(Split split) const;
  Batch batch(Split split, InputUse use) const;
  // The same nodes of an input that has all graphs.
  Batch batch(Split split, const ModelInput& whole) const { return with_nodes(whole, data(), nodes(split)); }

 private:
  void count_splits();
  Batch piece_batch(Split split, InputUse use) const;

  const Dataset* whole_ = nullptr;
  Group& group_;
  std::shared_ptr<const partition::Piece> piece_;  // null: everything
  std::vector<int64_t> count_;                     // per split
};

}  // namespace geniepath::training
