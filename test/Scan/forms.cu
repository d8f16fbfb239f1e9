// What looks like a matmul and what does not, and in which words: kernels
// without any pragma, one of each form.

// RUN: %warpwright scan %s -- %parse | %FileCheck %s
// RUN: %warpwright scan %s -- %parse \
// RUN:   | %FileCheck %s --check-prefix=ABSENT --allow-empty
// ABSENT-NOT: {{norm|elementwise|offsets|scale|copy|maximum}}:

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#define PLACE                                                                  \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row >= M || col >= N)                                                    \
    return;

// CHECK: forms.cu:[[#@LINE+1]]: naive: naive, f32 f32 -> f32, NN: converts: C[m,n] = sum(k) A[m,k] * B[k,n]
__global__ void naive(const float *A, const float *B, float *C, int M, int N, int K) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += A[row * K + k] * B[k * N + col];
  C[row * N + col] = acc;
}

// CHECK: forms.cu:[[#@LINE+1]]: transposed: naive, f16 f16 -> f32, TT: converts: C[m,n] = f(sum(k) A[m,k] * B[k,n])
__global__ void transposed(const half *A, const half *B, float *C, int M, int N, int K, float alpha) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc = fmaf(__half2float(A[k * M + row]), __half2float(B[col * K + k]), acc);
  C[row * N + col] = alpha * acc;
}

// CHECK: forms.cu:[[#@LINE+1]]: batched: naive, batched, f16 f16 -> f16, NN: converts: C[b,m,n] = sum(k) A[b,m,k] * B[k,n]
__global__ void batched(const half *A, const half *B, half *C, int M, int N, int K) {
  PLACE
  int batch = blockIdx.z;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[(batch * M + row) * K + k]) * __half2float(B[k * N + col]);
  C[(batch * M + row) * N + col] = __float2half(acc);
}

// Pointers that are moved to what they pointed to, and copied through.
// CHECK: forms.cu:[[#@LINE+1]]: moved: naive, f32 f32 -> f32, NN: converts: C[m,n] = sum(k) A[m,k] * B[k,n]
__global__ void moved(float *A, float *B, float *C, int M, int N, int K) {
  PLACE
  A = &A[row * K];
  float acc = 0.0f;
  for (int k = 0; k < K / 4; ++k) {
    float4 a;
    *&a = *reinterpret_cast<float4 *>(&A[4 * k]);
    acc += a.x * B[4 * k * N + col] + a.y * B[(4 * k + 1) * N + col] +
           a.z * B[(4 * k + 2) * N + col] + a.w * B[(4 * k + 3) * N + col];
  }
  C[row * N + col] = acc;
}

// The sum and its products may be in functions that the kernel calls.
__device__ float load(const half *p, int i) { return __half2float(p[i]); }
__device__ void multiply(float &sum, float a, float b) { sum += a * b; }
__device__ float dot(const half *A, const half *B, int row, int col, int N, int K) {
  float sum = 0.0f;
  for (int k = 0; k < K; ++k) {
    float a = load(A, row * K + k), b = load(B, k * N + col);
    multiply(sum, a, b);
  }
  return sum;
}
// CHECK: forms.cu:[[#@LINE+1]]: helped: naive, f16 f16 -> f16, NN: converts
__global__ void helped(const half *A, const half *B, half *C, int M, int N, int K) {
  PLACE
  C[row * N + col] = __float2half(dot(A, B, row, col, N, K));
}

