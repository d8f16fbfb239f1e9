// FORM: cp.async, ldmatrix and mma.sync: several chunks of a thread, three
// stages, the last two tiles in a loop of their own
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop over tiles ends where there is none to be fetched any more.

#include "check.h"

#include <cstdint>

constexpr int BM = 128, BN = 128, BK = 32, PAD = 8, STAGES = 3;

__device__ __forceinline__ uint32_t at(const void *p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
__device__ __forceinline__ void copy(uint32_t to, const void *from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(to),
               "l"(from));
}
__device__ __forceinline__ void commit() {
  asm volatile("cp.async.commit_group;\n" ::);
}
template <int Left> __device__ __forceinline__ void wait() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(Left));
}
__device__ __forceinline__ void load_a(uint32_t (&r)[4], uint32_t from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, "
               "[%4];\n"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(from));
}
__device__ __forceinline__ void load_b(uint32_t (&r)[2], uint32_t from) {
  asm volatile(
      "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];\n"
      : "=r"(r[0]), "=r"(r[1])
      : "r"(from));
}
__device__ __forceinline__ void multiply(float (&c)[4], const uint32_t (&a)[4],
                                         const uint32_t (&b)[2]) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
               "{%0, %1, %2, %3};\n"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]),
                 "r"(b[1]));
}

#pragma warpwright matmul
__global__ void mma_sync_async_stages(const half *A, const half *B, float *C,
                                      int N, int K) {
  __shared__ __align__(16) half As[STAGES][BM][BK + PAD];
  __shared__ __align__(16) half Bs[STAGES][BK][BN + PAD];
  const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
  const int wm = warp % 2 * 64, wn = warp / 2 * 32;
  const int m = blockIdx.y * BM, n = blockIdx.x * BN;
  auto fetch = [&](int t) {
    const int s = t % STAGES;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const int chunk = i * 256 + tid, r = chunk / 4, c = chunk % 4 * 8;
      copy(at(&As[s][r][c]), &A[(m + r) * K + t * BK + c]);
    }
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const int chunk = i * 256 + tid, r = chunk / 16, c = chunk % 16 * 8;
      copy(at(&Bs[s][r][c]), &B[(t * BK + r) * N + n + c]);
    }
    commit();
  };
  float acc[4][4][4] = {};
  auto product = [&](int s) {
    for (int kk = 0; kk < BK; kk += 16) {
      uint32_t a[4][4], b[4][2];
#pragma unroll
      for (int i = 0; i < 4; ++i)
        load_a(a[i], at(&As[s][wm + i * 16 + lane % 16][kk + lane / 16 * 8]));
#pragma unroll
      for (int j = 0; j < 4; ++j)
        load_b(b[j], at(&Bs[s][kk + lane % 16][wn + j * 8]));
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
          multiply(acc[i][j], a[i], b[j]);
    }
  };
  const int tiles = K / BK;
#pragma unroll
  for (int t = 0; t < STAGES - 1; ++t)
    fetch(t);
  wait<STAGES - 2>();
  __syncthreads();
  for (int t = STAGES - 1; t < tiles; ++t) {
    fetch(t);
    product((t + 1) % STAGES);
    wait<STAGES - 2>();
    __syncthreads();
  }
  wait<0>();
  __syncthreads();
#pragma unroll
  for (int t = 0; t < STAGES - 1; ++t)
    product((tiles - (STAGES - 1) + t) % STAGES);
#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const int row = m + wm + i * 16 + lane / 4;
      const int col = n + wn + j * 8 + lane % 4 * 2;
      *reinterpret_cast<float2 *>(&C[row * N + col]) =
          make_float2(acc[i][j][0], acc[i][j][1]);
      *reinterpret_cast<float2 *>(&C[(row + 8) * N + col]) =
          make_float2(acc[i][j][2], acc[i][j][3]);
    }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s :
       {check::Shape{128, 256, 64}, check::Shape{256, 128, 96},
        check::Shape{128, 128, 160}, check::Shape{128, 128, 224}}) {
    check::Matrix<half> A(s.m, s.k);
    check::Matrix<half> B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    mma_sync_async_stages<<<dim3(s.n / BN, s.m / BM), 256>>>(
        A.data(), B.data(), C.data(), s.n, s.k);
    test.expect("mma_sync_async_stages", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
