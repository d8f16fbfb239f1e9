#include <cuda_runtime.h>
constexpr int BS = 16;
#pragma warpwright matmul
__global__ void mm_load_store_idx(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float As[2][BS][BS + 1], Bs[2][BS][BS + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * BS + ty, col = blockIdx.x * BS + tx;
  int load = 0, store = 1;
  float ra, rb;
  As[load][ty][tx] = A[row * K + tx];
  Bs[load][ty][tx] = B[ty * N + col];
  __syncthreads();
  float acc = 0.0f;
  int i = 0;
  do {
    i += BS;
    if (i < K) { ra = A[row * K + i + tx]; rb = B[(i + ty) * N + col]; }
#pragma unroll
    for (int k = 0; k < BS; ++k) acc += As[load][ty][k] * Bs[load][k][tx];
    if (i < K) {
      As[store][ty][tx] = ra; Bs[store][ty][tx] = rb;
      __syncthreads();
      load = 1 - load; store = 1 - store;
    }
  } while (i < K);
  C[row * N + col] = acc;
}
void run(const float *A, const float *B, float *C, int M, int N, int K) {
  mm_load_store_idx<<<dim3(N / BS, M / BS), dim3(BS, BS)>>>(A, B, C, M, N, K);
}
