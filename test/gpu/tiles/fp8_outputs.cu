// FORM: 8-bit floats: outputs that saturate, with scales of tensors, rows and
// columns, in both storage orders
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All numbers and scales are such that the sums and what becomes of them are
// exact in float, so that the outputs are compared exactly. Some are too large.

#include <cuda_fp8.h>

#include "check.h"

using e4m3 = __nv_fp8_e4m3;
using e5m2 = __nv_fp8_e5m2;

#define PLACE                                                                  \
  const int row = blockIdx.y * blockDim.y + threadIdx.y;                       \
  const int col = blockIdx.x * blockDim.x + threadIdx.x;                       \
  if (row >= M || col >= N)                                                    \
    return;                                                                    \
  float acc = 0.0f;

#pragma warpwright matmul
__global__ void scaled(const e4m3 *A, const e4m3 *B, e4m3 *C, int M, int N,
                       int K, const float *tensor, const float *of_row,
                       const float *of_col) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += float(A[row * K + k]) * float(B[col * K + k]);
  C[row * N + col] = e4m3(acc * *tensor * of_row[row] * of_col[col]);
}

// Stored by columns: a warp's rows lie side by side in memory.
#pragma warpwright matmul
__global__ void by_columns(const e5m2 *A, const e4m3 *B, e5m2 *C, int M, int N,
                           int K) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += float(A[row * K + k]) * float(B[col * K + k]);
  C[col * M + row] = e5m2(acc);
}

// The bits, as bytes.
#pragma warpwright matmul
__global__ void bits(const __nv_fp8_storage_t *A, const __nv_fp8_storage_t *B,
                     __nv_fp8_storage_t *C, int M, int N, int K, float scale) {
  PLACE
  for (int k = 0; k < K; ++k) {
    const __half a = __nv_cvt_fp8_to_halfraw(A[row * K + k], __NV_E4M3);
    const __half b = __nv_cvt_fp8_to_halfraw(B[col * K + k], __NV_E5M2);
    acc += __half2float(a) * __half2float(b);
  }
  C[row * N + col] =
      __nv_cvt_float_to_fp8(acc * scale, __NV_SATFINITE, __NV_E4M3);
}

// As the device does: to nearest even, and never beyond the largest.
template <class T> double rounded(double x) {
  return check::Element<T>::value(check::Element<T>::from(x));
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.setBound(1e-12);
  for (check::Shape s : {check::Shape{144, 112, 144}, check::Shape{67, 45, 83},
                         check::Shape{130, 35, 200}, check::Shape{1, 1, 1}}) {
    check::Matrix<e4m3> A(s.m, s.k), B(s.n, s.k), C(s.m, s.n), U(s.m, s.n);
    check::Matrix<e5m2> A5(s.m, s.k), B5(s.n, s.k), T(s.n, s.m);
    check::Matrix<float> tensor(1, 1), of_row(1, s.m), of_col(1, s.n);
    A.integers(1, 4), B.integers(2, 4), A5.integers(3, 4), B5.integers(4, 4);
    tensor.set(0, 0, 2), tensor.upload();
    for (int m = 0; m < s.m; ++m)
      of_row.set(0, m, m % 3 ? 0.5 : 8);
    for (int n = 0; n < s.n; ++n)
      of_col.set(0, n, n % 2 ? 0.25 : 2);
    of_row.upload(), of_col.upload();
    const dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));
    const dim3 block(16, 16);
    const auto bytes = [](auto &matrix) {
      return reinterpret_cast<__nv_fp8_storage_t *>(matrix.data());
    };
    scaled<<<grid, block>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k,
                            tensor.data(), of_row.data(), of_col.data());
    by_columns<<<grid, block>>>(A5.data(), B.data(), T.data(), s.m, s.n, s.k);
    bits<<<grid, block>>>(bytes(A), bytes(B5), bytes(U), s.m, s.n, s.k, 4.0f);
    const auto product = [&](const auto &a, const auto &b) {
      return check::product(
          s, [&](int m, int k) { return a(m, k); },
          [&](int k, int n) { return b(n, k); });
    };
    check::Table sum = product(A, B), of_a5 = product(A5, B),
                 of_b5 = product(A, B5);
    test.expect(
        "scaled", s, C,
        [&](int m, int n) {
          return rounded<e4m3>(sum(m, n) * 2 * of_row(0, m) * of_col(0, n));
        },
        A, B, tensor, of_row, of_col);
    test.expect(
        "by_columns", s, T,
        [&](int n, int m) { return rounded<e5m2>(of_a5(m, n)); }, A5, B);
    test.expect(
        "bits", s, U,
        [&](int m, int n) { return rounded<e4m3>(of_b5(m, n) * 4); }, A, B5);
  }
  return test.finish();
}
