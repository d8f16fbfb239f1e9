#include <cuda_runtime.h>
#define AT(r, c, ld) ((r) * (ld) + (c))
#define V4(p) (reinterpret_cast<float4 *>(&(p))[0])
#pragma warpwright matmul
template <const int PM, const int PK, const int PN, const int HY, const int HX, const bool TWO>
__global__ void cj_six(float *__restrict__ X, float *__restrict__ Y, float *__restrict__ Z, const int k, const int n) {
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
  float fx[HY];
  float fy[HX];
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
    for (int i = 0; i < PM; i += xs)
      V4(sx[xr + i][xc]) = V4(X[AT(PM * gy + xr + i, xc + t, k)]);
#pragma unroll
    for (int i = 0; i < PK; i += ys)
      V4(sy[yr + i][yc]) = V4(Y[AT(t + yr + i, yc + PN * gx, k)]);
    __syncthreads();
#pragma unroll
    for (int d = 0; d < PK; ++d) {
#pragma unroll
      for (int i = 0; i < HY; ++i) fx[i] = sx[ty * HY + i][d];
#pragma unroll
      for (int j = 0; j < HX; j += 4) V4(fy[j]) = V4(sy[d][HX * tx + j]);
#pragma unroll
      for (int i = 0; i < HY; ++i) {
#pragma unroll
        for (int j = 0; j < HX; ++j) acc[i][j] += fx[i] * fy[j];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < HY; ++i) {
#pragma unroll
    for (int j = 0; j < HX; ++j)
      Z[AT(PM * gy + ty * HY + i, PN * gx + tx * HX + j, n)] = acc[i][j];
  }
}
void run(size_t M, size_t K, size_t N, float *A, float *B, float *C) {
  const int BM = 32, BK = 32, BN = 32, TX = 4, TY = 4;
  dim3 b(BN / TX, BM / TY);
  dim3 g(N / BN, M / BM);
  cj_six<BM, BK, BN, TY, TX, false><<<g, b>>>(A, B, C, K, N);
}
