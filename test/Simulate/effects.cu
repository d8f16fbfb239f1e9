// What kernels do beside storing sums: two kernels add to one array at the same
// time, also by a stride of 0, and a block of another shape gets its message.
// RUN: env WARPWRIGHT_LOG=1 %warpwright sim %s 2>&1 | %FileCheck %s

// CHECK-DAG: warpwright: products: hopper tile
// CHECK-DAG: warpwright: scaled: hopper tile
// CHECK-DAG: warpwright: scaled: original: several threads add to the same element
// CHECK-DAG: warpwright: in_blocks: hopper tile
// CHECK-DAG: warpwright: in_blocks: original: the kernel's condition does not hold
// CHECK-DAG: a block is 32 wide
// CHECK-DAG: equal, equal, untouched

#include <cstdio>
#include <cuda_fp16.h>

#define SUM                                                                    \
  const int row = blockIdx.y * blockDim.y + threadIdx.y;                       \
  const int col = blockIdx.x * blockDim.x + threadIdx.x;                       \
  if (row >= M || col >= N)                                                    \
    return;                                                                    \
  float sum = 0;                                                               \
  for (int k = 0; k < K; ++k)                                                  \
    sum += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);

#pragma warpwright matmul tile(64, 32, 64)
__global__ void products(const half *A, const half *B, float *C, int M, int N,
                         int K) {
  SUM
  atomicAdd(&C[row * N + col], sum);
}

#pragma warpwright matmul tile(64, 32, 64)
__global__ void scaled(const half *A, const half *B, float *C, int M, int N,
                       int K, float scale, int columns) {
  SUM
  atomicAdd(&C[row * N + col * columns], scale * sum);
}

#pragma warpwright matmul tile(64, 32, 64)
__global__ void in_blocks(const half *A, const half *B, float *C, int M, int N,
                          int K) {
  if (blockDim.x != 16) {
    if (blockIdx.x + blockIdx.y + threadIdx.x + threadIdx.y == 0)
      printf("a block is %d wide\n", blockDim.x);
    return;
  }
  SUM
  C[row * N + col] = sum;
}

int main() {
  const int M = 40, N = 24, K = 64;
  half *A, *B;
  float *C, *D;
  cudaMallocManaged(&A, M * K * sizeof(half));
  cudaMallocManaged(&B, K * N * sizeof(half));
  cudaMallocManaged(&C, M * N * sizeof(float));
  cudaMallocManaged(&D, M * N * sizeof(float));
  for (int i = 0; i < M * K; ++i)
    A[i] = __float2half(float(i * 7 % 5 - 2));
  for (int i = 0; i < K * N; ++i)
    B[i] = __float2half(float(i * 3 % 7 - 3));
  for (int i = 0; i < M * N; ++i)
    C[i] = D[i] = float(i % 4);
  cudaStream_t streams[2];
  for (cudaStream_t &stream : streams)
    cudaStreamCreate(&stream);
  const dim3 grid(2, 3), block(16, 16);
  for (int i = 0; i < 3; ++i) {
    products<<<grid, block, 0, streams[0]>>>(A, B, C, M, N, K);
    scaled<<<grid, block, 0, streams[1]>>>(A, B, C, M, N, K, 2.0f, 1);
  }
  scaled<<<grid, block, 0, streams[1]>>>(A, B, C, M, N, K, -1.0f, 0);
  cudaDeviceSynchronize();
  bool sums = true, plain = true, untouched = true;
  float *wanted = new float[M * N];
  for (int i = 0; i < M * N; ++i) {
    wanted[i] = 0;
    for (int k = 0; k < K; ++k)
      wanted[i] += __half2float(A[i / N * K + k]) *
                   __half2float(B[k * N + i % N]);
  }
  for (int i = 0; i < M * N; ++i) {
    float all = i % 4 + 9 * wanted[i];
    for (int n = 0; i % N == 0 && n < N; ++n)
      all -= wanted[i + n];
    sums &= C[i] == all;
  }
  in_blocks<<<grid, block>>>(A, B, D, M, N, K);
  cudaDeviceSynchronize();
  for (int i = 0; i < M * N; ++i) {
    plain &= D[i] == wanted[i];
    D[i] = 5;
  }
  in_blocks<<<dim3(1, 5), dim3(32, 8)>>>(A, B, D, M, N, K);
  cudaDeviceSynchronize();
  for (int i = 0; i < M * N; ++i)
    untouched &= D[i] == 5;
  printf("%s, %s, %s\n", sums ? "equal" : "different",
         plain ? "equal" : "different", untouched ? "untouched" : "stored to");
  return 0;
}
