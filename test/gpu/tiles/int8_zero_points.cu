// FORM: integers: zero points that are subtracted from 8-bit elements, one for
// all, for each row or for each column, of either operand and of both
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tensor cores multiply the elements as they are; the zero points come into
// the sums times sums of elements along k. Results are compared exactly, also
// where the sums wrap around.

#include "check.h"

#define PLACE                                                                  \
  const int row = blockIdx.y * blockDim.y + threadIdx.y;                       \
  const int col = blockIdx.x * blockDim.x + threadIdx.x;                       \
  if (row >= M || col >= N)                                                    \
    return;

using s8 = signed char;
using u8 = unsigned char;

// One for each operand, requantised: both outputs need the whole sum.
#pragma warpwright matmul tile(128, 64, 128) stages(2)
__global__ void both(const u8 *A, const s8 *B, s8 *C, int *D, int M, int N,
                     int K, int za, int zb, float scale) {
  PLACE
  int acc = 0;
  for (int k = 0; k < K; ++k)
    acc += (A[row * K + k] - za) * (B[col * K + k] - zb);
  D[row * N + col] = acc;
  C[row * N + col] = static_cast<s8>(max(
      -128, min(127, __float2int_rn(static_cast<float>(acc) * scale) + 3)));
}

// Of rows and columns, with elements that lie across k and have to be copied;
// rows and columns are exchanged, and k is cut.
#pragma warpwright matmul tile(64, 128, 128) swap_ab(on) split_k(3)
__global__ void of_lines(const s8 *A, const u8 *B, unsigned *C, int M, int N,
                         int K, const s8 *za, const int *zb) {
  PLACE
  unsigned acc = 0;
  for (int k = 0; k < K; ++k)
    acc += (za[row] + A[k * M + row]) * (B[k * N + col] - zb[col]);
  C[row * N + col] = acc;
}

// Of one operand only, and stored element by element.
#pragma warpwright matmul tile(64, 32, 128)
__global__ void of_weights(const s8 *A, const s8 *B, short *C, int M, int N,
                           int K, int zb) {
  PLACE
  int acc = 0;
  for (int k = 0; k < K; ++k)
    acc += A[row * K + k] * (B[col * K + k] - zb);
  C[row * N + col] = static_cast<short>(acc);
}

constexpr int T = 16;

// The first operand does not move with the batch, the second does.
#pragma warpwright matmul tile(64, 64, 128)
__global__ void batches(const u8 *A, const u8 *B, float *C, int M, int N, int K,
                        const u8 *za, const float *scale) {
  __shared__ u8 As[T][T], Bs[T][T + 1];
  const int tx = threadIdx.x, ty = threadIdx.y, b = blockIdx.z;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  const int first = blockIdx.x * T;
  int acc = 0;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0;
    Bs[ty][tx] =
        first + ty < N && k0 + tx < K ? B[(b * N + first + ty) * K + k0 + tx] : 0;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      if (k0 + k < K)
        acc += (As[ty][k] - 7) * (Bs[tx][k] - za[b]);
    __syncthreads();
  }
  if (row < M && col < N)
    C[(b * M + row) * N + col] = static_cast<float>(acc) * scale[col];
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  const float scale = 0.0009765625f; // exact in float: no doubt in rounding
  for (check::Shape s :
       {check::Shape{144, 112, 272}, check::Shape{67, 45, 83},
        check::Shape{3, 5, 7}, check::Shape{1, 1, 1},
        check::Shape{2, 3, 4500}}) {
    check::Matrix<u8> UA(s.m, s.k), UBt(s.k, s.n), UB(2 * s.n, s.k), zu(1, 2);
    check::Matrix<s8> B(s.n, s.k), A(s.m, s.k), At(s.k, s.m), za(1, s.m),
        C(s.m, s.n);
    check::Matrix<int> zb(1, s.n), D(s.m, s.n);
    check::Matrix<unsigned> E(s.m, s.n);
    check::Matrix<short> F(s.m, s.n);
    check::Matrix<float> G(2 * s.m, s.n), of_col(1, s.n);
    UA.integers(1, 127), UBt.integers(2, 127), UB.integers(3, 127);
    B.integers(4, 127), A.integers(5, 127), At.integers(6, 127);
    za.integers(7, 127), zu.integers(8, 127);
    // Zero points may be any numbers.
    for (int n = 0; n < s.n; ++n) {
      zb.set(0, n, n % 3 ? 1000 * n - 7 : 2000000000);
      of_col.set(0, n, n % 2 ? 0.0625 : 0.03125);
    }
    zb.upload(), of_col.upload();
    const dim3 grid(check::ceilDiv(s.n, T), check::ceilDiv(s.m, T));
    const dim3 block(T, T);
    both<<<grid, block>>>(UA.data(), B.data(), C.data(), D.data(), s.m, s.n,
                          s.k, 119, -3, scale);
    of_lines<<<grid, block>>>(At.data(), UBt.data(), E.data(), s.m, s.n, s.k,
                              za.data(), zb.data());
    of_weights<<<grid, block>>>(A.data(), B.data(), F.data(), s.m, s.n, s.k,
                                100);
    batches<<<dim3(grid.x, grid.y, 2), block>>>(UA.data(), UB.data(), G.data(),
                                                s.m, s.n, s.k, zu.data(),
                                                of_col.data());
    const auto clamped = [](double x, double low, double high) {
      return x < low ? low : x > high ? high : x;
    };
    const auto exact = [&](auto left, auto right, int m, int n) {
      unsigned sum = 0;
      for (int k = 0; k < s.k; ++k)
        sum += static_cast<unsigned>(static_cast<long long>(left(m, k))) *
               static_cast<unsigned>(static_cast<long long>(right(k, n)));
      return sum;
    };
    const auto sum_of_both = [&](int m, int n) {
      return static_cast<int>(
          exact([&](int m, int k) { return UA(m, k) - 119; },
                [&](int k, int n) { return B(n, k) + 3; }, m, n));
    };
    test.expect("both (sums)", s, D,
                [&](int m, int n) { return double(sum_of_both(m, n)); });
    test.expect("both", s, C, [&](int m, int n) {
      return clamped(
          std::nearbyint(double(float(sum_of_both(m, n)) * scale)) + 3, -128,
          127);
    });
    test.expect("of_lines", s, E, [&](int m, int n) {
      return double(exact([&](int m, int k) { return At(k, m) + za(0, m); },
                          [&](int k, int n) { return UBt(k, n) - zb(0, n); }, m,
                          n));
    });
    test.expect("of_weights", s, F, [&](int m, int n) {
      return double(static_cast<short>(
          exact([&](int m, int k) { return A(m, k); },
                [&](int k, int n) { return B(n, k) - 100; }, m, n)));
    });
    check::Shape both_batches = s;
    both_batches.m *= 2;
    test.expect("batches", both_batches, G, [&](int row, int n) {
      const int b = row / s.m;
      return double(float(static_cast<int>(exact(
                        [&](int m, int k) { return UA(m, k) - 7; },
                        [&](int k, int n) { return UB(b * s.n + n, k) - zu(0, b); },
                        row % s.m, n))) *
                    float(of_col(0, n)));
    });
  }
  return test.finish();
}
