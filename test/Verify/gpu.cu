// REQUIRES: nvcc
// With --gpu the program is built by nvcc. Without a device it says so.
// RUN: echo '{"plans": [{"name": "small", "family": "small", \
// RUN:   "tile": [64, 64, 32], "stages": 4, "consumers": 1}]}' > %t.json
// RUN: %warpwright verify %s --gpu --plan=%t.json --count=1 --keep=%t.kept \
// RUN:   --build-only -- -std=c++17 2>&1 | %FileCheck %s --check-prefix=BUILT
// RUN: env CUDA_VISIBLE_DEVICES=-1 %not %t.kept/verify | %FileCheck %s

#pragma warpwright matmul
__global__ void gemm(const float *A, const float *B, float *C, int M, int N,
                     int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
      sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
  }
}

// BUILT: warpwright: built {{.*}}.kept/verify
// CHECK: there is no GPU to run on: {{[a-zA-Z]}}
// CHECK-NEXT: FAIL
