#include <cuda_runtime.h>
#define PN 16
#define PH 8
#define PM (PN * PH)
#pragma warpwright matmul
__global__ void pb_nt(const float *A, int la, const float *B, int lb, float *C, int lc, int k, float al, float be) {
  float r[PN];
  for (int i = 0; i < PN; i++) r[i] = 0.0f;
  int id = threadIdx.y * blockDim.x + threadIdx.x;
  int m = blockIdx.x * PM + id;
  int n = blockIdx.y * PN + threadIdx.x;
  __shared__ float sb[PH][PN];
  for (int i = 0; i < k; i += PH) {
    float a;
    sb[threadIdx.y][threadIdx.x] = B[n + (i + threadIdx.y) * lb];
    __syncthreads();
    for (int j = 0; j < PH; j++) {
      a = A[m + (i + j) * la];
      for (int q = 0; q < PN; q++) r[q] += a * sb[j][q];
    }
    __syncthreads();
  }
  int t = lc * blockIdx.y * PN + m;
  for (int i = 0; i < PN; i++) {
    C[t + i * lc] = C[t + i * lc] * be + al * r[i];
  }
}
void run(int m, int n, int k, float al, const float *A, int lda, const float *B, int ldb, float be, float *C, int ldc) {
  dim3 g(m / PM, n / PN), t(PN, PH);
  pb_nt<<<g, t>>>(A, lda, B, ldb, C, ldc, k, al, be);
}
