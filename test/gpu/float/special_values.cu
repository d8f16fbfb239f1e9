// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Float operands that are hard to multiply on tensor cores: infinities, NaN,
// subnormal numbers, ranges of 36 decimal digits, rows of zeros, sums that
// cancel. An element is infinite or NaN exactly where the kernel as it was
// written has that; any other is at most 1e-6 of its row's norm times its
// column's away from float64, or four times what the kernel as written is.
//
// EXPECT-LOG: hopper

#include "check.h"

#include <limits>

#define MATMUL(T, U)                                                           \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row >= M || col >= N)                                                    \
    return;                                                                    \
  float sum = 0.0f;                                                            \
  for (int k = 0; k < K; ++k)                                                  \
    sum += float(A[row * K + k]) * float(B[k * N + col]);                      \
  C[row * N + col] = sum;

#pragma warpwright matmul
__global__ void float_float(const float *A, const float *B, float *C, int M,
                            int N, int K){MATMUL(float, float)}

#pragma warpwright matmul
__global__ void float_half(const float *A, const half *B, float *C, int M,
                           int N, int K){MATMUL(float, half)}

#pragma warpwright matmul
__global__ void bf16_float(const __nv_bfloat16 *A, const float *B, float *C,
                           int M, int N, int K){MATMUL(__nv_bfloat16, float)}

#pragma warpwright matmul
__global__ void half_bf16(const half *A, const __nv_bfloat16 *B, float *C,
                          int M, int N, int K) {
  MATMUL(half, __nv_bfloat16)
}

// As they were written: nothing rewrites this one.
template <typename T, typename U>
__global__ void as_written(const T *A, const U *B, float *C, int M, int N,
                           int K) {
  MATMUL(T, U)
}

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// One kind of data: what element (row, k) of A, or (col, k) of B, is. \p x is
/// a number from -1 to 1, \p u one from 0 to 1.
struct Data {
  const char *name;
  double (*element)(bool b, int line, int k, double x, double u);
  /// Which of two infinities a sum reaches first depends on the order in which
  /// it is added up, and the parts of a sum in slices may reach both: then the
  /// result may be NaN where the original's is infinite.
  bool orderDecides = false;
};

const Data kinds[] = {
    {"uniform", [](bool, int, int, double x, double) { return x; }},
    {"large",
     [](bool b, int, int, double x, double) { return b ? x : x * 1e30; }},
    {"tiny",
     [](bool b, int, int, double x, double) { return x * (b ? 1e-5 : 1e-30); }},
    {"scaled_lines", [](bool, int line, int, double x,
                        double) { return x * std::pow(10.0, line % 37 - 18); }},
    {"scaled_along_k",
     [](bool b, int, int k, double x, double) {
       return x * std::pow(10.0, (b ? 1 : -1) * (k % 80 - 40) / 4.0);
     }},
    {"wide",
     [](bool, int, int, double x, double u) {
       return std::copysign(std::pow(10.0, 36 * u - 18), x);
     }},
    {"subnormal",
     [](bool b, int line, int k, double x, double) {
       return b ? x : x * (line % 2 || k % 7 == 0 ? 1e-39 : 1.0);
     }},
    {"subnormal_results",
     [](bool, int, int, double x, double) { return x * 1e-20; }},
    {"zero_lines",
     [](bool, int line, int, double x, double) { return line % 3 ? x : 0.0; }},
    {"sparse",
     [](bool, int, int, double x, double u) { return u < 0.05 ? x : 0.0; }},
    {"one_huge", [](bool b, int line, int k, double x,
                    double) { return !b && k == line % 40 ? 1e18 : x; }},
    {"cancelling",
     [](bool b, int line, int k, double x, double) {
       return b ? 1.0 + 1e-4 * x : (k % 2 ? -1.0 : 1.0) * (1 + line % 5);
     }},
    {"one_sign", [](bool, int, int, double, double u) { return 0.5 + u; }},
    {"limits_of_half",
     [](bool, int, int k, double x, double) {
       const double edges[] = {65504,     65519.996,    65520,
                               32767.998, 32768,        6.1035156e-5,
                               6.1e-5,    5.9604645e-8, 1};
       return std::copysign(edges[k % 9], x);
     }},
    {"infinite",
     [](bool b, int line, int k, double x, double u) {
       return !b && line % 11 == 3 && k == 17  ? std::copysign(infinity, x)
              : b && line % 13 == 5 && k == 33 ? infinity
              : b && u < 0.1                   ? 0.0
                                               : x;
     }},
    {"not_a_number",
     [](bool b, int line, int k, double x, double) {
       return (b ? line % 17 == 2 : line % 9 == 4) && k == 38 ? nan : x;
     }},
    {"infinite_times_zero",
     [](bool b, int line, int k, double x, double) {
       return b                          ? (line % 4 ? x : 0.0)
              : k == 12 && line % 5 == 1 ? infinity
                                         : x;
     }},
    // Products that float cannot hold, of one sign and of both.
    {"overflow", [](bool, int line, int, double,
                    double u) { return (0.5 + u) * (line % 2 ? 1e21 : 1.0); }},
    {"overflow_of_both_signs",
     [](bool, int line, int, double x, double) {
       return x * (line % 2 ? 1e22 : 1.0);
     },
     true},
    {"greatest",
     [](bool b, int, int, double x, double) {
       return b ? x * 1e-3 : std::copysign(3.4028234e38, x);
     }},
};

