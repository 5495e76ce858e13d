#include "geniepath/features.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <vector>

#include "expect_error.h"

namespace geniepath {
namespace {

SparseMatrix two_by_three(std::vector<int64_t> offset, std::vector<int32_t> column, std::vector<float> value) {
  return {2, 3, std::move(offset), std::move(column), std::move(value)};
}

TEST(SparseMatrix, OfADenseOneHasItsNonzeroEntries) {
  const at::Tensor dense = at::tensor({0.0f, 2.0f, 0.0f, -1.0f, 0.0f, 3.0f}).view({2, 3});
  const SparseMatrix sparse = sparse_of(dense);
  EXPECT_EQ(sparse.num_nonzeros(), 3);
  EXPECT_TRUE(sparse.to_dense().equal(dense));
  EXPECT_TRUE(sparse_of(dense.t()).to_dense().equal(dense.t())) << "also of a view";
  EXPECT_EQ(sparse_of(at::zeros({0, 4})).columns, 4);
  EXPECT_ERROR(sparse_of(at::zeros({2, 2}, at::kDouble)), "expected f32 [rows, columns] on the CPU");
  EXPECT_ERROR(sparse_of(at::zeros(2)), "sparse_of: dense has shape [2]");
}

TEST(Features, SparseRowsAreCheckedBeforeAnyoneReadsThem) {
  const Features good(two_by_three({0, 1, 2}, {2, 0}, {5, 7}));
  EXPECT_EQ(good.num_nodes(), 2);
  EXPECT_EQ(good.sparse().to_dense()[0][2].item<float>(), 5);
  EXPECT_ERROR(Features(two_by_three({0, 1, 2}, {2, 3}, {5, 7})),
               "features: row 1 has an entry in column 3, but there are 3");
  EXPECT_ERROR(Features(two_by_three({0, 1, 2}, {-1, 0}, {5, 7})), "column -1");
  EXPECT_ERROR(Features(two_by_three({0, 3, 2}, {2, 0}, {5, 7})), "row 2 begins at entry 2, before row 1 at 3");
  EXPECT_ERROR(Features(two_by_three({0, 2}, {2, 0}, {5, 7})), "2 row offsets for 2 rows");
  EXPECT_ERROR(Features(two_by_three({0, 1, 2}, {2, 0}, {5})), "1 values for 2 entries");
  EXPECT_ERROR(Features(SparseMatrix{-1, 3, std::vector<int64_t>{}, std::vector<int32_t>{}, std::vector<float>{}}),
               "-1 x 3");
}

TEST(Features, TransposedAndSelectedRowsAreThoseOfTheDenseMatrix) {
  const at::Tensor dense = at::rand({300, 70}) * (at::rand({300, 70}) < 0.1);
  std::vector<int64_t> offset{0};
  std::vector<int32_t> column;
  std::vector<float> value;
  for (int64_t r = 0; r < dense.size(0); ++r) {
    for (int64_t c = 0; c < dense.size(1); ++c) {
      if (const float x = dense[r][c].item<float>(); x != 0)
        column.push_back(static_cast<int32_t>(c)), value.push_back(x);
    }
    offset.push_back(static_cast<int64_t>(column.size()));
  }
  const SparseMatrix matrix{300, 70, offset, column, value};
  EXPECT_TRUE(matrix.to_dense().equal(dense));
  EXPECT_TRUE(matrix.transposed().to_dense().equal(dense.t()));
  const std::vector<NodeId> chosen{7, 299, 0, 7};
  EXPECT_TRUE(matrix.select_rows(chosen).to_dense().equal(dense.index_select(0, at::tensor({7, 299, 0, 7}))));
}

TEST(Features, DenseOnesAreOfTwoDimensionsAndF32) {
  EXPECT_ERROR(Features(at::zeros({3})), "1 dimensions");
  EXPECT_ERROR(Features(at::zeros({3, 2}, at::kDouble)), "expected f32");
}

}  // namespace
}  // namespace geniepath
