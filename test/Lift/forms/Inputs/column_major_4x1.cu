#include <cuda_runtime.h>
#define X(i, j) X[(i) + (j)*ldx]
#define Y(i, j) Y[(i) + (j)*ldy]
#define Z(i, j) Z[(i) + (j)*ldz]
#define sx(i, j) sx[((j) << 5) + (i)]
#define sy(i, j) sy[((j) << 5) + (i)]
#define EM 32
#define EN 32
#define EK 32
#pragma warpwright matmul
__global__ __launch_bounds__(256) void cm_four(int m, int n, int k, float al, float *X, float *Y,
                                               float be, float *Z) {
  int ldx = m, ldy = k, ldz = m;
  int t = threadIdx.x;
  int gx = blockIdx.x, gy = blockIdx.y;
  int r1 = (t & 7) << 2, r2 = r1 + 1, r3 = r1 + 2, r4 = r1 + 3, c = t >> 3;
  X = &X((gx << 5), 0);
  Y = &Y(0, (gy << 5));
  Z = &Z((gx << 5), (gy << 5));
  __shared__ float sx[EM * EK];
  __shared__ float sy[EK * EN];
  float res[4] = {0., 0., 0., 0.};
  float b;
  for (int q = 0; q < k; q += EK) {
    sx(r1, c) = X(r1, c);
    sx(r2, c) = X(r2, c);
    sx(r3, c) = X(r3, c);
    sx(r4, c) = X(r4, c);
    sy(c, r1) = Y(r1, c);
    sy(c, r2) = Y(r2, c);
    sy(c, r3) = Y(r3, c);
    sy(c, r4) = Y(r4, c);
    X += (ldx << 5);
    Y += 32;
    __syncthreads();
#pragma unroll
    for (int d = 0; d < EK; d++) {
      b = sy(c, d);
      res[0] += sx(r1, d) * b;
      res[1] += sx(r2, d) * b;
      res[2] += sx(r3, d) * b;
      res[3] += sx(r4, d) * b;
    }
    __syncthreads();
  }
  Z(r1, c) = al * res[0] + be * Z(r1, c);
  Z(r2, c) = al * res[1] + be * Z(r2, c);
  Z(r3, c) = al * res[2] + be * Z(r3, c);
  Z(r4, c) = al * res[3] + be * Z(r4, c);
}
#undef X
#undef Y
#undef Z
#define CDIV(a, b) ((a + b - 1) / b)
void run(int M, int N, int K, float al, float *A, float *B, float be, float *C) {
  dim3 b(256);
  dim3 g(CDIV(M, 32), CDIV(N, 32));
  cm_four<<<g, b>>>(M, N, K, al, A, B, be, C);
}