// CHECK: forms.cu:[[#@LINE+1]]: tiled: shared tiles
__global__ void tiled(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float As[16][16], Bs[16][16];
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float acc = 0.0f;
  for (int t = 0; t < K; t += 16) {
    As[threadIdx.y][threadIdx.x] = A[row * K + t + threadIdx.x];
    Bs[threadIdx.y][threadIdx.x] = B[(t + threadIdx.y) * N + col];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  C[row * N + col] = acc;
}

__device__ void fill(float (&to)[4], const float *from, int step) {
  for (int i = 0; i < 4; ++i)
    to[i] = from[i * step];
}
// CHECK: forms.cu:[[#@LINE+1]]: fragments: shared tiles, register tiles
__global__ void fragments(const float *A, const float *B, float *C, int N, int K) {
  __shared__ float tile[4];
  float acc[4][4] = {}, a[4], b[4];
  for (int k = 0; k < K; ++k) {
    fill(a, A + k, K);
    fill(b, B + k * N, 1);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        acc[i][j] += a[i] * b[j];
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      C[i * N + j] = acc[i][j] + tile[i];
}

// Fragments and tiles that are handed on by pointer.
__device__ void outer(float *sums, const float *a, const float *b) {
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      sums[i * 4 + j] += a[i] * b[j];
}
// CHECK: forms.cu:[[#@LINE+1]]: pointed: shared tiles, register tiles
__global__ void pointed(const float *A, const float *B, float *C, int K) {
  __shared__ float tile[8];
  float sums[16] = {}, a[4], b[4];
  for (int k = 0; k < K; ++k) {
    tile[threadIdx.x] = A[k * 8 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 4; ++i) {
      a[i] = tile[i];
      b[i] = B[k * 4 + i];
    }
    outer(sums, a, b);
    __syncthreads();
  }
  for (int i = 0; i < 16; ++i)
    C[i] = sums[i];
}

// CHECK: forms.cu:[[#@LINE+1]]: atomic: naive, atomics, f32 f32 -> f32, NN: converts: C[m,n] = f(sum(k) A[m,k] * B[k,n])
__global__ void atomic(const float *A, const float *B, float *C, int M, int N, int K) {
  PLACE
  for (int k = 0; k < K; ++k)
    atomicAdd(&C[row * N + col], A[row * K + k] * B[k * N + col]);
}

// CHECK: forms.cu:[[#@LINE+1]]: integers: naive, i8 i8 -> i32, NN: converts: C[m,n] = sum(k) A[m,k] * B[k,n]
__global__ void integers(const signed char *A, const signed char *B, int *C, int M, int N, int K) {
  PLACE
  int acc = 0;
  for (int k = 0; k < K; ++k)
    acc += int(A[row * K + k]) * int(B[k * N + col]);
  C[row * N + col] = acc;
}

namespace wmma {
struct fragment {
  float x[8];
};
__device__ void mma_sync(fragment &d, const fragment &a, const fragment &b, const fragment &c);
} // namespace wmma
// CHECK: forms.cu:[[#@LINE+1]]: tensor_cores: wmma: declined: {{.*}} [WW211]
__global__ void tensor_cores(float *C) {
  wmma::fragment a = {}, b = {}, c = {};
  wmma::mma_sync(c, a, b, c);
  C[threadIdx.x] = c.x[0];
}

// CHECK: forms.cu:[[#@LINE+1]]: assembly: inline mma: declined: inline assembly cannot be analysed [WW201]
__global__ void assembly(float *C, unsigned a, unsigned b) {
  float d0, d1, d2, d3;
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
               : "=f"(d0), "=f"(d1), "=f"(d2), "=f"(d3) : "r"(a), "r"(a), "r"(b));
  C[threadIdx.x] = d0 + d1 + d2 + d3;
}

// CHECK: forms.cu:[[#@LINE+2]]: nowhere: naive: not instantiated: this file does not instantiate the template [WW213]
template <typename T>
__global__ void nowhere(const T *A, const T *B, T *C, int M, int N, int K) {
  PLACE
  T acc = T(0);
  for (int k = 0; k < K; ++k)
    acc += A[row * K + k] * B[k * N + col];
  C[row * N + col] = acc;
}

// CHECK: forms.cu:[[#@LINE+2]]: viewed: naive: not instantiated
template <class View>
__global__ void viewed(View A, View B, View C, int K) {
  auto acc = 0 * C(0, 0);
  for (int k = 0; k < K; ++k)
    acc += A(threadIdx.x, k) * B.at(k, threadIdx.y);
  C(threadIdx.x, threadIdx.y) = acc;
}

// CHECK: forms.cu:[[#@LINE+2]]: partly: naive, f16 f16 -> f16, NN: converts: C[m,n] = sum(k) A[m,k] * B[k,n] (1 of 2 instances)
template <typename T>
__global__ void partly(const T *A, const T *B, T *C, int M, int N, int K) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += float(A[row * K + k]) * float(B[k * N + col]);
  C[row * N + col] = T(acc);
}
void launch(half *h, double *d) {
  partly<<<1, 1>>>(h, h, h, 1, 1, 1);
  partly<<<1, 1>>>(d, d, d, 1, 1, 1);
}

// A pragma that is there already is one more way to be found.
// CHECK: forms.cu:[[#@LINE+2]]: annotated: naive, f32 f32 -> f32, NT: converts
#pragma warpwright matmul
__global__ void annotated(const float *A, const float *B, float *C, int M, int N, int K) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += A[row * K + k] * B[col * K + k];
  C[row * N + col] = acc;
}

// An error in a kernel is that kernel's reason.
// CHECK: forms.cu:[[#@LINE+1]]: wrong: naive: declined: it does not compile: line [[#@LINE+6]]: use of undeclared identifier 'missing' [WW020]
__global__ void wrong(const float *A, const float *B, float *C, int M, int N, int K) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += A[row * K + k] * B[col * K + k];
  C[row * N + col] = acc * missing;
}

// CHECK: 17 kernels in 1 file: {{[0-9]+}} convert, {{[0-9]+}} declined, 2 not instantiated

__global__ void norm(const float *A, float *C, int K) {
  float sum = 0.0f;
  for (int k = 0; k < K; ++k) {
    float x = A[k];
    sum += x * x;
    sum += A[k] * A[k];
  }
  C[0] = sum;
}
__global__ void elementwise(const float *A, const float *B, float *C, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    C[i] += A[i] * B[i];
}
__global__ void offsets(const int *at, const int *strides, const float *A, float *C, int n) {
  int offset = 0;
  for (int i = 0; i < n; ++i)
    offset += at[i] * strides[i];
  C[threadIdx.x] = A[offset];
}
__global__ void scale(const float *A, float *C, float alpha, int n) {
  float sum = 0.0f;
  for (int i = 0; i < n; ++i)
    sum += alpha * A[i];
  C[0] = sum;
}
__global__ void copy(const float *A, float *C) { C[threadIdx.x] = A[threadIdx.x]; }
__global__ void maximum(const float *A, float *C, int n) {
  float best = 0.0f;
  for (int i = 0; i < n; ++i)
    best = fmaxf(best, A[i]);
  C[0] = best;
}
