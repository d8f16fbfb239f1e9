// Products by nvcuda::wmma: shapes, layouts, accumulators, a tiled matmul.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
#include <type_traits>
#include <vector>

using namespace nvcuda;

template <class T, class Sum, int M, int N, int K, class LA, class LB>
__global__ void product(const T *a, const T *b, Sum *c, int lda, int ldb,
                        wmma::layout_t out, int ldc) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, LA> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, T, LB> fb;
  wmma::fragment<wmma::accumulator, M, N, K, Sum> fc, old;
  wmma::fill_fragment(fc, Sum(1));
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(old, c, ldc, out);
  wmma::mma_sync(fc, fa, fb, fc);
  for (int i = 0; i < fc.num_elements; ++i)
    fc.x[i] = fc.x[i] + old.x[i] + old.x[i];
  wmma::store_matrix_sync(c, fc, ldc, out);
}

template <class T, class Sum, int M, int N, int K, class LA, class LB>
void check(wmma::layout_t out) {
  constexpr bool rows_a = std::is_same<LA, wmma::row_major>::value;
  constexpr bool rows_b = std::is_same<LB, wmma::row_major>::value;
  const int lda = (rows_a ? K : M) + 8, ldb = (rows_b ? N : K) + 16;
  const int ldc = (out == wmma::mem_row_major ? N : M) + 8;
  std::vector<T> a(lda * (rows_a ? M : K)), b(ldb * (rows_b ? K : N));
  std::vector<Sum> c(ldc * (out == wmma::mem_row_major ? M : N)), got(c.size());
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = T(static_cast<float>(i * 7 % 5));
  for (size_t i = 0; i < b.size(); ++i)
    b[i] = T(static_cast<float>(i * 3 % 4));
  for (size_t i = 0; i < c.size(); ++i)
    c[i] = Sum(static_cast<float>(i % 9));
  Device<T> da(a.data(), a.size()), db(b.data(), b.size());
  Device<Sum> dc(c.data(), c.size());
  product<T, Sum, M, N, K, LA, LB><<<1, 32>>>(da, db, dc, lda, ldb, out, ldc);
  CUDA(cudaDeviceSynchronize());
  dc.get(got.data());
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      float sum = 1;
      for (int k = 0; k < K; ++k)
        sum += float(a[rows_a ? i * lda + k : k * lda + i]) *
               float(b[rows_b ? k * ldb + j : j * ldb + k]);
      const int at = out == wmma::mem_row_major ? i * ldc + j : j * ldc + i;
      EXPECT(float(got[at]) == sum + 2 * float(c[at]));
    }
}

constexpr int side = 16;
__global__ void matmul(const half *a, const half *b, float *c, int m, int n,
                       int k) {
  const int row = blockIdx.y * side, warp = threadIdx.x / 32;
  const int col = (blockIdx.x * blockDim.x / 32 + warp) * side;
  if (row >= m || col >= n)
    return;
  wmma::fragment<wmma::accumulator, side, side, side, float> acc;
  wmma::fill_fragment(acc, 0.0f);
  for (int k0 = 0; k0 < k; k0 += side) {
    wmma::fragment<wmma::matrix_a, side, side, side, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, side, side, side, half, wmma::row_major> fb;
    wmma::load_matrix_sync(fa, a + row * k + k0, k);
    wmma::load_matrix_sync(fb, b + k0 * n + col, n);
    wmma::mma_sync(acc, fa, fb, acc);
  }
  wmma::store_matrix_sync(c + row * n + col, acc, n, wmma::mem_row_major);
}

int main() {
  typedef wmma::row_major R;
  typedef wmma::col_major C;
  check<half, float, 16, 16, 16, R, R>(wmma::mem_row_major);
  check<half, float, 16, 16, 16, C, R>(wmma::mem_col_major);
  check<half, half, 16, 16, 16, R, C>(wmma::mem_row_major);
  check<half, float, 32, 8, 16, R, C>(wmma::mem_col_major);
  check<half, half, 32, 8, 16, C, R>(wmma::mem_row_major);
  check<half, float, 8, 32, 16, R, R>(wmma::mem_row_major);
  check<half, half, 8, 32, 16, C, C>(wmma::mem_col_major);
  check<__nv_bfloat16, float, 16, 16, 16, R, C>(wmma::mem_row_major);
  check<__nv_bfloat16, float, 8, 32, 16, C, R>(wmma::mem_row_major);
  check<signed char, int, 16, 16, 16, R, C>(wmma::mem_row_major);
  check<unsigned char, int, 32, 8, 16, C, R>(wmma::mem_row_major);

  const int m = 48, n = 64, k = 80;
  std::vector<half> a(m * k), b(k * n);
  std::vector<float> c(m * n);
  for (int i = 0; i < m * k; ++i)
    a[i] = __float2half(static_cast<float>(i % 7 - 3));
  for (int i = 0; i < k * n; ++i)
    b[i] = __float2half(static_cast<float>(i % 5 - 2));
  Device<half> da(a.data(), a.size()), db(b.data(), b.size());
  Device<float> dc(c.size());
  matmul<<<dim3(2, m / side), 64>>>(da, db, dc, m, n, k);
  dc.get(c.data());
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int l = 0; l < k; ++l)
        sum += __half2float(a[i * k + l]) * __half2float(b[l * n + j]);
      EXPECT(c[i * n + j] == sum);
    }
  return verdict();
}
