// Launches that Clang takes for launches by the device are not in its AST. Most
// are found when the file is parsed for the host; the others are reported.

// RUN: not %warpwright rewrite %s -o %t.cu -- %parse 2>%t.log
// RUN: FileCheck %s --input-file=%t.log
// RUN: FileCheck %s --check-prefix=TEXT --input-file=%t.cu

#include <cuda_fp16.h>

#pragma warpwright matmul
template <int Scale>
__global__ void scaled(const half *A, const half *B, float *C, int M, int N,
                       int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  C[row * N + col] = Scale * acc;
}
__global__ void another(int) {}

const half *A;
float *C;

// TEXT: {{^}}  int size = (another<<<1, 1>>>(1), 2);
// TEXT: {{^}}  int number = ((::warpwright::rt::Configure(1, 1), scaled_warpwright<3>(A, A, C, 1, 1, 1)), 1);
struct Member {
  int size = (another<<<1, 1>>>(1), 2);
  int number = (scaled<3><<<1, 1>>>(A, A, C, 1, 1, 1), 1);
};

// TEXT: {{^}}void launch(int = ((::warpwright::rt::Configure(1, 1), scaled_warpwright <4> (A, A, C, 1, 1, 1)), 1)) {}
void launch(int = (scaled <4> <<<1, 1>>>(A, A, C, 1, 1, 1), 1)) {}

// CHECK-NOT: is not redirected
// CHECK: :[[#@LINE+5]]:{{[0-9]+}}: warning: this launch of 'scaled' is not redirected: device code makes it, and launchers are host functions [WW404]
// TEXT: {{^}}  scaled<5><<<1, 1>>>(A, A, C, 1, 1, 1);
// TEXT: {{^}}int main() { {{.*}}scaled_warpwright<2>
__host__ __device__ void both() {
#ifndef __CUDA_ARCH__
  scaled<5><<<1, 1>>>(A, A, C, 1, 1, 1);
#endif
}
// CHECK-NOT: is not redirected

int main() { scaled<2><<<1, 1>>>(A, A, C, 1, 1, 1); }
