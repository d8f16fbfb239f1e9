// A barrier behind a condition that all threads meet where the grid ends with
// the matrix: the launcher asks for that. Other conditions are declined.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse > %t 2> %t.messages
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --input-file=%t.messages --check-prefix=DECLINED

#define T 16
#define ARGS const float *A, const float *B, float *C, int M, int N, int K
#define PLACE                                                                  \
  __shared__ float As[T][T], Bs[T][T];                                         \
  const int x = threadIdx.x, y = threadIdx.y;                                  \
  const int row = blockIdx.y * T + y, col = blockIdx.x * T + x;                \
  float acc = 0;
#define LOOP                                                                   \
  for (int k0 = 0; k0 < K; k0 += T) {                                          \
    As[y][x] = A[row * K + k0 + x];                                            \
    Bs[y][x] = B[(k0 + y) * N + col];                                          \
    __syncthreads();                                                           \
    for (int k = 0; k < T; ++k)                                                \
      acc += As[y][k] * Bs[k][x];                                              \
    __syncthreads();                                                           \
  }

// CHECK: contraction "returns" {
// CHECK: index %m < 16 * gridDim.y
// CHECK: index %n < 16 * gridDim.x
// CHECK: require M - 16 * gridDim.y >= 0 : "some threads do not come to line [[#@LINE+7]]"
// CHECK: require N - 16 * gridDim.x >= 0 : "some threads do not come to line [[#@LINE+6]]"
#pragma warpwright matmul
__global__ void returns(ARGS) {
  PLACE
  if (row >= M || col >= N)
    return;
  LOOP
  C[row * N + col] = acc;
}

// Either condition is enough for a thread to go on; one is asked for.
// CHECK: contraction "one_of_both" {
// CHECK: index %m < min(16 * gridDim.y, M)
// CHECK: require M - 16 * gridDim.y >= 0 : "some threads do not come to line
// CHECK-NOT: some threads
// CHECK: }
#pragma warpwright matmul
__global__ void one_of_both(ARGS) {
  PLACE
  if (row < M || col < N) {
    LOOP
    if (row < M && col < N)
      C[row * N + col] = acc;
  }
}

// DECLINED: 'few_threads' is not rewritten: only some threads of a block may reach this barrier [WW222]
#pragma warpwright matmul
__global__ void few_threads(ARGS) {
  PLACE
  if (y >= 8)
    return;
  LOOP
  C[row * N + col] = acc;
}

// DECLINED: 'by_data' is not rewritten: only some threads of a block may reach this barrier [WW222]
#pragma warpwright matmul
__global__ void by_data(ARGS) {
  PLACE
  if (row >= M || C[row * N] > 0.0f)
    return;
  LOOP
  C[row * N + col] = acc;
}

// The tile that K ends in is not one that a launch can be without.
// DECLINED: 'in_the_loop' is not rewritten: only some threads of a block may reach this barrier [WW222]
#pragma warpwright matmul
__global__ void in_the_loop(ARGS) {
  PLACE
  for (int k0 = 0; k0 < K; k0 += T) {
    if (k0 + x < K) {
      As[y][x] = A[row * K + k0 + x];
      Bs[y][x] = B[(k0 + y) * N + col];
      __syncthreads();
    }
    for (int k = 0; k < T; ++k)
      acc += As[y][k] * Bs[k][x];
    __syncthreads();
  }
  C[row * N + col] = acc;
}

// The first row is without a thread in no launch.
// DECLINED: 'not_the_first' is not rewritten: only some threads of a block may reach this barrier [WW222]
#pragma warpwright matmul
__global__ void not_the_first(ARGS) {
  PLACE
  if (row == M - 1)
    return;
  LOOP
  C[row * N + col] = acc;
}
