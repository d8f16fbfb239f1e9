#include <cuda_fp16.h>
#define V64(v) (reinterpret_cast<float2 *>(&(v))[0])
#pragma warpwright matmul
template <const int PM = 128, const int PN = 128, const int PK = 8, const int HM = 8, const int HN = 8>
__global__ void half_pack(half *x, half *y, half *z, int M, int N, int K) {
  int bx = blockIdx.x;
  int by = blockIdx.y;
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int id = threadIdx.y * blockDim.x + tx;
  __shared__ half sx[PM][PK], sy[PK][PN];
  int xm = id / 2;
  int xk = (id % 2 == 0) ? 0 : 4;
  int yk = id / 32;
  int yn = (id % 32) * 4;
  int gm = by * PM + xm;
  int gn = bx * PN + yn;
  half r[HM][HN] = {__float2half(0.0f)};
  for (int t = 0; t < (K + PK - 1) / PK; ++t) {
    int gk = t * PK + xk;
    int xa = gm * K + gk;
    V64(sx[xm][xk]) = V64(x[xa]);
    int hk = t * PK + yk;
    int ya = hk * N + gn;
    V64(sy[yk][yn]) = V64(y[ya]);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < PK; k++) {
#pragma unroll
      for (int m = 0; m < HM; m++) {
#pragma unroll
        for (int n = 0; n < HN; n++) {
          int cm = ty * HM + m;
          int cn = tx * HN + n;
          r[m][n] = __hfma(sx[cm][k], sy[k][cn], r[m][n]);
        }
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int m = 0; m < HM; ++m) {
    int zm = by * PM + ty * HM + m;
#pragma unroll
    for (int n = 0; n < HN; n += 4) {
      int zn = bx * PN + tx * HN + n;
      int za = zm * N + zn;
      V64(z[za]) = V64(r[m][n]);
    }
  }
}
void run(half *a, half *b, half *c, int M, int N, int K) {
  dim3 block(16, 16);
  dim3 grid((N + 127) / 128, (M + 127) / 128);
  half_pack<128, 128, 8, 8, 8><<<grid, block>>>(a, b, c, M, N, K);
}
