// FORM: shared-memory tiles: barriers in shared memory, which threads arrive at
// and wait for, and which wait for copies, too
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both halves at once; by a token; with copies of four elements by some of the
// threads; with the next tile copied while one is multiplied, for which one barrier
// waits, or two barriers in turn.

#include "check.h"

#include <cooperative_groups.h>
#include <cuda/barrier>

constexpr int T = 16;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

#pragma nv_diag_suppress static_var_with_dynamic_init

#pragma warpwright matmul
__global__ void halves(const half *A, const half *B, float *C, int N, int K) {
  __shared__ Barrier bar;
  __shared__ half As[T][T], Bs[T][T];
  const auto block = cooperative_groups::this_thread_block();
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  if (block.thread_rank() == 0)
    init(&bar, block.size());
  block.sync();
  half a = A[row * K + tx], b = B[ty * N + col];
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty][tx] = a;
    Bs[ty][tx] = b;
    Barrier::arrival_token token = bar.arrive();
    if (k0 + T < K) {
      a = A[row * K + k0 + T + tx];
      b = B[(k0 + T + ty) * N + col];
    }
    bar.wait(static_cast<Barrier::arrival_token &&>(token));
    for (int k = 0; k < T; ++k)
      acc += __half2float(As[ty][k]) * __half2float(Bs[k][tx]);
    bar.arrive_and_wait();
  }
  C[row * N + col] = acc;
}

#pragma warpwright matmul
__global__ void chunks(const half *A, const half *B, float *C, int N, int K) {
  __shared__ Barrier bar;
  __shared__ __align__(8) half As[T][T], Bs[T][T];
  const int ty = threadIdx.y, t4 = threadIdx.x * 4;
  if (threadIdx.x == 0 && ty == 0)
    init(&bar, blockDim.x * blockDim.y);
  __syncthreads();
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    if (t4 < T) {
      cuda::memcpy_async(
          reinterpret_cast<uint2 *>(&As[ty][t4]),
          reinterpret_cast<const uint2 *>(
              &A[(blockIdx.y * T + ty) * K + k0 + t4]),
          sizeof(uint2), bar);
      cuda::memcpy_async(
          reinterpret_cast<uint2 *>(&Bs[ty][t4]),
          reinterpret_cast<const uint2 *>(
              &B[(k0 + ty) * N + blockIdx.x * T + t4]),
          sizeof(uint2), bar);
    }
    bar.arrive_and_wait();
    for (int k = 0; k < T; ++k)
      acc += __half2float(As[ty][k]) * __half2float(Bs[k][threadIdx.x]);
    bar.arrive_and_wait();
  }
  C[(blockIdx.y * T + ty) * N + blockIdx.x * T + threadIdx.x] = acc;
}

#pragma warpwright matmul
__global__ void copies_ahead(const float *A, const float *B, float *C, int N,
                             int K) {
  __shared__ Barrier bar;
  __shared__ float As[2][T][T], Bs[2][T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  if (tx == 0 && ty == 0)
    init(&bar, T * T);
  __syncthreads();
  auto copy = [&](int into, int k0) {
    cuda::memcpy_async(&As[into][ty][tx], &A[row * K + k0 + tx], sizeof(float),
                       bar);
    cuda::memcpy_async(&Bs[into][ty][tx], &B[(k0 + ty) * N + col],
                       sizeof(float), bar);
  };
  int now = 0;
  float acc = 0.0f;
  copy(0, 0);
  for (int k0 = 0; k0 < K; k0 += T, now ^= 1) {
    bar.arrive_and_wait();
    if (k0 + T < K)
      copy(now ^ 1, k0 + T);
    for (int k = 0; k < T; ++k)
      acc += As[now][ty][k] * Bs[now][k][tx];
  }
  C[row * N + col] = acc;
}

// Four outputs per thread; iterations exchange the barriers and the buffers.
#pragma warpwright matmul
__global__ void exchanged(int N, int K, float alpha, const float *A,
                          const float *B, float *C) {
  __shared__ Barrier front, back;
  __shared__ float As[2 * T * T], Bs[2 * T * T];
  const auto block = cooperative_groups::this_thread_block();
  Barrier *now = &front, *next = &back;
  if (block.thread_rank() == 0) {
    init(&front, block.size());
    init(&back, block.size());
  }
  __syncthreads();
  const int row = threadIdx.x / (T / 4), part = threadIdx.x % (T / 4) * 4;
  A += blockIdx.y * T * K;
  B += blockIdx.x * T;
  float sums[4] = {0.0f};
  auto load = [&](float *a, float *b, Barrier &barrier) {
    for (int i = 0; i < 4; ++i)
      cuda::memcpy_async(&a[(part + i) * T + row], &A[row * K + part + i],
                         sizeof(float), barrier);
    cuda::memcpy_async(&b[row * T + part], &B[row * N + part],
                       cuda::aligned_size_t<sizeof(float4)>(sizeof(float4)),
                       barrier);
  };
  auto multiply = [&](const float *a, const float *b) {
    for (int k = 0; k < T; ++k)
      for (int i = 0; i < 4; ++i)
        sums[i] += a[k * T + row] * b[k * T + part + i];
  };
  int buffer = 0;
  load(As, Bs, *now);
  for (unsigned k0 = 0; k0 < K - T; k0 += T) {
    A += T;
    B += T * N;
    load(As + (1 - buffer) * T * T, Bs + (1 - buffer) * T * T, *next);
    now->arrive_and_wait();
    multiply(As + buffer * T * T, Bs + buffer * T * T);
    buffer = 1 - buffer;
    Barrier *const other = now;
    now = next;
    next = other;
    __syncthreads();
  }
  now->arrive_and_wait();
  multiply(As + buffer * T * T, Bs + buffer * T * T);
  for (int i = 0; i < 4; ++i)
    C[(blockIdx.y * T + row) * N + blockIdx.x * T + part + i] =
        alpha * sums[i];
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{128, 64, 96},
                         check::Shape{32, 32, 160}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> X(s.m, s.k), Y(s.k, s.n);
    check::Matrix<float> C(s.m, s.n), D(s.m, s.n), E(s.m, s.n);
    A.random(1);
    B.random(2);
    X.random(3);
    Y.random(4);
    const dim3 grid(s.n / T, s.m / T), block(T, T);
    halves<<<grid, block>>>(A.data(), B.data(), C.data(), s.n, s.k);
    test.expect("halves", s, C, check::product(s, A, B), A, B);
    chunks<<<grid, block>>>(A.data(), B.data(), D.data(), s.n, s.k);
    test.expect("chunks", s, D, check::product(s, A, B), A, B);
    copies_ahead<<<grid, block>>>(X.data(), Y.data(), E.data(), s.n, s.k);
    test.expect("copies_ahead", s, E, check::product(s, X, Y), X, Y);
    check::Matrix<float> F(s.m, s.n);
    exchanged<<<grid, T * T / 4>>>(s.n, s.k, 1.0f, X.data(), Y.data(),
                                   F.data());
    test.expect("exchanged", s, F, check::product(s, X, Y), X, Y);
  }
  return test.finish();
}
