// Which thread computes what: threads and blocks become rows and columns.

// RUN: %warpwright rewrite --emit=contraction %s -- %parse | FileCheck %s

#include <cuda_fp16.h>

#define BODY                                                                   \
  float acc = 0.0f;                                                            \
  for (int k = 0; k < K; ++k)                                                  \
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);        \
  C[row * N + col] = __float2half(acc);

// CHECK-LABEL: contraction "x_is_row"
// CHECK: index %m < min(M, blockDim.x * gridDim.x)
// CHECK: index %n < min(N, blockDim.y * gridDim.y)
#pragma warpwright matmul
__global__ void x_is_row(const half *A, const half *B, half *C, int M, int N,
                         int K) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < M && col < N) {
    BODY
  }
}

// CHECK-LABEL: contraction "row_per_block"
// CHECK: index %m < gridDim.x
// CHECK: index %n < min(N, blockDim.x)
// CHECK: require gridDim.y == 1
#pragma warpwright matmul
__global__ void row_per_block(const half *A, const half *B, half *C, int N,
                              int K) {
  int row = blockIdx.x, col = threadIdx.x;
  if (col < N) {
    BODY
  }
}

// CHECK-LABEL: contraction "single_block"
// CHECK: index %m < blockDim.y
// CHECK: index %n < blockDim.x
// CHECK-DAG: require gridDim.x == 1
// CHECK-DAG: require gridDim.y == 1
#pragma warpwright matmul
__global__ void single_block(const half *A, const half *B, half *C, int N,
                             int K) {
  int row = threadIdx.y;
  int col = threadIdx.x;
  BODY
}

// A block size that the source spells as a number is required of the launch.
// CHECK-LABEL: contraction "constant_block"
// CHECK: index %m < min(32 * gridDim.y, M)
// CHECK: index %n < min(8 * gridDim.x, N)
// CHECK-DAG: require blockDim.x == 8
// CHECK-DAG: require blockDim.y == 32
#pragma warpwright matmul
__global__ void constant_block(const half *A, const half *B, half *C, int M,
                               int N, int K) {
  int row = (blockIdx.y << 5) + threadIdx.y;
  int col = 8 * blockIdx.x + threadIdx.x;
  if (row < M && col < N) {
    BODY
  }
}

// CHECK-LABEL: contraction "flat"
// CHECK: index %m < M
// CHECK: index %n < N
// CHECK: require blockDim.x * gridDim.x >= M * N : "the grid does not cover the
// output"
#pragma warpwright matmul
__global__ void flat(const half *A, const half *B, half *C, int M, int N,
                     int K) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= M * N)
    return;
  int row = id / N;
  int col = id % N;
  BODY
}

// The remainder written as a subtraction.
// CHECK-LABEL: contraction "flat_subtract"
// CHECK: index %m < M
// CHECK: index %n < N
#pragma warpwright matmul
__global__ void flat_subtract(const half *A, const half *B, half *C, int M,
                              int N, int K) {
  unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id < M * N) {
    unsigned row = id / N;
    unsigned col = id - row * N;
    BODY
  }
}

// CHECK-LABEL: contraction "flat_unguarded"
// CHECK: index %m < floordiv(blockDim.x * gridDim.x, N)
// CHECK: index %n < N
// CHECK: require mod(blockDim.x * gridDim.x, N) == 0
#pragma warpwright matmul
__global__ void flat_unguarded(const half *A, const half *B, half *C, int N,
                               int K) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  int row = id / N, col = id % N;
  BODY
}

// A guard on the row of a flat index: the launch must fill whole rows, or more
// than there are.
// CHECK-LABEL: contraction "flat_row_guard"
// CHECK: index %m < min(M, floordiv(blockDim.x * gridDim.x, N))
// CHECK: require mod(blockDim.x * gridDim.x, N) == 0 || blockDim.x * gridDim.x
// >= N * M : "the last row of the grid is cut"
#pragma warpwright matmul
__global__ void flat_row_guard(const half *A, const half *B, half *C, int M,
                               int N, int K) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  int row = id / N, col = id % N;
  if (row < M) {
    BODY
  }
}

