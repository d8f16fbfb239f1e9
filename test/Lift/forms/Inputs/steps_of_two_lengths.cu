#include <cuda_runtime.h>
#pragma warpwright matmul
__global__ void form_two_lengths(int M, int N, int K, float *A, float *B,
                                 float *C) {
  __shared__ float sh[2 * 64 * 8 + 2 * 64 * 8];
  float *shA = sh, *shB = sh + 2 * 64 * 8;
  float4 rc[4], ra[2];
  float rb[2];
  int bx = blockIdx.y * 64, by = blockIdx.x * 64;
  float4 *cp = (float4 *)(C + bx * M + by + (threadIdx.x % 8) * 4 +
                          (threadIdx.x / 8) * M);
  rc[0] = *cp;
  rc[1] = *(cp + 8);
  rc[2] = *(cp + 8 * M);
  rc[3] = *(cp + 8 + 8 * M);
  float2 *ap =
      (float2 *)(A + by + (threadIdx.x % 32) * 2 + (threadIdx.x / 32) * M);
  *((float2 *)(shA + 2 * threadIdx.x)) = *ap;
  float2 *bp =
      (float2 *)(B + K * bx + (threadIdx.x / 64) * 2 + (threadIdx.x % 64) * K);
  *((float2 *)(shB + 2 * threadIdx.x)) = *bp;
  int buf = 0;
  for (int k = 0; k < K; k += 8) {
    __syncthreads();
    int ao = buf + (threadIdx.x % 8) * 4, bo = buf + (threadIdx.x / 8) * 2;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      ra[0] = *((float4 *)(shA + ao));
      ra[1] = *((float4 *)(shA + ao + 32));
      rb[0] = shB[bo];
      rb[1] = shB[bo + 64];
#define ROW(q, a, b)                                                           \
  rc[q].x = fma(ra[a].x, rb[b], rc[q].x);                                      \
  rc[q].y = fma(ra[a].y, rb[b], rc[q].y);                                      \
  rc[q].z = fma(ra[a].z, rb[b], rc[q].z);                                      \
  rc[q].w = fma(ra[a].w, rb[b], rc[q].w);
      ROW(0, 0, 0) ROW(1, 1, 0) ROW(2, 0, 1) ROW(3, 1, 1) ao += 64;
      bo += 1;
      if (i % 2)
        bo += 126;
    }
    buf ^= 512;
    if (k + 8 < K) {
      ap += 4 * M;
      *((float2 *)(shA + buf + 2 * threadIdx.x)) = *ap;
      bp += 4;
      *((float2 *)(shB + buf + 2 * threadIdx.x)) = *bp;
    }
  }
  *cp = rc[0];
  *(cp + 8) = rc[1];
  *(cp + 8 * M) = rc[2];
  *(cp + 8 + 8 * M) = rc[3];
}
void run(float *a, float *b, float *c, int M, int N, int K) {
  form_two_lengths<<<dim3(M / 64, N / 64), 256>>>(M, N, K, a, b, c);
}
