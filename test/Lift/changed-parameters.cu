// A structure that is passed by value is the kernel's own: its members may be
// changed, and what the launch passed is what they started with.

// RUN: %warpwright rewrite --emit=contraction %s -- %parse 2>&1 | FileCheck %s --implicit-check-not=WW201 --implicit-check-not=WW507

#include <cuda_bf16.h>
#include <cuda_fp16.h>

struct Problem {
  const half *A, *B;
  half *C;
  int M, N, K;
  long ofA, ofC;
  float scale[2];
  __device__ void select(int batch) {
    A += batch * ofA;
    C += batch * ofC;
  }
};
__device__ void halve(Problem &p) { p.scale[1] *= 0.5f; }

#define PLACE(M, N)                                                            \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row >= M || col >= N)                                                    \
    return;

// CHECK-LABEL: contraction "of_batch"
// CHECK: operand A = p.A[%b * p.ofA + %m * p.K + %k]:f16
// CHECK: operand B = p.B[%k * p.N + %n]:f16
// CHECK: output p.C[%b * p.ofC + %m * p.N + %n]:f16 = f16((acc * p.scale[0]:f32))
#pragma warpwright matmul
__global__ void of_batch(Problem p) {
  p.A += blockIdx.z * p.ofA;
  p.C += blockIdx.z * p.ofC;
  PLACE(p.M, p.N)
  float acc = 0;
  for (int k = 0; k < p.K; ++k)
    acc += __half2float(p.A[row * p.K + k]) * __half2float(p.B[k * p.N + col]);
  p.C[row * p.N + col] = __float2half(acc * p.scale[0]);
}

// By a member function, by reference and in the loop over k.
// CHECK-LABEL: contraction "by_functions"
// CHECK: operand A = p.A[%b * p.ofA + %m * p.K + %k]:f16
// CHECK: operand B = p.B[%k * p.N + %n]:f16
// CHECK: output p.C[%b * p.ofC + %m * p.N + %n]:f16 = f16((acc * (p.scale[1]:f32 * 0.5f:f32)))
#pragma warpwright matmul
__global__ void by_functions(Problem p) {
  p.select(blockIdx.z);
  halve(p);
  PLACE(p.M, p.N)
  p.A += row * p.K;
  p.B += col;
  float acc = 0;
  for (int k = 0; k < p.K; ++k) {
    acc += __half2float(*p.A++) * __half2float(*p.B);
    p.B += p.N;
  }
  p.C[row * p.N + col] = __float2half(acc * p.scale[1]);
}

// A number of two bytes is a structure, too; the executed check computes with
// the operators of such numbers.
// CHECK-LABEL: contraction "of_halves"
// CHECK: output C[%m * N + %n]:f16 = ((-(f16(acc)) * (beta:f16 / alpha:f16)) - alpha:f16)
#pragma warpwright matmul
__global__ void of_halves(const half *A, const half *B, half *C, int M, int N,
                          int K, half alpha, half beta) {
  beta /= alpha;
  PLACE(M, N)
  float acc = 0;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  half x = -__float2half(acc);
  x *= beta;
  x -= alpha;
  C[row * N + col] = x;
}

// CHECK-LABEL: contraction "of_bfloats"
// CHECK: output C[%m * N + %n]:bf16 = (bf16(acc) + (beta:bf16 + alpha:bf16))
#pragma warpwright matmul
__global__ void of_bfloats(const __nv_bfloat16 *A, const __nv_bfloat16 *B,
                           __nv_bfloat16 *C, int M, int N, int K,
                           __nv_bfloat16 alpha, __nv_bfloat16 beta) {
  PLACE(M, N)
  beta += alpha;
  float acc = 0;
  for (int k = 0; k < K; ++k)
    acc += __bfloat162float(A[row * K + k]) * __bfloat162float(B[k * N + col]);
  __nv_bfloat16 x = __float2bfloat16(acc);
  C[row * N + col] = x += beta;
}