// The guard is on the batch, so that the launch must reach all rows of all.
// CHECK-LABEL: contraction "flat_batch_guard"
// CHECK: index %b < min(L, floordiv(floordiv(blockDim.x * gridDim.x, N), M))
// CHECK: require mod(blockDim.x * gridDim.x, N) == 0 || blockDim.x * gridDim.x
// >= {{.*}} : "the last row of the grid is cut" CHECK: require
// mod(floordiv(blockDim.x * gridDim.x, N), M) == 0 || floordiv(blockDim.x *
// gridDim.x, N) >= {{.*}} : "the last row of the grid is cut"
#pragma warpwright matmul
__global__ void flat_batch_guard(const half *A, const half *B, half *C, int L,
                                 int M, int N, int K) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  int col = id % N, row = (id / N) % M, l = id / (N * M);
  if (l >= L)
    return;
  A += l * M * K;
  B += l * K * N;
  C += l * M * N;
  BODY
}

// CHECK-LABEL: contraction "flat_batched"
// CHECK: index %b < L
// CHECK: index %m < M
// CHECK: index %n < N
// CHECK: operand A = A[%b * K * M + %m * K + %k]:f16
#pragma warpwright matmul
__global__ void flat_batched(const half *A, const half *B, half *C, int L,
                             int M, int N, int K) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= L * M * N)
    return;
  int l = id / (M * N), rest = id % (M * N);
  int row = rest / N, col = rest % N;
  A += l * M * K;
  B += l * K * N;
  C += l * M * N;
  BODY
}

// CHECK-LABEL: contraction "flat_batched_other"
// CHECK: index %b < L
// CHECK: index %m < M
// CHECK: index %n < N
#pragma warpwright matmul
__global__ void flat_batched_other(const half *A, const half *B, half *C, int L,
                                   int M, int N, int K) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= L * M * N)
    return;
  int col = id % N, row = (id / N) % M, l = id / N / M;
  A += l * M * K;
  B += l * K * N;
  C += l * M * N;
  BODY
}

// CHECK-LABEL: contraction "block_of_threads_flattened"
// CHECK: index %m < min(16 * gridDim.y, M)
// CHECK: index %n < min(32 * gridDim.x, N)
#pragma warpwright matmul
__global__ void block_of_threads_flattened(const half *A, const half *B,
                                           half *C, int M, int N, int K) {
  int row = blockIdx.y * 16 + threadIdx.x / 32;
  int col = blockIdx.x * 32 + (threadIdx.x & 31);
  if (row < M && col < N) {
    BODY
  }
}

// CHECK-LABEL: contraction "grid_stride"
// CHECK: index %m < M
// CHECK: index %n < N
// CHECK-NOT: cover
#pragma warpwright matmul
__global__ void grid_stride(const half *A, const half *B, half *C, int M, int N,
                            int K) {
  for (int row = blockIdx.y * blockDim.y + threadIdx.y; row < M;
       row += blockDim.y * gridDim.y)
    for (int col = blockIdx.x * blockDim.x + threadIdx.x; col < N;
         col += blockDim.x * gridDim.x) {
      BODY
    }
}

// CHECK-LABEL: contraction "grid_stride_flat"
// CHECK: index %m < M
// CHECK: index %n < N
// CHECK-NOT: cover
#pragma warpwright matmul
__global__ void grid_stride_flat(const half *A, const half *B, half *C, int M,
                                 int N, int K) {
  int stride = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < M * N; i += stride) {
    int row = i / N, col = i % N;
    BODY
  }
}

// CHECK-LABEL: contraction "row_per_thread"
// CHECK: index %m < min(M, blockDim.x * gridDim.x)
// CHECK: index %n < N
#pragma warpwright matmul
__global__ void row_per_thread(const half *A, const half *B, half *C, int M,
                               int N, int K) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M)
    return;
  for (int col = 0; col < N; ++col) {
    BODY
  }
}

