// Which elements of a shared array only one thread has: those need no barrier.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse 2>&1 | FileCheck %s

// Eight threads later the same element is another thread's.
// CHECK: :[[#@LINE+12]]:15: warning: 'without_barrier' is not rewritten: 's' is overwritten here while other threads may still read it: a __syncthreads() is missing after line [[#@LINE+11]] [WW221]
#pragma warpwright matmul
__global__ void without_barrier(const float *A, const float *B, float *C, int M,
                                int N, int K) {
  __shared__ float s[8];
  const int tx = threadIdx.x;
  const int row = blockIdx.y, col = blockIdx.x * 16 + tx;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) {
    s[tx % 8] = A[row * K + k];
    __syncthreads();
    acc += s[tx % 8] * B[k * N + col];
    s[tx % 8] = 0.0f;
    __syncthreads();
  }
  C[row * N + col] = acc;
}

// Each thread has its own.
// CHECK-NOT: error
// CHECK: contraction "each_its_own"
#pragma warpwright matmul
__global__ void each_its_own(const float *A, const float *B, float *C, int M,
                             int N, int K) {
  __shared__ float s[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) {
    s[ty][(tx + ty) % 16] = A[row * K + k];
    acc += s[ty][(tx + ty) % 16] * B[k * N + col];
    s[ty][(tx + ty) % 16] = 0.0f;
  }
  C[row * N + col] = acc;
}
