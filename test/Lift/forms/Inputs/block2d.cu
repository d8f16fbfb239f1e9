#include <cuda_runtime.h>
#pragma warpwright matmul
template <const int PM, const int PN, const int PK, const int HM, const int HN>
__global__ void form_five(int m, int n, int k, float al, float *X, float *Y, float be, float *Z) {
  int gx = blockIdx.x;
  int gy = blockIdx.y;
  int acrossN = PN / HN;
  int acrossM = PM / HM;
  int count = acrossN * acrossM;
  int px = (threadIdx.x % acrossN) * HN;
  int py = (threadIdx.x / acrossN) * HM;
  __shared__ float bx[PM * PK];
  __shared__ float by[PK * PN];
  X = &X[gy * PM * k];
  Y = &Y[gx * PN];
  Z = &Z[gy * PM * n + gx * PN];
  int xr = threadIdx.x / PK;
  int xc = threadIdx.x % PK;
  int xstep = count / PK;
  int yr = threadIdx.x / PN;
  int yc = threadIdx.x % PN;
  int ystep = count / PN;
  float part[HM][HN] = {0.};
  float fa[HM] = {0.};
  float fb[HN] = {0.};
#pragma unroll
  for (int q = 0; q < k; q += PK) {
#pragma unroll
    for (int i = 0; i < PM; i += xstep) {
      bx[(xr + i) * PK + xc] = X[(xr + i) * k + xc];
    }
#pragma unroll
    for (int i = 0; i < PK; i += ystep) {
      by[(yr + i) * PN + yc] = Y[(yr + i) * n + yc];
    }
    __syncthreads();
    X += PK;
    Y += PK * n;
#pragma unroll
    for (int i = 0; i < PK; i++) {
#pragma unroll
      for (int j = 0; j < HM; j++) fa[j] = bx[(py + j) * PK + i];
#pragma unroll
      for (int l = 0; l < HN; l++) fb[l] = by[px + l + i * PN];
#pragma unroll
      for (int j = 0; j < HM; j++) {
#pragma unroll
        for (int l = 0; l < HN; l++) part[j][l] += fa[j] * fb[l];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int j = 0; j < HM; j++)
    for (int l = 0; l < HN; l++)
      Z[(py + j) * n + px + l] = al * part[j][l] + be * Z[(py + j) * n + px + l];
}
#define CDIV(a, b) ((a + b - 1) / b)
void run(int M, int N, int K, float al, float *A, float *B, float be, float *C) {
  dim3 b(256);
  dim3 g(CDIV(N, 128), CDIV(M, 128));
  form_five<128, 128, 8, 8, 8><<<g, b>>>(M, N, K, al, A, B, be, C);
}
