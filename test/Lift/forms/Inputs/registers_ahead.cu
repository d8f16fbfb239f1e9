#include <cuda_runtime.h>
#define AT(r, c, ld) ((r) * (ld) + (c))
#define V4(p) (reinterpret_cast<float4 *>(&(p))[0])
#pragma warpwright matmul
template <const int PM, const int PK, const int PN, const int HY, const int HX, const bool TWO>
__global__ void form_one(float *__restrict__ X, float *__restrict__ Y, float *__restrict__ Z,
                       const int m, const int n, const int k) {
  int gx = blockIdx.x;
  int gy = blockIdx.y;
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  const int acrossX = PN / HX;
  const int acrossY = PM / HY;
  const int count = acrossX * acrossY;
  const int id = ty * acrossX + tx;
  __shared__ float bx[2][PK][PM];
  __shared__ float by[2][PK][PN];
  float acc[HY][HX] = {0};
  float fa[2][HY];
  float fb[2][HX];
  const int nx = PM * PK / (count * 4);
  const int ny = PK * PN / (count * 4);
  float rx[4 * nx];
  float ry[4 * ny];
  const int xPer = PK / 4;
  const int yPer = PN / 4;
  const int xr = id / xPer;
  const int yr = id / yPer;
  const int xc = id % xPer * 4;
  const int yc = id % yPer * 4;
  const int xstep = count / xPer;
  const int ystep = count / yPer;
  X = &X[(PM * gy) * k];
  Y = &Y[PN * gx];
#pragma unroll
  for (int i = 0; i < PM; i += xstep) {
    int at = i / xstep * 4;
    V4(rx[at]) = V4(X[AT(xr + i, xc, k)]);
    bx[0][xc][xr + i] = rx[at];
    bx[0][xc + 1][xr + i] = rx[at + 1];
    bx[0][xc + 2][xr + i] = rx[at + 2];
    bx[0][xc + 3][xr + i] = rx[at + 3];
  }
#pragma unroll
  for (int i = 0; i < PK; i += ystep) V4(by[0][yr + i][yc]) = V4(Y[AT(yr + i, yc, n)]);
  __syncthreads();
#pragma unroll
  for (int i = 0; i < HY; i += 4) V4(fa[0][i]) = V4(bx[0][0][HY * ty + i]);
#pragma unroll
  for (int j = 0; j < HX; j += 4) V4(fb[0][j]) = V4(by[0][0][HX * tx + j]);
  int w = 1;
  int tile = 0;
  do {
    tile += PK;
    if (tile < k) {
#pragma unroll
      for (int i = 0; i < PM; i += xstep) {
        int at = i / xstep * 4;
        V4(rx[at]) = V4(X[AT(xr + i, xc + tile, k)]);
      }
#pragma unroll
      for (int i = 0; i < PK; i += ystep) {
        int at = i / ystep * 4;
        V4(ry[at]) = V4(Y[AT(tile + yr + i, yc, n)]);
      }
    }
    int r = w ^ 1;
#pragma unroll
    for (int d = 0; d < PK - 1; ++d) {
#pragma unroll
      for (int i = 0; i < HY; i += 4) V4(fa[(d + 1) % 2][i]) = V4(bx[r][d + 1][HY * ty + i]);
#pragma unroll
      for (int j = 0; j < HX; j += 4) V4(fb[(d + 1) % 2][j]) = V4(by[r][d + 1][HX * tx + j]);
#pragma unroll
      for (int i = 0; i < HY; ++i) {
#pragma unroll
        for (int j = 0; j < HX; ++j) acc[i][j] += fa[d % 2][i] * fb[d % 2][j];
      }
    }
    if (tile < k) {
#pragma unroll
      for (int i = 0; i < PM; i += xstep) {
        int at = i / xstep * 4;
        bx[w][xc][xr + i] = rx[at];
        bx[w][xc + 1][xr + i] = rx[at + 1];
        bx[w][xc + 2][xr + i] = rx[at + 2];
        bx[w][xc + 3][xr + i] = rx[at + 3];
      }
#pragma unroll
      for (int i = 0; i < PK; i += ystep) {
        int at = i / ystep * 4;
        V4(by[w][yr + i][yc]) = V4(ry[at]);
      }
      __syncthreads();
      w ^= 1;
    }
#pragma unroll
    for (int i = 0; i < HY; i += 4) V4(fa[0][i]) = V4(bx[r ^ 1][0][HY * ty + i]);
#pragma unroll
    for (int j = 0; j < HX; j += 4) V4(fb[0][j]) = V4(by[r ^ 1][0][HX * tx + j]);
#pragma unroll
    for (int i = 0; i < HY; ++i) {
#pragma unroll
      for (int j = 0; j < HX; ++j) acc[i][j] += fa[1][i] * fb[1][j];
    }
  } while (tile < k);
#pragma unroll
  for (int i = 0; i < HY; ++i) {
#pragma unroll
    for (int j = 0; j < HX; j += 4)
      V4(Z[AT(PM * gy + ty * HY + i, PN * gx + tx * HX + j, n)]) = V4(acc[i][j]);
  }
}
void run(size_t M, size_t K, size_t N, float *A, float *B, float *C) {
  const int BM = 128, BK = 8, BN = 128, TX = 8, TY = 8;
  dim3 b(BN / TX, BM / TY);
  dim3 g(N / BN, M / BM);
  form_one<BM, BK, BN, TY, TX, false><<<g, b>>>(A, B, C, M, N, K);
}