template <class T>
void fill(check::Matrix<T> &matrix, bool b, const Data &data) {
  uint64_t state = b ? 0xb0b : 0xa11ce;
  for (int r = 0; r < matrix.rows(); ++r)
    for (int c = 0; c < matrix.cols(); ++c) {
      const uint64_t bits = check::randomBits(state);
      const double u = static_cast<double>(bits >> 40) / 16777216.0;
      const double x =
          static_cast<double>((bits >> 8) & 0xffffff) / 8388608.0 - 1.0;
      matrix.set(r, c,
                 b ? data.element(b, c, r, x, u) : data.element(b, r, c, x, u));
    }
  matrix.upload();
}

bool finite(double x) { return std::isfinite(x); }

/// Whether \p a and \p b are both finite, the same infinity or both NaN.
bool sameKind(double a, double b) {
  return finite(a) ? finite(b) : std::isnan(a) ? std::isnan(b) : a == b;
}

template <class T, class U, class Launch>
bool test(const char *name, check::Shape s, const Data &data, double limit,
          const Launch &launch) {
  check::Matrix<T> A(s.m, s.k);
  check::Matrix<U> B(s.k, s.n);
  check::Matrix<float> C(s.m, s.n), D(s.m, s.n);
  fill(A, false, data);
  fill(B, true, data);
  const dim3 block(32, 8);
  const dim3 grid(check::ceilDiv(s.n, 32), check::ceilDiv(s.m, 8));
  launch(grid, block, A.data(), B.data(), C.data());
  CUDA_CHECK(cudaGetLastError());
  as_written<T, U>
      <<<grid, block>>>(A.data(), B.data(), D.data(), s.m, s.n, s.k);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
  C.download();
  D.download();

  const check::Table sum = check::product(s, A, B);
  std::vector<double> rows(s.m), cols(s.n);
  for (int k = 0; k < s.k; ++k) {
    for (int m = 0; m < s.m; ++m)
      rows[m] += A(m, k) * A(m, k);
    for (int n = 0; n < s.n; ++n)
      cols[n] += B(k, n) * B(k, n);
  }
  double error = 0, own = 0;
  int other = 0;
  for (int m = 0; m < s.m; ++m)
    for (int n = 0; n < s.n; ++n) {
      other += data.orderDecides ? finite(D(m, n)) != finite(C(m, n))
                                 : !sameKind(D(m, n), C(m, n));
      const double norm = std::sqrt(rows[m]) * std::sqrt(cols[n]);
      if (!finite(D(m, n)) || !finite(C(m, n)) || !(norm > 0)) {
        // A row of zeros times numbers is zero.
        other += norm == 0 && C(m, n) != 0;
        continue;
      }
      error = std::fmax(error, std::fabs(C(m, n) - sum(m, n)) / norm);
      own = std::fmax(own, std::fabs(D(m, n) - sum(m, n)) / norm);
    }
  const double bound = std::fmax(limit, 4 * own);
  const bool good = error <= bound && other == 0 && C.strayBytes() == 0 &&
                    A.unchanged() && B.unchanged();
  char elsewhere[64] = "";
  if (other)
    std::snprintf(elsewhere, sizeof elsewhere,
                  ", %d elements finite, infinite or NaN elsewhere", other);
  std::printf("case %s/%s %dx%dx%d: error %.2e, bound %.1e, as written "
              "%.2e%s: %s\n",
              name, data.name, s.m, s.n, s.k, error, bound, own, elsewhere,
              good ? "ok" : "BAD");
  std::fflush(stdout);
  return good;
}

} // namespace

int main(int argc, char **argv) {
  check::Suite options(argc, argv);
  std::vector<check::Shape> shapes = {{72, 48, 104}};
  if (!options.quick()) {
    shapes.push_back({264, 136, 200});
    shapes.push_back({130, 264, 1032});
  }
  bool passed = true;
  for (check::Shape s : shapes)
    for (const Data &data : kinds) {
      passed &= test<float, float>(
          "float_float", s, data, 1e-6,
          [&](dim3 grid, dim3 block, float *A, float *B, float *C) {
            float_float<<<grid, block>>>(A, B, C, s.m, s.n, s.k);
          });
      passed &= test<float, half>(
          "float_half", s, data, 1e-6,
          [&](dim3 grid, dim3 block, float *A, half *B, float *C) {
            float_half<<<grid, block>>>(A, B, C, s.m, s.n, s.k);
          });
      passed &= test<__nv_bfloat16, float>(
          "bf16_float", s, data, 1e-6,
          [&](dim3 grid, dim3 block, __nv_bfloat16 *A, float *B, float *C) {
            bf16_float<<<grid, block>>>(A, B, C, s.m, s.n, s.k);
          });
      passed &= test<half, __nv_bfloat16>(
          "half_bf16", s, data, 1e-6,
          [&](dim3 grid, dim3 block, half *A, __nv_bfloat16 *B, float *C) {
            half_bf16<<<grid, block>>>(A, B, C, s.m, s.n, s.k);
          });
    }
  std::printf("%s\n", passed ? "PASS" : "FAIL");
  return passed ? 0 : 1;
}
