#include <cuda_runtime.h>
#define AT(r, c, ld) ((r) * (ld) + (c))
#define V4(p) (reinterpret_cast<float4 *>(&(p))[0])
#pragma warpwright matmul
template <const int PM, const int PN, const int PK, const int HM, const int HN>
__global__ void form_seven(int m, int n, int kk, float al, float *X, float *Y, float be, float *Z) {
  int gx = blockIdx.x;
  int gy = blockIdx.y;
  const int acrossN = PN / HN;
  const int acrossM = PM / HM;
  const int count = acrossN * acrossM;
  int px = (threadIdx.x % acrossN) * HN;
  int py = (threadIdx.x / acrossN) * HM;
  __shared__ float bx[2][PK * PM];
  __shared__ float by[2][PK * PN];
  const int nx = PK * PM / count / 4;
  const int ny = PK * PN / count / 4;
  int xr = threadIdx.x / (PK / 4);
  int xc = threadIdx.x % (PK / 4) * 4;
  int xstep = PM / nx;
  int yr = threadIdx.x / (PN / 4);
  int yc = threadIdx.x % (PN / 4) * 4;
  int ystep = PK / ny;
  float acc[HM][HN] = {0.};
  float rx[4 * nx] = {0.};
  float ry[4 * ny] = {0.};
  float fa[2][HM];
  float fb[2][HN];
  X = &X[gy * PM * kk];
  Y = &Y[gx * PN];
  Z = &Z[gy * PM * n + gx * PN];
#pragma unroll
  for (int i = 0; i < PM; i += xstep) {
    int at = i / xstep * 4;
    V4(rx[at]) = V4(X[AT(xr + i, xc, kk)]);
    bx[0][AT(xc, i + xr, PM)] = rx[at];
    bx[0][AT(xc + 1, i + xr, PM)] = rx[at + 1];
    bx[0][AT(xc + 2, i + xr, PM)] = rx[at + 2];
    bx[0][AT(xc + 3, i + xr, PM)] = rx[at + 3];
  }
#pragma unroll
  for (int i = 0; i < PK; i += ystep) {
    V4(by[0][AT(yr + i, yc, PN)]) = V4(Y[AT(yr + i, yc, n)]);
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < HM; i += 4) V4(fa[0][i]) = V4(bx[0][AT(0, py + i, PM)]);
#pragma unroll
  for (int j = 0; j < HN; j += 4) V4(fb[0][j]) = V4(by[0][AT(0, px + j, PN)]);
  int w = 1;
  int r;
  int k = 0;
  do {
    k += PK;
    if (k < kk) {
#pragma unroll
      for (int i = 0; i < PM; i += xstep) {
        int at = i / xstep * 4;
        V4(rx[at]) = V4(X[AT(xr + i, k + xc, kk)]);
      }
#pragma unroll
      for (int i = 0; i < PK; i += ystep) {
        int at = i / ystep * 4;
        V4(ry[at]) = V4(Y[AT(k + yr + i, yc, n)]);
      }
    }
    r = w ^ 1;
#pragma unroll
    for (int d = 0; d < PK - 1; d++) {
      for (int i = 0; i < HM; i += 4) V4(fa[(d + 1) % 2][i]) = V4(bx[r][AT(d + 1, py + i, PM)]);
#pragma unroll
      for (int j = 0; j < HN; j += 4) V4(fb[(d + 1) % 2][j]) = V4(by[r][AT(d + 1, px + j, PN)]);
#pragma unroll
      for (int i = 0; i < HM; i++)
        for (int j = 0; j < HN; j++) acc[i][j] += fa[d % 2][i] * fb[d % 2][j];
    }
    if (k < kk) {
#pragma unroll
      for (int i = 0; i < PM; i += xstep) {
        int at = i / xstep * 4;
        bx[w][AT(xc, i + xr, PM)] = rx[at];
        bx[w][AT(xc + 1, i + xr, PM)] = rx[at + 1];
        bx[w][AT(xc + 2, i + xr, PM)] = rx[at + 2];
        bx[w][AT(xc + 3, i + xr, PM)] = rx[at + 3];
      }
#pragma unroll
      for (int i = 0; i < PK; i += ystep) {
        int at = i / ystep * 4;
        V4(by[w][AT(yr + i, yc, PN)]) = V4(ry[at]);
      }
      __syncthreads();
#pragma unroll
      for (int i = 0; i < HM; i += 4) V4(fa[0][i]) = V4(bx[w][AT(0, py + i, PM)]);
#pragma unroll
      for (int j = 0; j < HN; j += 4) V4(fb[0][j]) = V4(by[w][AT(0, px + j, PN)]);
      w ^= 1;
    }
#pragma unroll
    for (int i = 0; i < HM; i++)
#pragma unroll
      for (int j = 0; j < HN; j++) acc[i][j] += fa[(PK - 1) % 2][i] * fb[(PK - 1) % 2][j];
  } while (k < kk);
#pragma unroll
  for (int i = 0; i < HM; i++) {
#pragma unroll
    for (int j = 0; j < HN; j += 4) {
      float4 c = V4(Z[AT(py + i, px + j, n)]);
      c.x = al * acc[i][j] + be * c.x;
      c.y = al * acc[i][j + 1] + be * c.y;
      c.z = al * acc[i][j + 2] + be * c.z;
      c.w = al * acc[i][j + 3] + be * c.w;
      V4(Z[AT(py + i, px + j, n)]) = c;
    }
  }
}
#define CDIV(a, b) ((a + b - 1) / b)
void run(int M, int N, int K, float al, float *A, float *B, float be, float *C) {
  dim3 b(256);
  dim3 g(CDIV(N, 128), CDIV(M, 128));
  form_seven<128, 128, 8, 8, 8><<<g, b>>>(M, N, K, al, A, B, be, C);
}
