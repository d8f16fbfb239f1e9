//===- rival.cu - cuBLASLt on one row ---------------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench.h"

#include <cublasLt.h>
#include <cublas_v2.h>

namespace bench {

struct Rival::State {
  cublasLtHandle_t handle = nullptr;
  cublasLtMatmulDesc_t operation = nullptr;
  cublasLtMatrixLayout_t first = nullptr, second = nullptr, result = nullptr;
  cublasLtMatmulPreference_t preference = nullptr;
  cublasLtMatmulHeuristicResult_t heuristics[8];
  int found = 0;
  void *workspace = nullptr;
  size_t workspaceBytes = 64 << 20;
  /// cublasSgemm, cublasDgemm or cublasCgemm, for f32, f64 and c32 rows without
  /// batches: its own choice among kernels.
  cublasHandle_t classic = nullptr;
  cublasOperation_t opA, opB;
  int m, n, k;
  bool doubles = false, integers = false, complex = false;
};

/// A row-major matrix, given as the column-major one it is to cuBLASLt.
static cublasLtMatrixLayout_t describe(cudaDataType_t type, int rows, int cols,
                                       int batch) {
  cublasLtMatrixLayout_t layout;
  BENCH_CHECK(cublasLtMatrixLayoutCreate(&layout, type, cols, rows, cols));
  int64_t stride = int64_t(rows) * cols;
  BENCH_CHECK(cublasLtMatrixLayoutSetAttribute(
      layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch, sizeof batch));
  BENCH_CHECK(cublasLtMatrixLayoutSetAttribute(
      layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride,
      sizeof stride));
  return layout;
}

// Row-major C = A B is column-major C^T = B^T A^T, so B comes first.
Rival::Rival(const Row &row) : state(new State) {
  State &s = *state;
  BENCH_CHECK(cublasLtCreate(&s.handle));
  BENCH_CHECK(cudaMalloc(&s.workspace, s.workspaceBytes));
  BENCH_CHECK(
      cublasLtMatmulDescCreate(&s.operation,
                               row.type == "tf32" ? CUBLAS_COMPUTE_32F_FAST_TF32
                               : row.type == "f64"  ? CUBLAS_COMPUTE_64F
                               : row.type == "int8" ? CUBLAS_COMPUTE_32I
                                                    : CUBLAS_COMPUTE_32F,
                               row.type == "f64"    ? CUDA_R_64F
                               : row.type == "c32"  ? CUDA_C_32F
                               : row.type == "int8" ? CUDA_R_32I
                                                    : CUDA_R_32F));
  s.integers = row.type == "int8";
  s.doubles = row.type == "f64";
  s.complex = row.type == "c32";
  cublasOperation_t opB = row.transposedB() ? CUBLAS_OP_T : CUBLAS_OP_N;
  cublasOperation_t opA = row.transposedA() ? CUBLAS_OP_T : CUBLAS_OP_N;
  BENCH_CHECK(cublasLtMatmulDescSetAttribute(
      s.operation, CUBLASLT_MATMUL_DESC_TRANSA, &opB, sizeof opB));
  BENCH_CHECK(cublasLtMatmulDescSetAttribute(
      s.operation, CUBLASLT_MATMUL_DESC_TRANSB, &opA, sizeof opA));
  const bool bfloat = rivalType(row.type) == "bf16";
  cudaDataType_t type = s.doubles           ? CUDA_R_64F
                        : s.complex         ? CUDA_C_32F
                        : isFloat(row.type) ? CUDA_R_32F
                        : bfloat            ? CUDA_R_16BF
                        : row.type == "fp8" ? CUDA_R_8F_E4M3
                        : s.integers        ? CUDA_R_8I
                                            : CUDA_R_16F;
  cudaDataType_t result = row.type == "fp8" ? CUDA_R_16BF
                          : s.integers      ? CUDA_R_32I
                                            : type;
  s.first = row.transposedB() ? describe(type, row.n, row.k, row.batch)
                              : describe(type, row.k, row.n, row.batch);
  s.second = row.transposedA() ? describe(type, row.k, row.m, row.batch)
                               : describe(type, row.m, row.k, row.batch);
  s.result = describe(result, row.m, row.n, row.batch);
  BENCH_CHECK(cublasLtMatmulPreferenceCreate(&s.preference));
  BENCH_CHECK(cublasLtMatmulPreferenceSetAttribute(
      s.preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &s.workspaceBytes,
      sizeof s.workspaceBytes));
  if (cublasLtMatmulAlgoGetHeuristic(s.handle, s.operation, s.first, s.second,
                                     s.result, s.result, s.preference, 8,
                                     s.heuristics, &s.found))
    s.found = 0;
  if ((row.type == "f32" || s.doubles || s.complex) && row.batch == 1) {
    BENCH_CHECK(cublasCreate(&s.classic));
    s.opA = opA;
    s.opB = opB;
    s.m = row.m;
    s.n = row.n;
    s.k = row.k;
  }
}

Rival::~Rival() {
  cublasLtMatmulPreferenceDestroy(state->preference);
  for (cublasLtMatrixLayout_t layout :
       {state->first, state->second, state->result})
    cublasLtMatrixLayoutDestroy(layout);
  cublasLtMatmulDescDestroy(state->operation);
  cublasLtDestroy(state->handle);
  if (state->classic)
    cublasDestroy(state->classic);
  cudaFree(state->workspace);
  delete state;
}

int Rival::algorithms() const {
  return state->found + (!state->classic ? 0 : state->complex ? 2 : 1);
}

std::string Rival::name(int algorithm) const {
  return algorithm < state->found ? "Lt " + std::to_string(algorithm)
         : state->doubles         ? "Dgemm"
         : state->complex ? algorithm == state->found ? "Cgemm" : "Cgemm3m"
                          : "Sgemm";
}

void Rival::run(int algorithm, const void *A, const void *B, void *C) {
  const float one = 1, zero = 0;
  const double oneInDouble = 1, zeroInDouble = 0;
  const int oneInInt = 1, zeroInInt = 0;
  State &s = *state;
  if (algorithm >= s.found && s.doubles) {
    BENCH_CHECK(cublasDgemm(
        s.classic, s.opB, s.opA, s.n, s.m, s.k, &oneInDouble,
        static_cast<const double *>(B), s.opB == CUBLAS_OP_T ? s.k : s.n,
        static_cast<const double *>(A), s.opA == CUBLAS_OP_T ? s.m : s.k,
        &zeroInDouble, static_cast<double *>(C), s.n));
    return;
  }
  const cuComplex oneInComplex = {1, 0}, zeroInComplex = {0, 0};
  if (algorithm >= s.found && s.complex) {
    BENCH_CHECK((algorithm == s.found ? cublasCgemm : cublasCgemm3m)(
        s.classic, s.opB, s.opA, s.n, s.m, s.k, &oneInComplex,
        static_cast<const cuComplex *>(B), s.opB == CUBLAS_OP_T ? s.k : s.n,
        static_cast<const cuComplex *>(A), s.opA == CUBLAS_OP_T ? s.m : s.k,
        &zeroInComplex, static_cast<cuComplex *>(C), s.n));
    return;
  }
  if (algorithm >= s.found) {
    BENCH_CHECK(cublasSgemm(
        s.classic, s.opB, s.opA, s.n, s.m, s.k, &one,
        static_cast<const float *>(B), s.opB == CUBLAS_OP_T ? s.k : s.n,
        static_cast<const float *>(A), s.opA == CUBLAS_OP_T ? s.m : s.k, &zero,
        static_cast<float *>(C), s.n));
    return;
  }
  const void *alpha = &one, *beta = &zero;
  if (s.doubles)
    alpha = &oneInDouble, beta = &zeroInDouble;
  if (s.complex)
    alpha = &oneInComplex, beta = &zeroInComplex;
  if (s.integers)
    alpha = &oneInInt, beta = &zeroInInt;
  BENCH_CHECK(cublasLtMatmul(s.handle, s.operation, alpha, B, s.first, A,
                             s.second, beta, C, s.result, C, s.result,
                             &s.heuristics[algorithm].algo, s.workspace,
                             s.workspaceBytes, /*stream=*/nullptr));
}

} // namespace bench
