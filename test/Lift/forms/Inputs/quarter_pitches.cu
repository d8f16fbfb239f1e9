#include <cuda_runtime.h>
__device__ void body(int M, int N, int K, float *A, float *B, float *C,
                     float *sh) {
  float *shA = sh, *shB = sh + 2 * 128 * 8;
  float4 rc[8], ra[2];
  float rb[4];
  int bx = blockIdx.y * 64, by = blockIdx.x * 128;
  float4 *cp = (float4 *)(C + bx * M + by + (threadIdx.x % 16) * 4 +
                          (threadIdx.x / 16) * 4 * M);
  rc[0] = *cp;
  rc[1] = *(cp + M / 4);
  rc[2] = *(cp + M / 2);
  rc[3] = *(cp + 3 * M / 4);
  cp += 16;
  rc[4] = *cp;
  rc[5] = *(cp + M / 4);
  rc[6] = *(cp + M / 2);
  rc[7] = *(cp + 3 * M / 4);
  float4 *ap =
      (float4 *)(A + by + (threadIdx.x % 32) * 4 + (threadIdx.x / 32) * M);
  *((float4 *)(shA + 4 * threadIdx.x)) = *ap;
  float2 *bp =
      (float2 *)(B + K * bx + (threadIdx.x / 64) * 2 + (threadIdx.x % 64) * K);
  *((float2 *)(shB + 2 * threadIdx.x)) = *bp;
  int bufA = 0, bufB = 0;
  for (int k = 0; k < K; k += 8) {
    __syncthreads();
    int ao = bufA + (threadIdx.x % 16) * 4,
        bo = bufB + ((threadIdx.x / 16) * 8);
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      ra[0] = *((float4 *)(shA + ao));
      ra[1] = *((float4 *)(shA + ao + 64));
      rb[0] = shB[bo];
      rb[1] = shB[bo + 2];
      rb[2] = shB[bo + 4];
      rb[3] = shB[bo + 6];
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        rc[j].x = fma(ra[0].x, rb[j], rc[j].x);
        rc[j].y = fma(ra[0].y, rb[j], rc[j].y);
        rc[j].z = fma(ra[0].z, rb[j], rc[j].z);
        rc[j].w = fma(ra[0].w, rb[j], rc[j].w);
        rc[j + 4].x = fma(ra[1].x, rb[j], rc[j + 4].x);
        rc[j + 4].y = fma(ra[1].y, rb[j], rc[j + 4].y);
        rc[j + 4].z = fma(ra[1].z, rb[j], rc[j + 4].z);
        rc[j + 4].w = fma(ra[1].w, rb[j], rc[j + 4].w);
      }
      ao += 128;
      bo += (1 + (i % 2) * 126);
    }
    bufA ^= 1024;
    bufB ^= 512;
    if (k + 8 < K) {
      ap += 2 * M;
      *((float4 *)(shA + bufA + 4 * threadIdx.x)) = *ap;
      bp += 4;
      *((float2 *)(shB + bufB + 2 * threadIdx.x)) = *bp;
    }
  }
  cp -= 16;
  *cp = rc[0];
  *(cp + M / 4) = rc[1];
  *(cp + M / 2) = rc[2];
  *(cp + 3 * M / 4) = rc[3];
  cp += 16;
  *cp = rc[4];
  *(cp + M / 4) = rc[5];
  *(cp + M / 2) = rc[6];
  *(cp + 3 * M / 4) = rc[7];
}
#pragma warpwright matmul
__global__ void form_quarter_pitches(int M, int N, int K, float *A, float *B,
                                     float *C) {
  extern __shared__ float sh[];
  body(M, N, K, A, B, C, sh);
}
void run(float *a, float *b, float *c, int M, int N, int K) {
  form_quarter_pitches<<<dim3(M / 128, N / 64), 256, 12288>>>(M, N, K, a, b, c);
}
