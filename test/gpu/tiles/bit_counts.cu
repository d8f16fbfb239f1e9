// FORM: bits: counts of the bits of two words, in words of 32 and 64 bits, four
// words at a time, and in tiles
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tensor cores count the bits that both words have. What only one of them
// has, or neither, follows from the bits of each row and column. Results are
// compared exactly.

#include "check.h"

#define PLACE                                                                  \
  const int row = blockIdx.y * blockDim.y + threadIdx.y;                       \
  const int col = blockIdx.x * blockDim.x + threadIdx.x;                       \
  if (row >= M || col >= N)                                                    \
    return;

// Of words of 32 bits, those of B across k: they are copied. No sums but those
// of the tensor cores, in slices of k.
#pragma warpwright matmul tile(64, 128, 32) split_k(2)
__global__ void common(const unsigned *A, const unsigned *B, int *C, int M,
                       int N, int K) {
  PLACE
  int acc = 0;
  for (int k = 0; k < K; ++k)
    acc += __popc(A[row * K + k] & B[k * N + col]);
  C[row * N + col] = acc;
}

// A layer of a network of bits: signs multiplied, scaled.
#pragma warpwright matmul tile(128, 64, 32) stages(2)
__global__ void signs(const uint4 *A, const uint4 *B, float *C, int M, int N,
                      int K4, const float *scale) {
  PLACE
  int acc = 0;
  for (int k = 0; k < K4; ++k) {
    const uint4 a = A[row * K4 + k], b = B[col * K4 + k];
    acc += __popc(a.x ^ b.x) + __popc(a.y ^ b.y) + __popc(a.z ^ b.z) +
           __popc(a.w ^ b.w);
  }
  C[row * N + col] = static_cast<float>(128 * K4 - 2 * acc) * scale[col];
}

#pragma warpwright matmul tile(64, 32, 32) schedule(pingpong)
__global__ void alike(const unsigned long long *A, const unsigned long long *B,
                      unsigned *C, int M, int N, int K2) {
  PLACE
  unsigned acc = 0;
  for (int k = 0; k < K2; ++k)
    acc += __popcll(~(A[row * K2 + k] ^ B[col * K2 + k]));
  C[row * N + col] = acc;
}

constexpr int T = 16;

// Of both operands those of B's that A has not; operands exchanged.
#pragma warpwright matmul tile(32, 64, 32) swap_ab(on)
__global__ void missing(const int *A, const int *B, short *C, int M, int N,
                        int K) {
  __shared__ int As[T][T + 1], Bs[T][T + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  const int first = blockIdx.x * T;
  int acc = 0;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0;
    Bs[ty][tx] =
        first + ty < N && k0 + tx < K ? B[(first + ty) * K + k0 + tx] : 0;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += __popc(~As[ty][k] & Bs[tx][k]);
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = static_cast<short>(acc);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{144, 112, 68}, check::Shape{67, 45, 20},
                         check::Shape{3, 5, 4}, check::Shape{1, 1, 4},
                         check::Shape{2, 3, 1200}}) {
    check::Matrix<unsigned> A(s.m, s.k), B(s.n, s.k), Bt(s.k, s.n);
    const auto fill = [](auto &matrix, uint64_t seed) {
      for (int r = 0; r < matrix.rows(); ++r)
        for (int c = 0; c < matrix.cols(); ++c)
          matrix.set(r, c, static_cast<double>(check::randomBits(seed) >> 32));
      matrix.upload();
    };
    fill(A, 1), fill(B, 2), fill(Bt, 3);
    check::Matrix<float> scale(1, s.n), D(s.m, s.n);
    for (int n = 0; n < s.n; ++n)
      scale.set(0, n, n % 2 ? 0.25 : 2);
    scale.upload();
    check::Matrix<int> C(s.m, s.n);
    check::Matrix<unsigned> E(s.m, s.n);
    check::Matrix<short> F(s.m, s.n);
    const dim3 grid(check::ceilDiv(s.n, T), check::ceilDiv(s.m, T));
    const dim3 block(T, T);
    common<<<grid, block>>>(A.data(), Bt.data(), C.data(), s.m, s.n, s.k);
    signs<<<grid, block>>>(reinterpret_cast<const uint4 *>(A.data()),
                           reinterpret_cast<const uint4 *>(B.data()), D.data(),
                           s.m, s.n, s.k / 4, scale.data());
    alike<<<grid, block>>>(
        reinterpret_cast<const unsigned long long *>(A.data()),
        reinterpret_cast<const unsigned long long *>(B.data()), E.data(), s.m,
        s.n, s.k / 2);
    missing<<<grid, block>>>(reinterpret_cast<const int *>(A.data()),
                             reinterpret_cast<const int *>(B.data()), F.data(),
                             s.m, s.n, s.k);
    const auto count = [&](int m, int n, const auto &right, auto combine) {
      long long bits = 0;
      for (int k = 0; k < s.k; ++k)
        for (unsigned word = combine(unsigned(A(m, k)), unsigned(right(k, n)));
             word; word &= word - 1)
          ++bits;
      return double(bits);
    };
    const auto b = [&](int k, int n) { return B(n, k); };
    test.expect(
        "common", s, C,
        [&](int m, int n) {
          return count(m, n, Bt, [](unsigned x, unsigned y) { return x & y; });
        },
        A, Bt);
    test.expect(
        "signs", s, D,
        [&](int m, int n) {
          return (32.0 * s.k -
                  2 * count(m, n, b,
                            [](unsigned x, unsigned y) { return x ^ y; })) *
                 scale(0, n);
        },
        A, B);
    test.expect(
        "alike", s, E,
        [&](int m, int n) {
          return count(m, n, b,
                       [](unsigned x, unsigned y) { return ~(x ^ y); });
        },
        A, B);
    test.expect(
        "missing", s, F,
        [&](int m, int n) {
          return count(m, n, b, [](unsigned x, unsigned y) { return ~x & y; });
        },
        A, B);
  }
  return test.finish();
}
