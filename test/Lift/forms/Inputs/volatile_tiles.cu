#include <cuda_runtime.h>
#define BLOCK 16
#pragma warpwright matmul
__global__ void mm_volatile(float *C, float *A, float *B, int wA, int wB) {
  __shared__ volatile float As[BLOCK][BLOCK];
  __shared__ volatile float Bs[BLOCK][BLOCK];
  int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  int aBegin = wA * BLOCK * by, aEnd = aBegin + wA - 1, aStep = BLOCK;
  int bBegin = BLOCK * bx, bStep = BLOCK * wB;
  volatile float Csub = 0;
  float sum = 0;
  for (int a = aBegin, b = bBegin; a <= aEnd; a += aStep, b += bStep) {
    As[ty][tx] = A[a + wA * ty + tx];
    Bs[ty][tx] = B[b + wB * ty + tx];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BLOCK; ++k) sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  C[wB * BLOCK * by + BLOCK * bx + wB * ty + tx] = sum;
}
void run(float *A, float *B, float *C, int M, int N, int K) {
  mm_volatile<<<dim3(N / BLOCK, M / BLOCK), dim3(BLOCK, BLOCK)>>>(C, A, B, K, N);
}
