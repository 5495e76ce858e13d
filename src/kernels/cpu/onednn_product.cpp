#include "kernels/cpu/onednn_product.h"

#include <dnnl.hpp>

#include <algorithm>
#include <atomic>
#include <map>
#include <tuple>
#include <vector>

#include "kernels/cpu/one_thread_here.h"

namespace geniepath::kernels::cpu {
namespace {

using Memory = dnnl::memory;

const dnnl::engine& engine() {
  static const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  return cpu;
}

template <class S>
constexpr Memory::data_type kType = sizeof(S) == 2 ? Memory::data_type::bf16 : Memory::data_type::f32;

template <class S>
Memory::desc describe(const MatrixView<S>& m) {
  return {{m.rows, m.columns}, kType<S>, m.transposed ? Memory::dims{1, m.stride} : Memory::dims{m.stride, 1}};
}

std::atomic<size_t> most_kept = 512;  // products per thread

struct Product {
  Memory::desc a, b, c;
  dnnl::matmul primitive;
};

template <class S>
Product make_product(const MatrixView<S>& a, const MatrixView<S>& b, int64_t c_stride, bool accumulate) {
  const Memory::desc c({a.rows, b.columns}, Memory::data_type::f32, {c_stride, 1});
  dnnl::primitive_attr attributes;
  if (accumulate) {
    dnnl::post_ops add;
    add.append_sum(1.0f);
    attributes.set_post_ops(add);
  }
#if DNNL_VERSION_MAJOR >= 3  // which describes an operation only by its operands
  const dnnl::matmul::primitive_desc operation(engine(), describe(a), describe(b), c, attributes);
#else
  const dnnl::matmul::primitive_desc operation({describe(a), describe(b), c}, attributes, engine());
#endif
  return {describe(a), describe(b), c, dnnl::matmul(operation)};
}

// Cached by shape: creating one costs more than running a small one.
template <class S>
const Product& product_for(const MatrixView<S>& a, const MatrixView<S>& b, int64_t c_stride, bool accumulate) {
  using Key = std::tuple<int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, bool, bool, bool>;
  thread_local std::map<Key, Product> kept;
  const Key key{a.rows, a.columns, b.columns, a.stride, b.stride, c_stride, a.transposed, b.transposed, accumulate};
  const auto found = kept.find(key);
  if (found != kept.end()) return found->second;
  if (kept.size() >= most_kept) kept.clear();
  return kept.emplace(key, make_product(a, b, c_stride, accumulate)).first->second;
}

// oneDNN 3.7 ignores the stride of a single row or column, so these are passed as contiguous copies.
template <class S>
class DenseWhereSingle {
 public:
  explicit DenseWhereSingle(const MatrixView<S>& m) : view_(m) {
    const bool scattered = m.transposed ? m.rows == 1 : m.columns == 1;
    if (!scattered || m.stride == 1) return;
    values_.resize(static_cast<size_t>(m.rows * m.columns));
    for (size_t n = 0; n < values_.size(); ++n) values_[n] = m.data[static_cast<int64_t>(n) * m.stride];
    view_ = {values_.data(), m.rows, m.columns, m.columns};
  }
  const MatrixView<S>& view() const { return view_; }

 private:
  std::vector<S> values_;
  MatrixView<S> view_;
};

template <class S>
void execute(const MatrixView<S>& a, const MatrixView<S>& b, float* c, int64_t c_stride, bool accumulate) {
  const OneThreadHere alone;
  const Product& product = product_for(a, b, c_stride, accumulate);
  dnnl::stream stream(engine());
  const auto wrap = [](const Memory::desc& desc, const void* data) {
    return Memory(desc, engine(), const_cast<void*>(data));
  };
  product.primitive.execute(stream, {{DNNL_ARG_SRC, wrap(product.a, a.data)},
                                     {DNNL_ARG_WEIGHTS, wrap(product.b, b.data)},
                                     {DNNL_ARG_DST, wrap(product.c, c)}});
  stream.wait();
}

template <class S>
void execute_column(const MatrixView<S>& a, const MatrixView<S>& b, float* c, int64_t c_stride, bool accumulate) {
  std::vector<float> dense(static_cast<size_t>(a.rows));
  execute(a, b, dense.data(), 1, false);
  for (int64_t r = 0; r < a.rows; ++r) {
    float& to = c[r * c_stride];
    to = dense[static_cast<size_t>(r)] + (accumulate ? to : 0.0f);
  }
}

// A row's bits must not depend on how many others there are. oneDNN's code for AVX2 works on 6 rows at a time and sums
// the last 3 or fewer of a block in another order, where the number of rows decides the blocks: only multiples of 12
// rows are all summed alike. Elsewhere any number is.
int64_t rows_alike() {
  static const auto isa = static_cast<unsigned>(dnnl::get_effective_cpu_isa());
  const auto is = [](dnnl::cpu_isa set) { return static_cast<unsigned>(set); };
  return isa > is(dnnl::cpu_isa::sse41) && isa < is(dnnl::cpu_isa::avx512_core) ? 12 : 1;
}

// The number of last rows to compute beside rows of zeros. oneDNN 3.7 sums a single row in another order than several.
// Rows of a transposed matrix are not nodes.
int64_t rows_apart(int64_t rows, bool transposed) {
  if (rows == 1) return 1;
  return transposed ? 0 : rows % rows_alike();
}

// The product of a few rows, computed as the first of `padded` rows, the others being zeros.
template <class S>
void execute_padded(const MatrixView<S>& a, int64_t padded, const MatrixView<S>& b, float* c, int64_t c_stride,
                    bool accumulate) {
  std::vector<S> rows(static_cast<size_t>(padded * a.columns));
  std::vector<float> sums(static_cast<size_t>(padded * b.columns));
  for (int64_t r = 0; r < a.rows; ++r) {
    std::copy_n(a.data + r * a.stride, a.columns, rows.begin() + r * a.columns);
    if (accumulate) std::copy_n(c + r * c_stride, b.columns, sums.begin() + r * b.columns);
  }
  execute<S>({rows.data(), padded, a.columns, a.columns}, b, sums.data(), b.columns, accumulate);
  for (int64_t r = 0; r < a.rows; ++r) std::copy_n(sums.begin() + r * b.columns, b.columns, c + r * c_stride);
}

}  // namespace

bool has_onednn() { return true; }

void keep_few_onednn_products() {
  constexpr int kFew = 32;
  most_kept = kFew;
  dnnl::set_primitive_cache_capacity(kFew);
}

template <class S>
void onednn_product(const MatrixView<S>& a, const MatrixView<S>& b, float* c, int64_t c_stride, bool accumulate) {
  const DenseWhereSingle<S> left(a), right(b);
  const int64_t apart = rows_apart(a.rows, a.transposed), together = a.rows - apart;
  if (together > 0) {
    const bool scattered = b.columns == 1 && c_stride != 1;
    (scattered ? execute_column<S> : execute<S>)(left.view().part(0, together, 0, a.columns), right.view(), c, c_stride,
                                                 accumulate);
  }
  if (apart > 0) {
    execute_padded(left.view().part(together, apart, 0, a.columns), std::max<int64_t>(rows_alike(), 2), right.view(),
                   c + together * c_stride, c_stride, accumulate);
  }
}

template void onednn_product(const MatrixView<float>&, const MatrixView<float>&, float*, int64_t, bool);
template void onednn_product(const MatrixView<Bf16>&, const MatrixView<Bf16>&, float*, int64_t, bool);

}  // namespace geniepath::kernels::cpu