// CHECK-LABEL: contraction "batch_in_grid"
// CHECK: index %b < min(L, gridDim.z)
#pragma warpwright matmul
__global__ void batch_in_grid(const half *A, const half *B, half *C, int L,
                              int M, int N, int K) {
  int l = blockIdx.z;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (l >= L || row >= M || col >= N)
    return;
  A += l * (M * K), B += l * (K * N), C += l * (M * N);
  BODY
}

// Heads that share their keys: a batch that does not move B.
// CHECK-LABEL: contraction "shared_operand"
// CHECK: index %b < gridDim.z
// CHECK: operand A = A[%b * K * M + %m * K + %k]:f16
// CHECK: operand B = B[%k * N + %n]:f16
#pragma warpwright matmul
__global__ void shared_operand(const half *A, const half *B, half *C, int M,
                               int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  A += blockIdx.z * M * K;
  C += blockIdx.z * M * N;
  BODY
}

// CHECK-LABEL: contraction "copies_of_the_indices"
// CHECK: index %m < min(M, blockDim.y * gridDim.y)
// CHECK: index %n < min(N, blockDim.x * gridDim.x)
#pragma warpwright matmul
__global__ void copies_of_the_indices(const half *A, const half *B, half *C,
                                      int M, int N, int K) {
  const uint3 thread = threadIdx, block = blockIdx;
  const dim3 size = blockDim;
  int row = block.y * size.y + thread.y;
  int col = block.x * size.x + thread.x;
  if (row < M && col < N) {
    BODY
  }
}

// Numbers of 24 bits are multiplied in 24 bits, which the launcher checks.
// CHECK-LABEL: contraction "by_24_bits"
// CHECK: index %m < min(M, blockDim.y * gridDim.y)
// CHECK: index %n < min(N, blockDim.x * gridDim.x)
// CHECK: operand A = A[%m * K + %k]:f16
// CHECK-DAG: require gridDim.x - 1 <= 8388607 : "a factor of '__mul24' leaves its 24 bits"
// CHECK-DAG: require K <= 8388607 : "a factor of '__mul24' leaves its 24 bits"
#pragma warpwright matmul
__global__ void by_24_bits(const half *A, const half *B, half *C, int M, int N,
                           int K) {
  int row = __umul24(blockIdx.y, blockDim.y) + threadIdx.y;
  int col = __mul24(blockIdx.x, blockDim.x) + threadIdx.x;
  if (row < M && col < N) {
    A += __mul24(row, K);
    float acc = 0.0f;
    for (int k = 0; k < K; ++k)
      acc += __half2float(A[k]) * __half2float(B[k * N + col]);
    C[row * N + col] = __float2half(acc);
  }
}

// Blocks that step over columns by as many as the block, or an argument, says.
//
// CHECK-LABEL: contraction "steps_of_blocks"
// CHECK: index %n < N
// CHECK: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
__global__ void steps_of_blocks(const float *A, const float *B, float *C, int M,
                                int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  for (int at = blockIdx.x * blockDim.x; at < N; at += blockDim.x * gridDim.x) {
    const int col = at + threadIdx.x;
    if (row < M && col < N) {
      float sum = 0.0f;
      for (int k = 0; k < K; ++k)
        sum += A[row * K + k] * B[k * N + col];
      C[row * N + col] = sum;
    }
  }
}

// CHECK-LABEL: contraction "steps_of_argument"
// CHECK: index %n < N
// CHECK: require width >= 1 : "width is not positive"
// CHECK: require blockDim.x == width
#pragma warpwright matmul
__global__ void steps_of_argument(const float *A, const float *B, float *C,
                                  int M, int N, int K, int width) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  for (int at = blockIdx.x * width; at < N; at += width * gridDim.x) {
    const int col = at + threadIdx.x;
    if (row < M && col < N) {
      float sum = 0.0f;
      for (int k = 0; k < K; ++k)
        sum += A[row * K + k] * B[k * N + col];
      C[row * N + col] = sum;
    }
  }
}
