// Launches that need scratch memory take the original where it is forbidden:
// operands that TMA cannot read, plans in slices of k, and numbers of four bits that a
// kernel gathers.
// RUN: env WARPWRIGHT_LOG=1 %warpwright sim %s 2>&1 | %FileCheck %s
// RUN: env WARPWRIGHT_LOG=1 WARPWRIGHT_SCRATCH=off %warpwright sim %s 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=OFF

// CHECK: warpwright: sliced: hopper tile
// CHECK: warpwright: sliced: hopper tile
// CHECK: warpwright: whole: hopper tile
// CHECK: warpwright: whole: hopper tile
// CHECK: warpwright: words: original: W: its numbers are not in pairs along k
// CHECK: warpwright: words: hopper tile
// CHECK: equal
// OFF: warpwright: sliced: original: all plans are in slices, and WARPWRIGHT_SCRATCH=off
// OFF: warpwright: sliced: original: all plans are in slices, and WARPWRIGHT_SCRATCH=off
// OFF: warpwright: whole: original: the rows of A are not multiples of 16 bytes apart
// OFF: warpwright: whole: hopper tile
// OFF: warpwright: words: original: W: its numbers are not in pairs along k
// OFF: warpwright: words: original: the numbers of four bits of W are in another order
// OFF: equal

#include <cstdio>
#include <cuda_fp16.h>
#include <vector>

#pragma warpwright matmul tile(64, 32, 64) split_k(3)
__global__ void sliced(const half *A, const half *B, float *C, int M, int N,
                       int K) {
  int m = blockIdx.y * blockDim.y + threadIdx.y;
  int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= M || n >= N)
    return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k)
    sum += __half2float(A[m * K + k]) * __half2float(B[k * N + n]);
  C[m * N + n] = sum;
}

#pragma warpwright matmul tile(64, 32, 64)
__global__ void whole(const half *A, const half *B, float *C, int M, int N,
                      int K) {
  int m = blockIdx.y * blockDim.y + threadIdx.y;
  int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= M || n >= N)
    return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k)
    sum += __half2float(A[m * K + k]) * __half2float(B[k * N + n]);
  C[m * N + n] = sum;
}

#pragma warpwright matmul tile(64, 64, 64)
__global__ void words(const half *A, const unsigned char *W, float *C, int M,
                      int N, int K) {
  int m = blockIdx.y * blockDim.y + threadIdx.y;
  int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= M || n >= N)
    return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k)
    sum += __half2float(A[m * K + k]) *
           float(W[k * (N / 2) + n / 2] >> 4 * (n % 2) & 15);
  C[m * N + n] = sum;
}

int main() {
  const int M = 40, N = 24;
  bool equal = true;
  for (auto kernel : {0, 1, 2})
    for (int K : {261, 256}) {
      half *A, *B;
      float *C;
      cudaMalloc(&A, M * K * sizeof(half));
      cudaMalloc(&B, K * N * sizeof(half));
      cudaMalloc(&C, M * N * sizeof(float));
      std::vector<half> a(M * K), b(K * N);
      for (int i = 0; i < M * K; ++i)
        a[i] = __float2half(float(i * 7 % 5 - 2));
      for (int i = 0; i < K * N; ++i)
        b[i] = __float2half(float(i * 5 % 7 - 3));
      cudaMemcpy(A, a.data(), M * K * sizeof(half), cudaMemcpyHostToDevice);
      cudaMemcpy(B, b.data(), K * N * sizeof(half), cudaMemcpyHostToDevice);
      const dim3 grid(2, 3), block(16, 16);
      if (kernel == 0)
        sliced<<<grid, block>>>(A, B, C, M, N, K);
      else if (kernel == 1)
        whole<<<grid, block>>>(A, B, C, M, N, K);
      else
        words<<<grid, block>>>(A, (const unsigned char *)B, C, M, N, K);
      const auto *bytes = reinterpret_cast<const unsigned char *>(b.data());
      auto factor = [&](int k, int n) {
        return kernel == 2 ? float(bytes[k * (N / 2) + n / 2] >> 4 * (n % 2) & 15)
                           : __half2float(b[k * N + n]);
      };
      std::vector<float> c(M * N);
      cudaMemcpy(c.data(), C, M * N * sizeof(float), cudaMemcpyDeviceToHost);
      for (int m = 0; m < M; ++m)
        for (int n = 0; n < N; ++n) {
          float sum = 0.0f;
          for (int k = 0; k < K; ++k)
            sum += __half2float(a[m * K + k]) * factor(k, n);
          equal &= c[m * N + n] == sum;
        }
      cudaFree(A), cudaFree(B), cudaFree(C);
    }
  puts(equal ? "equal" : "different");
  return !equal;
}
