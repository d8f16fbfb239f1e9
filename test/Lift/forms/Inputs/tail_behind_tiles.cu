#include <cuda_runtime.h>
#define Z4 float4{0, 0, 0, 0}
#define MM4(c, a, b)                                                           \
  {                                                                            \
    c.x += a * b.x;                                                            \
    c.y += a * b.y;                                                            \
    c.z += a * b.z;                                                            \
    c.w += a * b.w;                                                            \
  }
#define get(A, i, j, s) A[(i) * (s) + (j)]
#pragma warpwright matmul
template <int LB, int STEP>
__global__ void form_tail_behind_tiles(const float *__restrict__ A,
                                       const float *__restrict__ B,
                                       float *__restrict__ C, int SB, int K) {
  const int tx = threadIdx.x, ty = threadIdx.y;
  bool buf = 0;
  __shared__ float4 As[2][1 << LB][(1 << LB) + 1];
  __shared__ float2 Bs[2][1 << LB >> 1][(2 << LB) + 2];
  float4 c0 = Z4, c1 = Z4, c2 = Z4, c3 = Z4, c4 = Z4, c5 = Z4, c6 = Z4, c7 = Z4;
  const int Y = ((blockIdx.y << LB) + ty) << 3;
  A += Y * K;
  const int X = ((blockIdx.x << LB) + tx) << 2;
  B += X;
  const int C0 = Y * SB + X;
  const int Ax = tx - ((tx >= STEP) << LB >> 1);
  const int A0 = ((tx >= STEP) << 2) * K + Ax, A1 = A0 + K, A2 = A1 + K,
            A3 = A2 + K;
  const int By = ty >> 1, Bx = ((ty & 1) << 1), B0 = By * SB + Bx;
  const int Bs_y = By, Bs_x = ((tx << 1) + (ty & 1));
  As[buf][tx][ty] = float4{A[A0], A[A1], A[A2], A[A3]};
  Bs[buf][Bs_y][Bs_x] = *(float2 *)(B + B0);
  __syncthreads();
#define PART(a0, a1, b0)                                                       \
  MM4(c0, a0.x, b0)                                                            \
  MM4(c1, a0.y, b0) MM4(c2, a0.z, b0) MM4(c3, a0.w, b0) MM4(c4, a1.x, b0)      \
      MM4(c5, a1.y, b0) MM4(c6, a1.z, b0) MM4(c7, a1.w, b0)
  for (int ok = 1, OK = (K << 1 >> LB); ok < OK; ok++) {
#pragma unroll
    for (int ik = 0; ik < STEP; ik++) {
      float4 b0 = *(float4 *)(&Bs[buf][ik][tx << 1]);
      float4 a0 = As[buf][ik][ty], a1 = As[buf][ik + STEP][ty];
      PART(a0, a1, b0)
    }
    buf ^= 1;
    A += STEP;
    B += (SB << LB >> 1);
    As[buf][tx][ty] = float4{A[A0], A[A1], A[A2], A[A3]};
    Bs[buf][Bs_y][Bs_x] = *(float2 *)(B + B0);
    __syncthreads();
  }
#pragma unroll
  for (int ik = 0; ik < STEP; ik++) {
    float4 b0 = *(float4 *)(&Bs[buf][ik][tx << 1]);
    float4 a0 = As[buf][ik][ty], a1 = As[buf][ik + STEP][ty];
    PART(a0, a1, b0)
  }
  A += STEP;
  B += (SB << LB >> 1);
  for (int ik = 0, RK = K & (STEP - 1); ik < RK; ik++) {
    float4 a0, a1;
    a0.x = get(A, 0, ik, K);
    a0.y = get(A, 1, ik, K);
    a0.z = get(A, 2, ik, K);
    a0.w = get(A, 3, ik, K);
    a1.x = get(A, 4, ik, K);
    a1.y = get(A, 5, ik, K);
    a1.z = get(A, 6, ik, K);
    a1.w = get(A, 7, ik, K);
    float4 b0 = *(float4 *)(B + ik * SB);
    PART(a0, a1, b0)
  }
  const int C1 = C0 + SB, C2 = C1 + SB, C3 = C2 + SB, C4 = C3 + SB,
            C5 = C4 + SB, C6 = C5 + SB, C7 = C6 + SB;
  *(float4 *)(C + C0) = c0;
  *(float4 *)(C + C1) = c1;
  *(float4 *)(C + C2) = c2;
  *(float4 *)(C + C3) = c3;
  *(float4 *)(C + C4) = c4;
  *(float4 *)(C + C5) = c5;
  *(float4 *)(C + C6) = c6;
  *(float4 *)(C + C7) = c7;
}
void run(float *a, float *b, float *c, int M, int N, int K) {
  form_tail_behind_tiles<4, 8>
      <<<dim3(N / 64, M / 128), dim3(16, 16)>>>(a, b, c, N, K);
}
