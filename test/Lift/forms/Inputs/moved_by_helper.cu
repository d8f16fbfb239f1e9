#include <cuda_runtime.h>
#define PM 128
#define PN 128
#define PK 32
#define HM 8
#define HN 8
#define V4(p) (reinterpret_cast<float4 *>(&(p))[0])
__device__ void carry(float *G, float *s, int id, int r0, int c0, int bm, int bn, int M, int N) {
  int count = bm * bn / 4;
  int threads = blockDim.y * blockDim.x;
  for (int i = id; i < count; i += threads) {
    int r = (i << 2) / bn;
    int c = (i << 2) % bn;
    if (r0 + r < M && c0 + c < N)
      V4(s[r * bn + c]) = V4(G[(r0 + r) * N + (c0 + c)]);
  }
}
#pragma warpwright matmul
__global__ void helper_moves(float *X, float *Y, float *Z, int M, int N, int K) {
  __shared__ float sx[PM * PK];
  __shared__ float sy[PK * PN];
  int br = blockIdx.y * PM;
  int bc = blockIdx.x * PN;
  int r0 = br + threadIdx.y * HM;
  int c0 = bc + threadIdx.x * HN;
  int id = threadIdx.y * blockDim.x + threadIdx.x;
  float v[HM][HN] = {0.0};
  for (int t = 0; t < K; t += PK) {
    carry(X, sx, id, blockIdx.y * PM, t, PM, PK, M, K);
    carry(Y, sy, id, t, blockIdx.x * PN, PK, PN, K, N);
    __syncthreads();
#pragma unroll
    for (int d = 0; d < PK; d++) {
#pragma unroll
      for (int i = 0; i < HM; i++) {
#pragma unroll
        for (int j = 0; j < HN; j++) {
          v[i][j] += sx[((threadIdx.y * HM) + i) * PK + d] * sy[(d)*PN + threadIdx.x * HN + j];
        }
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < HM; i++) {
    for (int j = 0; j < HN; j += 4) {
      if (r0 + i < M && c0 + j < N) V4(Z[(r0 + i) * N + c0 + j]) = V4(v[i][j]);
    }
  }
}
void run(float *A, float *B, float *C, int M, int N, int K) {
  dim3 b(PN / HN, PM / HM);
  dim3 g((N + PN - 1) / PN, (M + PM - 1) / PM);
  helper_moves<<<g, b>>>(A, B, C, M, N, K);
}
