//===- accuracy_wide.cu - Products that are exact, or nearly so -*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///   accuracy_wide [edge] [K]   edge x K by K x edge (512), sums to K (65536)
///
/// Products of doubles, compared with sums of pairs of doubles (106 bits), and
/// of bytes, compared with integers modulo 2^32: of the original kernels, of
/// what Warpwright makes of them, and of cuBLAS. Every element is compared. The
/// file is rewritten by the tool before it is compiled (pack.sh does that).
///
/// What is printed are tables of docs/accuracy.md, each behind a comment that
/// names it; fill.py puts them there. Exit status 1 if a launch did not take
/// the Hopper kernel, if an integer differs, or if an element of the rewritten
/// kernel's doubles is farther from the exact sum than K * 2^-53 of the sum of
/// its terms' magnitudes, which bounds the original's, too.
///
//===----------------------------------------------------------------------===//

#include "errors.h"

#include <cublas_v2.h>

#include <algorithm>
#include <string>
#include <vector>

//===----------------------------------------------------------------------===//
// The kernels
//===----------------------------------------------------------------------===//

#define BODY(SUM)                                                              \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row < M && col < N) {                                                    \
    SUM sum = 0;                                                               \
    for (int k = 0; k < K; ++k)                                                \
      sum += A[row * K + k] * B[col * K + k];                                  \
    C[row * N + col] = sum;                                                    \
  }

#pragma warpwright matmul
__global__ void dgemm(const double *A, const double *B, double *C, int M, int N,
                      int K){BODY(double)}

#pragma warpwright matmul
__global__ void igemm(const signed char *A, const signed char *B, int *C, int M,
                      int N, int K) {
  BODY(int)
}

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

enum Kind { Normal, Uniform, ScaledRows, Cancelling, NumKinds };

static const char *const kindNames[NumKinds] = {
    "normal", "uniform [0, 1)", "rows and columns scaled", "cancelling"};

/// Element (line, k) of an operand: line is m in A and n in B.
__device__ double element(Kind kind, bool isA, int line, int k, int K) {
  const uint64_t index = uint64_t(line) * K + k;
  const uint64_t stream = isA ? 10 : 20;
  // 48 bits.
  const auto fine = [&](uint64_t at) {
    return double(normal(at, stream)) *
           (1 + 0x1p-24 * double(uniform(at, stream + 7)));
  };
  switch (kind) {
  case Uniform:
    return double(uniform(index, stream)) +
           0x1p-24 * double(uniform(index, stream + 7));
  case ScaledRows:
    return fine(index) *
           exp2(floor(200.0 * double(uniform(line, stream + 1))) - 100.0);
  case Cancelling: {
    // The second half of the terms has the values of the first half with the
    // other sign, but for one in 64.
    const int half = K / 2;
    const double x = fine(uint64_t(line) * K + k % half);
    if (k < half || isA)
      return x;
    return uniform(index, stream) < 1.0f / 64 ? 0.0 : -x;
  }
  default:
    return fine(index);
  }
}

/// The same as bytes: of all values, of normal ones, or of the largest.
__device__ signed char byteElement(Kind kind, bool isA, int line, int k,
                                   int K) {
  const uint64_t index = uint64_t(line) * K + k, stream = isA ? 10 : 20;
  switch (kind) {
  case Uniform:
    return static_cast<signed char>(int(256.0f * uniform(index, stream)) - 128);
  case ScaledRows: // sums that leave 32 bits
    return uniform(index, stream) < 0.01f ? 127 : -128;
  case Cancelling: {
    const int half = K / 2;
    const int x =
        int(254.0f * uniform(uint64_t(line) * K + k % half, stream)) - 127;
    return static_cast<signed char>(k < half || isA ? x : -x);
  }
  default:
    return static_cast<signed char>(
        fminf(127.0f, fmaxf(-128.0f, 32.0f * normal(index, stream))));
  }
}

__device__ void make(double &to, Kind kind, bool isA, int line, int k, int K) {
  to = element(kind, isA, line, k, K);
}
__device__ void make(signed char &to, Kind kind, bool isA, int line, int k,
                     int K) {
  to = byteElement(kind, isA, line, k, K);
}

template <class T>
__global__ void fill(Kind kind, bool isA, T *data, int lines, int K) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
       i < size_t(lines) * K; i += size_t(gridDim.x) * blockDim.x)
    make(data[i], kind, isA, int(i / K), int(i % K), K);
}

//===----------------------------------------------------------------------===//
// What the results should be
//===----------------------------------------------------------------------===//

/// A sum as two doubles, the second of which is below half of the first's last
/// bit, and the sum of the terms' magnitudes.
struct Pair {
  double high, low, magnitude;
};

