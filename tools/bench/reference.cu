//===- reference.cu - Data and the float64 check ----------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace bench {
namespace {

__device__ uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// Elements as the check computes with them: exactly.
template <class T> __device__ double exactly(T x) {
  return static_cast<float>(x);
}
__device__ double exactly(double x) { return x; }
__device__ double exactly(int x) { return x; }

/// The same of complex numbers, and the arithmetic of both.
struct Complex {
  double re, im;
};
__device__ Complex exactly(float2 x) { return {x.x, x.y}; }
__device__ void addProduct(double &sum, double a, double b) { sum += a * b; }
__device__ void addProduct(Complex &sum, Complex a, Complex b) {
  sum.re += a.re * b.re - a.im * b.im;
  sum.im += a.re * b.im + a.im * b.re;
}
__device__ double difference(double x, double y) { return x - y; }
__device__ Complex difference(Complex x, Complex y) {
  return {x.re - y.re, x.im - y.im};
}
__device__ double square(double x) { return x * x; }
__device__ double square(Complex x) { return x.re * x.re + x.im * x.im; }
/// What elements are computed with.
template <class T> using Exact = decltype(exactly(T()));

/// A normal number: the sum of four uniform ones of 16 bits, scaled to
/// deviation 1.
__device__ float normal(uint64_t index, uint64_t seed) {
  uint64_t bits = mix(index * 0x9e3779b97f4a7c15u + mix(seed + 1));
  float sum = 0;
  for (int i = 0; i < 4; ++i)
    sum += static_cast<float>((bits >> (16 * i)) & 0xffff);
  return (sum * (1.0f / 65536.0f) - 2.0f) * 1.7320508f;
}

template <class T>
__global__ void fillKernel(T *data, size_t count, uint64_t seed) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count;
       i += size_t(gridDim.x) * blockDim.x)
    if constexpr (std::is_same<T, signed char>::value)
      data[i] = static_cast<signed char>(
          fmaxf(-128.0f, fminf(127.0f, rintf(40.0f * normal(i, seed)))));
    else if constexpr (std::is_same<T, float2>::value)
      data[i] = make_float2(normal(2 * i, seed), normal(2 * i + 1, seed));
    else if constexpr (sizeof(T) == 8) // all of its bits count
      data[i] = normal(i, seed) + 0x1p-24 * normal(i, ~seed);
    else
      data[i] = T(normal(i, seed));
}

__global__ void fillBytesKernel(signed char *data, __nv_bfloat16 *wide,
                                size_t count, uint64_t seed) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count;
       i += size_t(gridDim.x) * blockDim.x) {
    data[i] = static_cast<signed char>(
        fminf(fmaxf(rintf(normal(i, seed) * 40), -127), 127));
    wide[i] = __float2bfloat16(data[i]);
  }
}

/// How a check visits C: by lists of rows and columns, or all of it.
struct Problem {
  int m, n, k;
  size_t strideAm, strideAk, strideBk, strideBn;
  const int *rows, *cols;
  int rowCount, colCount;
};

struct Sums {
  double difference, norm;
};

