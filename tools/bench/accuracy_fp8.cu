//===- accuracy_fp8.cu - Errors of fp8 products against float64 -*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///   accuracy_fp8 [edge] [K]   products of e4m3, edge x K by K x edge (512)
///
/// Compares with float64, for several kinds of data and sums of 64 to 65536
/// terms (or to K), float results of: the original kernel, what Warpwright
/// makes of it, the same with accumulate(fast), cuBLASLt, and cuBLASLt with its
/// fast accumulation. Every element is compared. The file is rewritten by the
/// tool before it is compiled (pack.sh does that).
///
/// What is printed are tables of docs/accuracy.md, each behind a comment that
/// names it; fill.py puts them there. Exit status 1 if a launch did not take
/// the Hopper kernel, or if an element of the rewritten kernel's is farther
/// from float64 than docs/accuracy.md says: 136 * 2^-13 of the sum of its
/// terms' magnitudes.
///
//===----------------------------------------------------------------------===//

#include "errors.h"

#include <cublasLt.h>
#include <cuda_fp8.h>

#include <algorithm>
#include <string>
#include <vector>

using e4m3 = __nv_fp8_e4m3;

//===----------------------------------------------------------------------===//
// The kernels
//===----------------------------------------------------------------------===//

#pragma warpwright matmul
__global__ void gemm(const e4m3 *A, const e4m3 *B, float *C, int M, int N,
                     int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
      sum += float(A[row * K + k]) * float(B[col * K + k]);
    C[row * N + col] = sum;
  }
}

#pragma warpwright matmul accumulate(fast)
__global__ void gemm_fast(const e4m3 *A, const e4m3 *B, float *C, int M, int N,
                          int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
      sum += float(A[row * K + k]) * float(B[col * K + k]);
    C[row * N + col] = sum;
  }
}

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

enum Kind { Normal, Uniform, ScaledRows, WideRange, Cancelling, NumKinds };

static const char *const kindNames[NumKinds] = {"normal", "uniform [0, 1)",
                                                "rows and columns scaled",
                                                "wide range", "cancelling"};

/// Element (line, k) of an operand: line is m in A and n in B.
__device__ float element(Kind kind, bool isA, int line, int k, int K) {
  const uint64_t index = uint64_t(line) * K + k;
  const uint64_t stream = isA ? 10 : 20;
  switch (kind) {
  case Uniform:
    return uniform(index, stream);
  case ScaledRows:
    return normal(index, stream) *
           exp2f(floorf(10.0f * uniform(line, stream + 1)) - 4.0f);
  case WideRange: {
    // All of e4m3's exponents.
    const float size = exp2f(15.0f * uniform(index, stream) - 7.0f);
    return uniform(index, stream + 1) < 0.5f ? -size : size;
  }
  case Cancelling: {
    // The second half of the terms has the values of the first half with the
    // other sign, but for one in 64.
    const int half = K / 2;
    const float x = normal(uint64_t(line) * K + k % half, stream);
    if (k < half || isA)
      return x;
    return uniform(index, stream + 1) < 1.0f / 64 ? 0.0f : -x;
  }
  default:
    return normal(index, stream);
  }
}

__global__ void fill(Kind kind, bool isA, e4m3 *data, int lines, int K) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
       i < size_t(lines) * K; i += size_t(gridDim.x) * blockDim.x)
    data[i] = e4m3(element(kind, isA, int(i / K), int(i % K), K));
}

//===----------------------------------------------------------------------===//
// The contestants
//===----------------------------------------------------------------------===//

enum Contestant {
  Original,
  Rewritten,
  RewrittenFast,
  Library,
  LibraryFast,
  NumContestants
};

static const char *const contestantNames[NumContestants] = {
    "original", "rewritten", "`accumulate(fast)`", "cuBLASLt",
    "cuBLASLt, fast accumulation"};

