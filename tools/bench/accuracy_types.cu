//===- accuracy_types.cu - Errors of products of many types -----*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///   accuracy_types [edge] [K]   edge x K by K x edge (512), sums to K (65536)
///
/// Products of bfloat16, half, TF32 and complex numbers of two floats, compared
/// with sums in double: of the original kernels, of what Warpwright makes of
/// them, and of cuBLAS. Outputs are floats, so that what is seen is the error
/// of the sums. Every element is compared. The file is rewritten by the tool
/// before it is compiled (pack.sh does that).
///
/// What is printed are tables of docs/accuracy.md, each behind a comment that
/// names it; fill.py puts them there. Exit status 1 if a launch did not take
/// the Hopper kernel, or if its normwise error is more than four times the
/// greater one of the original's and of cuBLAS's.
///
//===----------------------------------------------------------------------===//

#include "errors.h"

#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <string>
#include <vector>

//===----------------------------------------------------------------------===//
// The kernels
//===----------------------------------------------------------------------===//

#define BODY(SUM, ZERO, A_VALUE, B_VALUE)                                      \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row < M && col < N) {                                                    \
    SUM sum = ZERO;                                                            \
    for (int k = 0; k < K; ++k)                                                \
      sum += A_VALUE(A[row * K + k]) * B_VALUE(B[col * K + k]);                \
    C[row * N + col] = sum;                                                    \
  }
#define FLOATS(VALUE) BODY(float, 0.0f, VALUE, VALUE)

#pragma warpwright matmul
__global__ void bf16(const __nv_bfloat16 *A, const __nv_bfloat16 *B, float *C,
                     int M, int N, int K){FLOATS(__bfloat162float)}

#pragma warpwright matmul accumulate(promoted)
__global__
    void bf16_promoted(const __nv_bfloat16 *A, const __nv_bfloat16 *B, float *C,
                       int M, int N, int K){FLOATS(__bfloat162float)}

#pragma warpwright matmul
__global__ void f16(const __half *A, const __half *B, float *C, int M, int N,
                    int K){FLOATS(__half2float)}

#pragma warpwright matmul accumulate(f16)
__global__ void f16_in_half(const __half *A, const __half *B, float *C, int M,
                            int N, int K){FLOATS(__half2float)}

#pragma warpwright matmul precision(tf32)
__global__
    void tf32(const float *A, const float *B, float *C, int M, int N, int K) {
  FLOATS()
}

struct Complex {
  float re, im;
};
inline __device__ Complex operator*(Complex x, Complex y) {
  return {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}
inline __device__ void operator+=(Complex &sum, Complex x) {
  sum.re += x.re;
  sum.im += x.im;
}

#pragma warpwright matmul
__global__ void c32(const Complex *A, const Complex *B, Complex *C, int M,
                    int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    Complex sum = {0, 0};
    for (int k = 0; k < K; ++k)
      sum += A[row * K + k] * B[col * K + k];
    C[row * N + col] = sum;
  }
}

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

enum Kind { Normal, Uniform, ScaledRows, Cancelling, NumKinds };

static const char *const kindNames[NumKinds] = {
    "normal", "uniform [0, 1)", "rows and columns scaled", "cancelling"};

/// Number (line, k) of an operand, of `count` in a line: line is m in A and n
/// in B. Rows are scaled by at most 2^scale, or divided by it.
__device__ float number(Kind kind, bool isA, int line, int k, int count,
                        float scale) {
  const uint64_t index = uint64_t(line) * count + k;
  const uint64_t stream = isA ? 10 : 20;
  switch (kind) {
  case Uniform:
    return uniform(index, stream);
  case ScaledRows:
    return normal(index, stream) *
           exp2f(floorf((2 * uniform(line, stream + 1) - 1) * scale));
  case Cancelling: {
    // The second half of the terms has the values of the first half with the
    // other sign, but for one in 64.
    const int half = count / 2;
    const float x = normal(uint64_t(line) * count + k % half, stream);
    if (k < half || isA)
      return x;
    return uniform(index, stream + 2) < 1.0f / 64 ? 0.0f : -x;
  }
  default:
    return normal(index, stream);
  }
}

