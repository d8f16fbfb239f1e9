#include <cuda_runtime.h>
#define AT(r, c, ld) ((r) * (ld) + (c))
#define V4(p) (reinterpret_cast<float4 *>(&(p))[0])
#pragma warpwright matmul
__global__ void form_one(float *__restrict__ x, float *__restrict__ y, float *__restrict__ z,
                     const int m, const int n, const int k) {
  const int PM = 128;
  const int PN = 128;
  const int PK = 8;
  const int HM = 8;
  const int HN = 8;
  const int gx = blockIdx.x;
  const int gy = blockIdx.y;
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int id = ty * blockDim.x + tx;
  __shared__ float sx[PM][PK];
  __shared__ float sy[PK][PN];
  float r[HM][HN] = {0.0};
  int xsm = id >> 1;
  int xsk = (id & 1) << 2;
  int ysk = id >> 5;
  int ysn = (id & 31) << 2;
  int xgm = gy * PM + xsm;
  int ygn = gx * PN + ysn;
  for (int t = 0; t < (k + PK - 1) / PK; t++) {
    int xgk = t * PK + xsk;
    int xa = AT(xgm, xgk, k);
    V4(sx[xsm][xsk]) = V4(x[xa]);
    int ygk = t * PK + ysk;
    int ya = AT(ygk, ygn, n);
    V4(sy[ysk][ysn]) = V4(y[ya]);
    __syncthreads();
#pragma unroll
    for (int d = 0; d < PK; d++) {
#pragma unroll
      for (int i = 0; i < HM; i++) {
#pragma unroll
        for (int j = 0; j < HN; j++) {
          int xi = ty * HM + i;
          int yj = tx * HN + j;
          r[i][j] += sx[xi][d] * sy[d][yj];
        }
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < HM; i++) {
    int zm = gy * PM + ty * HM + i;
#pragma unroll
    for (int j = 0; j < HN; j += 4) {
      int zn = gx * PN + tx * HN + j;
      int za = AT(zm, zn, n);
      V4(z[za]) = V4(r[i][j]);
    }
  }
}
void run(int M, int N, int K, float *a, float *b, float *c) {
  const int BM = 128, BN = 128, TM = 8, TN = 8;
  dim3 blockDim(BN / TN, BM / TM);
  dim3 gridDim((N + BN - 1) / BN, (M + BM - 1) / BM);
  form_one<<<gridDim, blockDim>>>(a, b, c, M, N, K);
}
