#include "graph/sorted_rows.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "base/large_array.h"
#include "graph/buckets.h"

namespace geniepath {
namespace {

// Places each id at its rank; all ranks are counted at once, and no branch depends on the ids. Equal ids have the same
// rank, so the sum of ranks then falls short.
template <size_t kMost>
void sort_by_rank(std::span<NodeId> ids) {
  std::array<NodeId, kMost> given{}, rank{};
  std::copy(ids.begin(), ids.end(), given.begin());
  for (const NodeId id : ids) {
    for (size_t i = 0; i < kMost; ++i) rank[i] += id < given[i] ? 1 : 0;
  }
  const auto sum = static_cast<size_t>(std::accumulate(rank.begin(), rank.begin() + std::ssize(ids), NodeId{0}));
  if (2 * sum != ids.size() * (ids.size() - 1)) return std::sort(ids.begin(), ids.end());
  for (size_t i = 0; i < ids.size(); ++i) ids[static_cast<size_t>(rank[i])] = given[i];
}

// Ascending, in linear time for long rows: a radix sort by 11 bits at a time.
void sort_ids(std::span<NodeId> ids, std::vector<NodeId>& scratch) {
  constexpr size_t kLong = 2048;
  constexpr int kBits = 11;
  if (ids.size() < 2) return;
  if (ids.size() <= 8) return sort_by_rank<8>(ids);
  if (ids.size() <= 16) return sort_by_rank<16>(ids);
  if (ids.size() <= 32) return sort_by_rank<32>(ids);
  if (ids.size() < kLong) return std::sort(ids.begin(), ids.end());
  scratch.resize(ids.size());
  const NodeId largest = *std::max_element(ids.begin(), ids.end());
  for (int shift = 0; shift < 32 && (largest >> shift) > 0; shift += kBits) {
    const auto digit = [shift](NodeId id) { return static_cast<size_t>(id >> shift) & ((size_t{1} << kBits) - 1); };
    std::array<size_t, (size_t{1} << kBits) + 1> next{};
    for (const NodeId id : ids) ++next[digit(id) + 1];
    for (size_t d = 1; d < next.size(); ++d) next[d] += next[d - 1];
    for (const NodeId id : ids) scratch[next[digit(id)]++] = id;
    std::copy(scratch.begin(), scratch.end(), ids.begin());
  }
}

template <class Id>
class RowSorter {
 public:
  RowSorter(NodeId num_nodes, std::span<const Id> source, std::span<const Id> target, const GraphOptions& options)
      : source_(source),
        target_(target),
        options_(options),
        chunk_(chunk_size(std::ssize(source))),
        buckets_(num_nodes, std::ssize(source)),
        places_((std::ssize(source) + chunk_ - 1) / chunk_, buckets_.count,
                [this](int64_t chunk, int64_t* counts) {
                  each_edge(chunk, [&](NodeId row, NodeId) { ++counts[buckets_.of(row)]; });
                }),
        row_(places_.entries()),
        column_(places_.entries()),
        offset_(int64_t{num_nodes} + 1) {}

  Adjacency sort() {
    move_to_buckets();
    in_parallel(buckets_.count, [this](int64_t bucket) { sort_bucket(bucket); });
    accumulate(offset_.data(), buckets_.rows);
    return {offset_.share(), gathered()};
  }

 private:
  template <class Visit>
  void each_edge(int64_t chunk, const Visit& visit) const {
    const auto begin = static_cast<size_t>(chunk * chunk_),
               end = std::min(source_.size(), begin + static_cast<size_t>(chunk_));
    for (size_t e = begin; e < end; ++e) {
      const auto source = static_cast<NodeId>(source_[e]), target = static_cast<NodeId>(target_[e]);
      if (source == target && options_.self_loops != SelfLoops::kKeep) continue;
      visit(target, source);
      if (options_.symmetrise && source != target) visit(source, target);
    }
  }

  void move_to_buckets() {
    in_parallel((std::ssize(source_) + chunk_ - 1) / chunk_, [this](int64_t chunk) {
      int64_t* next = places_.of_chunk(chunk);
      each_edge(chunk, [&](NodeId row, NodeId column) {
        const int64_t at = next[buckets_.of(row)]++;
        row_[at] = row, column_[at] = column;
      });
    });
  }

