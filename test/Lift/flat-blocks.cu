// Kernels that use of a thread's place in its block only its number, and of the
// block's shape only the number of threads: any shape will do.

// RUN: %warpwright rewrite --emit=contraction %s -- %parse | FileCheck %s

#include <cooperative_groups.h>
#include <mma.h>
using namespace nvcuda;

#define MULTIPLY(Row, Col)                                                     \
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;                      \
  wmma::fill_fragment(c, 0.0f);                                                \
  for (int k = 0; k < K; k += 16) {                                            \
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;       \
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;       \
    wmma::load_matrix_sync(a, A + (Row) * K + k, K);                           \
    wmma::load_matrix_sync(b, B + k * N + (Col), N);                           \
    wmma::mma_sync(c, a, b, c);                                                \
  }                                                                            \
  wmma::store_matrix_sync(C + (Row) * N + (Col), c, N, wmma::mem_row_major);

// CHECK-LABEL: contraction "warps_by_number"
// CHECK-NOT: "blockDim.y is not 1"
// CHECK: require blockDim.x * blockDim.y == 1024 : "blockDim.x * blockDim.y is not 1024"
// CHECK-NOT: "blockDim.y is not 1"
#pragma warpwright matmul
__global__ void warps_by_number(const half *A, const half *B, float *C, int N,
                                int K) {
  const int warp = (threadIdx.y * blockDim.x + threadIdx.x) / 32;
  const int row = blockIdx.y * 64 + warp / 8 * 16;
  const int col = blockIdx.x * 128 + warp % 8 * 16;
  MULTIPLY(row, col)
}

// Through three dimensions, as cooperative groups count.
//
// CHECK-LABEL: contraction "warps_by_rank"
// CHECK-NOT: "blockDim.z is not 1"
// CHECK: require blockDim.x * blockDim.y * blockDim.z == 256
// CHECK-NOT: "blockDim.z is not 1"
#pragma warpwright matmul
__global__ void warps_by_rank(const half *A, const half *B, float *C, int N,
                              int K) {
  const auto block = cooperative_groups::this_thread_block();
  const int warp = block.thread_rank() / 32;
  const int row = blockIdx.y * 32 + warp / 4 * 16;
  const int col = blockIdx.x * 64 + warp % 4 * 16;
  MULTIPLY(row, col)
}

// The number of threads is that of a block, and warps sum up by shuffles.
//
// CHECK-LABEL: contraction "a_warp_for_each"
// CHECK-NOT: "blockDim.y is not 1"
// CHECK: index %k < K
// CHECK-NOT: "blockDim.y is not 1"
#pragma warpwright matmul
__global__ void a_warp_for_each(const float *A, const float *B, float *C, int M,
                                int N, int K) {
  const int id = threadIdx.y * blockDim.x + threadIdx.x;
  const int warp = blockIdx.x * (blockDim.x * blockDim.y / 32) + id / 32;
  const int row = warp / N, col = warp % N;
  if (row >= M || col >= N)
    return;
  float sum = 0.0f;
  for (int k = id % 32; k < K; k += 32)
    sum += A[row * K + k] * B[k * N + col];
  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, step);
  if (id % 32 == 0)
    C[row * N + col] = sum;
}

// The width alone is not the number of threads.
//
// CHECK-LABEL: contraction "width_alone"
// CHECK-NOT: require blockDim.x * blockDim.y
#pragma warpwright matmul
__global__ void width_alone(const half *A, const half *B, float *C, int N,
                            int K) {
  const int warp = (threadIdx.y * blockDim.x + threadIdx.x) / 32;
  const int row = blockIdx.y * 16;
  const int col = blockIdx.x * (blockDim.x / 2) + warp * 16;
  MULTIPLY(row, col)
}
