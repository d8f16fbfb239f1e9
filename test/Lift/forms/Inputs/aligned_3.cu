#include <cuda_runtime.h>
#define AT(r, c, ld) ((r) * (ld) + (c))
#define V4(p) (reinterpret_cast<float4 *>(&(p))[0])
#pragma warpwright matmul
__global__ void form_three(float *__restrict__ x, float *__restrict__ y, float *__restrict__ z,
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
  __shared__ float sx[2][PK][PM];
  __shared__ float sy[2][PK][PN];
  float lx[4];
  float ly[4];
  float cx[HM];
  float cy[HN];
  float r[HM][HN] = {0.0};
  int xsm = id >> 1;
  int xsk = (id & 1) << 2;
  int ysk = id >> 5;
  int ysn = (id & 31) << 2;
  int xgm = gy * PM + xsm;
  int ygn = gx * PN + ysn;
  {
    int xgk = xsk;
    int xa = AT(xgm, xgk, k);
    int ygk = ysk;
    int ya = AT(ygk, ygn, n);
    V4(lx[0]) = V4(x[xa]);
    V4(ly[0]) = V4(y[ya]);
    sx[0][xsk][xsm] = lx[0];
    sx[0][xsk + 1][xsm] = lx[1];
    sx[0][xsk + 2][xsm] = lx[2];
    sx[0][xsk + 3][xsm] = lx[3];
    V4(sy[0][ysk][ysn]) = V4(ly[0]);
  }
  __syncthreads();
  int cur;
  int nxt;
  for (int t = 1; t < (k + PK - 1) / PK; t++) {
    cur = (t - 1) & 1;
    nxt = t & 1;
    int xgk = t * PK + xsk;
    int xa = AT(xgm, xgk, k);
    int ygk = t * PK + ysk;
    int ya = AT(ygk, ygn, n);
    V4(lx[0]) = V4(x[xa]);
    V4(ly[0]) = V4(y[ya]);
#pragma unroll
    for (int d = 0; d < PK; d++) {
      V4(cx[0]) = V4(sx[cur][d][ty * HM / 2]);
      V4(cx[4]) = V4(sx[cur][d][ty * HM / 2 + PM / 2]);
      V4(cy[0]) = V4(sy[cur][d][tx * HN / 2]);
      V4(cy[4]) = V4(sy[cur][d][tx * HN / 2 + PN / 2]);
#pragma unroll
      for (int i = 0; i < HM; i++) {
#pragma unroll
        for (int j = 0; j < HN; j++) {
          r[i][j] += cx[i] * cy[j];
        }
      }
    }
    sx[nxt][xsk][xsm] = lx[0];
    sx[nxt][xsk + 1][xsm] = lx[1];
    sx[nxt][xsk + 2][xsm] = lx[2];
    sx[nxt][xsk + 3][xsm] = lx[3];
    V4(sy[nxt][ysk][ysn]) = V4(ly[0]);
    __syncthreads();
  }
#pragma unroll
    for (int d = 0; d < PK; d++) {
      V4(cx[0]) = V4(sx[nxt][d][ty * HM / 2]);
      V4(cx[4]) = V4(sx[nxt][d][ty * HM / 2 + PM / 2]);
      V4(cy[0]) = V4(sy[nxt][d][tx * HN / 2]);
      V4(cy[4]) = V4(sy[nxt][d][tx * HN / 2 + PN / 2]);
#pragma unroll
      for (int i = 0; i < HM; i++) {
#pragma unroll
        for (int j = 0; j < HN; j++) {
          r[i][j] += cx[i] * cy[j];
        }
      }
    }
#pragma unroll
  for (int i = 0; i < HM / 2; i++) {
    int zm = gy * PM + ty * HM / 2 + i;
    int zn = gx * PN + tx * HN / 2;
    int za = AT(zm, zn, n);
    V4(z[za]) = V4(r[i][0]);
    V4(z[za + PN / 2]) = V4(r[i][4]);
  }
#pragma unroll
  for (int i = 0; i < HM / 2; i++) {
    int zm = gy * PM + PM / 2 + ty * HM / 2 + i;
    int zn = gx * PN + tx * HN / 2;
    int za = AT(zm, zn, n);
    V4(z[za]) = V4(r[i + HM / 2][0]);
    V4(z[za + PN / 2]) = V4(r[i + HM / 2][4]);
  }
}
void run(int M, int N, int K, float *a, float *b, float *c) {
  const int BM = 128, BN = 128, TM = 8, TN = 8;
  dim3 blockDim(BN / TN, BM / TM);
  dim3 gridDim((N + BN - 1) / BN, (M + BM - 1) / BM);
  form_three<<<gridDim, blockDim>>>(a, b, c, M, N, K);
}
