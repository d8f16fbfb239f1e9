// FORM: numbers of four bits that are gathered from their words
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weights of four bits that share a byte or a word with their neighbours in a
// row or a column: the kernel divides the column to find the word, and the
// remainder says which bits. Bytes and words of 16 and 32 bits, signed ones
// too; the bits in the order of the columns, backwards, or as a table says;
// scales and zero points of groups, which may be packed alike; through shared
// memory; several matrices; rows of the product; activations that are floats.
// Also words of eight neighbours along k, which lie across k or have them in
// another order. Where K is odd, or ends inside of a word, the original runs.

#include "check.h"

using bf16 = __nv_bfloat16;
using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned;

#define OUTPUT_OF_THREAD                                                       \
  const int row = blockIdx.y * blockDim.y + threadIdx.y;                       \
  const int col = blockIdx.x * blockDim.x + threadIdx.x;                       \
  if (row >= M || col >= N)                                                    \
    return;                                                                    \
  float acc = 0;

// Two columns in a byte, the even one in the low bits.
#pragma warpwright matmul tile(64, 64, 64)
__global__ void columns_of_bytes(const half *X, const u8 *W, const half *scale,
                                 half *C, int M, int N, int K, int pitch) {
  OUTPUT_OF_THREAD
  for (int k = 0; k < K; ++k) {
    const u8 both = W[k * pitch + col / 2];
    const int w = (col & 1 ? both >> 4 : both & 15) - 8;
    acc += __half2float(X[row * K + k]) * w;
  }
  C[row * N + col] = __float2half(acc * __half2float(scale[col]));
}

// The even one in the high bits, and the activations are floats.
#pragma warpwright matmul tile(128, 32, 32)
__global__ void high_first(const float *X, const u8 *W, float *C, int M, int N,
                           int K, int pitch) {
  OUTPUT_OF_THREAD
  for (int k = 0; k < K; ++k) {
    const int w = W[k * pitch + col / 2] >> (4 - 4 * (col % 2)) & 0xf;
    acc += X[row * K + k] * (w - 7.5f);
  }
  C[row * N + col] = acc;
}

// Words as they are in tensors of int, in the order of a table, with zero
// points in words of the same order.
#pragma warpwright matmul tile(64, 64, 64)
__global__ void by_table(const half *X, const int *W, const int *zeros,
                         const half *scale, half *C, int M, int N, int K,
                         int group) {
  OUTPUT_OF_THREAD
  const int order[8] = {0, 4, 1, 5, 2, 6, 3, 7};
  const int shift = 4 * order[col % 8];
  for (int k = 0; k < K; ++k) {
    const int g = k / group;
    const int w = W[k * (N / 8) + col / 8] >> shift & 15;
    const int z = zeros[g * (N / 8) + col / 8] >> shift & 15;
    acc += __half2float(X[row * K + k]) *
           (static_cast<float>(w - z) * __half2float(scale[g * N + col]));
  }
  C[row * N + col] = __float2half(acc);
}

// Four columns in 16 bits, and a matrix for each blockIdx.z.
#pragma warpwright matmul tile(64, 64, 64)
__global__ void batches(const bf16 *X, const u16 *W, float *C, int M, int N,
                        int K, int pitch) {
  OUTPUT_OF_THREAD
  const int b = blockIdx.z;
  for (int k = 0; k < K; ++k) {
    const u32 word = W[(b * K + k) * pitch + col / 4];
    acc += __bfloat162float(X[(b * M + row) * K + k]) *
           static_cast<float>(word >> col % 4 * 4 & 15u);
  }
  C[(b * M + row) * N + col] = acc;
}

// Weights are rows of the product: eight rows share a word, which has them from
// the highest bits on.
#pragma warpwright matmul tile(64, 64, 32)
__global__ void rows_of_words(const u32 *W, const half *X, const float *scale,
                              float *C, int M, int N, int K, int pitch) {
  OUTPUT_OF_THREAD
  for (int k = 0; k < K; ++k)
    acc +=
        (static_cast<int>(W[k * pitch + row / 8] >> (28 - row % 8 * 4) & 15) -
         8) *
        scale[row] * __half2float(X[k * N + col]);
  C[row * N + col] = acc;
}

