#include <cuda_runtime.h>
#pragma warpwright matmul
__global__ void form_ceil_of_double(float *A, float *B, float *C, int M, int N,
                                    int K, int TILE) {
  extern __shared__ float sm[];
  float *a = sm, *b = sm + TILE * TILE;
  int row = blockIdx.y * TILE + threadIdx.y,
      col = blockIdx.x * TILE + threadIdx.x;
  float s = 0;
  for (int t = 0; t < (int)ceil((double)K / TILE); t++) {
    a[threadIdx.y * TILE + threadIdx.x] =
        row < M && t * TILE + threadIdx.x < K
            ? A[row * K + t * TILE + threadIdx.x]
            : 0;
    b[threadIdx.y * TILE + threadIdx.x] =
        col < N && t * TILE + threadIdx.y < K
            ? B[(t * TILE + threadIdx.y) * N + col]
            : 0;
    __syncthreads();
    for (int k = 0; k < TILE; k++)
      s += a[threadIdx.y * TILE + k] * b[k * TILE + threadIdx.x];
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = s;
}
void run(float *a, float *b, float *c, int M, int N, int K, int T) {
  form_ceil_of_double<<<dim3((N + T - 1) / T, (M + T - 1) / T), dim3(T, T),
                        8 * T * T>>>(a, b, c, M, N, K, T);
}
