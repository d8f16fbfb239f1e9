// FORM: a block for each output, whose threads add up their sums
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In shared memory, in a tree; in warps first, and then in one warp; by one
// thread.

#include "check.h"

constexpr int Threads = 128;

__device__ float partOf(const half *A, const half *B, int N, int K) {
  const int row = blockIdx.y, col = blockIdx.x;
  float acc = 0.0f;
  for (int k = threadIdx.x; k < K; k += Threads)
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  return acc;
}

#pragma warpwright matmul
__global__ void tree(const half *A, const half *B, float *C, int N, int K) {
  __shared__ float part[Threads];
  const int t = threadIdx.x;
  part[t] = partOf(A, B, N, K);
  __syncthreads();
  for (int half_of = Threads / 2; half_of > 0; half_of >>= 1) {
    if (t < half_of)
      part[t] += part[t + half_of];
    __syncthreads();
  }
  if (t == 0)
    C[blockIdx.y * N + blockIdx.x] = part[0];
}

// Neighbours first, then those two, four and more threads apart.
#pragma warpwright matmul
__global__ void growing_tree(const half *A, const half *B, float *C, int N,
                             int K) {
  __shared__ float part[Threads];
  const int t = threadIdx.x;
  part[t] = partOf(A, B, N, K);
  __syncthreads();
  for (int step = 1; step < blockDim.x; step *= 2) {
    if (t % (2 * step) == 0)
      part[t] += part[t + step];
    __syncthreads();
  }
  if (t == 0)
    C[blockIdx.y * N + blockIdx.x] = part[0];
}

#pragma warpwright matmul
__global__ void growing_index(const half *A, const half *B, float *C, int N,
                              int K) {
  __shared__ float part[Threads];
  part[threadIdx.x] = partOf(A, B, N, K);
  __syncthreads();
  for (int step = 1; step < Threads; step *= 2) {
    const int i = 2 * step * threadIdx.x;
    if (i < Threads)
      part[i] += part[i + step];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    C[blockIdx.y * N + blockIdx.x] = part[0];
}

__device__ float warpSum(float v) {
  for (int offset = 16; offset > 0; offset /= 2)
    v += __shfl_xor_sync(0xffffffffu, v, offset);
  return v;
}

#pragma warpwright matmul
__global__ void warps(const half *A, const half *B, float *C, int N, int K) {
  __shared__ float part[32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  float acc = warpSum(partOf(A, B, N, K));
  if (lane == 0)
    part[warp] = acc;
  __syncthreads();
  if (warp == 0) {
    acc = warpSum(lane < Threads / 32 ? part[lane] : 0.0f);
    if (lane == 0)
      C[blockIdx.y * N + blockIdx.x] = acc;
  }
}

#pragma warpwright matmul
__global__ void one_thread(const half *A, const half *B, float *C, int N,
                           int K) {
  __shared__ float part[Threads];
  part[threadIdx.x] = partOf(A, B, N, K);
  __syncthreads();
  if (threadIdx.x == 0) {
    float acc = 0.0f;
    for (int i = 0; i < Threads; ++i)
      acc += part[i];
    C[blockIdx.y * N + blockIdx.x] = acc;
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{16, 24, 64}, check::Shape{8, 8, 320},
                         check::Shape{5, 3, 7}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n), D(s.m, s.n), E(s.m, s.n);
    check::Matrix<float> F(s.m, s.n), G(s.m, s.n);
    A.random(1);
    B.random(2);
    const dim3 grid(s.n, s.m);
    tree<<<grid, Threads>>>(A.data(), B.data(), C.data(), s.n, s.k);
    test.expect("tree", s, C, check::product(s, A, B), A, B);
    warps<<<grid, Threads>>>(A.data(), B.data(), D.data(), s.n, s.k);
    test.expect("warps", s, D, check::product(s, A, B), A, B);
    one_thread<<<grid, Threads>>>(A.data(), B.data(), E.data(), s.n, s.k);
    test.expect("one_thread", s, E, check::product(s, A, B), A, B);
    growing_tree<<<grid, Threads>>>(A.data(), B.data(), F.data(), s.n, s.k);
    test.expect("growing_tree", s, F, check::product(s, A, B), A, B);
    growing_index<<<grid, Threads>>>(A.data(), B.data(), G.data(), s.n, s.k);
    test.expect("growing_index", s, G, check::product(s, A, B), A, B);
  }
  return test.finish();
}
