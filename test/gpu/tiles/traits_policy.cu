// FORM: surface: function template with a traits class parameter
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types, tile and activation come from a policy class.

#include "check.h"

struct HalfPolicy {
  using Element = half;
  using Output = float;
  static constexpr int tile = 16;
  static __device__ float widen(Element x) { return __half2float(x); }
  static __device__ Output finish(float x) { return x * 2.0f; }
};
struct BrainPolicy {
  using Element = __nv_bfloat16;
  using Output = __nv_bfloat16;
  static constexpr int tile = 8;
  static __device__ float widen(Element x) { return __bfloat162float(x); }
  static __device__ Output finish(float x) {
    return __float2bfloat16(x * 2.0f);
  }
};

#pragma warpwright matmul
template <class Policy>
__global__ void traits_policy(const typename Policy::Element *A,
                              const typename Policy::Element *B,
                              typename Policy::Output *C, int M, int N, int K) {
  constexpr int T = Policy::tile;
  __shared__ float As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty][tx] =
        row < M && k0 + tx < K ? Policy::widen(A[row * K + k0 + tx]) : 0.0f;
    Bs[ty][tx] =
        k0 + ty < K && col < N ? Policy::widen(B[(k0 + ty) * N + col]) : 0.0f;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = Policy::finish(acc);
}

template <class Policy> void check_policy(check::Suite &test, check::Shape s) {
  constexpr int T = Policy::tile;
  check::Matrix<typename Policy::Element> A(s.m, s.k), B(s.k, s.n);
  check::Matrix<typename Policy::Output> C(s.m, s.n);
  A.random(1);
  B.random(2);
  traits_policy<Policy>
      <<<dim3(check::ceilDiv(s.n, T), check::ceilDiv(s.m, T)), dim3(T, T)>>>(
          A.data(), B.data(), C.data(), s.m, s.n, s.k);
  check::Table sum = check::product(s, A, B);
  test.expect(
      "traits_policy", s, C, [&](int m, int n) { return 2.0 * sum(m, n); }, A,
      B);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{130, 34, 101},
                         check::Shape{3, 5, 7}, check::Shape{1, 1, 1}}) {
    check_policy<HalfPolicy>(test, s);
    check_policy<BrainPolicy>(test, s);
  }
  return test.finish();
}
