// Rows by the rest of a thread's number, as in `lane = threadIdx.x & 31` of a block
// of one warp: further threads of the block would store the same elements again.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse >%t.lifted 2>%t.declined
// RUN: FileCheck %s --input-file=%t.lifted --implicit-check-not=contraction
// RUN: FileCheck %s --input-file=%t.declined --check-prefix=DECLINED

#define ARGS const float *A, const float *B, float *C, int M, int N, int K
#define SUM                                                                    \
  if (m >= M || n >= N)                                                        \
    return;                                                                    \
  float sum = 0;                                                               \
  for (int k = 0; k < K; ++k)                                                  \
    sum += A[m * K + k] * B[k * N + n];

// CHECK-LABEL: contraction "rest_of_threads"
// CHECK: index %m < min(8 * gridDim.x, M)
// CHECK: index %n < min(N, gridDim.y)
// CHECK: require blockDim.x == 8
#pragma warpwright matmul
__global__ void rest_of_threads(ARGS) {
  const int m = blockIdx.x * 8 + (threadIdx.x & 7), n = blockIdx.y;
  SUM
  C[m * N + n] = sum;
}

// A tile that one warp fills and multiplies.
// CHECK-LABEL: contraction "tile_of_a_warp"
// CHECK: index %m < min(16 * gridDim.y, M)
// CHECK: index %n < min(16 * gridDim.x, N)
// CHECK: index %k < K
// CHECK: require blockDim.x == 32
#pragma warpwright matmul
__global__ void tile_of_a_warp(ARGS) {
  __shared__ float As[256], Bs[256];
  const int lane = threadIdx.x & 31;
  const int m0 = blockIdx.y * 16, n0 = blockIdx.x * 16;
  float sum[8] = {};
  for (int k0 = 0; k0 < K; k0 += 16) {
    for (int i = lane; i < 256; i += 32) {
      const int r = i >> 4, c = i & 15;
      As[i] = m0 + r < M && k0 + c < K ? A[(m0 + r) * K + k0 + c] : 0.f;
      Bs[i] = k0 + r < K && n0 + c < N ? B[(k0 + r) * N + n0 + c] : 0.f;
    }
    __syncthreads();
    for (int j = 0; j < 8; j++)
      for (int k = 0; k < 16; k++)
        sum[j] += As[(lane + 32 * j >> 4) * 16 + k] * Bs[k * 16 + (lane & 15)];
    __syncthreads();
  }
  for (int j = 0; j < 8; j++) {
    const int i = lane + 32 * j, m = m0 + (i >> 4), n = n0 + (i & 15);
    if (m < M && n < N)
      C[m * N + n] = sum[j];
  }
}

// What is stored depends on the rest of the number, too.
// DECLINED: 'value_of_others' is not rewritten: several threads or iterations store to the same element [WW205]
#pragma warpwright matmul
__global__ void value_of_others(ARGS) {
  const int m = blockIdx.x * 8 + (threadIdx.x & 7), n = blockIdx.y;
  SUM
  C[m * N + n] = sum + threadIdx.x / 8;
}

// One product, by rests that share no number of threads.
// DECLINED: 'two_rests' is not rewritten
#pragma warpwright matmul
__global__ void two_rests(ARGS) {
  const int m = blockIdx.x * 8 + (threadIdx.x & 7);
  const int n = blockIdx.y * 3 + threadIdx.x % 3;
  SUM
  C[m * N + n] = sum;
}
