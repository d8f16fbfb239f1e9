#include <cuda_runtime.h>
#define Z4 float4{0, 0, 0, 0}
#define MM4(c, a, b)                                                           \
  {                                                                            \
    c.x += a * b.x;                                                            \
    c.y += a * b.y;                                                            \
    c.z += a * b.z;                                                            \
    c.w += a * b.w;                                                            \
  }
#pragma warpwright matmul
template <int LB, int STEP, int STEP_m1>
__global__ void form_bits_of_both(const float *__restrict__ A,
                                  const float *__restrict__ B,
                                  float *__restrict__ C, int SB, int K) {
  const int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x,
            ty = threadIdx.y;
  bool buf = 0;
  __shared__ float4 As[2][1 << LB][(1 << LB) + 1];
  __shared__ float4 Bs[2][1 << LB][(1 << LB) + 1];
  float4 c[16];
  for (int i = 0; i < 16; ++i)
    c[i] = Z4;
  const int idx = (ty << LB) + tx, vy = idx >> 5, vx = idx & 31;
  const int ux = (vy & 3) * 4 + (vx >> 4) * 2 + (vx & 1);
  const int uy = (vy >> 2) * 8 + ((vx & 15) >> 1);
  const int bY = by << LB << 3, bX = bx << LB << 3;
  const int C0 = (bY + (uy << 3)) * SB + bX + (ux << 3);
  const int A0 = (bY + (ty << 3) + ((tx >= STEP) << 2)) * K + (tx & STEP_m1);
  const int A1 = A0 + K, A2 = A1 + K, A3 = A2 + K;
  const int B0 = (bX + (tx << 3) + ((ty >= STEP) << 2)) + (ty & STEP_m1) * SB;
  As[0][tx][ty] = float4{A[A0], A[A1], A[A2], A[A3]};
  Bs[0][ty][tx] = *(float4 *)(B + B0);
  __syncthreads();
#define STEP88                                                                 \
  {                                                                            \
    float4 b0 = Bs[buf][ik][ux], b1 = Bs[buf][ik + STEP][ux];                  \
    float4 a0 = As[buf][ik][uy], a1 = As[buf][ik + STEP][uy];                  \
    MM4(c[0], a0.x, b0)                                                        \
    MM4(c[1], a0.x, b1) MM4(c[2], a0.y, b0) MM4(c[3], a0.y, b1)                \
        MM4(c[4], a0.z, b0) MM4(c[5], a0.z, b1) MM4(c[6], a0.w, b0)            \
            MM4(c[7], a0.w, b1) MM4(c[8], a1.x, b0) MM4(c[9], a1.x, b1)        \
                MM4(c[10], a1.y, b0) MM4(c[11], a1.y, b1) MM4(c[12], a1.z, b0) \
                    MM4(c[13], a1.z, b1) MM4(c[14], a1.w, b0)                  \
                        MM4(c[15], a1.w, b1)                                   \
  }
  for (int ok = 1, OK = (K << 1 >> LB); ok < OK; ok++) {
#pragma unroll
    for (int ik = 0; ik < STEP; ik++)
      STEP88
    buf ^= 1;
    A += STEP;
    B += (SB << LB >> 1);
    As[buf][tx][ty] = float4{A[A0], A[A1], A[A2], A[A3]};
    Bs[buf][ty][tx] = *(float4 *)(B + B0);
    __syncthreads();
  }
#pragma unroll
  for (int ik = 0; ik < STEP; ik++)
    STEP88
  buf ^= 1;
  A += STEP;
  B += (SB << LB >> 1);
  const int RK = (K & STEP_m1);
  if (RK) {
    bool lA = (tx & STEP_m1) < RK, lB = (ty & STEP_m1) < RK;
    As[buf][tx][ty] = lA ? float4{A[A0], A[A1], A[A2], A[A3]} : Z4;
    Bs[buf][ty][tx] = lB ? *(float4 *)(B + B0) : Z4;
    __syncthreads();
    for (int ik = 0; ik < RK; ik++)
      STEP88
  }
  int o = C0;
  for (int i = 0; i < 8; ++i, o += SB) {
    *(float4 *)(C + o) = c[2 * i];
    *(float4 *)(C + o + 4) = c[2 * i + 1];
  }
}
void run(float *a, float *b, float *c, int M, int N, int K) {
  form_bits_of_both<4, 8, 7>
      <<<dim3(N / 128, M / 128), dim3(16, 16)>>>(a, b, c, N, K);
}
