// FORM: four columns of a thread or a warp, each in a variable of its own and
// under a condition of its own
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first column needs no condition, since a loop or a return asks it. The
// number of tiles is computed by one thread for its block.

#include "check.h"

#pragma warpwright matmul
__global__ void columns_of_thread(const half *A, const half *B, float *C, int M,
                                  int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int n = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (row >= M || n >= N)
    return;
  float s0 = 0.0f, s1 = 0.0f, s2 = 0.0f, s3 = 0.0f;
  for (int k = 0; k < K; ++k) {
    const float a = __half2float(A[row * K + k]);
    s0 += a * __half2float(B[k * N + n]);
    if (n + 1 < N)
      s1 += a * __half2float(B[k * N + n + 1]);
    if (n + 2 < N)
      s2 += a * __half2float(B[k * N + n + 2]);
    if (n + 3 < N)
      s3 += a * __half2float(B[k * N + n + 3]);
  }
  C[row * N + n] = s0;
  if (n + 1 < N)
    C[row * N + n + 1] = s1;
  if (n + 2 < N)
    C[row * N + n + 2] = s2;
  if (n + 3 < N)
    C[row * N + n + 3] = s3;
}

#pragma warpwright matmul
__global__ void columns_of_warp(const half *A, const half *B, float *C, int M,
                                int N, int K) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (row >= M)
    return;
  for (int n = 0; n < N; n += 2) {
    float s0 = 0.0f, s1 = 0.0f;
    for (int k = lane; k < K; k += 32) {
      const float a = __half2float(A[row * K + k]);
      s0 += a * __half2float(B[n * K + k]);
      if (n + 1 < N)
        s1 += a * __half2float(B[(n + 1) * K + k]);
    }
    for (int offset = 16; offset; offset >>= 1) {
      s0 += __shfl_xor_sync(~0u, s0, offset);
      s1 += __shfl_xor_sync(~0u, s1, offset);
    }
    if (lane == 0) {
      C[row * N + n] = s0;
      if (n + 1 < N)
        C[row * N + n + 1] = s1;
    }
  }
}

constexpr int T = 16;

#pragma warpwright matmul
__global__ void count_in_shared(const half *A, const half *B, float *C, int M,
                                int N, int K) {
  __shared__ half As[T][T], Bs[T][T];
  __shared__ int tiles;
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  if (tx == 0 && ty == 0)
    tiles = (K + T - 1) / T;
  __syncthreads();
  float acc = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    As[ty][tx] = row < M && t * T + tx < K ? A[row * K + t * T + tx]
                                           : __float2half(0.0f);
    Bs[ty][tx] = t * T + ty < K && col < N ? B[(t * T + ty) * N + col]
                                           : __float2half(0.0f);
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += __half2float(As[ty][k]) * __half2float(Bs[k][tx]);
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{64, 48, 64}, check::Shape{37, 51, 70},
                         check::Shape{5, 3, 1}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n), Bt(s.n, s.k);
    check::Matrix<float> C(s.m, s.n), D(s.m, s.n), E(s.m, s.n);
    A.random(1);
    B.random(2);
    Bt.random(3);
    columns_of_thread<<<dim3(check::ceilDiv(s.n, 64), check::ceilDiv(s.m, 8)),
                        dim3(16, 8)>>>(A.data(), B.data(), C.data(), s.m, s.n,
                                       s.k);
    test.expect("columns_of_thread", s, C, check::product(s, A, B), A, B);
    columns_of_warp<<<check::ceilDiv(s.m, 4), 128>>>(A.data(), Bt.data(),
                                                     D.data(), s.m, s.n, s.k);
    const auto columns = [&](int k, int n) { return Bt(n, k); };
    test.expect("columns_of_warp", s, D, check::product(s, A, columns), A, Bt);
    count_in_shared<<<dim3(check::ceilDiv(s.n, T), check::ceilDiv(s.m, T)),
                      dim3(T, T)>>>(A.data(), B.data(), E.data(), s.m, s.n,
                                    s.k);
    test.expect("count_in_shared", s, E, check::product(s, A, B), A, B);
  }
  return test.finish();
}
