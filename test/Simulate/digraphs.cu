// Brackets that are spelt as digraphs, in kernels, in shared memory and in
// launches.
// RUN: %warpwright sim %s | %FileCheck %s
// RUN: %warpwright sim --original %s | %FileCheck %s
// CHECK: 7 3

#include <cstdio>
#include <cuda_fp16.h>

#pragma warpwright matmul tile(64, 32, 64)
__global__ void gemm(const half *A, const half B<::>, float *C, int M, int N, int K) <%
  int m = blockIdx.y * blockDim.y + threadIdx.y;
  int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= M || n >= N)
    return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k)
    sum += __half2float(A<:m * K + k:>) * __half2float(B<:k * N + n:>);
  C<:m * N + n:> = sum;
%>

__global__ void exchange(float *C) <%
  __shared__ float tile<:2:><:2:>;
  extern __shared__ float dynamic<::>;
  dynamic<:threadIdx.x:> = tile<:1:><:threadIdx.x:> = float(threadIdx.x + 2);
  __syncthreads();
  C<:1:> = tile<:1:><:1 - threadIdx.x % 1:> + 0.0f * dynamic<:0:>;
%>

int main() <%
  half a<:7:>, *A;
  float c<:2:> = <%0.0f, 0.0f%>, *C;
  for (half &x : a)
    x = __float2half(1.0f);
  cudaMalloc(&A, sizeof a);
  cudaMalloc(&C, sizeof c);
  cudaMemcpy(A, a, sizeof a, cudaMemcpyHostToDevice);
  gemm<<< <%1, 1%>, <%16, 16%> >>>(A, A, C, 1, 1, 7);
  exchange<<<1, dim3<%2%>, 64>>>(C);
  cudaMemcpy(c, C, sizeof c, cudaMemcpyDeviceToHost);
  printf("%g %g\n", c<:0:>, c<:1:>);
%>
