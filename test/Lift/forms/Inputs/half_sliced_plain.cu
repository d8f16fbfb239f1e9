#include <cuda_fp16.h>
#pragma warpwright matmul
template <const int PM = 32, const int PN = 32, const int PK = 32>
__global__ void half_sliced_plain(half *x, half *y, half *z, int M, int N, int K) {
  __shared__ half sx[PM][PK], sy[PK][PN];
  int bx = blockIdx.x;
  int by = blockIdx.y;
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int id = threadIdx.y * blockDim.x + tx;
  int xm = id / 32;
  int xk = id % 32;
  int yk = id / 32;
  int yn = id % 32;
  int gm = by * PM + xm;
  int gn = bx * PN + yn;
  half s = __float2half(0.f);
  for (int t = 0; t < (K + PK - 1) / PK; ++t) {
    int gk = t * PK + xk;
    int xa = gm * K + gk;
    sx[xm][xk] = x[xa];
    int hk = t * PK + yk;
    int ya = hk * N + gn;
    sy[yk][yn] = y[ya];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < PK; ++k) {
      int cm = xm;
      int cn = yn;
      s += sx[cm][k] * sy[k][cn];
    }
    __syncthreads();
  }
  int za = gm * N + gn;
  z[za] = s;
}
void run(half *a, half *b, half *c, int M, int N, int K) {
  constexpr int BM = 32, BN = 32, BK = 32;
  dim3 block(BN, BM);
  dim3 grid((N + BN - 1) / BN, (M + BM - 1) / BM);
  half_sliced_plain<BM, BN, BK><<<grid, block>>>(a, b, c, M, N, K);
}
