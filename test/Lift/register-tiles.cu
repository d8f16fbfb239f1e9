// Several outputs of one thread, in arrays, with and without shared memory.
//
// RUN: %warpwright rewrite --emit=contraction %s -- %parse | FileCheck %s
// RUN: not %warpwright rewrite --emit=contraction %s -- %parse -DMISTAKEN 2>&1 | FileCheck --check-prefix=WHY %s

#include <cuda_runtime.h>

#define ARGS                                                                   \
  const float *A, const float *B, float *C, int M, int N, int K

// Sixteen outputs of a thread, side by side, without shared memory.
//
// CHECK-LABEL: contraction "square"
// CHECK: index %m < 4 * min(blockDim.y * gridDim.y, floordiv(M - 1, 4) + 1)
// CHECK: index %n < 4 * min(blockDim.x * gridDim.x, floordiv(N - 1, 4) + 1)
// CHECK: index %k < K
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%k * N + %n]:f32
// CHECK: output C[%m * N + %n]:f32 = acc
// CHECK: require N >= 4 * min(blockDim.x * gridDim.x, floordiv(N - 1, 4) + 1)
// CHECK: require N >= 0
#pragma warpwright matmul
__global__ void square(ARGS) {
  int row = (blockIdx.y * blockDim.y + threadIdx.y) * 4;
  int col = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (row >= M || col >= N)
    return;
  float acc[4][4] = {};
  for (int k = 0; k < K; ++k) {
    float a[4], b[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      a[i] = A[(row + i) * K + k];
      b[i] = B[k * N + col + i];
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
      for (int j = 0; j < 4; ++j)
        acc[i][j] += a[i] * b[j];
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      C[(row + i) * N + col + j] = acc[i][j];
}

// Columns that are a block apart, each under its own condition.
//
// CHECK-LABEL: contraction "apart"
// CHECK: index %m < min(64 * gridDim.y, M)
// CHECK: index %n < min(64 * gridDim.x, N)
// CHECK: index %k < K
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%k * N + %n]:f32
// CHECK: output C[%m * N + %n]:f32 = acc
// CHECK: require blockDim.x == 16
// CHECK: require blockDim.y == 16
#pragma warpwright matmul
__global__ void apart(ARGS) {
  int row = (blockIdx.y * 16 + threadIdx.y) * 4;
  int col = blockIdx.x * 64 + threadIdx.x;
  float acc[4][4] = {};
  for (int k = 0; k < K; ++k)
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        if (row + i < M && col + j * 16 < N)
          acc[i][j] += A[(row + i) * K + k] * B[k * N + col + j * 16];
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      if (row + i < M && col + j * 16 < N)
        C[(row + i) * N + col + j * 16] = acc[i][j];
}

// A tile of A that serves several tiles of B, one after the other.
//
// CHECK-LABEL: contraction "coarsened"
// CHECK: index %m < 16 * gridDim.y
// CHECK: index %n < 64 * gridDim.x
// CHECK: index %k < 16 * floordiv(N, 16)
// CHECK: operand A = A[%m * N + %k]:f32
// CHECK: operand B = B[%k * N + %n]:f32
// CHECK: output C[%m * N + %n]:f32 = acc
// CHECK: require blockDim.x == 16
// CHECK: require blockDim.y == 16
// CHECK: require N >= 64 * gridDim.x
// CHECK: require N >= 0
#pragma warpwright matmul
__global__ void coarsened(const float *A, const float *B, float *C, int N) {
  __shared__ float As[16][16], Bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty, first = blockIdx.x * 64 + tx;
  float sum[4];
  for (int c = 0; c < 4; ++c)
    sum[c] = 0;
  for (int t = 0; t < N / 16; ++t) {
    As[ty][tx] = A[row * N + t * 16 + tx];
    for (int c = 0; c < 4; ++c) {
      Bs[ty][tx] = B[(t * 16 + ty) * N + first + c * 16];
      __syncthreads();
      for (int k = 0; k < 16; ++k)
        sum[c] += As[ty][k] * Bs[k][tx];
      __syncthreads();
    }
  }
  for (int c = 0; c < 4; ++c)
    C[row * N + first + c * 16] = sum[c];
}

// Eight rows of a thread; the operands' pointers move on.
//
// CHECK-LABEL: contraction "rows<64, 64, 8, 8>"
// CHECK: index %m < 64 * gridDim.y
// CHECK: index %n < 64 * gridDim.x
// CHECK: index %k < 8 * floordiv(K + 7, 8)
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%k * N + %n]:f32
// CHECK: output C[%m * N + %n]:f32 = acc
// CHECK: require blockDim.y == 1
// CHECK: require blockDim.x == 512
// CHECK: require N >= 64 * gridDim.x
// CHECK: require K >= 0
template <int BM, int BN, int BK, int TM>
#pragma warpwright matmul
__global__ void rows(ARGS) {
  __shared__ float As[BM * BK], Bs[BK * BN];
  int column = threadIdx.x % BN, part = threadIdx.x / BN;
  unsigned colA = threadIdx.x % BK, rowA = threadIdx.x / BK;
  unsigned colB = threadIdx.x % BN, rowB = threadIdx.x / BN;
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += blockIdx.y * BM * N + blockIdx.x * BN;
  float acc[TM] = {0.0f};
  for (int k0 = 0; k0 < K; k0 += BK) {
    As[rowA * BK + colA] = A[rowA * K + colA];
    Bs[rowB * BN + colB] = B[rowB * N + colB];
    __syncthreads();
    A += BK;
    B += BK * N;
    for (int k = 0; k < BK; ++k) {
      float b = Bs[k * BN + column];
      for (int i = 0; i < TM; ++i)
        acc[i] += As[(part * TM + i) * BK + k] * b;
    }
    __syncthreads();
  }
  for (int i = 0; i < TM; ++i)
    C[(part * TM + i) * N + column] = acc[i];
}
template __global__ void rows<64, 64, 8, 8>(ARGS);