/// One thread for each compared element; the tiles go through shared memory so
/// that operands of any layout are read in contiguous pieces.
template <class Left, class Right, class Result>
__global__ void compareKernel(Problem p, const Left *A, const Right *B,
                              const Result *C, Sums *sums) {
  constexpr int edge = 16;
  __shared__ Exact<Left> tileA[edge][edge + 1];
  __shared__ Exact<Right> tileB[edge][edge + 1];
  A += size_t(blockIdx.z) * p.m * p.k;
  B += size_t(blockIdx.z) * p.k * p.n;
  C += size_t(blockIdx.z) * p.m * p.n;
  const int x = threadIdx.x, y = threadIdx.y;
  for (int top = blockIdx.y * edge; top < p.rowCount; top += gridDim.y * edge) {
    const int i = top + y, j = blockIdx.x * edge + x;
    auto rowAt = [&](int i) { return p.rows ? p.rows[i] : i; };
    auto colAt = [&](int j) { return p.cols ? p.cols[j] : j; };
    Exact<Result> sum = {};
    for (int k0 = 0; k0 < p.k; k0 += edge) {
      // The faster thread index runs along the contiguous one.
      const bool alongK = p.strideAk == 1, alongN = p.strideBn == 1;
      const int ai = top + (alongK ? y : x), ak = k0 + (alongK ? x : y);
      const int bj = blockIdx.x * edge + (alongN ? x : y);
      const int bk = k0 + (alongN ? y : x);
      Exact<Left> a = {};
      Exact<Right> b = {};
      if (ai < p.rowCount && ak < p.k)
        a = exactly(A[rowAt(ai) * p.strideAm + ak * p.strideAk]);
      if (bj < p.colCount && bk < p.k)
        b = exactly(B[bk * p.strideBk + colAt(bj) * p.strideBn]);
      __syncthreads();
      tileA[ai - top][ak - k0] = a;
      tileB[bk - k0][bj - blockIdx.x * edge] = b;
      __syncthreads();
      for (int k = 0; k < edge; ++k)
        addProduct(sum, tileA[y][k], tileB[k][x]);
    }
    double off = 0, norm = 0;
    if (i < p.rowCount && j < p.colCount) {
      off = square(
          difference(exactly(C[size_t(rowAt(i)) * p.n + colAt(j)]), sum));
      norm = square(sum);
    }
    for (int lane = 16; lane; lane /= 2) {
      off += __shfl_down_sync(~0u, off, lane);
      norm += __shfl_down_sync(~0u, norm, lane);
    }
    if ((y * edge + x) % 32 == 0) {
      atomicAdd(&sums->difference, off);
      atomicAdd(&sums->norm, norm);
    }
  }
}

template <class T>
__global__ void countNans(const T *data, size_t count,
                          unsigned long long *found) {
  unsigned long long mine = 0;
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count;
       i += size_t(gridDim.x) * blockDim.x)
    mine += isnan(square(exactly(data[i])));
  if (mine)
    atomicAdd(found, mine);
}

/// \p count of the indices below \p extent: the first, the last, and others at
/// uneven distances between them.
std::vector<int> sample(int extent, int count) {
  std::vector<int> picked;
  for (int i = 0; i < count; ++i) {
    double at = (i + 0.37 * ((i * 7) % 5) / 5.0) / (count - 0.6);
    picked.push_back(std::min(extent - 1, static_cast<int>(at * extent)));
  }
  picked.back() = extent - 1;
  return picked;
}

template <class Left, class Right, class Element>
Verdict compareAs(const Row &row, const Left *A, const Right *B,
                  const Element *C) {
  Problem p;
  p.m = row.m;
  p.n = row.n;
  p.k = row.k;
  p.strideAm = row.transposedA() ? 1 : row.k;
  p.strideAk = row.transposedA() ? row.m : 1;
  p.strideBk = row.transposedB() ? 1 : row.n;
  p.strideBn = row.transposedB() ? row.k : 1;

  struct Result {
    Sums sums;
    unsigned long long unwritten;
  } *result, host;
  BENCH_CHECK(cudaMalloc(&result, sizeof(Result)));
  BENCH_CHECK(cudaMemset(result, 0, sizeof(Result)));
  auto launch = [&](const std::vector<int> &rows,
                    const std::vector<int> &cols) {
    int *lists;
    BENCH_CHECK(
        cudaMalloc(&lists, (rows.size() + cols.size() + 1) * sizeof(int)));
    BENCH_CHECK(cudaMemcpy(lists, rows.data(), rows.size() * sizeof(int),
                           cudaMemcpyHostToDevice));
    BENCH_CHECK(cudaMemcpy(lists + rows.size(), cols.data(),
                           cols.size() * sizeof(int), cudaMemcpyHostToDevice));
    p.rows = rows.empty() ? nullptr : lists;
    p.cols = cols.empty() ? nullptr : lists + rows.size();
    p.rowCount = rows.empty() ? p.m : static_cast<int>(rows.size());
    p.colCount = cols.empty() ? p.n : static_cast<int>(cols.size());
    dim3 grid((p.colCount + 15) / 16, std::min((p.rowCount + 15) / 16, 65535),
              row.batch);
    compareKernel<<<grid, dim3(16, 16)>>>(p, A, B, C, &result->sums);
    BENCH_CHECK(cudaGetLastError());
    BENCH_CHECK(cudaDeviceSynchronize());
    BENCH_CHECK(cudaFree(lists));
  };

  Verdict verdict;
  verdict.full = row.work() <= double(1ull << 36);
  if (verdict.full) {
    launch({}, {});
  } else {
    launch(sample(row.m, std::min(row.m, 128)), {});
    launch({}, sample(row.n, std::min(row.n, 128)));
  }
  countNans<<<1024, 256>>>(C, row.sizeC(), &result->unwritten);
  BENCH_CHECK(cudaGetLastError());
  BENCH_CHECK(
      cudaMemcpy(&host, result, sizeof(Result), cudaMemcpyDeviceToHost));
  BENCH_CHECK(cudaFree(result));
  verdict.error = std::sqrt(host.sums.difference / host.sums.norm);
  verdict.unwritten = host.unwritten;
  return verdict;
}

} // namespace

