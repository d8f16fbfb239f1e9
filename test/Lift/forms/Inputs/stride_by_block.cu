#include <cuda_runtime.h>
#pragma warpwright matmul
__global__ void stride_block(int M, int N, int K, float al, const float *A, const float *B, float be, float *C) {
  const int PM = 128;
  const int PN = 128;
  const int PK = 8;
  const int HM = 8;
  const int HN = 8;
  const int br = blockIdx.y;
  const int bc = blockIdx.x;
  const int per = PN / HN;
  const int tc = threadIdx.x % per;
  const int tr = threadIdx.x / per;
  __shared__ float sa[PM * PK];
  __shared__ float sb[PK * PN];
  A += br * PM * K;
  B += bc * PN;
  C += br * PM * N + bc * PN;
  const int ar = threadIdx.x / PK;
  const int ac = threadIdx.x % PK;
  const int as = blockDim.x / PK;
  const int brw = threadIdx.x / PN;
  const int bcl = threadIdx.x % PN;
  const int bs = blockDim.x / PN;
  float out[HM * HN] = {0.0};
  float fa[HM] = {0.0};
  float fb[HN] = {0.0};
  for (int k0 = 0; k0 < K; k0 += PK) {
    for (int o = 0; o < PM; o += as) sa[(ar + o) * PK + ac] = A[(ar + o) * K + ac];
    for (int o = 0; o < PK; o += bs) sb[(brw + o) * PN + bcl] = B[(brw + o) * N + bcl];
    __syncthreads();
    A += PK;
    B += PK * N;
    for (int d = 0; d < PK; ++d) {
      for (int i = 0; i < HM; ++i) fa[i] = sa[(tr * HM + i) * PK + d];
      for (int i = 0; i < HN; ++i) fb[i] = sb[d * PN + tc * HN + i];
      for (int i = 0; i < HM; ++i)
        for (int j = 0; j < HN; ++j) out[i * HN + j] += fa[i] * fb[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < HM; ++i) {
    for (int j = 0; j < HN; ++j) {
      int r = tr * HM + i;
      int c = tc * HN + j;
      C[r * N + c] = al * out[i * HN + j] + be * C[r * N + c];
    }
  }
}
void run(int M, int N, int K, float al, float *A, float *B, float be, float *C) {
  dim3 g((N + 127) / 128, (M + 127) / 128, 1);
  dim3 b(256, 1, 1);
  stride_block<<<g, b>>>(M, N, K, al, A, B, be, C);
}