// Fragments in registers; the tiles are filled in steps.
//
// CHECK-LABEL: contraction "fragments<64, 64, 8, 4, 4>"
// CHECK: index %m < 64 * gridDim.y
// CHECK: index %n < 64 * gridDim.x
// CHECK: index %k < 8 * floordiv(K + 7, 8)
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%k * N + %n]:f32
// CHECK: output C[%m * N + %n]:f32 = ((alpha:f32 * acc) + (beta:f32 * C[%m * N + %n]:f32))
// CHECK: require blockDim.y == 1
// CHECK: require blockDim.x == 256
// CHECK: require N >= 64 * gridDim.x
// CHECK: require K >= 0
template <int BM, int BN, int BK, int TM, int TN>
#pragma warpwright matmul
__global__ void fragments(ARGS, float alpha, float beta) {
  constexpr unsigned Threads = BM * BN / (TM * TN);
  __shared__ float As[BM * BK], Bs[BK * BN];
  int x = threadIdx.x % (BN / TN), y = threadIdx.x / (BN / TN);
  unsigned colA = threadIdx.x % BK, rowA = threadIdx.x / BK;
  unsigned colB = threadIdx.x % BN, rowB = threadIdx.x / BN;
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += blockIdx.y * BM * N + blockIdx.x * BN;
  float acc[TM * TN] = {0.0f}, a[TM], b[TN];
  for (unsigned k0 = 0; k0 < K; k0 += BK) {
    for (unsigned o = 0; o < BM; o += Threads / BK)
      As[(rowA + o) * BK + colA] = A[(rowA + o) * K + colA];
    for (unsigned o = 0; o < BK; o += Threads / BN)
      Bs[(rowB + o) * BN + colB] = B[(rowB + o) * N + colB];
    __syncthreads();
    A += BK;
    B += BK * N;
    for (unsigned k = 0; k < BK; ++k) {
      for (unsigned i = 0; i < TM; ++i)
        a[i] = As[(y * TM + i) * BK + k];
      for (unsigned i = 0; i < TN; ++i)
        b[i] = Bs[k * BN + x * TN + i];
      for (unsigned i = 0; i < TM; ++i)
        for (unsigned j = 0; j < TN; ++j)
          acc[i * TN + j] += a[i] * b[j];
    }
    __syncthreads();
  }
  for (unsigned i = 0; i < TM; ++i)
    for (unsigned j = 0; j < TN; ++j) {
      float *c = &C[(y * TM + i) * N + x * TN + j];
      *c = alpha * acc[i * TN + j] + beta * *c;
    }
}
template __global__ void fragments<64, 64, 8, 4, 4>(ARGS, float, float);

