#include <cuda_runtime.h>
#define PK 16
#define PM 128
#define PN 128
#define HM 8
#define HN 8
#define CH 1
#define COUNT ((PM / HM) * (PN / HN))
#pragma warpwright matmul
__global__ void remainder(const float *A, const float *B, float *C, const int M, const int N, const int K) {
  const int ml = threadIdx.x * HM;
  const int nl = threadIdx.y * HN;
  const int mg = blockIdx.x * PM;
  const int ng = blockIdx.y * PN;
  const int id = threadIdx.x * (PN / HN) + threadIdx.y;
  const int m = mg + ml;
  const int n = ng + nl;
  const int rem = K % PK;
  __shared__ float sa[PK * PM];
  __shared__ float sb[PK * PN];
  float out[HN][HM];
  for (int j = 0; j < HN; j++)
    for (int i = 0; i < HM; i++) out[j][i] = 0;
  const int end = K - rem;
  int k0 = 0;
  for (; k0 < end; k0 += PK) {
    for (int a = 0; a < ((PK * PM) / COUNT); a++) {
      const int at = id * ((PK * PM) / COUNT) + a;
      const int cm = at % PM;
      const int ck = at / PM;
      sa[at] = A[K * (((mg + cm) / CH) * CH) + (k0 + ck) * CH + (mg + cm) % CH];
    }
    for (int b = 0; b < ((PK * PN) / COUNT); b++) {
      const int at = id * ((PK * PN) / COUNT) + b;
      const int cn = at % PN;
      const int ck = at / PN;
      sb[at] = B[K * (ng + cn) + (k0 + ck)];
    }
    __syncthreads();
    for (int kk = 0; kk < PK; kk++)
      for (int j = 0; j < HN; j++)
        for (int i = 0; i < HM; i++) out[j][i] += sa[kk * PM + ml + i] * sb[kk * PN + nl + j];
    __syncthreads();
  }
  if (rem) {
    for (int a = 0; a < ((PK * PM) / COUNT); a++) {
      const int at = id * ((PK * PM) / COUNT) + a;
      const int cm = at % PM;
      const int ck = at / PM;
      sa[at] = A[K * (((mg + cm) / CH) * CH) + (k0 + ck) * CH + (mg + cm) % CH];
    }
    for (int b = 0; b < ((PK * PN) / COUNT); b++) {
      const int at = id * ((PK * PN) / COUNT) + b;
      const int cn = at % PN;
      const int ck = at / PN;
      sb[at] = B[K * (ng + cn) + (k0 + ck)];
    }
    __syncthreads();
    for (int kk = 0; kk < rem; kk++)
      for (int j = 0; j < HN; j++)
        for (int i = 0; i < HM; i++) out[j][i] += sa[kk * PM + ml + i] * sb[kk * PN + nl + j];
    __syncthreads();
  }
  for (int j = 0; j < HN; j++)
    for (int i = 0; i < HM; i++)
      if (m + i < M && n + j < N) C[M * (n + j) + (m + i)] = out[j][i];
}
void run(int M, int N, int K, const float *A, const float *B, float *C, cudaStream_t s) {
  dim3 g(M / PM + ((M % PM) > 0), N / PN + ((N % PN) > 0), 1);
  dim3 b((PM / HM), (PN / HN), 1);
  remainder<<<g, b, 0, s>>>(A, B, C, M, N, K);
}