__global__ void exactly(const double *A, const double *B, Pair *C, int edge,
                        int K) {
  const int row = blockIdx.y * 16 + threadIdx.y,
            col = blockIdx.x * 16 + threadIdx.x;
  double high = 0, low = 0, magnitude = 0;
  for (int k = 0; k < K; ++k) {
    const double a = A[size_t(row) * K + k], b = B[size_t(col) * K + k];
    const double product = __dmul_rn(a, b), rest = __fma_rn(a, b, -product);
    const double sum = __dadd_rn(high, product);
    const double back = __dadd_rn(sum, -high);
    const double lost = __dadd_rn(__dadd_rn(high, -__dadd_rn(sum, -back)),
                                  __dadd_rn(product, -back));
    low = __dadd_rn(low, __dadd_rn(lost, rest));
    high = sum;
    magnitude += fabs(product);
  }
  C[size_t(row) * edge + col] = {high, low, magnitude};
}

__global__ void exactly(const signed char *A, const signed char *B, unsigned *C,
                        int edge, int K) {
  const int row = blockIdx.y * 16 + threadIdx.y,
            col = blockIdx.x * 16 + threadIdx.x;
  long long sum = 0;
  for (int k = 0; k < K; ++k)
    sum += int(A[size_t(row) * K + k]) * int(B[size_t(col) * K + k]);
  C[size_t(row) * edge + col] = static_cast<unsigned>(sum);
}

struct WideErrors {
  double normwise, worst;
};

static WideErrors findErrors(const std::vector<double> &got,
                             const std::vector<Pair> &want) {
  double difference = 0, norm = 0, worst = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    const double d = (got[i] - want[i].high) - want[i].low;
    if (!(std::fabs(d) <= HUGE_VAL))
      return {HUGE_VAL, HUGE_VAL};
    difference += d * d;
    norm += want[i].high * want[i].high;
    if (want[i].magnitude > 0)
      worst = std::max(worst, std::fabs(d) / want[i].magnitude);
  }
  return {std::sqrt(difference / norm), worst};
}

//===----------------------------------------------------------------------===//
// The contestants
//===----------------------------------------------------------------------===//

enum Contestant { Original, Rewritten, Library, NumContestants };

static const char *const contestantNames[NumContestants] = {
    "original", "rewritten", "cuBLAS"};

static cublasHandle_t handle() {
  static cublasHandle_t handle = nullptr;
  if (!handle)
    CHECK(cublasCreate(&handle));
  return handle;
}

// Row-major C = A B^T is column-major C^T = B A^T.
static void runLibrary(const double *A, const double *B, double *C, int edge,
                       int K) {
  const double one = 1, zero = 0;
  CHECK(cublasDgemm(handle(), CUBLAS_OP_T, CUBLAS_OP_N, edge, edge, K, &one, B,
                    K, A, K, &zero, C, edge));
}
static void runLibrary(const signed char *A, const signed char *B, int *C,
                       int edge, int K) {
  const int one = 1, zero = 0;
  CHECK(cublasGemmEx(handle(), CUBLAS_OP_T, CUBLAS_OP_N, edge, edge, K, &one, B,
                     CUDA_R_8I, K, A, CUDA_R_8I, K, &zero, C, CUDA_R_32I, edge,
                     CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT));
}

static void launch(const double *A, const double *B, double *C, int edge,
                   int K) {
  dgemm<<<dim3(edge / 16, edge / 16), dim3(16, 16)>>>(A, B, C, edge, edge, K);
}
static void launch(const signed char *A, const signed char *B, int *C, int edge,
                   int K) {
  igemm<<<dim3(edge / 16, edge / 16), dim3(16, 16)>>>(A, B, C, edge, edge, K);
}

