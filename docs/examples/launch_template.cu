// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel template in a namespace, launched from a host function template.
//
// EXPECT-LOG: hopper if k > 0

#include "check.h"

namespace ops {

template <typename T> struct Scalar;
template <> struct Scalar<half> {
  static __device__ float load(half x) { return __half2float(x); }
  static __device__ half store(float x) { return __float2half(x); }
};
template <> struct Scalar<__nv_bfloat16> {
  static __device__ float load(__nv_bfloat16 x) { return __bfloat162float(x); }
  static __device__ __nv_bfloat16 store(float x) { return __float2bfloat16(x); }
};

#pragma warpwright matmul
template <typename T>
static __global__ void matmul_kernel(const T *A, const T *B, T *C, int M, int N,
                                     int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k)
    sum += Scalar<T>::load(A[row * K + k]) * Scalar<T>::load(B[k * N + col]);
  C[row * N + col] = Scalar<T>::store(sum);
}

template <typename T>
void matmul(const T *A, const T *B, T *C, int M, int N, int K,
            cudaStream_t stream) {
  const dim3 block(32, 8);
  const dim3 grid((N + block.x - 1) / block.x, (M + block.y - 1) / block.y);
  matmul_kernel<T><<<grid, block, 0, stream>>>(A, B, C, M, N, K);
  CUDA_CHECK(cudaGetLastError());
}

} // namespace ops

template <typename T> static void runCases(check::Suite &test) {
  cudaStream_t stream;
  CUDA_CHECK(cudaStreamCreate(&stream));
  for (check::Shape s : test.shapes()) {
    check::Matrix<T> A(s.m, s.k), B(s.k, s.n), C(s.m, s.n);
    A.random(84);
    B.random(85);
    ops::matmul(A.data(), B.data(), C.data(), s.m, s.n, s.k, stream);
    test.expect("matmul_kernel", s, C, check::product(s, A, B), A, B);
  }
  CUDA_CHECK(cudaStreamDestroy(stream));
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  runCases<half>(test);
  runCases<__nv_bfloat16>(test);
  return test.finish();
}
