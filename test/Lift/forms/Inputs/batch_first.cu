#include <cuda_fp16.h>
#pragma warpwright matmul
template <typename S>
__global__ void batch_first(const S *__restrict__ A, const S *__restrict__ B, S *__restrict__ C, int batches, int m, int k, int n) {
  int b = blockIdx.x;
  int col = threadIdx.x + blockIdx.y * blockDim.x;
  int row = threadIdx.y + blockIdx.z * blockDim.y;
  if (row < m && col < n) {
    S s = 0;
    for (int e = 0; e < k; e++) s += A[b * m * k + row * k + e] * B[b * k * n + e * n + col];
    C[b * m * n + row * n + col] = s;
  }
}
void run(const float *A, const float *B, float *C, int batches, int m, int k, int n) {
  dim3 t(32, 8);
  dim3 g(batches, (n + 31) / 32, (m + 7) / 8);
  batch_first<float><<<g, t>>>(A, B, C, batches, m, k, n);
}