/// False if the rewritten kernel was requested and the original ran.
template <class T, class Sum>
static bool run(int which, const T *A, const T *B, Sum *C, int edge, int K) {
  lastPath.clear();
  if (which == Library) {
    runLibrary(A, B, C, edge, K);
  } else {
    if (which == Original) // no plan has this name
      choosePlan("original");
    launch(A, B, C, edge, K);
    choosePlan(nullptr);
  }
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  if (which == Rewritten && lastPath.compare(0, 6, "hopper")) {
    std::fprintf(stderr, "K = %d: %s\n", K,
                 lastPath.empty() ? "not rewritten" : lastPath.c_str());
    return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

struct Row {
  Kind kind;
  int k;
  std::string cells[NumContestants];
};

static void printTable(const char *table, const char *const *kinds,
                       const std::vector<Row> &rows) {
  std::printf("<!-- %s -->\n| data | K |", table);
  for (const char *name : contestantNames)
    std::printf(" %s |", name);
  std::printf("\n|---|---|---|---|---|\n");
  for (const Row &row : rows) {
    std::printf("| %s | %d |", kinds[row.kind], row.k);
    for (const std::string &cell : row.cells)
      std::printf(" %s |", cell.c_str());
    std::printf("\n");
  }
}

static std::string text(double x) {
  char buffer[32];
  std::snprintf(buffer, sizeof(buffer), "%.1e", x);
  return buffer;
}

int main(int argc, char **argv) {
  const int edge = argc > 1 ? std::atoi(argv[1]) : 512;
  const int deepest = argc > 2 ? std::atoi(argv[2]) : 65536;
  if (edge < 16 || edge % 16 || edge > 4096 || deepest < 64) {
    std::fprintf(stderr, "usage: accuracy_wide [edge, a multiple of 16] [K]\n");
    return 1;
  }
  const size_t most = size_t(edge) * deepest, count = size_t(edge) * edge;
  char *A, *B, *C, *exact;
  CHECK(cudaMalloc(&A, most * sizeof(double)));
  CHECK(cudaMalloc(&B, most * sizeof(double)));
  CHECK(cudaMalloc(&C, count * sizeof(double)));
  CHECK(cudaMalloc(&exact, count * sizeof(Pair)));
  listen();
  const dim3 grid(edge / 16, edge / 16), block(16, 16);

  bool good = true;
  std::vector<Row> normwise, worst, integers;
  for (int kind = 0; kind < NumKinds; ++kind)
    for (int k : {64, 512, 4096, 16384, 65536}) {
      if (k > deepest)
        continue;
      const Kind of = static_cast<Kind>(kind);
      {
        double *a = reinterpret_cast<double *>(A),
               *b = reinterpret_cast<double *>(B),
               *c = reinterpret_cast<double *>(C);
        fill<<<1024, 256>>>(of, true, a, edge, k);
        fill<<<1024, 256>>>(of, false, b, edge, k);
        exactly<<<grid, block>>>(a, b, reinterpret_cast<Pair *>(exact), edge,
                                 k);
        std::vector<Pair> want(count);
        CHECK(cudaMemcpy(want.data(), exact, count * sizeof(Pair),
                         cudaMemcpyDeviceToHost));
        Row normRow = {of, k, {}}, worstRow = {of, k, {}};
        for (int which = 0; which < NumContestants; ++which) {
          // NaN shows elements to which nothing was written.
          CHECK(cudaMemset(C, 0xff, count * sizeof(double)));
          good &= run(which, a, b, c, edge, k);
          std::vector<double> got(count);
          CHECK(cudaMemcpy(got.data(), C, count * sizeof(double),
                           cudaMemcpyDeviceToHost));
          const WideErrors errors = findErrors(got, want);
          normRow.cells[which] = text(errors.normwise);
          worstRow.cells[which] = text(errors.worst);
          if (which == Rewritten && !(errors.worst <= k * 0x1p-53)) {
            std::fprintf(stderr, "%s, K = %d: beyond the bound\n",
                         kindNames[kind], k);
            good = false;
          }
        }
        normwise.push_back(normRow), worst.push_back(worstRow);
      }
      {
        signed char *a = reinterpret_cast<signed char *>(A),
                    *b = reinterpret_cast<signed char *>(B);
        int *c = reinterpret_cast<int *>(C);
        fill<<<1024, 256>>>(of, true, a, edge, k);
        fill<<<1024, 256>>>(of, false, b, edge, k);
        exactly<<<grid, block>>>(a, b, reinterpret_cast<unsigned *>(exact),
                                 edge, k);
        std::vector<unsigned> want(count), got(count);
        CHECK(
            cudaMemcpy(want.data(), exact, count * 4, cudaMemcpyDeviceToHost));
        Row row = {of, k, {}};
        for (int which = 0; which < NumContestants; ++which) {
          CHECK(cudaMemset(C, 0xaa, count * 4));
          good &= run(which, a, b, c, edge, k);
          CHECK(cudaMemcpy(got.data(), C, count * 4, cudaMemcpyDeviceToHost));
          size_t differ = 0;
          for (size_t i = 0; i < count; ++i)
            differ += got[i] != want[i];
          row.cells[which] = std::to_string(differ);
          good &= which != Rewritten || !differ;
        }
        integers.push_back(row);
      }
    }
  static const char *const byteKinds[NumKinds] = {
      "normal, deviation 32", "all values", "sums beyond 32 bits",
      "cancelling"};
  std::printf("%d x %d x K, every element compared.\n", edge, edge);
  printTable("f64-normwise", kindNames, normwise);
  printTable("f64-worst", kindNames, worst);
  printTable("int8-differing", byteKinds, integers);
  std::printf("<!-- end -->\n%s\n", good ? "PASS" : "FAIL");
  return good ? 0 : 1;
}
