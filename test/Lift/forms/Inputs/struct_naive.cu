#include <cuda_runtime.h>
struct Mat { int width; int height; float *elements; };
#pragma warpwright matmul
__global__ void struct_plain(Mat P, Mat Q, Mat R) {
  float v = 0.0f;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < P.width; ++k) v += P.elements[row * P.width + k] * Q.elements[k * Q.width + col];
  R.elements[row * R.width + col] = v;
}
void run(Mat A, Mat B, Mat C) {
  dim3 b(16, 16);
  dim3 g(B.width / b.x, A.height / b.y);
  struct_plain<<<g, b>>>(A, B, C);
}