void fillNormal(const std::string &type, void *data, size_t count,
                uint64_t seed) {
  if (type == "f64")
    fillKernel<<<1024, 256>>>(static_cast<double *>(data), count, seed);
  else if (type == "c32")
    fillKernel<<<1024, 256>>>(static_cast<float2 *>(data), count, seed);
  else if (isFloat(type))
    fillKernel<<<1024, 256>>>(static_cast<float *>(data), count, seed);
  else if (type == "bf16")
    fillKernel<<<1024, 256>>>(static_cast<__nv_bfloat16 *>(data), count, seed);
  else if (type == "int8")
    fillKernel<<<1024, 256>>>(static_cast<signed char *>(data), count, seed);
  else if (type == "fp8")
    fillKernel<<<1024, 256>>>(static_cast<__nv_fp8_e4m3 *>(data), count, seed);
  else
    fillKernel<<<1024, 256>>>(static_cast<__half *>(data), count, seed);
  BENCH_CHECK(cudaGetLastError());
}

void fillBytes(void *data, void *wide, size_t count, uint64_t seed) {
  fillBytesKernel<<<1024, 256>>>(static_cast<signed char *>(data),
                                 static_cast<__nv_bfloat16 *>(wide), count,
                                 seed);
  BENCH_CHECK(cudaGetLastError());
}

Verdict compare(const Row &row, const void *A, const void *B, const void *C) {
  if (isFloat(row.type))
    return compareAs(row, static_cast<const float *>(A),
                     static_cast<const float *>(B),
                     static_cast<const float *>(C));
  if (row.type == "c32")
    return compareAs(row, static_cast<const float2 *>(A),
                     static_cast<const float2 *>(B),
                     static_cast<const float2 *>(C));
  if (row.type == "f64")
    return compareAs(row, static_cast<const double *>(A),
                     static_cast<const double *>(B),
                     static_cast<const double *>(C));
  if (row.type == "bf16")
    return compareAs(row, static_cast<const __nv_bfloat16 *>(A),
                     static_cast<const __nv_bfloat16 *>(B),
                     static_cast<const __nv_bfloat16 *>(C));
  if (row.type == "int8")
    return compareAs(row, static_cast<const signed char *>(A),
                     static_cast<const signed char *>(B),
                     static_cast<const int *>(C));
  if (row.type == "w8")
    return compareAs(row, static_cast<const __nv_bfloat16 *>(A),
                     static_cast<const signed char *>(B),
                     static_cast<const __nv_bfloat16 *>(C));
  if (row.type == "fp8")
    return compareAs(row, static_cast<const __nv_fp8_e4m3 *>(A),
                     static_cast<const __nv_fp8_e4m3 *>(B),
                     static_cast<const __nv_bfloat16 *>(C));
  return compareAs(row, static_cast<const __half *>(A),
                   static_cast<const __half *>(B),
                   static_cast<const __half *>(C));
}

} // namespace bench