  // Leaves the bucket's columns, row after row, at its beginning in column_, and the sizes of rows in offset_.
  void sort_bucket(int64_t bucket) {
    const int64_t first = buckets_.first_row(bucket), rows = buckets_.end_row(bucket) - first;
    const auto given_rows = row_.span(places_.begin(bucket), places_.end(bucket));
    const auto given_columns = column_.span(places_.begin(bucket), places_.end(bucket));
    const int64_t loop = options_.self_loops == SelfLoops::kAdd ? 1 : 0;
    std::vector<size_t> next(static_cast<size_t>(rows) + 1, 0);
    for (const NodeId row : given_rows) ++next[static_cast<size_t>(row - first) + 1];
    for (size_t r = 1; r < next.size(); ++r) next[r] += next[r - 1];
    std::vector<NodeId> columns(given_rows.size()), scratch;
    for (size_t at = 0; at < given_rows.size(); ++at) {
      columns[next[static_cast<size_t>(given_rows[at] - first)]++] = given_columns[at];
    }
    NodeId* out = given_columns.data();
    for (size_t r = 0; r < static_cast<size_t>(rows); ++r) {
      const size_t begin = r == 0 ? 0 : next[r - 1];
      const auto row = std::span(columns).subspan(begin, next[r] - begin);
      sort_ids(row, scratch);
      NodeId* const end = options_.merge_duplicates ? std::unique_copy(row.begin(), row.end(), out)
                                                    : std::copy(row.begin(), row.end(), out);
      offset_[first + static_cast<int64_t>(r) + 1] = end - out + loop;
      out = end;
    }
  }

  // The columns without the gaps between buckets. The memory of row_, whose pages are resident already, becomes the
  // result, unless most of it would be left over.
  SharedArray<NodeId> gathered() const {
    const EdgeId edges = offset_[buckets_.rows];
    const bool fits = edges <= places_.entries() && places_.entries() <= 2 * edges;
    const LargeArray<NodeId> neighbour = fits ? row_ : LargeArray<NodeId>(edges);
    in_parallel(buckets_.count, [&](int64_t bucket) {
      const NodeId* from = column_.data() + places_.begin(bucket);
      for (int64_t row = buckets_.first_row(bucket); row < buckets_.end_row(bucket); ++row) {
        const auto to = neighbour.span(offset_[row], offset_[row + 1]);
        if (options_.self_loops == SelfLoops::kAdd) {
          from = copy_with_loop(from, static_cast<NodeId>(row), to);
        } else {
          std::copy_n(from, to.size(), to.begin());
          from += to.size();
        }
      }
    });
    return neighbour.share_first(edges);
  }

  static const NodeId* copy_with_loop(const NodeId* from, NodeId row, std::span<NodeId> to) {
    const NodeId* const end = from + to.size() - 1;
    const NodeId* const after = std::lower_bound(from, end, row);
    NodeId* out = std::copy(from, after, to.data());
    *out++ = row;
    std::copy(after, end, out);
    return end;
  }

  std::span<const Id> source_, target_;
  GraphOptions options_;
  int64_t chunk_;
  Buckets buckets_;
  BucketPlaces places_;
  LargeArray<NodeId> row_, column_;  // of every entry, bucket by bucket
  LargeArray<EdgeId> offset_;
};

// Calls keep(column) for the entries that a row has under the options, in order.
template <class Keep>
void edit_row(std::span<const NodeId> columns, NodeId row, const GraphOptions& options, const Keep& keep) {
  bool loop_due = options.self_loops == SelfLoops::kAdd;
  for (size_t at = 0; at < columns.size(); ++at) {
    const NodeId column = columns[at];
    if (loop_due && column >= row) keep(row), loop_due = false;
    if (column == row && options.self_loops != SelfLoops::kKeep) continue;
    if (options.merge_duplicates && at > 0 && columns[at - 1] == column) continue;
    keep(column);
  }
  if (loop_due) keep(row);
}

}  // namespace

Adjacency sorted_rows(NodeId num_nodes, std::span<const NodeId> source, std::span<const NodeId> target,
                      const GraphOptions& options) {
  return RowSorter<NodeId>(num_nodes, source, target, options).sort();
}

Adjacency sorted_rows(NodeId num_nodes, std::span<const int64_t> source, std::span<const int64_t> target,
                      const GraphOptions& options) {
  return RowSorter<int64_t>(num_nodes, source, target, options).sort();
}

Adjacency edited_rows(const Adjacency& rows, const GraphOptions& options) {
  LargeArray<EdgeId> offset(int64_t{rows.rows()} + 1);
  const auto each_row = [&](const auto& visit) {
    in_parallel(rows.rows(), kRowsAtOnce, [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r) visit(static_cast<NodeId>(r));
    });
  };
  each_row([&](NodeId row) {
    EdgeId size = 0;
    edit_row(rows.neighbours(row), row, options, [&](NodeId) { ++size; });
    offset[row + 1] = size;
  });
  accumulate(offset.data(), rows.rows());
  LargeArray<NodeId> neighbour(offset[rows.rows()]);
  each_row([&](NodeId row) {
    NodeId* out = neighbour.data() + offset[row];
    edit_row(rows.neighbours(row), row, options, [&](NodeId column) { *out++ = column; });
  });
  return {offset.share(), neighbour.share()};
}

SharedArray<NodeId> rows_of_entries(const Adjacency& rows) {
  LargeArray<NodeId> row_of(rows.neighbour.size());
  in_parallel(rows.rows(), kRowsAtOnce, [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      const auto entries = row_of.span(rows.offset[r], rows.offset[r + 1]);
      std::fill(entries.begin(), entries.end(), static_cast<NodeId>(r));
    }
  });
  return row_of.share();
}

}  // namespace geniepath
