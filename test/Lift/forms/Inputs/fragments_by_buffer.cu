#include <cuda_runtime.h>

// Two buffers, of each of which the registers have a part with the same number;
// the result in two groups of rows with alpha and beta.
#pragma warpwright matmul
__global__ void by_buffer(const float *A, const float *B, float *C, int M, int N, int K, float alpha, float beta) {
  __shared__ float As[2][8][64], Bs[2][8][64];
  const int tx = threadIdx.x, ty = threadIdx.y, tid = ty * 16 + tx;
  A += blockIdx.y * 64 * K;
  B += blockIdx.x * 64;
  C += blockIdx.y * 64 * N + blockIdx.x * 64;
  float sum[4][4] = {0.0f}, ra[2][4], rb[2][4];
  int now = 0;
  for (int k0 = 0; k0 < K; k0 += 8) {
    for (int i = tid; i < 512; i += 256)
      As[now][i % 8][i / 8] = A[i / 8 * K + i % 8];
    for (int i = tid; i < 512; i += 256)
      Bs[now][i / 64][i % 64] = B[i / 64 * N + i % 64];
    A += 8;
    B += 8 * N;
    __syncthreads();
    for (int k = 0; k < 8; ++k) {
      ra[now][0] = As[now][k][ty * 2];
      ra[now][1] = As[now][k][ty * 2 + 1];
      ra[now][2] = As[now][k][ty * 2 + 32];
      ra[now][3] = As[now][k][ty * 2 + 33];
      for (int j = 0; j < 4; ++j)
        rb[now][j] = Bs[now][k][tx * 4 + j];
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          sum[i][j] += ra[now][i] * rb[now][j];
    }
    now ^= 1;
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j) {
      const int at = (ty * 2 + i) * N + tx * 4 + j;
      C[at] = alpha * sum[i][j] + beta * C[at];
    }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j) {
      const int at = (ty * 2 + i + 32) * N + tx * 4 + j;
      C[at] = alpha * sum[i + 2][j] + beta * C[at];
    }
}

void launch(const float *A, const float *B, float *C, int M, int N, int K, float alpha, float beta) {
  by_buffer<<<dim3(N / 64, M / 64), dim3(16, 16)>>>(A, B, C, M, N, K, alpha, beta);
}
