// Loops that are left in their middle: taken for going on to the next iteration
// where the condition stays what it is.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse > %t.txt 2> %t.log
// RUN: FileCheck %s < %t.txt
// RUN: FileCheck %s --check-prefix=LOG --implicit-check-not=WW220 --implicit-check-not=WW507 < %t.log

#define HEAD                                                                   \
  const int col = blockIdx.x * blockDim.x + threadIdx.x;                       \
  if (col >= N)                                                                \
    return;

#define SUM                                                                    \
  float sum = 0.0f;                                                            \
  for (int k = 0; k < K; ++k)                                                  \
    sum += A[row * K + k] * B[k * N + col];

// CHECK-LABEL: contraction "rows_by_break" {
// CHECK: index %m < min(4 * gridDim.y, M)
#pragma warpwright matmul
__global__ void rows_by_break(const float *A, const float *B, float *C, int M,
                              int N, int K) {
  HEAD
  for (int i = 0; i < 4; ++i) {
    const int row = blockIdx.y * 4 + i;
    if (row >= M)
      break;
    SUM
    C[row * N + col] = sum;
  }
}

// CHECK-LABEL: contraction "rows_by_return" {
// CHECK: index %m < min(4 * gridDim.y, M)
#pragma warpwright matmul
__global__ void rows_by_return(const float *A, const float *B, float *C, int M,
                               int N, int K) {
  HEAD
  for (int i = 0; i < 4; ++i) {
    const int row = blockIdx.y * 4 + i;
    if (row >= M)
      return;
    SUM
    C[row * N + col] = sum;
  }
}

// Two conditions, each of which stays true.
// CHECK-LABEL: contraction "rows_by_two" {
// CHECK: index %m < {{.*}}M
#pragma warpwright matmul
__global__ void rows_by_two(const float *A, const float *B, float *C, int M,
                            int N, int K, int last) {
  HEAD
  for (int i = 0; i < 4; ++i) {
    const int row = blockIdx.y * 4 + i;
    if (row >= M || row > last)
      break;
    SUM
    C[row * N + col] = sum;
  }
}

// It counts down: the condition does not stay.
// LOG: [[#@LINE+7]]:{{[0-9]+}}: warning: 'downwards' is not rewritten: {{.*}} [WW203]
#pragma warpwright matmul
__global__ void downwards(const float *A, const float *B, float *C, int M,
                          int N, int K) {
  HEAD
  for (int i = 3; i >= 0; --i) {
    const int row = blockIdx.y * 4 + i;
    if (row >= M)
      break;
    SUM
    C[row * N + col] = sum;
  }
}

// LOG: warning: 'one_row_missing' is not rewritten: {{.*}} [WW203]
#pragma warpwright matmul
__global__ void one_row_missing(const float *A, const float *B, float *C, int M,
                                int N, int K) {
  HEAD
  for (int i = 0; i < 4; ++i) {
    const int row = blockIdx.y * 4 + i;
    if (row == 2)
      break;
    SUM
    if (row < M)
      C[row * N + col] = sum;
  }
}

// The row beyond the last one is stored, too.
// LOG: warning: 'stores_first' is not rewritten: {{.*}} [WW203]
#pragma warpwright matmul
__global__ void stores_first(const float *A, const float *B, float *C, int M,
                             int N, int K) {
  HEAD
  for (int i = 0; i < 4; ++i) {
    const int row = blockIdx.y * 4 + i;
    SUM
    C[row * N + col] = sum;
    if (row >= M)
      break;
  }
}

// Both conditions end it before an iteration begins; what it counted is known.
// CHECK-LABEL: contraction "counted" {
// CHECK: output C[%m * N + %n]:f32 = (acc * int.f32(max(0, min(4, M))))
#pragma warpwright matmul
__global__ void counted(const float *A, const float *B, float *C, int M, int N,
                        int K) {
  HEAD
  const int row = blockIdx.y;
  int i = 0;
  for (; i < 4; ++i)
    if (i >= M)
      break;
  SUM
  C[row * N + col] = sum * i;
}

// Something follows the loop, which a return leaves out.
// LOG: warning: 'something_follows' is not rewritten: {{.*}} [WW203]
#pragma warpwright matmul
__global__ void something_follows(const float *A, const float *B, float *C,
                                  float *D, int M, int N, int K) {
  HEAD
  for (int i = 0; i < 4; ++i) {
    const int row = blockIdx.y * 4 + i;
    if (row >= M)
      return;
    SUM
    C[row * N + col] = sum;
  }
  D[blockIdx.y * N + col] = 1.0f;
}

// So is how long a sum is.
// CHECK-LABEL: contraction "cut_sum" {
// CHECK: index %k < min(K, end)
#pragma warpwright matmul
__global__ void cut_sum(const float *A, const float *B, float *C, int M, int N,
                        int K, int end) {
  HEAD
  const int row = blockIdx.y;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k) {
    if (k >= end)
      break;
    sum += A[row * K + k] * B[k * N + col];
  }
  C[row * N + col] = sum;
}

// Only under a second condition.
// LOG: warning: 'sometimes' is not rewritten: {{.*}} [WW203]
#pragma warpwright matmul
__global__ void sometimes(const float *A, const float *B, float *C, int M,
                          int N, int K) {
  HEAD
  for (int i = 0; i < 4; ++i) {
    const int row = blockIdx.y * 4 + i;
    if (i != 1) {
      if (row >= M)
        break;
    }
    SUM
    C[row * N + col] = sum;
  }
}
