#include "geniepath/row_scores.h"

#include <ATen/ATen.h>

#include "data/tables/new_edges.h"
#include "data/tables/new_rows.h"
#include "geniepath/error.h"
#include "geniepath/explain.h"

namespace geniepath {
namespace {

std::vector<std::string> trained_kinds(const TrainedTables& trained) {
  std::vector<std::string> kinds;
  for (const std::string& path : split_list(trained.options.nodes)) kinds.push_back(table_kind(path));
  if (kinds.empty() || kinds.size() != trained.schema.tables.size()) {
    fail("score: the run's description lists ", kinds.size(), " node tables and the columns of ",
         trained.schema.tables.size(), "; expected as many, at least one");
  }
  return kinds;
}

Features empty_rows(const Features& like, int64_t rows) {
  const SparseMatrix none{rows, like.num_features(), std::vector<int64_t>(static_cast<size_t>(rows) + 1), {}, {}};
  return like.is_sparse() ? Features(none) : Features(none.to_dense());
}

}  // namespace

class RowScorer::Impl {
 public:
  Impl(std::shared_ptr<const Model> model, const Dataset& data, TrainedTables trained, TableOptions rows)
      : model_(std::move(model)),
        data_(data),
        trained_(std::move(trained)),
        options_(std::move(rows)),
        names_(data),
        rows_(options_, trained_.schema, trained_kinds(trained_), names_),
        edges_(options_, names_) {}

  ScoredRows next(int64_t most) {
    NewBatch batch = rows_.next(most);
    ScoredRows scored{batch.ids.texts(), std::move(batch.types), {}};
    scored.probabilities = score(batch, most);
    done_ += std::ssize(scored.ids);
    return scored;
  }

  const NewRows& rows() const { return rows_; }
  NewEdges& edges() { return edges_; }

  std::vector<std::string> notes() const {
    std::vector<std::string> all = edges_.notes();
    const std::vector<std::string> unseen = unseen_notes(trained_.schema);
    all.insert(all.end(), unseen.begin(), unseen.end());
    return all;
  }

 private:
  at::Tensor score(const NewBatch& batch, int64_t most) {
    BatchEdges edges = edges_.of_batch(batch.ids);
    if (edges.unlisted > 0 && (done_ > 0 || !rows_.at_end())) {
      fail(
          "unknown-nodes: add needs all new rows at once, as an unknown id may be a later row; expected --rows-at-once "
          "above ",
          most, ", or unknown-nodes error or skip");
    }
    Features features = batch.features;
    if (edges.unlisted > 0) features = stacked(features, empty_rows(features, edges.unlisted));
    const UnseenNodes unseen{apply_feature_transforms(features, trained_.transforms), std::move(edges.edges),
                             trained_.options.directed && !trained_.transforms.options.symmetrise};
    return score_unseen(*model_, data_, unseen).narrow(0, 0, batch.ids.size()).contiguous();
  }

  std::shared_ptr<const Model> model_;
  const Dataset& data_;
  TrainedTables trained_;
  TableOptions options_;
  NodeNames names_;
  NewRows rows_;
  NewEdges edges_;
  int64_t done_ = 0;
};

RowScorer::RowScorer(std::shared_ptr<const Model> model, const Dataset& data, TrainedTables trained, TableOptions rows)
    : impl_(new Impl(std::move(model), data, std::move(trained), std::move(rows))) {}

RowScorer::~RowScorer() = default;

bool RowScorer::at_end() const { return impl_->rows().at_end(); }

double RowScorer::share_read() const { return impl_->rows().share_read(); }

ScoredRows RowScorer::next(int64_t most) { return impl_->next(most); }

void RowScorer::finish() { impl_->edges().finish(); }

std::vector<std::string> RowScorer::notes() const { return impl_->notes(); }

RowScorer::EdgeCounts RowScorer::edges() const {
  const NewEdges& edges = impl_->edges();
  return {edges.num_read(), edges.num_skipped(), edges.num_among_known()};
}

}  // namespace geniepath