/// Elements of half stay far from the ends of its range.
template <class T>
__global__ void fill(Kind kind, bool isA, T *data, int lines, int count) {
  const float scale = sizeof(T) == 4                   ? 40.0f
                      : std::is_same<T, __half>::value ? 4.0f
                                                       : 30.0f;
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
       i < size_t(lines) * count; i += size_t(gridDim.x) * blockDim.x)
    data[i] = static_cast<T>(
        number(kind, isA, int(i / count), int(i % count), count, scale));
}

//===----------------------------------------------------------------------===//
// What the results should be
//===----------------------------------------------------------------------===//

/// The products of complex numbers, two elements each.
__global__ void multiplyComplex(const float2 *A, const float2 *B, Exact *C,
                                int edge, int K) {
  const int row = blockIdx.y * 16 + threadIdx.y,
            col = blockIdx.x * 16 + threadIdx.x;
  Exact re = {0, 0}, im = {0, 0};
  for (int k = 0; k < K; ++k) {
    const float2 a = A[size_t(row) * K + k], b = B[size_t(col) * K + k];
    const double rr = double(a.x) * b.x, ii = double(a.y) * b.y,
                 ri = double(a.x) * b.y, ir = double(a.y) * b.x;
    re.value += rr - ii, re.magnitude += fabs(rr) + fabs(ii);
    im.value += ri + ir, im.magnitude += fabs(ri) + fabs(ir);
  }
  C[(size_t(row) * edge + col) * 2] = re;
  C[(size_t(row) * edge + col) * 2 + 1] = im;
}

__global__ void widen(const __half *from, float *to, size_t count) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count;
       i += size_t(gridDim.x) * blockDim.x)
    to[i] = __half2float(from[i]);
}

/// Normwise, and of the worst element relative to its terms' magnitudes.
struct TypeErrors {
  double normwise, worst;
};

static TypeErrors findErrors(const std::vector<float> &got,
                             const std::vector<Exact> &want) {
  double difference = 0, norm = 0, worst = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    const double d = got[i] - want[i].value;
    if (!(std::fabs(d) < HUGE_VAL))
      return {HUGE_VAL, HUGE_VAL};
    // In units of the terms of a row and column, which may be scaled.
    const double unit = want[i].magnitude > 0 ? want[i].magnitude : 1;
    difference += d / unit * (d / unit);
    norm += want[i].value / unit * (want[i].value / unit);
    worst = std::max(worst, std::fabs(d) / unit);
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
static void multiplyByLibrary(const void *A, const void *B, void *C, int edge,
                              int K, cudaDataType_t type, cudaDataType_t result,
                              cublasComputeType_t compute) {
  const float one = 1, zero = 0;
  const __half oneInHalf = __float2half(1.0f), zeroInHalf = __float2half(0.0f);
  const bool inHalf = compute == CUBLAS_COMPUTE_16F;
  CHECK(cublasGemmEx(handle(), CUBLAS_OP_T, CUBLAS_OP_N, edge, edge, K,
                     inHalf ? static_cast<const void *>(&oneInHalf) : &one, B,
                     type, K, A, type, K,
                     inHalf ? static_cast<const void *>(&zeroInHalf) : &zero, C,
                     result, edge, compute, CUBLAS_GEMM_DEFAULT));
}

/// The grid of the originals' launches.
static dim3 blocks(int edge) { return dim3(edge / 16, edge / 16); }
static const dim3 threads(16, 16);

/// Each type has its numbers, how many of them an element and an output have,
/// and its two kernels.
struct Bf16 {
  using Number = __nv_bfloat16;
  static constexpr int parts = 1;
  static constexpr const char *name = "bf16";
  static void launch(const Number *A, const Number *B, float *C, int edge,
                     int K) {
    bf16<<<blocks(edge), threads>>>(A, B, C, edge, edge, K);
  }
  static void library(const Number *A, const Number *B, float *C, int edge,
                      int K) {
    multiplyByLibrary(A, B, C, edge, K, CUDA_R_16BF, CUDA_R_32F,
                      CUBLAS_COMPUTE_32F);
  }
};

struct Bf16Promoted : Bf16 {
  static constexpr const char *name = "bf16-promoted";
  static void launch(const Number *A, const Number *B, float *C, int edge,
                     int K) {
    bf16_promoted<<<blocks(edge), threads>>>(A, B, C, edge, edge, K);
  }
};

struct F16 {
  using Number = __half;
  static constexpr int parts = 1;
  static constexpr const char *name = "f16";
  static void launch(const Number *A, const Number *B, float *C, int edge,
                     int K) {
    f16<<<blocks(edge), threads>>>(A, B, C, edge, edge, K);
  }
  static void library(const Number *A, const Number *B, float *C, int edge,
                      int K) {
    multiplyByLibrary(A, B, C, edge, K, CUDA_R_16F, CUDA_R_32F,
                      CUBLAS_COMPUTE_32F);
  }
};

struct F16InHalf : F16 {
  static constexpr const char *name = "f16-in-half";
  static void launch(const Number *A, const Number *B, float *C, int edge,
                     int K) {
    f16_in_half<<<blocks(edge), threads>>>(A, B, C, edge, edge, K);
  }
  /// cuBLAS adds in half where the outputs are halves.
  static void library(const Number *A, const Number *B, float *C, int edge,
                      int K) {
    const size_t count = size_t(edge) * edge;
    __half *halves;
    CHECK(cudaMalloc(&halves, count * sizeof(__half)));
    multiplyByLibrary(A, B, halves, edge, K, CUDA_R_16F, CUDA_R_16F,
                      CUBLAS_COMPUTE_16F);
    widen<<<1024, 256>>>(halves, C, count);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(halves));
  }
};

