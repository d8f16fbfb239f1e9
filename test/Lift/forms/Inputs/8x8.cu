#include <cuda_runtime.h>
#define V4(v) (reinterpret_cast<float4 *>(&(v))[0])
#pragma warpwright matmul
template <const int PM = 128, const int PN = 128, const int PK = 8, const int HM = 8, const int HN = 8>
__global__ void form_eight(float *x, float *y, float *z, int M, int N, int K) {
  int bx = blockIdx.x;
  int by = blockIdx.y;
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int id = threadIdx.y * blockDim.x + tx;
  __shared__ float sx[PM][PK], sy[PK][PN];
  int xm = id / 2;
  int xk = (id % 2 == 0) ? 0 : 4;
  int yk = id / 32;
  int yn = (id % 32) * 4;
  int gm = by * PM + xm;
  int gn = bx * PN + yn;
  float r[HM][HN] = {0.0};
  for (int t = 0; t < (K + PK - 1) / PK; ++t) {
    int gk = t * PK + xk;
    int xa = gm * K + gk;
    V4(sx[xm][xk]) = V4(x[xa]);
    int hk = t * PK + yk;
    int ya = hk * N + gn;
    V4(sy[yk][yn]) = V4(y[ya]);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < PK; k++) {
#pragma unroll
      for (int m = 0; m < HM; m++) {
#pragma unroll
        for (int n = 0; n < HN; n++) {
          int cm = ty * HM + m;
          int cn = tx * HN + n;
          r[m][n] += sx[cm][k] * sy[k][cn];
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
      V4(z[za]) = V4(r[m][n]);
    }
  }
}
void run(float *a, float *b, float *c, int M, int N, int K) {
  constexpr int BM = 128, BN = 128, TM = 8, TN = 8;
  dim3 block(BN / TN, BM / TM);
  dim3 grid((N + BN - 1) / BN, (M + BM - 1) / BM);
  form_eight<BM, BN, 8, TM, TN><<<grid, block>>>(a, b, c, M, N, K);
}
