#include <cuda_runtime.h>
#define EDGE 16
typedef struct {
  int width;
  int height;
  int stride;
  float *elements;
} Mat;
__device__ float at(const Mat A, int row, int col) { return A.elements[row * A.stride + col]; }
__device__ void put(Mat A, int row, int col, float v) { A.elements[row * A.stride + col] = v; }
__device__ Mat part(Mat A, int row, int col) {
  Mat S;
  S.width = EDGE;
  S.height = EDGE;
  S.stride = A.stride;
  S.elements = &A.elements[A.stride * EDGE * row + EDGE * col];
  return S;
}
#pragma warpwright matmul
__global__ void guide(Mat P, Mat Q, Mat R) {
  int br = blockIdx.y;
  int bc = blockIdx.x;
  Mat sub = part(R, br, bc);
  float v = 0;
  int row = threadIdx.y;
  int col = threadIdx.x;
  for (int m = 0; m < (P.width / EDGE); ++m) {
    Mat ps = part(P, br, m);
    Mat qs = part(Q, m, bc);
    __shared__ float sp[EDGE][EDGE];
    __shared__ float sq[EDGE][EDGE];
    sp[row][col] = at(ps, row, col);
    sq[row][col] = at(qs, row, col);
    __syncthreads();
    for (int e = 0; e < EDGE; ++e) v += sp[row][e] * sq[e][col];
    __syncthreads();
  }
  put(sub, row, col, v);
}
void run(const Mat A, const Mat B, Mat C, Mat dA, Mat dB, Mat dC) {
  dim3 b(EDGE, EDGE);
  dim3 g(B.width / b.x, A.height / b.y);
  guide<<<g, b>>>(dA, dB, dC);
}