struct Tf32 {
  using Number = float;
  static constexpr int parts = 1;
  static constexpr const char *name = "tf32";
  static void launch(const Number *A, const Number *B, float *C, int edge,
                     int K) {
    tf32<<<blocks(edge), threads>>>(A, B, C, edge, edge, K);
  }
  static void library(const Number *A, const Number *B, float *C, int edge,
                      int K) {
    multiplyByLibrary(A, B, C, edge, K, CUDA_R_32F, CUDA_R_32F,
                      CUBLAS_COMPUTE_32F_FAST_TF32);
  }
};

struct C32 {
  using Number = float;
  static constexpr int parts = 2;
  static constexpr const char *name = "c32";
  static void launch(const Number *A, const Number *B, float *C, int edge,
                     int K) {
    c32<<<blocks(edge), threads>>>(reinterpret_cast<const Complex *>(A),
                                   reinterpret_cast<const Complex *>(B),
                                   reinterpret_cast<Complex *>(C), edge, edge,
                                   K);
  }
  static void library(const Number *A, const Number *B, float *C, int edge,
                      int K) {
    const cuComplex one = {1, 0}, zero = {0, 0};
    CHECK(cublasCgemm(handle(), CUBLAS_OP_T, CUBLAS_OP_N, edge, edge, K, &one,
                      reinterpret_cast<const cuComplex *>(B), K,
                      reinterpret_cast<const cuComplex *>(A), K, &zero,
                      reinterpret_cast<cuComplex *>(C), edge));
  }
};

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

struct Memory {
  void *A, *B;
  float *C;
  Exact *exact;
};

/// False if the rewritten kernel was requested and the original ran.
template <class Type>
static bool run(int which, const Memory &memory, int edge, int K) {
  const auto *A = static_cast<const typename Type::Number *>(memory.A);
  const auto *B = static_cast<const typename Type::Number *>(memory.B);
  lastPath.clear();
  if (which == Library) {
    Type::library(A, B, memory.C, edge, K);
  } else {
    if (which == Original) // no plan has this name
      choosePlan("original");
    Type::launch(A, B, memory.C, edge, K);
    choosePlan(nullptr);
  }
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  if (which == Rewritten && lastPath.compare(0, 6, "hopper")) {
    std::fprintf(stderr, "%s, K = %d: %s\n", Type::name, K,
                 lastPath.empty() ? "not rewritten" : lastPath.c_str());
    return false;
  }
  return true;
}

