// Tiles that are divided in another way than they are numbered, and blocks that
// leave tiles out.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cuda_runtime.h>
#pragma warpwright matmul
__global__ void quotient_of_the_other(const float *A, const float *B, float *C,
                                      int M, int N, int K) {
  constexpr int T = 32;
  __shared__ float As[T][T], Bs[T][T];
  int num_n = (N + T - 1) / T;
  int pm = blockIdx.x / ((M + T - 1) / T), pn = blockIdx.x % num_n;
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
__global__ void tiles_left_out(const float *A, const float *B, float *C, int M,
                               int N, int K) {
  constexpr int T = 32;
  __shared__ float As[T][T], Bs[T][T];
  int num_m = (M + T - 1) / T, num_n = (N + T - 1) / T;
  for (int tile = blockIdx.x; tile < num_m * num_n; tile += 2 * gridDim.x) {
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

#pragma warpwright matmul
__global__ void last_tile_left_out(const float *A, const float *B, float *C,
                                   int M, int N, int K) {
  constexpr int T = 32;
  __shared__ float As[T][T], Bs[T][T];
  int num_m = (M + T - 1) / T, num_n = (N + T - 1) / T;
  for (int tile = blockIdx.x; tile < num_m * num_n - 1; tile += gridDim.x) {
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
  quotient_of_the_other<<<tiles, dim3(32, 32)>>>(A, B, C, M, N, K);
  tiles_left_out<<<132, dim3(32, 32)>>>(A, B, C, M, N, K);
  last_tile_left_out<<<132, dim3(32, 32)>>>(A, B, C, M, N, K);
}
