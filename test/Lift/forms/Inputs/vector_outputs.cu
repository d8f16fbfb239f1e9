// Outputs stored as vectors of four and eight, with alpha and beta, and by the
// functions that say how the caches are used.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#pragma warpwright matmul
__global__ void store4(const float *__restrict__ A, const float *__restrict__ B,
                       float *__restrict__ C, int M, int N, int K, float alpha,
                       float beta) {
  __shared__ float As[16][64], Bs[16][64];
  int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  float acc[4][4] = {};
  for (int k = 0; k < K; k += 16) {
    int r = threadIdx.x / 4, c = threadIdx.x % 4 * 4;
    float4 a = reinterpret_cast<const float4 *>(
        &A[(blockIdx.y * 64 + r) * K + k + c])[0];
    As[c][r] = a.x;
    As[c + 1][r] = a.y;
    As[c + 2][r] = a.z;
    As[c + 3][r] = a.w;
    reinterpret_cast<float4 *>(&Bs[threadIdx.x / 16][tx * 4])[0] =
        reinterpret_cast<const float4 *>(
            &B[(k + threadIdx.x / 16) * N + blockIdx.x * 64 + tx * 4])[0];
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 4; ++x)
          acc[y][x] += As[i][ty * 4 + y] * Bs[i][tx * 4 + x];
    __syncthreads();
  }
  for (int y = 0; y < 4; ++y) {
    float *p =
        &C[(blockIdx.y * 64 + ty * 4 + y) * N + blockIdx.x * 64 + tx * 4];
    float4 old = reinterpret_cast<float4 *>(p)[0];
    reinterpret_cast<float4 *>(p)[0] = make_float4(
        alpha * acc[y][0] + beta * old.x, alpha * acc[y][1] + beta * old.y,
        alpha * acc[y][2] + beta * old.z, alpha * acc[y][3] + beta * old.w);
  }
}
#pragma warpwright matmul
__global__ void store8(const half *__restrict__ A, const half *__restrict__ B,
                       half *__restrict__ C, int M, int N, int K) {
  int n = (blockIdx.x * blockDim.x + threadIdx.x) * 8,
      m = blockIdx.y * blockDim.y + threadIdx.y;
  if (m >= M || n >= N)
    return;
  float acc[8] = {};
  for (int k = 0; k < K; ++k) {
    float a = __half2float(A[m * K + k]);
    uint4 raw = *reinterpret_cast<const uint4 *>(&B[k * N + n]);
    const half *b = reinterpret_cast<const half *>(&raw);
#pragma unroll
    for (int i = 0; i < 8; ++i)
      acc[i] += a * __half2float(b[i]);
  }
  uint4 out;
  half2 *h = reinterpret_cast<half2 *>(&out);
#pragma unroll
  for (int i = 0; i < 4; ++i)
    h[i] = __floats2half2_rn(acc[2 * i], acc[2 * i + 1]);
  *reinterpret_cast<uint4 *>(&C[m * N + n]) = out;
}
#pragma warpwright matmul
__global__ void store8b(const __nv_bfloat16 *__restrict__ A,
                        const __nv_bfloat16 *__restrict__ B,
                        __nv_bfloat16 *__restrict__ C, int M, int N, int K) {
  int n = (blockIdx.x * blockDim.x + threadIdx.x) * 8,
      m = blockIdx.y * blockDim.y + threadIdx.y;
  if (m >= M || n >= N)
    return;
  float acc[8] = {};
  for (int k = 0; k < K; ++k) {
    float a = __bfloat162float(A[m * K + k]);
    float4 raw = *reinterpret_cast<const float4 *>(&B[k * N + n]);
    const __nv_bfloat162 *b = reinterpret_cast<const __nv_bfloat162 *>(&raw);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      float2 f = __bfloat1622float2(b[i]);
      acc[2 * i] += a * f.x;
      acc[2 * i + 1] += a * f.y;
    }
  }
  __align__(16) __nv_bfloat16 out[8];
#pragma unroll
  for (int i = 0; i < 8; ++i)
    out[i] = __float2bfloat16(acc[i]);
  *reinterpret_cast<float4 *>(&C[m * N + n]) = *reinterpret_cast<float4 *>(out);
}
void run(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 g(N / 64, M / 64);
  store4<<<g, 256>>>(A, B, C, M, N, K, 1.f, 0.f);
  store8<<<g, dim3(16, 16)>>>((const half *)A, (const half *)B, (half *)C, M, N,
                              K);
  store8b<<<g, dim3(16, 16)>>>((const __nv_bfloat16 *)A,
                               (const __nv_bfloat16 *)B, (__nv_bfloat16 *)C, M,
                               N, K);
}
