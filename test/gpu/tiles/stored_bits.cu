// FORM: operand types: half and bfloat16 that are kept in integers of 16 bits
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that has no headers for 16-bit floats keeps their bits in integers: a
// bfloat16 is widened by a shift, also out of a word of two, and a half by the
// functions that reinterpret bits.

#include "check.h"

constexpr int T = 16;

__device__ inline float widen(unsigned short bits) {
  return __uint_as_float(static_cast<unsigned>(bits) << 16);
}

union Word {
  unsigned bits;
  float number;
};

#pragma warpwright matmul
__global__ void stored_words(const unsigned *A, const unsigned short *B,
                             unsigned short *C, int M, int N, int pairs) {
  __shared__ unsigned short Bs[T][T + 1];
  const int tx = threadIdx.x, ty = threadIdx.y, K = 2 * pairs;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    const int r = blockIdx.x * T + ty;
    Bs[ty][tx] = r < N && k0 + tx < K ? B[r * K + k0 + tx] : 0;
    __syncthreads();
    for (int j = 0; j < T / 2; ++j)
      if (row < M && k0 + 2 * j < K) {
        const unsigned word = A[row * pairs + k0 / 2 + j];
        Word low, high;
        low.bits = word << 16;
        high.bits = word & 0xffff0000u;
        acc += low.number * widen(Bs[tx][2 * j]);
        acc += high.number * widen(Bs[tx][2 * j + 1]);
      }
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = __bfloat16_as_ushort(__float2bfloat16(acc));
}

#pragma warpwright matmul
__global__ void stored_halves(const uint16_t *A, const uint16_t *B, uint16_t *C,
                              int M, int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) {
    __half_raw a;
    a.x = A[row * K + k];
    acc += __half2float(__half(a)) *
           __half2float(__ushort_as_half(B[col * K + k]));
  }
  C[row * N + col] = __half_as_ushort(__float2half(acc));
}

// Names of types that generated code does not know.
using u16 = unsigned short;
struct Vectors {
  const u16 *scale, *shift;
};

#pragma warpwright matmul
__global__ void stored_vectors(const __half *A, const __half *B, float *C,
                               const u16 *scale_of_row, Vectors of_column,
                               int M, int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * K + k]) * __half2float(B[col * K + k]);
  acc *= __half2float(__ushort_as_half(scale_of_row[row]));
  acc *= __half2float(__ushort_as_half(of_column.scale[col]));
  C[row * N + col] = acc + widen(of_column.shift[col]);
}

template <class T> auto bits(check::Matrix<T> &X) {
  return reinterpret_cast<unsigned short *>(X.data());
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{33, 24, 40},
                         check::Shape{67, 45, 22}, check::Shape{3, 5, 8}}) {
    const dim3 grid(check::ceilDiv(s.n, T), check::ceilDiv(s.m, T));
    check::Matrix<__nv_bfloat16> A(s.m, s.k), B(s.n, s.k), C(s.m, s.n);
    A.random(1);
    B.random(2);
    stored_words<<<grid, dim3(T, T)>>>(reinterpret_cast<unsigned *>(A.data()),
                                       bits(B), bits(C), s.m, s.n, s.k / 2);
    test.expect("stored_words", s, C,
                check::product(s, A, [&](int k, int n) { return B(n, k); }), A,
                B);
    check::Matrix<__half> D(s.m, s.k), E(s.n, s.k), F(s.m, s.n);
    D.random(3);
    E.random(4);
    stored_halves<<<grid, dim3(T, T)>>>(bits(D), bits(E), bits(F), s.m, s.n,
                                        s.k);
    test.expect("stored_halves", s, F,
                check::product(s, D, [&](int k, int n) { return E(n, k); }), D,
                E);
    check::Matrix<__half> rows(1, s.m), columns(1, s.n);
    check::Matrix<__nv_bfloat16> shift(1, s.n);
    check::Matrix<float> G(s.m, s.n);
    rows.random(5), columns.random(6), shift.random(7);
    stored_vectors<<<grid, dim3(T, T)>>>(
        D.data(), E.data(), G.data(), bits(rows), {bits(columns), bits(shift)},
        s.m, s.n, s.k);
    check::Table sum =
        check::product(s, D, [&](int k, int n) { return E(n, k); });
    test.expect("stored_vectors", s, G, [&](int m, int n) {
      return sum(m, n) * rows(0, m) * columns(0, n) + shift(0, n);
    });
  }
  return test.finish();
}
