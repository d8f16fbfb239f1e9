// FORM: a warp or a group of lanes for each output: the lane's number from its
// register, masks of a vote and of some lanes, tiles of cooperative groups
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each lane of a group sums its share of the products of an output.

#include "check.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace groups = cooperative_groups;

__device__ unsigned laneNumber() {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

__device__ float partOf(const half *A, const half *B, int row, int col, int N,
                        int K, int first, int step) {
  float acc = 0.0f;
  for (int k = first; k < K; k += step)
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  return acc;
}

#pragma warpwright matmul
__global__ void by_vote(const half *A, const half *B, float *C, int N, int K) {
  const int row = blockIdx.y;
  const int col = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  const unsigned mask = __ballot_sync(0xffffffffu, col < N);
  if (col < N) {
    float acc = partOf(A, B, row, col, N, K, laneNumber(), 32);
    for (int offset = 16; offset > 0; offset >>= 1)
      acc += __shfl_down_sync(mask, acc, offset);
    if (laneNumber() == 0)
      C[row * N + col] = acc;
  }
}

#pragma warpwright matmul
__global__ void by_eight(const half *A, const half *B, float *C, int N, int K) {
  const int row = blockIdx.y, rank = threadIdx.x % 8;
  const int col = blockIdx.x * (blockDim.x / 8) + threadIdx.x / 8;
  if (col >= N)
    return;
  const unsigned mask = 0xffu << (threadIdx.x % 32 / 8 * 8);
  float acc = partOf(A, B, row, col, N, K, rank, 8);
  for (int offset = 4; offset > 0; offset >>= 1)
    acc += __shfl_xor_sync(mask, acc, offset);
  if (rank == 0)
    C[row * N + col] = acc;
}

#pragma warpwright matmul
__global__ void by_tile(const half *A, const half *B, float *C, int N, int K) {
  const groups::thread_block block = groups::this_thread_block();
  const groups::thread_block_tile<32> tile = groups::tiled_partition<32>(block);
  const int row = blockIdx.y;
  const int col = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (col >= N)
    return;
  float acc = partOf(A, B, row, col, N, K, tile.thread_rank(), tile.size());
  for (int offset = tile.size() / 2; offset > 0; offset /= 2)
    acc += tile.shfl_down(acc, offset);
  if (tile.thread_rank() == 0)
    C[row * N + col] = acc;
}

#pragma warpwright matmul
__global__ void reduced(const half *A, const half *B, float *C, int N, int K) {
  const auto tile = groups::tiled_partition<16>(groups::this_thread_block());
  const int row = blockIdx.y;
  const int col = blockIdx.x * (blockDim.x / 16) + threadIdx.x / 16;
  if (col >= N)
    return;
  float acc = partOf(A, B, row, col, N, K, tile.thread_rank(), 16);
  acc = groups::reduce(tile, acc, groups::plus<float>());
  if (tile.thread_rank() == 0)
    C[row * N + col] = acc;
}

// Each lane loads an element of A for all.
#pragma warpwright matmul
__global__ void for_all(const half *A, const half *B, float *C, int N, int K) {
  const int lane = threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * 32 + lane;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += 32) {
    const float a =
        k0 + lane < K ? __half2float(A[row * K + k0 + lane]) : 0.0f;
    for (int k = 0; k < 32; ++k) {
      const float b =
          k0 + k < K ? __half2float(B[(k0 + k) * N + col]) : 0.0f;
      acc += __shfl_sync(0xffffffffu, a, k) * b;
    }
  }
  C[row * N + col] = acc;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{64, 48, 64}, check::Shape{20, 72, 40},
                         check::Shape{16, 8, 160}, check::Shape{5, 4, 7}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n), D(s.m, s.n), E(s.m, s.n), F(s.m, s.n);
    A.random(1);
    B.random(2);
    auto grid = [&](int lanes) {
      return dim3(check::ceilDiv(s.n, 128 / lanes), s.m);
    };
    by_vote<<<grid(32), 128>>>(A.data(), B.data(), C.data(), s.n, s.k);
    test.expect("by_vote", s, C, check::product(s, A, B), A, B);
    by_eight<<<grid(8), 128>>>(A.data(), B.data(), D.data(), s.n, s.k);
    test.expect("by_eight", s, D, check::product(s, A, B), A, B);
    by_tile<<<grid(32), 128>>>(A.data(), B.data(), E.data(), s.n, s.k);
    test.expect("by_tile", s, E, check::product(s, A, B), A, B);
    reduced<<<grid(16), 128>>>(A.data(), B.data(), F.data(), s.n, s.k);
    test.expect("reduced", s, F, check::product(s, A, B), A, B);
  }
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{8, 32, 72}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(3);
    B.random(4);
    for_all<<<dim3(s.n / 32, s.m / 4), dim3(32, 4)>>>(A.data(), B.data(),
                                                      C.data(), s.n, s.k);
    test.expect("for_all", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
