//===- errors.h - Errors of products against float64 ------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the programs that measure accuracy share (accuracy*.cu): random
/// numbers, the product in float64, the errors of float results, and which
/// kernel a launcher takes.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_BENCH_ERRORS_H
#define WARPWRIGHT_BENCH_ERRORS_H

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#define CHECK(call)                                                            \
  do {                                                                         \
    if (int status = static_cast<int>(call)) {                                 \
      std::fprintf(stderr, "%s:%d: %s: status %d\n", __FILE__, __LINE__,       \
                   #call, status);                                             \
      std::exit(1);                                                            \
    }                                                                          \
  } while (0)

inline __device__ uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// A number in (0, 1) with 24 bits.
inline __device__ float uniform(uint64_t index, uint64_t stream) {
  uint64_t bits = mix(index * 0x9e3779b97f4a7c15u + mix(stream + 1));
  return (static_cast<float>(bits >> 41) + 0.5f) / 8388608.0f;
}

inline __device__ float normal(uint64_t index, uint64_t stream) {
  float radius = sqrtf(-2.0f * logf(uniform(index, 2 * stream)));
  return radius * cospif(2.0f * uniform(index, 2 * stream + 1));
}

/// One element of the product in float64, and the sum of its terms' magnitudes.
struct Exact {
  double value, magnitude;
};

/// One thread per element of A[edge][K] * B[K][edge], or of
/// A[edge][K] * B[edge][K] where `b_along_k`; edge is a multiple of 16.
template <class T>
__global__ void multiply(const T *A, const T *B, Exact *C, int edge, int K,
                         bool b_along_k = false) {
  __shared__ double tileA[16][17], tileB[16][17];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
  double value = 0, magnitude = 0;
  for (int k = 0; k < K; k += 16) {
    tileA[y][x] = static_cast<float>(A[size_t(row) * K + k + x]);
    tileB[y][x] = static_cast<float>(b_along_k ? B[size_t(col) * K + k + y]
                                               : B[size_t(k + y) * edge + col]);
    __syncthreads();
    for (int i = 0; i < 16; ++i) {
      value += tileA[y][i] * tileB[i][x];
      magnitude += fabs(tileA[y][i] * tileB[i][x]);
    }
    __syncthreads();
  }
  C[size_t(row) * edge + col] = {value, magnitude};
}

struct Sums {
  double difference, norm;
  /// The bit patterns of non-negative doubles are ordered as the doubles are.
  unsigned long long worst, worstRelative;
  /// Counts elements that are not of the same class as float64's: finite,
  /// infinite of either sign, NaN.
  unsigned long long otherClass, notFinite;
};

inline __device__ void keepLargest(unsigned long long *to, double x) {
  atomicMax(to, static_cast<unsigned long long>(__double_as_longlong(x)));
}

static __global__ void measure(const float *C, const Exact *exact, size_t count,
                               Sums *sums) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count;
       i += size_t(gridDim.x) * blockDim.x) {
    const double got = C[i], want = exact[i].value;
    if (!isfinite(want))
      atomicAdd(&sums->notFinite, 1ull);
    if (isnan(got) != isnan(want) || isinf(got) != isinf(want) ||
        (isinf(want) && got != want)) {
      atomicAdd(&sums->otherClass, 1ull);
      continue;
    }
    if (!isfinite(want))
      continue;
    const double difference = fabs(got - want);
    atomicAdd(&sums->difference, difference * difference);
    atomicAdd(&sums->norm, want * want);
    if (exact[i].magnitude > 0)
      keepLargest(&sums->worst, difference / exact[i].magnitude);
    if (want != 0)
      keepLargest(&sums->worstRelative, difference / fabs(want));
  }
}

struct Errors {
  double normwise, worst, worstRelative;
  unsigned long long otherClass, notFinite;
};

inline Errors findErrors(const float *C, const Exact *exact, size_t count) {
  static Sums *sums = nullptr;
  if (!sums)
    CHECK(cudaMalloc(&sums, sizeof(Sums)));
  CHECK(cudaMemset(sums, 0, sizeof(Sums)));
  measure<<<256, 256>>>(C, exact, count, sums);
  CHECK(cudaGetLastError());
  Sums host;
  CHECK(cudaMemcpy(&host, sums, sizeof(Sums), cudaMemcpyDeviceToHost));
  auto asDouble = [](unsigned long long bits) {
    double value;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
  };
  return {std::sqrt(host.difference / host.norm), asDouble(host.worst),
          asDouble(host.worstRelative), host.otherClass, host.notFinite};
}

/// The kernel that the last launcher took; empty in a file that is not
/// rewritten.
inline std::string lastPath;

inline void listen() {
#ifdef WARPWRIGHT_RT_WARPWRIGHT_CUH
  ::warpwright::rt::launch_listener() = [](const char *, const char *path,
                                           const char *detail) {
    lastPath = std::string(path) + " " + detail;
  };
#endif
}

/// Makes launchers take the plan of that name, or the original where there is
/// none; null: any plan.
inline void choosePlan(const char *name) {
#ifdef WARPWRIGHT_RT_WARPWRIGHT_CUH
  ::warpwright::rt::only_plan() = name;
#else
  (void)name;
#endif
}

#endif // WARPWRIGHT_BENCH_ERRORS_H
