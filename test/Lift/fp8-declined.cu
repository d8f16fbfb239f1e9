// Products of numbers of 8 bits, fp8, that are not what a sum of products of
// elements is.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse 2>&1 | FileCheck %s

#include <cuda_fp16.h>
#include <cuda_fp8.h>
typedef __nv_fp8_e4m3 e4m3;
#define PLACE                                                                  \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row >= M || col >= N)                                                    \
    return;                                                                    \
  float acc = 0;
#define ARGS(T, U, V) const T *A, const U *B, V *C, int M, int N, int K
#define FLOAT(BITS, KIND) __half2float(__nv_cvt_fp8_to_halfraw(BITS, KIND))

// Without saturation, a large sum is infinite.
// CHECK: warning: 'nosat' is not rewritten: a conversion to 8 bits that does not saturate [WW215]
// CHECK-NEXT: __nv_cvt_float_to_fp8(acc, __NV_NOSAT, __NV_E5M2);
#pragma warpwright matmul
__global__ void nosat(ARGS(e4m3, e4m3, unsigned char)) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += float(A[row * K + k]) * float(B[col * K + k]);
  C[row * N + col] =
      __nv_cvt_float_to_fp8(acc, __NV_NOSAT, __NV_E5M2);
}

// The bits of one type are read as those of the other.
// CHECK: warning: 'other' is not rewritten: a number is used as another type than it was stored as [WW207]
#pragma warpwright matmul
__global__ void other(ARGS(e4m3, e4m3, float)) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += float(A[row * K + k]) * FLOAT(B[col * K + k].__x, __NV_E5M2);
  C[row * N + col] = acc;
}

// So are those of one array.
// CHECK: warning: 'both' is not rewritten: a number is used as another type than it was stored as [WW207]
#pragma warpwright matmul
__global__ void both(ARGS(unsigned char, e4m3, float)) {
  PLACE
  for (int k = 0; k < K; ++k) {
    acc += FLOAT(A[row * K + k], __NV_E4M3) * float(B[col * K + k]);
    acc += FLOAT(A[row * K + k], __NV_E5M2) * float(B[col * K + k]);
  }
  C[row * N + col] = acc;
}

// CHECK: warning: 'masked' is not rewritten: this operation is not understood [WW215]
#pragma warpwright matmul
__global__ void masked(ARGS(unsigned char, e4m3, float)) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += FLOAT(A[row * K + k] & 0x7f, __NV_E4M3) * float(B[col * K + k]);
  C[row * N + col] = acc;
}

// A sum that is rounded to 8 bits, and saturates, whenever something is added.
// CHECK: warning: 'running' is not rewritten: a value is handed from one iteration to the next, but not by adding to it [WW202]
#pragma warpwright matmul
__global__ void running(ARGS(e4m3, e4m3, float)) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc = float(e4m3(acc + float(A[row * K + k]) * float(B[col * K + k])));
  C[row * N + col] = acc;
}

// CHECK: warning: 'products' is not rewritten: each product is converted to e4m3 before it is added [WW217]
#pragma warpwright matmul
__global__ void products(ARGS(e4m3, e4m3, float)) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += float(e4m3(float(A[row * K + k]) * float(B[col * K + k])));
  C[row * N + col] = acc;
}

// CHECK: warning: 'partial' is not rewritten: what a loop inside sums in f32 is converted to e4m3 before it is added [WW217]
#pragma warpwright matmul
__global__ void partial(ARGS(e4m3, e4m3, float), const float *s) {
  PLACE
  for (int b = 0; b < K / 64; ++b) {
    float part = 0;
    for (int k = 0; k < 64; ++k)
      part += float(A[row * K + b * 64 + k]) * float(B[col * K + b * 64 + k]);
    acc += float(e4m3(part)) * s[b];
  }
  C[row * N + col] = acc;
}
