// Arrays of pointers in device memory: the launcher makes tensor maps, and cannot read
// what they are made from.

// RUN: not %warpwright rewrite --emit=contraction --strict %s -- %parse 2>&1 | FileCheck %s --implicit-check-not=contraction

#include <cuda_fp16.h>

#define PLACE                                                                  \
  const int row = blockIdx.y * blockDim.y + threadIdx.y;                       \
  const int col = blockIdx.x * blockDim.x + threadIdx.x;                       \
  if (row >= M || col >= N)                                                    \
    return;

// CHECK: :[[#@LINE+6]]:20: error: 'pointers_in_registers' is not rewritten: 'A' is an array of pointers in device memory, which the launcher cannot read; pass one array and the distance between its matrices [WW207]
#pragma warpwright matmul
__global__ void pointers_in_registers(const float *const *__restrict__ A,
                                      const float *B, float *C, int M, int N,
                                      int K) {
  PLACE
  const float *a = A[blockIdx.z];
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += a[row * K + k] * B[k * N + col];
  C[row * N + col + blockIdx.z * M * N] = acc;
}

// CHECK: :[[#@LINE+8]]:3: error: 'pointers_in_place' is not rewritten: 'C' is an array of pointers in device memory, which {{.*}} [WW207]
#pragma warpwright matmul
__global__ void pointers_in_place(const float **A, const float **B, float **C,
                                  int M, int N, int K) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += A[blockIdx.z][row * K + k] * B[blockIdx.z][k * N + col];
  C[blockIdx.z][row * N + col] = acc;
}

// CHECK: :[[#@LINE+5]]:20: error: 'first_pointer' is not rewritten: 'A' is an array of pointers in device memory, which {{.*}} [WW207]
#pragma warpwright matmul
__global__ void first_pointer(const float **A, const float *B, float *C, int M,
                              int N, int K) {
  PLACE
  const float *a = *A;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += a[row * K + k] * B[k * N + col];
  C[row * N + col] = acc;
}

#define T 16

// CHECK: :[[#@LINE+7]]:19: error: 'pointers_and_tiles' is not rewritten: 'A' is an array of pointers in device memory, which {{.*}} [WW207]
#pragma warpwright matmul
__global__ void pointers_and_tiles(const half *const A[], const half *const B[],
                                   half *const C[], int M, int N, int K) {
  __shared__ half As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  const half *a = A[blockIdx.z], *b = B[blockIdx.z];
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty][tx] = row < M && k0 + tx < K ? a[row * K + k0 + tx] : half(0);
    Bs[ty][tx] = k0 + ty < K && col < N ? b[(k0 + ty) * N + col] : half(0);
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += __half2float(As[ty][k]) * __half2float(Bs[k][tx]);
    __syncthreads();
  }
  if (row < M && col < N)
    C[blockIdx.z][row * N + col] = __float2half(acc);
}

struct Item {
  const float *a, *b;
  float *c;
  int m, n, k;
};

// CHECK: :[[#@LINE+3]]:19: error: 'described' is not rewritten: 'items' is an array of structures with pointers in device memory, which {{.*}} [WW207]
#pragma warpwright matmul
__global__ void described(const Item *items) {
  const Item it = items[blockIdx.z];
  const int M = it.m, N = it.n, K = it.k;
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += it.a[row * K + k] * it.b[k * N + col];
  it.c[row * N + col] = acc;
}

struct Batch {
  const float *a[16], *b[16];
  float *c[16];
};

// CHECK: :[[#@LINE+7]]:3: error: 'by_value' is not rewritten: an element of an array inside of a parameter is chosen by an index; {{.*}} [WW204]
#pragma warpwright matmul
__global__ void by_value(Batch batch, int M, int N, int K) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += batch.a[blockIdx.z][row * K + k] * batch.b[blockIdx.z][k * N + col];
  batch.c[blockIdx.z][row * N + col] = acc;
}
