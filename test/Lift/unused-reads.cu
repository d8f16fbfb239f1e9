// What is read and not used: what is lifted is right all the same, and the executed
// check says what is wrong with the kernel.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse 2>&1 | FileCheck %s --implicit-check-not=WW220

#define T 8
#define PLACE                                                                  \
  const int tx = threadIdx.x, ty = threadIdx.y;                                \
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;              \
  float sum = 0.0f;

// The last fragment is fetched from one row beyond the tile: the other buffer, which
// other threads fill at that time.
// CHECK: warning: 'beyond_the_tile' is not rewritten: as it was executed, {{.*}} that races with another thread {{.*}} [WW221]
#pragma warpwright matmul
__global__ void beyond_the_tile(const float *A, const float *B, float *C, int M,
                                int N, int K) {
  __shared__ float As[2][T][T], Bs[2][T][T];
  PLACE
  As[0][ty][tx] = A[row * K + tx];
  Bs[0][ty][tx] = B[ty * N + col];
  __syncthreads();
  int now = 0;
  for (int t = 0; t < K / T; ++t) {
    if (t + 1 < K / T) {
      As[now ^ 1][ty][tx] = A[row * K + (t + 1) * T + tx];
      Bs[now ^ 1][ty][tx] = B[((t + 1) * T + ty) * N + col];
    }
    float b[2];
    b[0] = (&Bs[0][0][0])[now * T * T + tx];
    for (int k = 0; k < T; ++k) {
      b[(k + 1) % 2] = (&Bs[0][0][0])[now * T * T + (k + 1) * T + tx];
      sum += As[now][ty][k] * b[k % 2];
    }
    __syncthreads();
    now ^= 1;
  }
  C[row * N + col] = sum;
}

// The first fragment is read where its condition on k is known to hold, the others
// are not.
// CHECK-LABEL: contraction "within_the_tile" {
// CHECK: index %k < K
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK-NEXT: operand B = B[%k * N + %n]:f32
#pragma warpwright matmul
__global__ void within_the_tile(const float *A, const float *B, float *C, int M,
                                int N, int K) {
  extern __shared__ float pool[];
  float *As = pool, *Bs = pool + 40;
  const int tx = threadIdx.x, ty = threadIdx.y, id = ty * 4 + tx;
  const int row0 = blockIdx.y * 8, col0 = blockIdx.x * 4;
  float sum = 0.0f;
  for (int kk = 0; kk < K; kk += 4) {
    for (int i = id; i < 32; i += 32) {
      const int r = i / 4, c = i % 4;
      As[c * 10 + r] = row0 + r < M && kk + c < K
                           ? A[(row0 + r) * K + kk + c]
                           : 0.0f;
    }
    for (int i = id; i < 16; i += 32) {
      const int r = i / 4, c = i % 4;
      if (kk + r < K && col0 + c < N)
        Bs[c * 4 + r] = B[(kk + r) * N + col0 + c];
      else
        Bs[c * 4 + r] = 0.0f;
    }
    __syncthreads();
    float b[2];
    b[0] = Bs[tx * 4];
    for (int k = 0; k < 4; ++k) {
      if (k < 3)
        b[(k + 1) % 2] = Bs[tx * 4 + k + 1];
      sum += As[k * 10 + ty] * b[k % 2];
    }
    __syncthreads();
  }
  const int row = row0 + ty, col = col0 + tx;
  if (row < M && col < N)
    C[row * N + col] = sum;
}
