// Flags that say whether a thread has an element to load, narrowed from tile to
// tile.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse 2>%t | FileCheck %s
// RUN: FileCheck --check-prefix=WHY %s <%t

#include <cuda_runtime.h>

constexpr int T = 16;

#define ARGS const float *A, const float *B, float *C, int M, int N, int K
#define HEAD                                                                   \
  __shared__ float As[T][T], Bs[T][T];                                         \
  const int tx = threadIdx.x, ty = threadIdx.y;                                \
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;              \
  float acc = 0;
#define TILE                                                                   \
  As[ty][tx] = left ? A[row * K + k + tx] : 0.0f;                              \
  Bs[ty][tx] = right ? B[(k + ty) * N + col] : 0.0f;                           \
  __syncthreads();                                                             \
  for (int i = 0; i < T; ++i)                                                  \
    acc += As[ty][i] * Bs[i][tx];                                              \
  __syncthreads();
#define STORE                                                                  \
  if (row < M && col < N)                                                      \
    C[row * N + col] = acc;

// CHECK-LABEL: contraction "narrowed_behind"
// CHECK: index %m < min(16 * gridDim.y, M)
// CHECK: index %n < min(16 * gridDim.x, N)
// CHECK: index %k < K
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%k * N + %n]:f32
#pragma warpwright matmul
__global__ void narrowed_behind(ARGS) {
  HEAD
  bool left = row < M && tx < K, right = col < N && ty < K;
  for (int k = 0; k < K; k += T) {
    TILE
    left = left && k + T + tx < K;
    right = right && k + T + ty < K;
  }
  STORE
}

// CHECK-LABEL: contraction "narrowed_before"
// CHECK: index %k < K
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%k * N + %n]:f32
#pragma warpwright matmul
__global__ void narrowed_before(ARGS) {
  HEAD
  bool left = row < M, right = col < N;
  for (int k = 0; k < K; k += T) {
    left &= k + tx < K;
    right &= k + ty < K;
    TILE
  }
  STORE
}

// A condition that comes and goes, of which an element is left out for good
// once it did not hold.
//
// WHY: [[@LINE+7]]:{{.*}}'comes_and_goes' is not rewritten: a value is handed from one iteration to the next in a way that is not a sum [WW202]
#pragma warpwright matmul
__global__ void comes_and_goes(ARGS) {
  HEAD
  bool left = row < M && tx < K, right = col < N && ty < K;
  for (int k = 0; k < K; k += T) {
    TILE
    left = left && (k / T) % 3 != 1;
    right = right && k + T + ty < K;
  }
  STORE
}

// A flag that is set again, where only the last condition counts.
//
// WHY: [[@LINE+8]]:{{.*}}'widened' is not rewritten: a value is handed from one iteration to the next in a way that is not a sum [WW202]
#pragma warpwright matmul
__global__ void widened(ARGS) {
  HEAD
  bool left = row < M && tx < K, right = col < N && ty < K;
  for (int k = 0; k < K; k += T) {
    TILE
    left = left && k + T + tx < K;
    right = right || k + T + ty < K;
  }
  STORE
}
