// FORM: register tiles: two buffers by an index, pointers that step under the
// condition that there is a next tile, size_t extents
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All threads of the block fill, blockDim.x apart; the sums lie in one
// dimension.

#include "check.h"

#pragma warpwright matmul
template <typename T, size_t PM, size_t PN, size_t PK, size_t TM, size_t TN>
__global__ void pointer_step_guarded(const T *A, const T *B, T *C, size_t M,
                                     size_t N, size_t K) {
  __shared__ float left[2][PM * PK];
  __shared__ float right[2][PK * PN];
  const int tid = threadIdx.x, threads = blockDim.x, across = PN / TN;
  const int tr = tid / across, tc = tid % across;
  A += blockIdx.y * PM * K;
  B += blockIdx.x * PN;
  C += blockIdx.y * PM * N + blockIdx.x * PN;
  float acc[TM * TN] = {0.0f};
  int side = 0;
  for (unsigned e = tid; e < PM * PK; e += threads)
    left[side][e / PK * PK + e % PK] = A[e / PK * K + e % PK];
  for (unsigned e = tid; e < PK * PN; e += threads)
    right[side][e / PN * PN + e % PN] = B[e / PN * N + e % PN];
  __syncthreads();
  for (unsigned k0 = 0; k0 < K; k0 += PK) {
    const int other = 1 - side;
    if (k0 + PK < K) {
      A += PK;
      B += PK * N;
      for (unsigned e = tid; e < PM * PK; e += threads)
        left[other][e / PK * PK + e % PK] = A[e / PK * K + e % PK];
      for (unsigned e = tid; e < PK * PN; e += threads)
        right[other][e / PN * PN + e % PN] = B[e / PN * N + e % PN];
    }
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < PK; ++k) {
      float a[TM], b[TN];
      for (unsigned i = 0; i < TM; ++i)
        a[i] = left[side][(tr * TM + i) * PK + k];
      for (unsigned j = 0; j < TN; ++j)
        b[j] = right[side][k * PN + tc * TN + j];
#pragma unroll
      for (unsigned i = 0; i < TM; ++i)
#pragma unroll
        for (unsigned j = 0; j < TN; ++j)
          acc[i * TN + j] += a[i] * b[j];
    }
    __syncthreads();
    side = other;
  }
  for (unsigned i = 0; i < TM; ++i)
    for (unsigned j = 0; j < TN; ++j)
      C[(tr * TM + i) * N + tc * TN + j] = acc[i * TN + j];
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{96, 32, 80},
                         check::Shape{32, 32, 32}, check::Shape{32, 32, 16}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    pointer_step_guarded<float, 32, 32, 16, 4, 4>
        <<<dim3(s.n / 32, s.m / 32), 64>>>(A.data(), B.data(), C.data(), s.m,
                                           s.n, s.k);
    test.expect("pointer_step_guarded", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
