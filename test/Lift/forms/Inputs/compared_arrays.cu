#include <cuda_runtime.h>
#pragma warpwright matmul
__global__ void form_compared_arrays(const float *A, const float *B, float *C,
                                     int M, int N, int K) {
  __shared__ __align__(16) float sA[16][32], sB[16][32], sAb[16][32],
      sBb[16][32];
  int tx = threadIdx.x, mb = blockIdx.y * 32, nb = blockIdx.x * 32;
  int t8 = tx % 8, b8 = tx / 8, t16 = tx % 16, b16 = tx / 16, lane = tx % 32,
      wn = tx / 32 * 16;
  float rC[4][4] = {}, fa[4], fb[4];
  float4 rA[2], rB[2];
  float (*pA)[16][32] = &sA;
  float (*pB)[16][32] = &sB;
#pragma unroll
  for (int m = 0; m < 2; m++) {
    rA[m] = *reinterpret_cast<const float4 *>(A + (mb + m * 16 + t16) * K +
                                              b16 * 4);
    rB[m] =
        *reinterpret_cast<const float4 *>(B + (m * 8 + b8) * N + nb + t8 * 4);
  }
  for (int kb = 0; kb < K; kb += 16) {
#pragma unroll
    for (int m = 0; m < 2; m++) {
      (*pA)[b16 * 4 + 0][m * 16 + t16] = rA[m].x;
      (*pA)[b16 * 4 + 1][m * 16 + t16] = rA[m].y;
      (*pA)[b16 * 4 + 2][m * 16 + t16] = rA[m].z;
      (*pA)[b16 * 4 + 3][m * 16 + t16] = rA[m].w;
      *reinterpret_cast<float4 *>(&(*pB)[m * 8 + b8][t8 * 4]) = rB[m];
    }
    __syncthreads();
    if (kb + 16 < K)
#pragma unroll
      for (int m = 0; m < 2; m++) {
        rA[m] = *reinterpret_cast<const float4 *>(A + (mb + m * 16 + t16) * K +
                                                  kb + 16 + b16 * 4);
        rB[m] = *reinterpret_cast<const float4 *>(
            B + (kb + 16 + m * 8 + b8) * N + nb + t8 * 4);
      }
#pragma unroll
    for (int k = 0; k < 16; k++) {
      float4 u = *reinterpret_cast<float4 *>((*pA)[k] + lane % 16 / 2 * 4);
      float4 v = *reinterpret_cast<float4 *>((*pB)[k] + wn + lane / 16 * 8 +
                                             lane % 2 * 4);
      fa[0] = u.x;
      fa[1] = u.y;
      fa[2] = u.z;
      fa[3] = u.w;
      fb[0] = v.x;
      fb[1] = v.y;
      fb[2] = v.z;
      fb[3] = v.w;
      for (int m = 0; m < 4; m++)
        for (int n = 0; n < 4; n++)
          rC[m][n] += fa[m] * fb[n];
    }
    pA = (pA == &sA) ? &sAb : &sA;
    pB = (pB == &sB) ? &sBb : &sB;
  }
  for (int m = 0; m < 4; m++)
    *reinterpret_cast<float4 *>(C + (mb + lane % 16 / 2 * 4 + m) * N + nb + wn +
                                lane / 16 * 8 + lane % 2 * 4) =
        make_float4(rC[m][0], rC[m][1], rC[m][2], rC[m][3]);
}
void run(float *a, float *b, float *c, int M, int N, int K) {
  form_compared_arrays<<<dim3(N / 32, M / 32), 64>>>(a, b, c, M, N, K);
}
