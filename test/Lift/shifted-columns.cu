// Tiles of which the columns are shifted by the row, modulo the row's width: another
// order of the same columns, which is undone where the tile is read.

// RUN: not %warpwright rewrite --emit=contraction --strict %s -- %parse 2>&1 | FileCheck %s
// RUN: not %warpwright rewrite --emit=contraction %s -- %parse 2>/dev/null | FileCheck %s --check-prefix=LIFTED

#define KERNEL(NAME, T, OF_A, OF_B, READ_A, READ_B)                            \
  _Pragma("warpwright matmul") __global__ void NAME(                           \
      const float *A, const float *B, float *C, int M, int N, int K) {         \
    __shared__ float As[T * T], Bs[T][T];                                      \
    const int tx = threadIdx.x, ty = threadIdx.y;                              \
    const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;            \
    float acc = 0.0f;                                                          \
    for (int k0 = 0; k0 < K; k0 += T) {                                        \
      As[ty * T + (OF_A)] =                                                    \
          row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;                \
      Bs[ty][OF_B] = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0.0f;   \
      __syncthreads();                                                         \
      for (int k = 0; k < T; ++k)                                              \
        acc += As[ty * T + (READ_A)] * Bs[k][READ_B];                          \
      __syncthreads();                                                         \
    }                                                                          \
    if (row < M && col < N)                                                    \
      C[row * N + col] = acc;                                                  \
  }

// LIFTED-LABEL: contraction "by_row"
// LIFTED: index %k < K
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: operand B = B[%k * N + %n]:f32
// LIFTED: require blockDim.x == 16
KERNEL(by_row, 16, (tx + ty) % 16, (tx + 3 * ty) % 16, (k + ty) % 16,
       (tx + 3 * k) % 16)

// The width need not be a power of two.
// LIFTED-LABEL: contraction "of_24"
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: operand B = B[%k * N + %n]:f32
// LIFTED: require blockDim.x == 24
KERNEL(of_24, 24, (tx + ty) % 24, (tx + 5) % 24, (k + ty) % 24, (tx + 5) % 24)

// LIFTED-LABEL: contraction "masked_and_down"
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: operand B = B[%k * N + %n]:f32
KERNEL(masked_and_down, 16, (tx - ty) & 15, (ty - tx) & 15, (k - ty) & 15,
       (k - tx) & 15)

// That the dividend is not negative is what the launcher asks for.
// LIFTED-LABEL: contraction "down"
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: require blockDim.y == 16
KERNEL(down, 16, (tx + 16 - ty) % 16, tx, (k + 16 - ty) % 16, tx)

// LIFTED-LABEL: contraction "by_parts_of_the_row"
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: operand B = B[%k * N + %n]:f32
KERNEL(by_parts_of_the_row, 32, (tx + ty / 2) % 32, (tx + (ty & 3) * 8) % 32,
       (k + ty / 2) % 32, (tx + (k & 3) * 8) % 32)

// LIFTED-LABEL: contraction "by_tile"
// LIFTED: operand A = A[%m * K + %k]:f32
KERNEL(by_tile, 16, (tx + ty + k0 / 16) % 16, tx, (k + ty + k0 / 16) % 16, tx)

// LIFTED-LABEL: contraction "groups"
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: operand B = B[%k * N + %n]:f32
// LIFTED: require blockDim.x == 32
KERNEL(groups, 32, (tx / 4 + ty) % 8 * 4 + tx % 4, (tx / 4 + ty) % 8 * 4 + tx % 4,
       (k / 4 + ty) % 8 * 4 + k % 4, (tx / 4 + k) % 8 * 4 + tx % 4)

// Every thread begins at another k, of both alike.
// LIFTED-LABEL: contraction "both_turned"
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: operand B = B[%k * N + %n]:f32
#pragma warpwright matmul
__global__ void both_turned(const float *A, const float *B, float *C, int M,
                            int N, int K) {
  __shared__ float As[16][16], Bs[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx][(ty + tx) % 16] = A[row * K + k0 + tx];
    Bs[ty][tx] = B[(k0 + ty) * N + col];
    __syncthreads();
    for (int i = 0; i < 16; ++i) {
      const int k = (i + tx) % 16;
      acc += As[k][(ty + k) % 16] * Bs[k][tx];
    }
    __syncthreads();
  }
  C[row * N + col] = acc;
}

// A block of 256 threads with columns of 32 lanes: the lane that is written is
// meant, and no block of 32 asked for.
// LIFTED-LABEL: contraction "lanes"
// LIFTED: operand B = B[%k * N + %n]:f32
// LIFTED: require blockDim.x == 256
#pragma warpwright matmul
__global__ void lanes(const float *A, const float *B, float *C, int M, int N,
                      int K) {
  __shared__ float Bs[8][32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int row = blockIdx.y * 8 + warp, col = blockIdx.x * 32 + lane;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += 8) {
    Bs[warp][(lane + warp) % 32] = B[(k0 + warp) * N + col];
    __syncthreads();
    for (int k = 0; k < 8; ++k)
      acc += A[row * K + k0 + k] * Bs[k][(lane + k) % 32];
    __syncthreads();
  }
  C[row * N + col] = acc;
}

// LIFTED-NOT: contraction

// CHECK: error: 'one_side' is not rewritten: the remainder of an index by 16 is taken in a way that does not make rows and columns [WW204]
KERNEL(one_side, 16, (tx + ty) % 16, tx, k, tx)
// CHECK: error: 'one_more' is not rewritten: {{.*}} [WW204]
KERNEL(one_more, 16, (tx + ty) % 16, tx, (k + ty + 1) % 16, tx)
// CHECK: error: 'by_column' is not rewritten: {{.*}} [WW204]
KERNEL(by_column, 16, (tx + ty) % 16, tx, (k + tx) % 16, tx)
// CHECK: error: 'no_remainder' is not rewritten: {{.*}} [WW223]
KERNEL(no_remainder, 16, tx + ty, tx, k + ty, tx)
// CHECK: error: 'too_narrow' is not rewritten:
KERNEL(too_narrow, 16, (tx + ty) % 15, tx, (k + ty) % 15, tx)
// CHECK: error: 'two_at_one_place' is not rewritten: 'As' is filled at line [[#@LINE+1]] in a way that does not tell which thread stores which element [WW223]
KERNEL(two_at_one_place, 16, (2 * tx + ty) % 16, tx, (2 * k + ty) % 16, tx)
// CHECK: error: 'wider' is not rewritten:
KERNEL(wider, 16, (tx + ty) % 32, tx, (k + ty) % 32, tx)
