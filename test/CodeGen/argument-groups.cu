// Groups along k whose size is an argument: the members that compute their
// factors get the number of the group, and the launcher asks for whole blocks.

// RUN: %warpwright rewrite %s -o %t.cu 2>&1 | FileCheck %s \
// RUN:   --allow-empty --check-prefix=REPORT
// RUN: grep -v '^// CHECK' %t.cu | FileCheck %s
// REPORT-NOT: is not rewritten

#include <cuda_fp16.h>

#define OUTPUT_OF_THREAD                                                       \
  const int n = blockIdx.x * blockDim.x + threadIdx.x;                         \
  const int m = blockIdx.y * blockDim.y + threadIdx.y;                         \
  if (m >= M || n >= N)                                                        \
    return;                                                                    \
  float acc = 0;

// Of the kernel without clauses, below.
// CHECK: name = "skinny_16";
// CHECK-NEXT: tile_m = 16, tile_n = 128, tile_k = 64,
// CHECK: name = "skinny_16_any";
// CHECK-NEXT: tile_m = 16, tile_n = 128, tile_k = 32,
// CHECK: group_k = 32;

// A parameter may have the name of the member. A group of 64 bits may be larger
// than an int says.
// CHECK: struct one_scale_epilogue
// CHECK: long long user_group_size;
// CHECK: int group_size() const {
// CHECK-NEXT: rt::min(1073741824, user_group_size)
// CHECK: float scale_of_row(int n, int group, int) const {
// CHECK-NEXT: scale[group * N + n]
// CHECK: {rt::floor_mod(group_size, 64) == 0,
// CHECK-NEXT: "group_size is not a multiple of 64"}
#pragma warpwright matmul tile(16, 128, 64)
__global__ void one_scale(const half *X, const signed char *W,
                          const float *scale, half *C, int M, int N, int K,
                          long long group_size) {
  OUTPUT_OF_THREAD
  for (int k = 0; k < K; ++k)
    acc += __half2float(X[m * K + k]) *
           (W[n * K + k] * scale[n + k / group_size * N]);
  C[m * N + n] = __float2half(acc);
}

// Zero points and scales of groups of two sizes get k.
// CHECK: struct two_sizes_epilogue
// CHECK-NOT: group_size()
// CHECK: float zero_of_row(int n, int k, int) const {
// CHECK: floor_div(k, zeros)
// CHECK: float scale_of_row(int n, int k, int) const {
// CHECK: floor_div(k, scales)
#pragma warpwright matmul tile(16, 128, 64)
__global__ void two_sizes(const half *X, const unsigned char *W,
                          const float *scale, const unsigned char *zero,
                          half *C, int M, int N, int K, int zeros, int scales) {
  OUTPUT_OF_THREAD
  for (int k = 0; k < K; ++k)
    acc += __half2float(X[m * K + k]) *
           (static_cast<float>(W[n * K + k] - zero[k / zeros * N + n]) *
            scale[k / scales * N + n]);
  C[m * N + n] = __float2half(acc);
}

// Without clauses each plan stands twice: for groups of whole stages of 128
// numbers, 64 pairs, and for all others. The launcher divides the arguments.
// CHECK: struct all_plans_epilogue
// CHECK: int64_t K_by_group; ///< floordiv(K, group)
// CHECK: __host__ __device__ __forceinline__ int group_size() const {
// CHECK: scale[n * int(K_by_group) + group_of_k]
// CHECK: all_plans_epilogue_{{[0-9a-f]+}}{
// CHECK-SAME: scale, group
// CHECK: rt::floor_div(rt::Integer(K), group).get()
#pragma warpwright matmul
__global__ void all_plans(const half *X, const unsigned char *W,
                          const float *scale, half *C, int M, int N, int K,
                          int group) {
  OUTPUT_OF_THREAD
  for (int k = 0; k < K / 2; ++k) {
    const unsigned char both = W[n * (K / 2) + k];
    const float s = scale[n * (K / group) + 2 * k / group];
    acc += __half2float(X[m * K + 2 * k]) * ((both & 15) * s);
    acc += __half2float(X[m * K + 2 * k + 1]) * ((both >> 4) * s);
  }
  C[m * N + n] = __float2half(acc);
}

// A member does not take the name of a parameter.
// CHECK: struct names_epilogue
// CHECK: int64_t quotient; ///< floordiv(K, g)
#pragma warpwright matmul tile(16, 128, 128)
__global__ void names(const half *X, const unsigned char *W, const float *scale,
                      half *C, int M, int N, int K, int g, float K_by_g) {
  OUTPUT_OF_THREAD
  for (int k = 0; k < K / 2; ++k) {
    const unsigned char both = W[n * (K / 2) + k];
    const float s = scale[n * (K / g) + 2 * k / g];
    acc += __half2float(X[m * K + 2 * k]) * ((both & 15) * s);
    acc += __half2float(X[m * K + 2 * k + 1]) * ((both >> 4) * s);
  }
  C[m * N + n] = __float2half(K_by_g * acc);
}

// The size of groups may itself be a quotient, which the launcher computes.
// CHECK: struct sizes_of_groups_epilogue
// CHECK: int64_t K_by_groups; ///< floordiv(K, groups)
// CHECK: int group_size() const {
// CHECK-NEXT: rt::min(1073741824, K_by_groups)
#pragma warpwright matmul tile(16, 128, 64)
__global__ void sizes_of_groups(const half *X, const signed char *W,
                                const float *scale, half *C, int M, int N,
                                int K, int groups) {
  OUTPUT_OF_THREAD
  const int size = K / groups;
  for (int k = 0; k < K; ++k)
    acc += __half2float(X[m * K + k]) *
           (W[n * K + k] * scale[n * groups + k / size]);
  C[m * N + n] = __float2half(acc);
}

// CHECK: struct sizes_of_pairs_epilogue
// CHECK: int group_size() const {
// CHECK-NEXT: rt::min(
// CHECK-NEXT: 1073741824, ::warpwright::rt::floor_div(K_by_groups, 2)
#pragma warpwright matmul tile(16, 128, 128)
__global__ void sizes_of_pairs(const half *X, const unsigned char *W,
                               const float *scale, half *C, int M, int N, int K,
                               int groups) {
  OUTPUT_OF_THREAD
  const int size = K / groups;
  for (int k = 0; k < K / 2; ++k) {
    const unsigned char both = W[n * (K / 2) + k];
    const float s = scale[n * groups + 2 * k / size];
    acc += __half2float(X[m * K + 2 * k]) * ((both & 15) * s);
    acc += __half2float(X[m * K + 2 * k + 1]) * ((both >> 4) * s);
  }
  C[m * N + n] = __float2half(acc);
}
