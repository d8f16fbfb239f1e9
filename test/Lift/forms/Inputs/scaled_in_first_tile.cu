#include <cuda_runtime.h>
#pragma warpwright matmul
__global__ void form_scaled_in_first(const float *A, const float *B, float *C,
                                     float alpha, float beta, int M, int N,
                                     int K) {
  __shared__ float sa[16][16], sb[16][16];
  const int row = blockIdx.y * 16 + threadIdx.y,
            col = blockIdx.x * 16 + threadIdx.x;
  for (int k0 = 0; k0 < K; k0 += 16) {
    sa[threadIdx.y][threadIdx.x] =
        row < M && k0 + threadIdx.x < K ? A[row * K + k0 + threadIdx.x] : 0.f;
    sb[threadIdx.y][threadIdx.x] =
        k0 + threadIdx.y < K && col < N ? B[(k0 + threadIdx.y) * N + col] : 0.f;
    __syncthreads();
    if (row < M && col < N) {
      if (k0 == 0)
        C[row * N + col] *= beta;
      for (int k = 0; k < 16; ++k)
        C[row * N + col] += alpha * sa[threadIdx.y][k] * sb[k][threadIdx.x];
    }
    __syncthreads();
  }
}
void run(float *a, float *b, float *c, float alpha, float beta, int M, int N,
         int K) {
  form_scaled_in_first<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(
      a, b, c, alpha, beta, M, N, K);
}