// By float4, with the tile of A transposed on its way in.
//
// CHECK-LABEL: contraction "vectors<128, 128, 8, 8, 8>"
// CHECK: index %m < 128 * gridDim.y
// CHECK: index %n < 128 * gridDim.x
// CHECK: index %k < 8 * floordiv(K + 7, 8)
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%k * N + %n]:f32
// CHECK: output C[%m * N + %n]:f32 = acc
// CHECK: require blockDim.y == 1
// CHECK: require blockDim.x == 256
// CHECK: require N >= 128 * gridDim.x
// CHECK: require K >= 0
template <int BM, int BN, int BK, int TM, int TN>
#pragma warpwright matmul
__global__ void vectors(float *A, float *B, float *C, int M, int N, int K) {
  __shared__ float As[BM * BK], Bs[BK * BN];
  int x = threadIdx.x % (BN / TN), y = threadIdx.x / (BN / TN);
  unsigned colA = threadIdx.x % (BK / 4), rowA = threadIdx.x / (BK / 4);
  unsigned colB = threadIdx.x % (BN / 4), rowB = threadIdx.x / (BN / 4);
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += blockIdx.y * BM * N + blockIdx.x * BN;
  float acc[TM * TN] = {0.0f}, a[TM], b[TN];
  for (unsigned k0 = 0; k0 < K; k0 += BK) {
    float4 v = reinterpret_cast<float4 *>(&A[rowA * K + colA * 4])[0];
    As[(colA * 4 + 0) * BM + rowA] = v.x;
    As[(colA * 4 + 1) * BM + rowA] = v.y;
    As[(colA * 4 + 2) * BM + rowA] = v.z;
    As[(colA * 4 + 3) * BM + rowA] = v.w;
    reinterpret_cast<float4 *>(&Bs[rowB * BN + colB * 4])[0] =
        reinterpret_cast<float4 *>(&B[rowB * N + colB * 4])[0];
    __syncthreads();
    A += BK;
    B += BK * N;
    for (unsigned k = 0; k < BK; ++k) {
      for (unsigned i = 0; i < TM; ++i)
        a[i] = As[k * BM + y * TM + i];
      for (unsigned i = 0; i < TN; ++i)
        b[i] = Bs[k * BN + x * TN + i];
      for (unsigned i = 0; i < TM; ++i)
        for (unsigned j = 0; j < TN; ++j)
          acc[i * TN + j] += a[i] * b[j];
    }
    __syncthreads();
  }
  for (unsigned i = 0; i < TM; ++i)
    for (unsigned j = 0; j < TN; j += 4) {
      float4 v;
      v.x = acc[i * TN + j];
      v.y = acc[i * TN + j + 1];
      v.z = acc[i * TN + j + 2];
      v.w = acc[i * TN + j + 3];
      reinterpret_cast<float4 *>(&C[(y * TM + i) * N + x * TN + j])[0] = v;
    }
}
template __global__ void vectors<128, 128, 8, 8, 8>(float *, float *, float *, int, int, int);

// Four outputs, of which the last row and the last column may be beyond the
// matrix. What the first one asked at the beginning the others ask again, of
// their own row or column.
//
// CHECK-LABEL: contraction "patch"
// CHECK: index %m < min(2 * blockDim.y * gridDim.y, M)
// CHECK-NEXT: index %n < min(2 * blockDim.x * gridDim.x, N)
// CHECK-NEXT: index %k < K
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%k * N + %n]:f32
// CHECK: output C[%m * N + %n]:f32 = acc
#define PATCH(below, last, beside)                                             \
  int row = (blockIdx.y * blockDim.y + threadIdx.y) * 2;                       \
  int col = (blockIdx.x * blockDim.x + threadIdx.x) * 2;                       \
  if (row >= M || col >= N)                                                    \
    return;                                                                    \
  float c00 = 0, c01 = 0, c10 = 0, c11 = 0;                                    \
  for (int k = 0; k < K; ++k) {                                                \
    float a0 = A[row * K + k], a1 = row + 1 < M ? A[(row + 1) * K + k] : 0;    \
    float b0 = B[k * N + col];                                                 \
    float b1 = col + 1 < N ? B[k * N + col + beside] : 0;                      \
    c00 += a0 * b0;                                                            \
    c01 += a0 * b1;                                                            \
    c10 += a1 * b0;                                                            \
    c11 += a1 * b1;                                                            \
  }                                                                            \
  C[row * N + col] = c00;                                                      \
  if (col + 1 < N)                                                             \
    C[row * N + col + 1] = c01;                                                \
  if (below)                                                                   \
    C[(row + 1) * N + col] = c10;                                              \
  if (last)                                                                    \
    C[(row + 1) * N + col + 1] = c11;

#pragma warpwright matmul
__global__ void patch(ARGS) {
  PATCH(row + 1 < M, row + 1 < M && col + 1 < N, 1)
}

// A loop of one iteration stores under a condition; what was stored before it
// is kept where the condition does not hold.
//
// CHECK-LABEL: contraction "kept"
// CHECK: output C[%m * N + %n]:f32 = select(fcmp(acc > 3.0f:f32), acc, (2.0f:f32 * acc))
#pragma warpwright matmul
__global__ void kept(ARGS) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float sum = 0;
  for (int k = 0; k < K; ++k)
    sum += A[row * K + k] * B[k * N + col];
  float kept[1] = {2 * sum};
  if (sum > 3)
    for (int j = 0; j < 1; ++j)
      kept[j] = sum;
  C[row * N + col] = kept[0];
}

#ifdef MISTAKEN
// The last one is stored whatever its column is.
// WHY: 'any_column' is not rewritten: the outputs are not stored under the same condition, and a sum is not used by all of them; what would be read for the others need not exist [WW216]
#pragma warpwright matmul
__global__ void any_column(ARGS) { PATCH(row + 1 < M, row + 1 < M, 1) }

// The third one asks for its column, not for its row.
// WHY: 'other_side' is not rewritten: the outputs are not stored under the same condition [WW216]
#pragma warpwright matmul
__global__ void other_side(ARGS) {
  PATCH(col + 1 < N, row + 1 < M && col + 1 < N, 1)
}

// The second column is computed from the third one.
// WHY: 'third_column' is not rewritten:
#pragma warpwright matmul
__global__ void third_column(ARGS) {
  PATCH(row + 1 < M, row + 1 < M && col + 1 < N, 2)
}
#endif
