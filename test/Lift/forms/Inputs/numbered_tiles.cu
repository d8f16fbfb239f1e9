// Blocks numbered along x alone, and blocks that take one tile after the other.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cuda_runtime.h>
#pragma warpwright matmul
__global__ void numbered_blocks(const float *A, const float *B, float *C, int M,
                                int N, int K) {
  constexpr int T = 32;
  __shared__ float As[T][T], Bs[T][T];
  int tx = threadIdx.x, ty = threadIdx.y, pid = blockIdx.x;
  int num_n = (N + T - 1) / T;
  int pm = pid / num_n, pn = pid % num_n;
  int row = pm * T + ty, col = pn * T + tx;
  float acc = 0;
  for (int k = 0; k < K; k += T) {
    As[ty][tx] = row < M && k + tx < K ? A[row * K + k + tx] : 0.f;
    Bs[ty][tx] = col < N && k + ty < K ? B[(k + ty) * N + col] : 0.f;
    __syncthreads();
    for (int i = 0; i < T; ++i)
      acc += As[ty][i] * Bs[i][tx];
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

#pragma warpwright matmul
__global__ void persistent_tiles(const float *A, const float *B, float *C,
                                 int M, int N, int K) {
  constexpr int T = 32;
  __shared__ float As[T][T], Bs[T][T];
  int tx = threadIdx.x, ty = threadIdx.y, pid = blockIdx.x;
  int num_n = (N + T - 1) / T;
  for (int tile = pid; tile < ((M + T - 1) / T) * num_n; tile += gridDim.x) {
    int pm = tile / num_n, pn = tile % num_n;
    int row = pm * T + ty, col = pn * T + tx;
    float acc = 0;
    for (int k = 0; k < K; k += T) {
      As[ty][tx] = row < M && k + tx < K ? A[row * K + k + tx] : 0.f;
      Bs[ty][tx] = col < N && k + ty < K ? B[(k + ty) * N + col] : 0.f;
      __syncthreads();
      for (int i = 0; i < T; ++i)
        acc += As[ty][i] * Bs[i][tx];
      __syncthreads();
    }
    if (row < M && col < N)
      C[row * N + col] = acc;
  }
}

#pragma warpwright matmul
__global__ void numbered_unsigned(const float *A, const float *B, float *C,
                                  int M, int N, int K) {
  constexpr int T = 32;
  __shared__ float As[T][T], Bs[T][T];
  int num_n = (N + T - 1) / T;
  int pm = blockIdx.x / num_n, pn = blockIdx.x % num_n;
  int row = pm * T + threadIdx.y, col = pn * T + threadIdx.x;
  float acc = 0;
  for (int k = 0; k < K; k += T) {
    As[threadIdx.y][threadIdx.x] =
        row < M && k + threadIdx.x < K ? A[row * K + k + threadIdx.x] : 0.f;
    Bs[threadIdx.y][threadIdx.x] =
        col < N && k + threadIdx.y < K ? B[(k + threadIdx.y) * N + col] : 0.f;
    __syncthreads();
    for (int i = 0; i < T; ++i)
      acc += As[threadIdx.y][i] * Bs[i][threadIdx.x];
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

#pragma warpwright matmul
__global__ void persistent_unsigned(const float *A, const float *B, float *C,
                                    int M, int N, int K) {
  constexpr int T = 32;
  __shared__ float As[T][T], Bs[T][T];
  int num_m = (M + T - 1) / T, num_n = (N + T - 1) / T;
  for (int tile = blockIdx.x; tile < num_m * num_n; tile += gridDim.x) {
    int pm = tile / num_n, pn = tile % num_n;
    int row = pm * T + threadIdx.y, col = pn * T + threadIdx.x;
    float acc = 0;
    for (int k = 0; k < K; k += T) {
      As[threadIdx.y][threadIdx.x] =
          row < M && k + threadIdx.x < K ? A[row * K + k + threadIdx.x] : 0.f;
      Bs[threadIdx.y][threadIdx.x] =
          col < N && k + threadIdx.y < K ? B[(k + threadIdx.y) * N + col] : 0.f;
      __syncthreads();
      for (int i = 0; i < T; ++i)
        acc += As[threadIdx.y][i] * Bs[i][threadIdx.x];
      __syncthreads();
    }
    if (row < M && col < N)
      C[row * N + col] = acc;
  }
}

void run(const float *A, const float *B, float *C, int M, int N, int K) {
  const int tiles = ((M + 31) / 32) * ((N + 31) / 32);
  numbered_blocks<<<tiles, dim3(32, 32)>>>(A, B, C, M, N, K);
  persistent_tiles<<<132, dim3(32, 32)>>>(A, B, C, M, N, K);
  numbered_unsigned<<<tiles, dim3(32, 32)>>>(A, B, C, M, N, K);
  persistent_unsigned<<<132, dim3(32, 32)>>>(A, B, C, M, N, K);
}
