// FORM: cp.async, ldmatrix and mma.sync: several chunks of a thread, swizzled
// by the row, B transposed
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of 128 bytes, of which the chunk of a column is moved by `^` with the
// row.

#include "check.h"

#include <cstdint>

constexpr int BM = 64, BN = 64, BK = 64;

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
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];\n"
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
__device__ __forceinline__ int place(int row, int chunk) {
  return row * BK + (chunk ^ row % 8) * 8;
}

#pragma warpwright matmul
__global__ void mma_sync_async_swizzled(const half *A, const half *B, float *C,
                                        int N, int K) {
  __shared__ __align__(128) half As[2][BM * BK], Bs[2][BN * BK];
  const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
  const int wm = warp / 2 * 32, wn = warp % 2 * 32;
  const int m = blockIdx.y * BM, n = blockIdx.x * BN;
  auto fetch = [&](int side, int t) {
    for (int i = 0; i < BM * BK / 8 / 128; ++i) {
      const int r = (tid + i * 128) / 8, c = (tid + i * 128) % 8;
      copy(at(&As[side][place(r, c)]), &A[(m + r) * K + t * BK + c * 8]);
    }
    for (int i = 0; i < BN * BK / 8 / 128; ++i) {
      const int r = (tid + i * 128) / 8, c = (tid + i * 128) % 8;
      copy(at(&Bs[side][place(r, c)]), &B[(n + r) * K + t * BK + c * 8]);
    }
    commit();
  };
  float acc[2][4][4] = {};
  const int tiles = K / BK;
  fetch(0, 0);
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 < tiles) {
      fetch((t + 1) % 2, t + 1);
      wait<1>();
    } else {
      wait<0>();
    }
    __syncthreads();
    const int side = t % 2;
#pragma unroll
    for (int kk = 0; kk < BK; kk += 16) {
      uint32_t a[2][4], b[4][2];
      for (int i = 0; i < 2; ++i)
        load_a(
            a[i],
            at(&As[side][place(wm + i * 16 + lane % 16, kk / 8 + lane / 16)]));
      for (int j = 0; j < 4; ++j)
        load_b(
            b[j],
            at(&Bs[side][place(wn + j * 8 + lane % 8, kk / 8 + lane / 8 % 2)]));
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j)
          multiply(acc[i][j], a[i], b[j]);
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 2; ++i)
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
       {check::Shape{64, 128, 64}, check::Shape{128, 64, 128},
        check::Shape{64, 64, 192}, check::Shape{64, 64, 320}}) {
    check::Matrix<half> A(s.m, s.k);
    check::Matrix<half> B(s.n, s.k);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    mma_sync_async_swizzled<<<dim3(s.n / BN, s.m / BM), 128>>>(
        A.data(), B.data(), C.data(), s.n, s.k);
    test.expect("mma_sync_async_swizzled", s, C,
                check::product(s, A, [&](int k, int n) { return B(n, k); }), A,
                B);
  }
  return test.finish();
}