template <class Type>
static void findExact(const Memory &memory, int edge, int K) {
  const auto *A = static_cast<const typename Type::Number *>(memory.A);
  const auto *B = static_cast<const typename Type::Number *>(memory.B);
  if constexpr (Type::parts == 2)
    multiplyComplex<<<blocks(edge), threads>>>(
        reinterpret_cast<const float2 *>(A),
        reinterpret_cast<const float2 *>(B), memory.exact, edge, K);
  else
    multiply<<<blocks(edge), threads>>>(A, B, memory.exact, edge, K, true);
}

/// Prints the table of a type. False if a launch did not take the Hopper
/// kernel, or its error is beyond what the file's comment says.
template <class Type>
static bool compare(const Memory &memory, int edge, int deepest) {
  using Number = typename Type::Number;
  const size_t count = size_t(edge) * edge * Type::parts;
  std::vector<Exact> want(count);
  std::vector<float> got(count);
  bool good = true;
  std::printf("<!-- %s -->\n| data | K |", Type::name);
  for (const char *kind : {"", ", worst"})
    for (const char *name : contestantNames)
      std::printf(" %s%s |", name, kind);
  std::printf("\n|---|---|---|---|---|---|---|---|\n");
  for (int kind = 0; kind < NumKinds; ++kind)
    for (int k : {64, 512, 4096, 16384, 65536}) {
      if (k > deepest)
        continue;
      const Kind of = static_cast<Kind>(kind);
      fill<<<1024, 256>>>(of, true, static_cast<Number *>(memory.A), edge,
                          k * Type::parts);
      fill<<<1024, 256>>>(of, false, static_cast<Number *>(memory.B), edge,
                          k * Type::parts);
      findExact<Type>(memory, edge, k);
      CHECK(cudaMemcpy(want.data(), memory.exact, count * sizeof(Exact),
                       cudaMemcpyDeviceToHost));
      TypeErrors errors[NumContestants];
      for (int which = 0; which < NumContestants; ++which) {
        // NaN shows elements to which nothing was written.
        CHECK(cudaMemset(memory.C, 0xff, count * sizeof(float)));
        good &= run<Type>(which, memory, edge, k);
        CHECK(cudaMemcpy(got.data(), memory.C, count * sizeof(float),
                         cudaMemcpyDeviceToHost));
        errors[which] = findErrors(got, want);
      }
      if (!(errors[Rewritten].normwise <=
            4 * std::max({errors[Original].normwise, errors[Library].normwise,
                          1e-7}))) {
        std::fprintf(stderr, "%s, %s, K = %d: less accurate than cuBLAS\n",
                     Type::name, kindNames[kind], k);
        good = false;
      }
      std::printf("| %s | %d |", kindNames[kind], k);
      for (const TypeErrors &each : errors)
        std::printf(" %.1e |", each.normwise);
      for (const TypeErrors &each : errors)
        std::printf(" %.1e |", each.worst);
      std::printf("\n");
    }
  return good;
}

int main(int argc, char **argv) {
  const int edge = argc > 1 ? std::atoi(argv[1]) : 512;
  const int deepest = argc > 2 ? std::atoi(argv[2]) : 65536;
  if (edge < 16 || edge % 16 || edge > 4096 || deepest < 64) {
    std::fprintf(stderr,
                 "usage: accuracy_types [edge, a multiple of 16] [K]\n");
    return 1;
  }
  const size_t most = size_t(edge) * deepest * sizeof(float2);
  const size_t count = size_t(edge) * edge * 2;
  Memory memory;
  CHECK(cudaMalloc(&memory.A, most));
  CHECK(cudaMalloc(&memory.B, most));
  CHECK(cudaMalloc(&memory.C, count * sizeof(float)));
  CHECK(cudaMalloc(&memory.exact, count * sizeof(Exact)));
  listen();
  std::printf("%d x %d x K, every element compared.\n", edge, edge);
  bool good = true;
  good &= compare<Bf16>(memory, edge, deepest);
  good &= compare<Bf16Promoted>(memory, edge, deepest);
  good &= compare<F16>(memory, edge, deepest);
  good &= compare<F16InHalf>(memory, edge, deepest);
  good &= compare<Tf32>(memory, edge, deepest);
  good &= compare<C32>(memory, edge, deepest);
  std::printf("<!-- end -->\n%s\n", good ? "PASS" : "FAIL");
  return good ? 0 : 1;
}
