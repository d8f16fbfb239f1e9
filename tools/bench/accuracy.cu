//===- accuracy.cu - Errors of float products against float64 ---*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///   accuracy [edge]       products of edge x K and K x edge matrices (512)
///
/// Compares with float64, for several kinds of data and sums of 64 to 65536
/// terms: the original kernel, what Warpwright makes of it, the same with
/// precision(tf32), cuBLAS in float32 and cuBLAS in TF32. Every element is
/// compared. The file is rewritten by the tool before it is compiled (pack.sh
/// does that).
///
/// What is printed are the tables of docs/accuracy.md, each behind a comment
/// that names it; fill.py puts them there. Exit status 1 if a launch did not
/// take the Hopper kernel, if the rewritten kernel's normwise error exceeds
/// both 1e-6 and the original's, or if an infinity or NaN is elsewhere than in
/// the original's result.
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

#pragma warpwright matmul
__global__ void gemm(const float *A, const float *B, float *C, int M, int N,
                     int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
      sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
  }
}

#pragma warpwright matmul precision(tf32)
__global__ void gemm_tf32(const float *A, const float *B, float *C, int M,
                          int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
      sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
  }
}

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

enum Kind {
  Normal,
  Uniform,
  ScaledRows,
  WideRange,
  Cancelling,
  Subnormal,
  Infinities,
  NaNs,
  NumKinds
};

static const char *const kindNames[NumKinds] = {
    "normal",     "uniform [0, 1)", "rows and columns scaled", "wide range",
    "cancelling", "subnormal A",    "some infinities",         "some NaNs"};

/// Element (line, k) of an operand: line is m in A and n in B.
__device__ float element(Kind kind, bool isA, int line, int k, int K) {
  const uint64_t index = uint64_t(line) * K + k;
  const uint64_t stream = isA ? 10 : 20;
  switch (kind) {
  case Uniform:
    return uniform(index, stream);
  case ScaledRows:
    return normal(index, stream) *
           exp2f(floorf(40.0f * uniform(line, stream + 1)) - 20.0f);
  case WideRange: {
    float size = exp10f(36.0f * uniform(index, stream) - 18.0f);
    return uniform(index, stream + 1) < 0.5f ? -size : size;
  }
  case Cancelling: {
    // The second half of the terms has the values of the first half with the
    // other sign, changed by about a thousandth.
    const int half = K / 2;
    const uint64_t first = uint64_t(line) * K + k % half;
    float x = normal(first, stream);
    if (k < half || isA)
      return x;
    return -x * (1.0f + normal(first, stream + 1) / 1024.0f);
  }
  case Subnormal:
    // Magnitudes around 2^-130, where a float has 19 significant bits.
    return normal(index, stream) * (isA ? 0x1p-65f * 0x1p-65f : 0x1p60f);
  case Infinities:
    if (uniform(index, stream + 1) < 1.0f / 16384)
      return uniform(index, stream + 2) < 0.5f ? -INFINITY : INFINITY;
    return normal(index, stream);
  case NaNs:
    if (uniform(index, stream + 1) < 1.0f / 16384)
      return NAN;
    return normal(index, stream);
  default:
    return normal(index, stream);
  }
}

__global__ void fill(Kind kind, bool isA, float *data, int lines, int K) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
       i < size_t(lines) * K; i += size_t(gridDim.x) * blockDim.x) {
    // A is [line][k], B is [k][line].
    const int line = static_cast<int>(isA ? i / K : i % lines);
    const int k = static_cast<int>(isA ? i % K : i / lines);
    data[i] = element(kind, isA, line, k, K);
  }
}

//===----------------------------------------------------------------------===//
// The contestants
//===----------------------------------------------------------------------===//

enum Contestant {
  Original,
  Rewritten,
  RewrittenTF32,
  LibraryFloat,
  LibraryTF32,
  NumContestants
};

static const char *const contestantNames[NumContestants] = {
    "original", "rewritten", "`precision(tf32)`", "cuBLAS float32",
    "cuBLAS TF32"};

