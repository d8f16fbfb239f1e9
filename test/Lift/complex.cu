// Complex products: two sums of two products each, whatever the elements look
// like. What looks like a loop that was unrolled by hand, in the parts of numbers
// that lie side by side, is none.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse 2>&1 | FileCheck %s

// CHECK-DAG: 'three' is not rewritten: the elements of 'A' are shifted {{.*}} [WW310]
// CHECK-DAG: 'asked' is not rewritten: whether a number is NaN or infinite is asked for, and what is computed depends on it [WW215]
// CHECK-DAG: 'meeting' is not rewritten: 'C' is stored to in several places; one thread must compute one element at a time [WW201]
// CHECK-DAG: 'repaired' is not rewritten: which products are summed depends on more than the range of the loop: on loaded data [WW216]

#include <cuComplex.h>

#define PLACE                                                                  \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row >= M || col >= N)                                                    \
    return;

struct Number {
  float re, im;
  __device__ Number conj() const { return {re, -im}; }
};
__device__ Number operator*(Number x, Number y) {
  return {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}
__device__ Number operator+(Number x, Number y) {
  return {x.re + y.re, x.im + y.im};
}

// CHECK-LABEL: contraction "structs" {
// CHECK:      index %k < K
// CHECK:      operand A = A[2 * %m * K + 2 * %k]:f32
// CHECK-NEXT: operand B = B[2 * %k * N + 2 * %n]:f32
// CHECK-NEXT: minus
// CHECK-NEXT: operand A = A[2 * %m * K + 2 * %k + 1]:f32
// CHECK-NEXT: operand B = B[2 * %k * N + 2 * %n + 1]:f32
// CHECK:      sum acc1
// CHECK-NEXT: index %k < K
// CHECK:      operand A = A[2 * %m * K + 2 * %k]:f32
// CHECK-NEXT: operand B = B[2 * %k * N + 2 * %n + 1]:f32
// CHECK-NEXT: plus
// CHECK-NEXT: operand A = A[2 * %m * K + 2 * %k + 1]:f32
// CHECK-NEXT: operand B = B[2 * %k * N + 2 * %n]:f32
// CHECK:      output C[2 * %m * N + 2 * %n]:f32 = (((alpha.re:f32 * acc) - (alpha.im:f32 * acc1)) + ((beta.re:f32 * C[2 * %m * N + 2 * %n]:f32) - (beta.im:f32 * C[2 * %m * N + 2 * %n + 1]:f32)))
// CHECK-NEXT: output C[2 * %m * N + 2 * %n + 1]:f32 = (((alpha.re:f32 * acc1) + (alpha.im:f32 * acc)) + ((beta.re:f32 * C[2 * %m * N + 2 * %n + 1]:f32) + (beta.im:f32 * C[2 * %m * N + 2 * %n]:f32)))
// CHECK: vectors C
#pragma warpwright matmul
__global__ void structs(const Number *A, const Number *B, Number *C, int M,
                        int N, int K, Number alpha, Number beta) {
  PLACE
  Number sum = {0, 0};
  for (int k = 0; k < K; ++k)
    sum = sum + A[row * K + k] * B[k * N + col];
  C[row * N + col] = alpha * sum + beta * C[row * N + col];
}

// conj(A) B^T: the real part alone would be a sum over 2 K terms.
// CHECK-LABEL: contraction "conjugated" {
// CHECK:      index %k < K
// CHECK:      operand A = A[2 * %m * K + 2 * %k]:f32
// CHECK-NEXT: operand B = B[2 * %n * K + 2 * %k]:f32
// CHECK-NEXT: plus
// CHECK-NEXT: operand A = A[2 * %m * K + 2 * %k + 1]:f32
// CHECK-NEXT: operand B = B[2 * %n * K + 2 * %k + 1]:f32
// CHECK:      sum acc1
// CHECK-NEXT: index %k < K
// CHECK:      operand A = A[2 * %m * K + 2 * %k]:f32
// CHECK-NEXT: operand B = B[2 * %n * K + 2 * %k + 1]:f32
// CHECK-NEXT: minus
// CHECK-NEXT: operand A = A[2 * %m * K + 2 * %k + 1]:f32
// CHECK-NEXT: operand B = B[2 * %n * K + 2 * %k]:f32
// CHECK:      output C[2 * %m * N + 2 * %n]:f32 = acc
// CHECK-NEXT: output C[2 * %m * N + 2 * %n + 1]:f32 = acc1
#pragma warpwright matmul
__global__ void conjugated(const Number *A, const Number *B, Number *C, int M,
                           int N, int K) {
  PLACE
  Number sum = {0, 0};
  for (int k = 0; k < K; ++k)
    sum = sum + A[row * K + k].conj() * B[col * K + k];
  C[row * N + col] = sum;
}

// CHECK-LABEL: contraction "fused" {
// CHECK:      index %k < K
// CHECK:      operand A = A[2 * %m * K + 2 * %k]:f32
// CHECK-NEXT: operand B = B[2 * %k * N + 2 * %n]:f32
// CHECK-NEXT: minus
// CHECK-NEXT: operand A = A[2 * %m * K + 2 * %k + 1]:f32
// CHECK-NEXT: operand B = B[2 * %k * N + 2 * %n + 1]:f32
// CHECK:      sum acc1
// CHECK-NEXT: index %k < K
// CHECK:      operand A = A[2 * %m * K + 2 * %k]:f32
// CHECK-NEXT: operand B = B[2 * %k * N + 2 * %n + 1]:f32
// CHECK-NEXT: plus
// CHECK-NEXT: operand A = A[2 * %m * K + 2 * %k + 1]:f32
// CHECK-NEXT: operand B = B[2 * %k * N + 2 * %n]:f32
// CHECK:      output C[2 * %m * N + 2 * %n]:f32 = (acc + C[2 * %m * N + 2 * %n]:f32)
// CHECK-NEXT: output C[2 * %m * N + 2 * %n + 1]:f32 = (-(acc1) + C[2 * %m * N + 2 * %n + 1]:f32)
#pragma warpwright matmul
__global__ void fused(const cuComplex *A, const cuComplex *B, cuComplex *C,
                      int M, int N, int K) {
  PLACE
  cuComplex sum = make_cuComplex(0, 0);
  for (int k = 0; k < K; ++k)
    sum = cuCfmaf(cuConjf(A[row * K + k]), cuConjf(B[k * N + col]), sum);
  C[row * N + col] = cuCaddf(sum, C[row * N + col]);
}

// CHECK-LABEL: contraction "apart" {
// CHECK:      operand A = Ar[%m * K + %k]:f32
// CHECK-NEXT: operand B = Br[%k * N + %n]:f32
// CHECK-NEXT: minus
// CHECK-NEXT: operand A = Ai[%m * K + %k]:f32
// CHECK-NEXT: operand B = Bi[%k * N + %n]:f32
// CHECK:      sum acc1
// CHECK:      plus
// CHECK:      output Cr[%m * N + %n]:f32 = acc
// CHECK-NEXT: output Ci[%m * N + %n]:f32 = acc1
#pragma warpwright matmul
__global__ void apart(const float *Ar, const float *Ai, const float *Br,
                      const float *Bi, float *Cr, float *Ci, int M, int N,
                      int K) {
  PLACE
  float rr = 0, ii = 0, ri = 0, ir = 0;
  for (int k = 0; k < K; ++k) {
    rr += Ar[row * K + k] * Br[k * N + col];
    ii += Ai[row * K + k] * Bi[k * N + col];
    ri += Ar[row * K + k] * Bi[k * N + col];
    ir += Ai[row * K + k] * Br[k * N + col];
  }
  Cr[row * N + col] = rr - ii;
  Ci[row * N + col] = ri + ir;
}

// Two numbers at a time.
// CHECK-LABEL: contraction "in_pairs" {
// CHECK:      index %k < 2 * floordiv(K, 2)
// CHECK:      operand A = A[2 * %m * K + 2 * %k]:f32
// CHECK-NEXT: operand B = B[2 * %n * K + 2 * %k]:f32
// CHECK-NEXT: minus
// CHECK-NEXT: operand A = A[2 * %m * K + 2 * %k + 1]:f32
// CHECK-NEXT: operand B = B[2 * %n * K + 2 * %k + 1]:f32
// CHECK:      sum acc1
// CHECK-NEXT: index %k < 2 * floordiv(K, 2)
// CHECK:      operand A = A[2 * %m * K + 2 * %k]:f32
// CHECK-NEXT: operand B = B[2 * %n * K + 2 * %k + 1]:f32
// CHECK-NEXT: plus
// CHECK-NEXT: operand A = A[2 * %m * K + 2 * %k + 1]:f32
// CHECK-NEXT: operand B = B[2 * %n * K + 2 * %k]:f32
// CHECK:      output C[2 * %m * N + 2 * %n]:f32 = acc
// CHECK-NEXT: output C[2 * %m * N + 2 * %n + 1]:f32 = acc1
#pragma warpwright matmul
__global__ void in_pairs(const float4 *A, const float4 *B, float2 *C, int M,
                         int N, int K) {
  PLACE
  float x = 0, y = 0;
  for (int k = 0; k < K / 2; ++k) {
    const float4 a = A[row * (K / 2) + k], b = B[col * (K / 2) + k];
    x += a.x * b.x - a.y * b.y;
    y += a.x * b.y + a.y * b.x;
    x += a.z * b.z - a.w * b.w;
    y += a.z * b.w + a.w * b.z;
  }
  C[row * N + col] = make_float2(x, y);
}

// Four outputs of a thread, in registers, through tiles.
// CHECK-LABEL: contraction "blocks" {
// CHECK:      index %k < 16 * floordiv(K + 15, 16)
// CHECK:      operand A = A[2 * %m * K + 2 * %k]:f32
// CHECK-NEXT: operand B = B[2 * %k * N + 2 * %n]:f32
// CHECK-NEXT: minus
// CHECK-NEXT: operand A = A[2 * %m * K + 2 * %k + 1]:f32
// CHECK-NEXT: operand B = B[2 * %k * N + 2 * %n + 1]:f32
// CHECK:      sum acc1
// CHECK-NEXT: index %k < 16 * floordiv(K + 15, 16)
// CHECK:      operand A = A[2 * %m * K + 2 * %k]:f32
// CHECK-NEXT: operand B = B[2 * %k * N + 2 * %n + 1]:f32
// CHECK-NEXT: plus
// CHECK-NEXT: operand A = A[2 * %m * K + 2 * %k + 1]:f32
// CHECK-NEXT: operand B = B[2 * %k * N + 2 * %n]:f32
// CHECK:      output C[2 * %m * N + 2 * %n]:f32 = acc
// CHECK-NEXT: output C[2 * %m * N + 2 * %n + 1]:f32 = acc1
#pragma warpwright matmul
__global__ void blocks(const float2 *A, const float2 *B, float2 *C, int M,
                       int N, int K) {
  __shared__ float2 As[32][16], Bs[16][32];
  const int x = threadIdx.x, y = threadIdx.y, t = y * 16 + x;
  float2 sum[2][2] = {};
  for (int k0 = 0; k0 < K; k0 += 16) {
    for (int i = t; i < 512; i += 256) {
      As[i / 16][i % 16] = A[(blockIdx.y * 32 + i / 16) * K + k0 + i % 16];
      Bs[i / 32][i % 32] = B[(k0 + i / 32) * N + blockIdx.x * 32 + i % 32];
    }
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
          const float2 a = As[2 * y + i][k], b = Bs[k][2 * x + j];
          sum[i][j].x += a.x * b.x - a.y * b.y;
          sum[i][j].y += a.x * b.y + a.y * b.x;
        }
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      C[(blockIdx.y * 32 + 2 * y + i) * N + blockIdx.x * 32 + 2 * x + j] =
          sum[i][j];
}

// The real part alone is a sum over pairs.
// CHECK-LABEL: contraction "real_part" {
// CHECK:      index %k < 2 * K
// CHECK-NEXT: operand A = A[2 * %m * K + %k]:f32
// CHECK-NEXT: operand B = B[2 * %n * K + %k]:f32
// CHECK-NEXT: accumulate f32
#pragma warpwright matmul
__global__ void real_part(const float *A, const float *B, float *C, int M,
                          int N, int K) {
  PLACE
  float sum = 0;
  for (int k = 0; k < K; ++k)
    sum += A[2 * (row * K + k)] * B[2 * (col * K + k)] +
           A[2 * (row * K + k) + 1] * B[2 * (col * K + k) + 1];
  C[row * N + col] = sum;
}

// CHECK-LABEL: contraction "by_real" {
// CHECK-NEXT: index %b < 1
// CHECK:      operand A = A[2 * %m * K + 2 * %k]:f32
// CHECK-NEXT: operand B = B[%k * N + %n]:f32
// CHECK:      sum acc1
// CHECK:      operand A = A[2 * %m * K + 2 * %k + 1]:f32
// CHECK-NEXT: operand B = B[%k * N + %n]:f32
// CHECK:      output C[2 * %m * N + 2 * %n]:f32 = acc
// CHECK-NEXT: output C[2 * %m * N + 2 * %n + 1]:f32 = acc1
#pragma warpwright matmul
__global__ void by_real(const float2 *A, const float *B, float2 *C, int M,
                        int N, int K) {
  PLACE
  float2 sum = make_float2(0, 0);
  for (int k = 0; k < K; ++k) {
    sum.x += A[row * K + k].x * B[k * N + col];
    sum.y += A[row * K + k].y * B[k * N + col];
  }
  C[row * N + col] = sum;
}

#pragma warpwright matmul
__global__ void three(const float2 *A, const float2 *B, float2 *C, int M, int N,
                      int K) {
  PLACE
  float p = 0, q = 0, r = 0;
  for (int k = 0; k < K; ++k) {
    const float2 a = A[row * K + k], b = B[k * N + col];
    p += a.x * b.x;
    q += a.y * b.y;
    r += (a.x + a.y) * (b.x + b.y);
  }
  C[row * N + col] = make_float2(p - q, r - p - q);
}

// No complex numbers, but lanes that cross; and a vector in the epilogue.
// CHECK-LABEL: contraction "crossed" {
// CHECK:      operand A = A[%m * K + 2 * %k]:f32
// CHECK-NEXT: operand B = B[%n * K + 2 * %k + 1]:f32
// CHECK-NEXT: plus
// CHECK-NEXT: operand A = A[%m * K + 2 * %k + 1]:f32
// CHECK-NEXT: operand B = B[%n * K + 2 * %k]:f32
// CHECK:      output C[%m * N + %n]:f32 = (acc + bias[2 * %n + 1]:f32)
// CHECK:      vectors bias
#pragma warpwright matmul
__global__ void crossed(const float *A, const float *B, const float2 *bias,
                        float *C, int M, int N, int K) {
  PLACE
  float sum = 0;
  for (int k = 0; k < K; k += 2) {
    const float2 a = *reinterpret_cast<const float2 *>(A + row * K + k);
    const float2 b = *reinterpret_cast<const float2 *>(B + col * K + k);
    sum += a.x * b.y + a.y * b.x;
  }
  C[row * N + col] = sum + bias[col].y;
}

#pragma warpwright matmul
__global__ void asked(const float2 *A, const float2 *B, float2 *C, int M, int N,
                      int K) {
  PLACE
  float2 sum = make_float2(0, 0);
  for (int k = 0; k < K; ++k) {
    const float2 a = A[row * K + k], b = B[k * N + col];
    float x = a.x * b.x - a.y * b.y, y = a.x * b.y + a.y * b.x;
    if (__builtin_isnan(x) && __builtin_isnan(y) && __builtin_isinf(a.x))
      x = y = 1 / a.y;
    sum.x += x;
    sum.y += y;
  }
  C[row * N + col] = sum;
}

// As thrust::complex is made.
class Stored {
  struct Storage {
    float x, y;
  };
  Storage data;

public:
  __device__ Stored(float x, float y) {
    data.x = x;
    data.y = y;
  }
  __device__ Stored(const Stored &) = default;
  __device__ Stored &operator=(const Stored &) = default;
  __device__ float real() const { return data.x; }
  __device__ float imag() const { return data.y; }
};
__device__ Stored operator*(const Stored &x, const Stored &y) {
  return Stored(x.real() * y.real() - x.imag() * y.imag(),
                x.real() * y.imag() + x.imag() * y.real());
}
__device__ Stored operator+(const Stored &x, const Stored &y) {
  return Stored(x.real() + y.real(), x.imag() + y.imag());
}

// CHECK-LABEL: contraction "nested" {
// CHECK:      operand A = A[2 * %m * K + 2 * %k]:f32
// CHECK-NEXT: operand B = B[2 * %k * N + 2 * %n]:f32
// CHECK-NEXT: minus
// CHECK:      sum acc1
// CHECK:      output C[2 * %m * N + 2 * %n]:f32 = acc
// CHECK-NEXT: output C[2 * %m * N + 2 * %n + 1]:f32 = acc1
#pragma warpwright matmul
__global__ void nested(const Stored *A, const Stored *B, Stored *C, int M,
                       int N, int K) {
  PLACE
  Stored sum(0, 0);
  for (int k = 0; k < K; ++k)
    sum = sum + A[row * K + k] * B[k * N + col];
  C[row * N + col] = sum;
}

// Elements of neighbouring outputs meet.
#pragma warpwright matmul
__global__ void meeting(const float2 *A, const float2 *B, float *C, int M,
                        int N, int K) {
  PLACE
  float x = 0, y = 0;
  for (int k = 0; k < K; ++k) {
    const float2 a = A[row * K + k], b = B[k * N + col];
    x += a.x * b.x - a.y * b.y;
    y += a.x * b.y + a.y * b.x;
  }
  C[row * N + col] = x;
  C[row * N + col + 1] = y;
}

// As libraries multiply: where both parts are NaN, they look at the factors.
#pragma warpwright matmul
__global__ void repaired(const float2 *A, const float2 *B, float2 *C, int M,
                         int N, int K) {
  PLACE
  float2 sum = make_float2(0, 0);
  for (int k = 0; k < K; ++k) {
    const float2 a = A[row * K + k], b = B[k * N + col];
    float x = a.x * b.x - a.y * b.y, y = a.x * b.y + a.y * b.x;
    if (isnan(x) && isnan(y) && isinf(a.x))
      x = y = INFINITY;
    sum.x += x;
    sum.y += y;
  }
  C[row * N + col] = sum;
}