// Tiles in shared memory, which keep numbers as halves, with a sign.
constexpr int T = 16;
#pragma warpwright matmul tile(64, 64, 64)
__global__ void through_tiles(const half *X, const u32 *W, const half *scale,
                              half *C, int M, int N, int K) {
  __shared__ half x[T][T], w[T][T + 1];
  const int row = blockIdx.y * T + threadIdx.y;
  const int col = blockIdx.x * T + threadIdx.x;
  float acc = 0;
  for (int t = 0; t < K; t += T) {
    x[threadIdx.y][threadIdx.x] = row < M && t + threadIdx.x < K
                                      ? X[row * K + t + threadIdx.x]
                                      : __float2half(0);
    const int k = t + threadIdx.y;
    int number = 0;
    if (col < N && k < K) {
      number = W[k * (N / 8) + col / 8] >> 4 * (col % 8) & 15;
      if (number >= 8)
        number -= 16;
    }
    w[threadIdx.y][threadIdx.x] = __int2half_rn(number);
    __syncthreads();
    for (int i = 0; i < T; ++i)
      acc += __half2float(x[threadIdx.y][i]) * __half2float(w[i][threadIdx.x]);
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = __float2half(acc * __half2float(scale[col]));
}

// Eight k in a word of a column, and zero points of eight columns, less one.
#pragma warpwright matmul tile(64, 64, 64)
__global__ void along_k(const half *X, const int *W, const int *zeros,
                        const half *scale, half *C, int M, int N, int K,
                        int pitch, int group) {
  OUTPUT_OF_THREAD
  for (int k = 0; k < K; ++k) {
    const int g = k / group;
    const int w = W[k / 8 * pitch + col] >> 4 * (k % 8) & 15;
    const int z = (zeros[g * (pitch / 8) + col / 8] >> 4 * (col % 8) & 15) + 1;
    acc += __half2float(X[row * K + k]) *
           (static_cast<float>(w - z) * __half2float(scale[g * pitch + col]));
  }
  C[row * N + col] = __float2half(acc);
}

// Words of rows, whose numbers are in the order of a table, and of 16 bits.
#pragma warpwright matmul tile(64, 64, 128)
__global__ void along_rows(const bf16 *X, const u16 *W, float *C, int M, int N,
                           int K) {
  OUTPUT_OF_THREAD
  const int place[4] = {0, 2, 1, 3};
  for (int k = 0; k < K / 4; ++k) {
    const u32 word = W[col * (K / 4) + k];
#pragma unroll
    for (int i = 0; i < 4; ++i)
      acc += __bfloat162float(X[row * K + 4 * k + i]) *
             (static_cast<int>(word >> 4 * place[i] & 15) - 8);
  }
  C[row * N + col] = acc;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{67, 48, 128},
                         {130, 72, 192},
                         {16, 80, 322},
                         {33, 200, 70},
                         {3, 8, 6},
                         {40, 32, 72}}) {
    const int group = 64, groups = check::ceilDiv(s.k, group), batch = 2;
    // An odd number of columns, and words behind each row that are not read.
    const int columns = s.n - 3, rows = s.m;
    check::Matrix<half> X(s.m, s.k), scale(1, s.n), scales(groups, s.n),
        Z(s.k, columns);
    check::Matrix<float> Y(s.m, s.k), of_row(1, s.m);
    check::Matrix<bf16> V(batch * s.m, s.k);
    check::Matrix<u8> bytes(s.k, s.n / 2);
    check::Matrix<u16> shorts(batch * s.k, s.n / 4 + 1);
    check::Matrix<u32> words(s.k, s.n / 8), across(s.k, s.m / 8 + 2);
    check::Matrix<int> ints(s.k, s.n / 8), zeros(groups, s.n / 8),
        eights(s.k / 8 + 1, s.n);
    check::Matrix<u16> fours(s.n, s.k / 4);
    X.random(1), scale.random(2), scales.random(3), Z.random(4), Y.random(5);
    of_row.random(6), V.random(7);
    const auto fill = [](auto &matrix, u32 step, auto convert) {
      for (int r = 0; r < matrix.rows(); ++r)
        for (int c = 0; c < matrix.cols(); ++c)
          matrix.set(r, c, convert((r * 2654435761u + c * step) * step));
      matrix.upload();
    };
    fill(bytes, 668265263u, [](u32 x) { return x >> 13 & 255; });
    fill(shorts, 374761393u, [](u32 x) { return x >> 11 & 65535; });
    fill(words, 2246822519u, [](u32 x) { return x; });
    fill(across, 3266489917u, [](u32 x) { return x; });
    fill(ints, 2246822519u, [](u32 x) { return static_cast<int>(x); });
    fill(eights, 374761393u, [](u32 x) { return static_cast<int>(x); });
    fill(fours, 668265263u, [](u32 x) { return x >> 9 & 65535; });
    fill(zeros, 3266489917u, [](u32 x) { return static_cast<int>(x); });
    const auto number = [](double word, int i) {
      return static_cast<int>(
          static_cast<u32>(static_cast<long long>(word)) >> 4 * i & 15);
    };

    const auto grid = [](int m, int n, int b = 1) {
      return dim3(check::ceilDiv(n, T), check::ceilDiv(m, T), b);
    };
    const dim3 block(T, T);
    check::Matrix<half> A(s.m, columns), B(s.m, s.n), F(s.m, s.n),
        G(s.m, columns);
    check::Matrix<float> H(s.m, s.n);
    check::Matrix<float> C(s.m, columns), D(batch * s.m, columns),
        E(rows, columns);
    columns_of_bytes<<<grid(s.m, columns), block>>>(X.data(), bytes.data(),
                                                    scale.data(), A.data(), s.m,
                                                    columns, s.k, s.n / 2);
    high_first<<<grid(s.m, columns), block>>>(Y.data(), bytes.data(), C.data(),
                                              s.m, columns, s.k, s.n / 2);
    by_table<<<grid(s.m, s.n), block>>>(X.data(), ints.data(), zeros.data(),
                                        scales.data(), B.data(), s.m, s.n, s.k,
                                        group);
    batches<<<grid(s.m, columns, batch), block>>>(
        V.data(), shorts.data(), D.data(), s.m, columns, s.k, s.n / 4 + 1);
    rows_of_words<<<grid(rows, columns), block>>>(across.data(), Z.data(),
                                                  of_row.data(), E.data(), rows,
                                                  columns, s.k, s.m / 8 + 2);
    through_tiles<<<grid(s.m, s.n), block>>>(
        X.data(), words.data(), scale.data(), F.data(), s.m, s.n, s.k);

    const bool whole_words = s.k % 8 == 0;
    if (whole_words) {
      along_k<<<grid(s.m, columns), block>>>(
          X.data(), eights.data(), zeros.data(), scales.data(), G.data(), s.m,
          columns, s.k, s.n, group);
      along_rows<<<grid(s.m, s.n), block>>>(V.data(), fours.data(), H.data(),
                                            s.m, s.n, s.k);
    }

    const check::Shape narrow = {s.m, columns, s.k};
    const auto halves = [&](int m, int k) { return X(m, k); };
    check::Table sum = check::product(narrow, halves, [&](int k, int n) {
      return number(bytes(k, n / 2), n % 2) - 8;
    });
    test.expect("columns_of_bytes", narrow, A,
                [&](int m, int n) { return sum(m, n) * scale(0, n); });
    sum = check::product(
        narrow, [&](int m, int k) { return Y(m, k); },
        [&](int k, int n) { return number(bytes(k, n / 2), 1 - n % 2) - 7.5; });
    test.expect("high_first", narrow, C,
                [&](int m, int n) { return sum(m, n); });
    sum = check::product(s, halves, [&](int k, int n) {
      const int place = n % 8 / 2 + n % 2 * 4;
      return (number(ints(k, n / 8), place) -
              number(zeros(k / group, n / 8), place)) *
             scales(k / group, n);
    });
    test.expect("by_table", s, B, [&](int m, int n) { return sum(m, n); });
    const auto sum_of = [&](int b) {
      return check::product(
          narrow, [&](int m, int k) { return V(b * s.m + m, k); },
          [&](int k, int n) {
            return number(shorts(b * s.k + k, n / 4), n % 4);
          });
    };
    check::Table first = sum_of(0), second = sum_of(1);
    test.expect("batches", {batch * s.m, columns, s.k}, D, [&](int m, int n) {
      return m < s.m ? first(m, n) : second(m - s.m, n);
    });
    sum = check::product(
        {rows, columns, s.k},
        [&](int m, int k) {
          return (number(across(k, m / 8), 7 - m % 8) - 8) * of_row(0, m);
        },
        [&](int k, int n) { return Z(k, n); });
    test.expect("rows_of_words", {rows, columns, s.k}, E,
                [&](int m, int n) { return sum(m, n); });
    sum = check::product(s, halves, [&](int k, int n) {
      const int bits = number(words(k, n / 8), n % 8);
      return bits < 8 ? bits : bits - 16;
    });
    test.expect("through_tiles", s, F,
                [&](int m, int n) { return sum(m, n) * scale(0, n); });
    if (!whole_words)
      continue;
    sum = check::product(narrow, halves, [&](int k, int n) {
      return (number(eights(k / 8, n), k % 8) -
              number(zeros(k / group, n / 8), n % 8) - 1) *
             scales(k / group, n);
    });
    test.expect("along_k", narrow, G, [&](int m, int n) { return sum(m, n); });
    sum = check::product(
        s, [&](int m, int k) { return V(m, k); },
        [&](int k, int n) {
          const int i = k % 4, place = i == 1 ? 2 : i == 2 ? 1 : i;
          return number(fours(n, k / 4), place) - 8;
        });
    test.expect("along_rows", s, H, [&](int m, int n) { return sum(m, n); });
  }
  return test.finish();
}
