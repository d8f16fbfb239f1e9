// Sizes and indices of 64 bits, unsigned ones, and mixtures with int.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cuda_runtime.h>
#pragma warpwright matmul
__global__ void sizes(const float *A, const float *B, float *C, size_t M,
                      size_t N, size_t K) {
  constexpr unsigned T = 16;
  __shared__ float As[T][T], Bs[T][T];
  size_t row = blockIdx.y * T + threadIdx.y;
  size_t col = blockIdx.x * T + threadIdx.x;
  float acc = 0;
  for (size_t k = 0; k < (K + T - 1) / T; ++k) {
    As[threadIdx.y][threadIdx.x] = row < M && k * T + threadIdx.x < K
                                       ? A[row * K + k * T + threadIdx.x]
                                       : 0.f;
    Bs[threadIdx.y][threadIdx.x] = col < N && k * T + threadIdx.y < K
                                       ? B[(k * T + threadIdx.y) * N + col]
                                       : 0.f;
    __syncthreads();
    for (unsigned i = 0; i < T; ++i)
      acc += As[threadIdx.y][i] * Bs[i][threadIdx.x];
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}
#pragma warpwright matmul
__global__ void mixed(const float *A, const float *B, float *C, int M,
                      unsigned N, long long K) {
  constexpr int T = 16;
  __shared__ float As[T * T], Bs[T * T];
  unsigned tx = threadIdx.x;
  int ty = threadIdx.y;
  int row = blockIdx.y * T + ty;
  size_t col = (size_t)blockIdx.x * T + tx;
  float acc = 0;
  for (long long k = 0; k < K; k += T) {
    As[ty * T + tx] = row < M && k + tx < K ? A[(size_t)row * K + k + tx] : 0.f;
    Bs[ty * T + tx] = col < N && k + ty < K ? B[(k + ty) * N + col] : 0.f;
    __syncthreads();
    for (int i = 0; i < T; ++i)
      acc += As[ty * T + i] * Bs[i * T + tx];
    __syncthreads();
  }
  if (row < M && col < N)
    C[(size_t)row * N + col] = acc;
}
template <typename T, size_t BM, size_t BN, size_t BK, size_t NT>
__device__ void load_tiles(T const *A, size_t lda, T const *B, size_t ldb,
                           T (&As)[BM][BK], T (&Bs)[BK][BN], size_t kb,
                           size_t tid, size_t m, size_t n, size_t k) {
#pragma unroll
  for (size_t l = 0; l < (BM * BK + NT - 1) / NT; ++l) {
    size_t r = (tid + l * NT) / BK, c = (tid + l * NT) % BK;
    size_t gr = blockIdx.y * BM + r, gc = kb * BK + c;
    T v = static_cast<T>(0);
    if (gr < m && gc < k)
      v = A[gr * lda + gc];
    As[r][c] = v;
  }
#pragma unroll
  for (size_t l = 0; l < (BK * BN + NT - 1) / NT; ++l) {
    size_t r = (tid + l * NT) / BN, c = (tid + l * NT) % BN;
    size_t gr = kb * BK + r, gc = blockIdx.x * BN + c;
    T v = static_cast<T>(0);
    if (gr < k && gc < n)
      v = B[gr * ldb + gc];
    Bs[r][c] = v;
  }
}
#pragma warpwright matmul
template <typename T, size_t BM, size_t BN, size_t BK>
__global__ void tiles_by_functions(size_t m, size_t n, size_t k, T alpha,
                                   T const *A, size_t lda, T const *B,
                                   size_t ldb, T beta, T *C, size_t ldc) {
  constexpr size_t NT = BM * BN;
  size_t const tid = threadIdx.y * blockDim.x + threadIdx.x;
  size_t const col = blockIdx.x * blockDim.x + threadIdx.x;
  size_t const row = blockIdx.y * blockDim.y + threadIdx.y;
  __shared__ T As[BM][BK];
  __shared__ T Bs[BK][BN];
  size_t const num = (k + BK - 1) / BK;
  T sum = 0;
  for (size_t kb = 0; kb < num; ++kb) {
    load_tiles<T, BM, BN, BK, NT>(A, lda, B, ldb, As, Bs, kb, tid, m, n, k);
    __syncthreads();
#pragma unroll
    for (size_t i = 0; i < BK; ++i)
      sum += As[threadIdx.y][i] * Bs[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < n)
    C[row * ldc + col] = alpha * sum + beta * C[row * ldc + col];
}
void run(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 g((N + 15) / 16, (M + 15) / 16), b(16, 16);
  sizes<<<g, b>>>(A, B, C, M, N, K);
  mixed<<<g, b>>>(A, B, C, M, N, K);
  tiles_by_functions<float, 32, 32, 32>
      <<<g, dim3(32, 32)>>>(M, N, K, 1.f, A, K, B, N, 0.f, C, N);
}
