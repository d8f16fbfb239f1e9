#include <cuda_runtime.h>
#pragma warpwright matmul
__global__ void ranges(float *R, float *P, float *Q, int rp, int cp, int cq) {
  int i, j, k;
  const int bx = blockIdx.x;
  const int by = blockIdx.y;
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int rb = rp / gridDim.x;
  const int cb = cq / gridDim.y;
  const int rt = rb / blockDim.x;
  const int ct = cb / blockDim.y;
  const int r0 = bx * rb;
  const int c0 = by * cb;
  const int rs = r0 + tx * rt;
  const int re = r0 + (tx + 1) * rt - 1;
  const int cs = c0 + ty * ct;
  const int ce = c0 + (ty + 1) * ct - 1;
  int at;
  float s = 0;
  for (i = rs; i <= re; i++) {
    for (j = cs; j <= ce; j++) {
      s = 0;
      at = i * cq + j;
      for (k = 0; k < cp; k++) {
        s += P[i * cp + k] * Q[k * cq + j];
      }
      R[at] = s;
    }
  }
}
void run(float *C, float *A, float *B, int n) {
  dim3 b(16, 16);
  dim3 g(128, 128);
  ranges<<<g, b>>>(C, A, B, n, n, n);
}
