#include <cuda_fp16.h>
#include <cstdint>
#define LDM4(r0, r1, r2, r3, a) asm volatile("ldmatrix.sync.aligned.x4.m8n8.shared.b16 {%0, %1, %2, %3}, [%4];\n" : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3) : "r"(a))
#define LDM2T(r0, r1, a) asm volatile("ldmatrix.sync.aligned.x2.trans.m8n8.shared.b16 {%0, %1}, [%2];\n" : "=r"(r0), "=r"(r1) : "r"(a))
#define MMA(d0, d1, a0, a1, a2, a3, b0, b1, c0, c1) asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%8, %9};\n" : "=r"(d0), "=r"(d1) : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1), "r"(c0), "r"(c1))
#pragma warpwright matmul
template <const int FM = 16, const int FN = 8, const int FK = 16>
__global__ void mma_naive(half *A, half *B, half *C, int M, int N, int K) {
  const int bx = blockIdx.x;
  const int by = blockIdx.y;
  const int tiles = (K + FK - 1) / FK;
  __shared__ half sa[FM][FK];
  __shared__ half sb[FK][FN];
  __shared__ half sc[FM][FN];
  const int id = threadIdx.y * blockDim.x + threadIdx.x;
  const int lane = id % 32;
  const int am = id / 2;
  const int ak = (id % 2) * 8;
  const int bk = id;
  const int gm = by * FM + am;
  const int gn = bx * FN;
  if (gm >= M && gn >= N) return;
  uint32_t rc[2] = {0, 0};
  for (int t = 0; t < tiles; ++t) {
    int gk = t * FK + ak;
    reinterpret_cast<float4 *>(&sa[am][ak])[0] = reinterpret_cast<float4 *>(&A[gm * K + gk])[0];
    if (lane < FK) {
      int hk = t * FK + bk;
      reinterpret_cast<float4 *>(&sb[bk][0])[0] = reinterpret_cast<float4 *>(&B[hk * N + gn])[0];
    }
    __syncthreads();
    uint32_t ra[4];
    uint32_t rb[2];
    uint32_t pa = __cvta_generic_to_shared(&sa[lane % 16][(lane / 16) * 8]);
    LDM4(ra[0], ra[1], ra[2], ra[3], pa);
    uint32_t pb = __cvta_generic_to_shared(&sb[lane % 16][0]);
    LDM2T(rb[0], rb[1], pb);
    MMA(rc[0], rc[1], ra[0], ra[1], ra[2], ra[3], rb[0], rb[1], rc[0], rc[1]);
    __syncthreads();
  }
  reinterpret_cast<uint32_t *>(&sc[lane / 4][0])[lane % 4] = rc[0];
  reinterpret_cast<uint32_t *>(&sc[lane / 4 + 8][0])[lane % 4] = rc[1];
  __syncthreads();
  if (lane < FM) reinterpret_cast<float4 *>(&C[(by * FM + lane) * N + bx * FN])[0] = reinterpret_cast<float4 *>(&sc[lane][0])[0];
}
void run(half *a, half *b, half *c, int M, int N, int K) {
  dim3 t(32);
  dim3 g((N + 7) / 8, (M + 15) / 16);
  mma_naive<16, 8, 16><<<g, t>>>(a, b, c, M, N, K);
}