/// False if the rewritten kernel was requested and the original ran.
static bool run(Contestant which, cublasHandle_t library, const float *A,
                const float *B, float *C, int edge, int K) {
  const dim3 block(16, 16), grid(edge / 16, edge / 16);
  const float one = 1, zero = 0;
  const int M = edge, N = edge;
  lastPath.clear();
  switch (which) {
  case Original:
    // No plan has this name.
    choosePlan("original");
    gemm<<<grid, block>>>(A, B, C, M, N, K);
    choosePlan(nullptr);
    break;
  case Rewritten:
    gemm<<<grid, block>>>(A, B, C, M, N, K);
    break;
  case RewrittenTF32:
    gemm_tf32<<<grid, block>>>(A, B, C, M, N, K);
    break;
  default:
    // Row-major C = A B is column-major C^T = B^T A^T.
    CHECK(cublasGemmEx(library, CUBLAS_OP_N, CUBLAS_OP_N, N, M, K, &one, B,
                       CUDA_R_32F, N, A, CUDA_R_32F, K, &zero, C, CUDA_R_32F, N,
                       which == LibraryTF32 ? CUBLAS_COMPUTE_32F_FAST_TF32
                                            : CUBLAS_COMPUTE_32F,
                       CUBLAS_GEMM_DEFAULT));
  }
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  bool ours = which == Rewritten || which == RewrittenTF32;
  if (ours && lastPath.compare(0, 6, "hopper")) {
    std::fprintf(stderr, "K = %d: %s\n", K,
                 lastPath.empty() ? "not rewritten" : lastPath.c_str());
    return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

static void printHead(const char *table, const char *first) {
  std::printf("<!-- %s -->\n| data | %s |", table, first);
  for (const char *name : contestantNames)
    std::printf(" %s |", name);
  std::printf("\n|---|---|---|---|---|---|---|\n");
}

struct Row {
  Kind kind;
  int k;
  Errors errors[NumContestants];
};

static void printTable(const char *table, const std::vector<Row> &rows,
                       double Errors::*error) {
  printHead(table, "K");
  for (const Row &row : rows) {
    std::printf("| %s | %d |", kindNames[row.kind], row.k);
    for (const Errors &each : row.errors)
      std::printf(" %.1e |", each.*error);
    std::printf("\n");
  }
}

static void printClasses(const std::vector<Row> &rows) {
  printHead("classes", "not finite in float64");
  for (const Row &row : rows) {
    std::printf("| %s, K = %d | %llu |", kindNames[row.kind], row.k,
                row.errors[Original].notFinite);
    for (const Errors &each : row.errors)
      std::printf(" %llu |", each.otherClass);
    std::printf("\n");
  }
}

int main(int argc, char **argv) {
  const int edge = argc > 1 ? std::atoi(argv[1]) : 512;
  if (edge < 16 || edge % 16 || edge > 4096) {
    std::fprintf(stderr, "usage: accuracy [edge], a multiple of 16\n");
    return 1;
  }
  const int depths[] = {64, 512, 4096, 16384, 65536};
  const size_t most = size_t(edge) * 65536, count = size_t(edge) * edge;
  float *A, *B, *C;
  Exact *exact;
  cublasHandle_t library;
  CHECK(cudaMalloc(&A, most * sizeof(float)));
  CHECK(cudaMalloc(&B, most * sizeof(float)));
  CHECK(cudaMalloc(&C, count * sizeof(float)));
  CHECK(cudaMalloc(&exact, count * sizeof(Exact)));
  CHECK(cublasCreate(&library));
  listen();

  bool good = true;
  std::vector<Row> finite, special, positive;
  for (int kind = 0; kind < NumKinds; ++kind)
    for (int k : depths) {
      const bool isSpecial = kind == Infinities || kind == NaNs;
      if (isSpecial && k > 4096)
        continue;
      Row row = {static_cast<Kind>(kind), k, {}};
      fill<<<1024, 256>>>(row.kind, true, A, edge, k);
      fill<<<1024, 256>>>(row.kind, false, B, edge, k);
      multiply<<<dim3(edge / 16, edge / 16), dim3(16, 16)>>>(A, B, exact, edge,
                                                             k);
      CHECK(cudaGetLastError());
      for (int which = 0; which < NumContestants; ++which) {
        // NaN shows elements to which nothing was written.
        CHECK(cudaMemset(C, 0xff, count * sizeof(float)));
        good &= run(static_cast<Contestant>(which), library, A, B, C, edge, k);
        row.errors[which] = findErrors(C, exact, count);
      }
      const Errors &original = row.errors[Original];
      const Errors &rewritten = row.errors[Rewritten];
      good &= rewritten.otherClass == original.otherClass &&
              row.errors[RewrittenTF32].otherClass == original.otherClass;
      if (isSpecial) {
        special.push_back(row);
        continue;
      }
      // If all products take the float path, only the order of summation
      // differs.
      if (!(rewritten.normwise <= std::max(1e-6, 1.01 * original.normwise))) {
        std::fprintf(stderr, "%s, K = %d: beyond 1e-6 and the original\n",
                     kindNames[kind], k);
        good = false;
      }
      finite.push_back(row);
      if (kind == Uniform)
        positive.push_back(row);
    }
  std::printf("%d x %d x K, every element compared.\n", edge, edge);
  printTable("normwise", finite, &Errors::normwise);
  printTable("worst", finite, &Errors::worst);
  printTable("relative", positive, &Errors::worstRelative);
  printClasses(special);
  std::printf("<!-- end -->\n%s\n", good ? "PASS" : "FAIL");
  return good ? 0 : 1;
}
