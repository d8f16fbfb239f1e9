#include <cuda_runtime.h>
#include <utility>
constexpr int BS = 16;
#pragma warpwright matmul
__global__ void mm_swap_ptr(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float buf[4][BS * BS];
  float *a_now = buf[0], *a_next = buf[1], *b_now = buf[2], *b_next = buf[3];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * BS + ty, col = blockIdx.x * BS + tx;
  a_now[ty * BS + tx] = A[row * K + tx];
  b_now[ty * BS + tx] = B[ty * N + col];
  __syncthreads();
  float acc = 0.0f;
  for (int k0 = BS; k0 <= K; k0 += BS) {
    if (k0 < K) {
      a_next[ty * BS + tx] = A[row * K + k0 + tx];
      b_next[ty * BS + tx] = B[(k0 + ty) * N + col];
    }
    for (int k = 0; k < BS; ++k) acc += a_now[ty * BS + k] * b_now[k * BS + tx];
    __syncthreads();
    float *t = a_now; a_now = a_next; a_next = t;
    t = b_now; b_now = b_next; b_next = t;
  }
  C[row * N + col] = acc;
}
void run(const float *A, const float *B, float *C, int M, int N, int K) {
  mm_swap_ptr<<<dim3(N / BS, M / BS), dim3(BS, BS)>>>(A, B, C, M, N, K);
}
