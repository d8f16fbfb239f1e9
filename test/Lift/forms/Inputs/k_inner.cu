#include <cuda_runtime.h>
#define AT(r, c, ld) ((r) * (ld) + (c))
#define V4(p) (reinterpret_cast<float4 *>(&(p))[0])
#pragma warpwright matmul
template <const int PM, const int PK, const int PN, const int HY, const int HX>
__global__ void seven(float *__restrict__ X, float *__restrict__ Y, float *__restrict__ Z, const int m,
                      const int k, const int n, float al, float be) {
  int gx = blockIdx.x;
  int gy = blockIdx.y;
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  const int szx = PN / HX;
  const int szy = PM / HY;
  const int count = szy * szx;
  const int id = ty * szx + tx;
  __shared__ float sx[PM][PK];
  __shared__ float sy[PK][PN];
  float acc[HY][HX] = {0};
  const int xPer = PK / 4;
  const int yPer = PN / 4;
  const int xr = id / xPer;
  const int yr = id / yPer;
  const int xc = id % xPer * 4;
  const int yc = id % yPer * 4;
  const int xs = count / xPer;
  const int ys = count / yPer;
  for (int t = 0; t < k; t += PK) {
#pragma unroll
    for (int i = 0; i < PM; i += xs) V4(sx[xr + i][xc]) = V4(X[AT(PM * gy + xr + i, xc + t, k)]);
#pragma unroll
    for (int i = 0; i < PK; i += ys) V4(sy[yr + i][yc]) = V4(Y[AT(t + yr + i, yc + PN * gx, n)]);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < HY; ++i) {
      int r = threadIdx.y * HY + i;
#pragma unroll
      for (int j = 0; j < HX; ++j) {
        int c = threadIdx.x * HX + j;
#pragma unroll
        for (int d = 0; d < PK; ++d) acc[i][j] += sx[r][d] * sy[d][c];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < HY; ++i) {
#pragma unroll
    for (int j = 0; j < HX; j += 4) {
      acc[i][j] *= al;
      acc[i][j + 1] *= al;
      acc[i][j + 2] *= al;
      acc[i][j + 3] *= al;
      V4(Z[AT(PM * gy + ty * HY + i, PN * gx + tx * HX + j, n)]) = V4(acc[i][j]);
    }
  }
}
void run(float *A, float *B, float *C, const int M, const int K, const int N, float al, float be) {
  const int BM = 128, BK = 16, BN = 128, TY = 8, TX = 8;
  dim3 b(BN / TX, BM / TY);
  dim3 g((M + BN - 1) / BN, (N + BM - 1) / BM);
  seven<BM, BK, BN, TY, TX><<<g, b>>>(A, B, C, M, K, N, al, be);
}
