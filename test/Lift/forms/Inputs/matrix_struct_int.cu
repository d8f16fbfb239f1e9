#include <cuda_runtime.h>
#include <cmath>
#define WIDE 16
typedef struct {
  int width;
  int height;
  int pitch;
  float *elements;
} Mat;
#pragma warpwright matmul
__global__ void struct_tiles_int(Mat P, Mat Q, Mat R) {
  __shared__ float sp[WIDE][WIDE];
  __shared__ float sq[WIDE][WIDE];
  int tx = threadIdx.x; int ty = threadIdx.y;
  int bx = blockIdx.x; int by = blockIdx.y;
  int row = by * WIDE + ty;
  int col = bx * WIDE + tx;
  float v = 0;
  for (int i = 0; i < ceilf(P.width / (float)WIDE); i++) {
    if (row < P.height && (i * WIDE + tx) < P.width)
      sp[ty][tx] = P.elements[row * P.width + i * WIDE + tx];
    else
      sp[ty][tx] = 0;
    if (col < Q.width && (i * WIDE + ty) < Q.height)
      sq[ty][tx] = Q.elements[(i * WIDE + ty) * Q.width + col];
    else
      sq[ty][tx] = 0;
    __syncthreads();
    for (int j = 0; j < WIDE; j++) v += sp[ty][j] * sq[j][tx];
    __syncthreads();
  }
  if (row < R.height && col < R.width) R.elements[row * R.width + col] = v;
}
void run(Mat M, Mat N, Mat P) {
  dim3 b(WIDE, WIDE);
  dim3 g(ceil(P.width / (float)WIDE), ceil(P.height / (float)WIDE));
  struct_tiles_int<<<g, b>>>(M, N, P);
}