/// cuBLASLt's preferred algorithm. Row-major C = A B^T is column-major
/// C^T = B A^T, where both are transposed ones of what is in memory.
static void runLibrary(bool fast, const e4m3 *A, const e4m3 *B, float *C,
                       int edge, int K) {
  static cublasLtHandle_t handle = nullptr;
  static void *workspace = nullptr;
  const size_t bytes = 64 << 20;
  if (!handle) {
    CHECK(cublasLtCreate(&handle));
    CHECK(cudaMalloc(&workspace, bytes));
  }
  cublasLtMatmulDesc_t operation;
  CHECK(cublasLtMatmulDescCreate(&operation, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  const cublasOperation_t transposed = CUBLAS_OP_T;
  CHECK(cublasLtMatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_TRANSA,
                                       &transposed, sizeof transposed));
  const int8_t mode = fast;
  CHECK(cublasLtMatmulDescSetAttribute(
      operation, CUBLASLT_MATMUL_DESC_FAST_ACCUM, &mode, sizeof mode));
  cublasLtMatrixLayout_t first, second, result;
  CHECK(cublasLtMatrixLayoutCreate(&first, CUDA_R_8F_E4M3, K, edge, K));
  CHECK(cublasLtMatrixLayoutCreate(&second, CUDA_R_8F_E4M3, K, edge, K));
  CHECK(cublasLtMatrixLayoutCreate(&result, CUDA_R_32F, edge, edge, edge));
  cublasLtMatmulPreference_t preference;
  CHECK(cublasLtMatmulPreferenceCreate(&preference));
  CHECK(cublasLtMatmulPreferenceSetAttribute(
      preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes,
      sizeof bytes));
  cublasLtMatmulHeuristicResult_t heuristic;
  int found = 0;
  CHECK(cublasLtMatmulAlgoGetHeuristic(handle, operation, first, second, result,
                                       result, preference, 1, &heuristic,
                                       &found));
  const float one = 1, zero = 0;
  if (found)
    CHECK(cublasLtMatmul(handle, operation, &one, B, first, A, second, &zero, C,
                         result, C, result, &heuristic.algo, workspace, bytes,
                         nullptr));
  cublasLtMatmulPreferenceDestroy(preference);
  for (cublasLtMatrixLayout_t layout : {first, second, result})
    cublasLtMatrixLayoutDestroy(layout);
  cublasLtMatmulDescDestroy(operation);
}

/// False if the rewritten kernel was requested and the original ran.
static bool run(Contestant which, const e4m3 *A, const e4m3 *B, float *C,
                int edge, int K) {
  const dim3 block(16, 16), grid(edge / 16, edge / 16);
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
  case RewrittenFast:
    gemm_fast<<<grid, block>>>(A, B, C, M, N, K);
    break;
  default:
    runLibrary(which == LibraryFast, A, B, C, edge, K);
  }
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  const bool ours = which == Rewritten || which == RewrittenFast;
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

struct Row {
  Kind kind;
  int k;
  Errors errors[NumContestants];
};

static void printTable(const char *table, const std::vector<Row> &rows,
                       double Errors::*error) {
  std::printf("<!-- %s -->\n| data | K |", table);
  for (const char *name : contestantNames)
    std::printf(" %s |", name);
  std::printf("\n|---|---|---|---|---|---|---|\n");
  for (const Row &row : rows) {
    std::printf("| %s | %d |", kindNames[row.kind], row.k);
    for (const Errors &each : row.errors)
      std::printf(" %.1e |", each.*error);
    std::printf("\n");
  }
}

int main(int argc, char **argv) {
  const int edge = argc > 1 ? std::atoi(argv[1]) : 512;
  const int deepest = argc > 2 ? std::atoi(argv[2]) : 65536;
  if (edge < 16 || edge % 16 || edge > 4096 || deepest < 64) {
    std::fprintf(stderr, "usage: accuracy_fp8 [edge, a multiple of 16] [K]\n");
    return 1;
  }
  const size_t most = size_t(edge) * deepest, count = size_t(edge) * edge;
  e4m3 *A, *B;
  float *C;
  Exact *exact;
  CHECK(cudaMalloc(&A, most));
  CHECK(cudaMalloc(&B, most));
  CHECK(cudaMalloc(&C, count * sizeof(float)));
  CHECK(cudaMalloc(&exact, count * sizeof(Exact)));
  listen();

  bool good = true;
  std::vector<Row> rows;
  for (int kind = 0; kind < NumKinds; ++kind)
    for (int k : {64, 512, 4096, 16384, 65536}) {
      if (k > deepest)
        continue;
      Row row = {static_cast<Kind>(kind), k, {}};
      fill<<<1024, 256>>>(row.kind, true, A, edge, k);
      fill<<<1024, 256>>>(row.kind, false, B, edge, k);
      multiply<<<dim3(edge / 16, edge / 16), dim3(16, 16)>>>(A, B, exact, edge,
                                                             k, true);
      CHECK(cudaGetLastError());
      for (int which = 0; which < NumContestants; ++which) {
        // NaN shows elements to which nothing was written.
        CHECK(cudaMemset(C, 0xff, count * sizeof(float)));
        good &= run(static_cast<Contestant>(which), A, B, C, edge, k);
        row.errors[which] = findErrors(C, exact, count);
      }
      const Errors &rewritten = row.errors[Rewritten];
      if (rewritten.otherClass || !(rewritten.worst <= 136 / 8192.0)) {
        std::fprintf(stderr, "%s, K = %d: beyond the bound\n", kindNames[kind],
                     k);
        good = false;
      }
      rows.push_back(row);
    }
  std::printf("%d x %d x K, every element compared.\n", edge, edge);
  printTable("fp8-normwise", rows, &Errors::normwise);
  printTable("fp8-worst", rows, &Errors::worst);
  std::printf("<!-- end -->\n%s\n", good ? "PASS" : "FAIL");
  return good ? 0 : 1;
}
