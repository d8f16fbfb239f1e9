// FORM: ld.global.nc, ld.shared, st.shared and st.global by inline assembly,
// also under predicates
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first kernel clears a register where a predicate excludes the load; the
// second loads and stores vectors.

#include "check.h"

#include <cstdint>

constexpr int T = 16;

__device__ float load_or_zero(const float *from, bool inside) {
  float x;
  asm volatile("{\n"
               "  .reg .pred p;\n"
               "  setp.ne.b32 p, %2, 0;\n"
               "  @!p mov.b32 %0, 0;\n"
               "  @p ld.global.nc.L2::128B.f32 %0, [%1];\n"
               "}\n"
               : "=f"(x)
               : "l"(from), "r"(static_cast<int>(inside)));
  return x;
}

__device__ void store_if(float *to, float x, bool inside) {
  asm volatile("{.reg .pred p;\n"
               " setp.eq.s32 p, %2, 0;\n"
               " @!p st.global.f32 [%0], %1;}\n" ::"l"(to),
               "f"(x), "r"(static_cast<int>(inside))
               : "memory");
}

__device__ uint32_t address_in_shared(const void *p) {
  uint32_t address;
  asm("{.reg .u64 wide;\n"
      " cvta.to.shared.u64 wide, %1;\n"
      " cvt.u32.u64 %0, wide;}\n"
      : "=r"(address)
      : "l"(p));
  return address;
}

__device__ void store_shared(uint32_t to, float x) {
  asm volatile("st.shared.f32 [%0], %1;\n" ::"r"(to), "f"(x) : "memory");
}

__device__ float load_shared(uint32_t from) {
  float x;
  asm volatile("ld.shared.f32 %0, [%1];\n" : "=f"(x) : "r"(from));
  return x;
}

#pragma warpwright matmul
__global__ void predicated_accesses(const float *A, const float *B, float *C,
                                    int M, int N, int K) {
  __shared__ float As[T * T], Bs[T * T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  const uint32_t a = address_in_shared(As), b = address_in_shared(Bs);
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    store_shared(a + (ty * T + tx) * 4,
                 load_or_zero(A + row * K + k0 + tx, row < M && k0 + tx < K));
    store_shared(b + (ty * T + tx) * 4,
                 load_or_zero(B + (k0 + ty) * N + col, k0 + ty < K && col < N));
    __syncthreads();
#pragma unroll
    for (int k = 0; k < T; ++k)
      acc +=
          load_shared(a + (ty * T + k) * 4) * load_shared(b + (k * T + tx) * 4);
    __syncthreads();
  }
  store_if(C + row * N + col, acc, row < M && col < N);
}

#pragma warpwright matmul
__global__ void vectors_in_assembly(const half *A, const half *B, float *C,
                                    int M, int N, int K) {
  const int n = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
  const int m = blockIdx.y * blockDim.y + threadIdx.y;
  if (m >= M || n >= N)
    return;
  float acc[8] = {};
  for (int k = 0; k < K; ++k) {
    uint4 words;
    asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words.x), "=r"(words.y), "=r"(words.z), "=r"(words.w)
                 : "l"(B + k * N + n));
    const half *b = reinterpret_cast<const half *>(&words);
    const float a = __half2float(A[m * K + k]);
#pragma unroll
    for (int i = 0; i < 8; ++i)
      acc[i] += a * __half2float(b[i]);
  }
  asm volatile(
      "st.global.v4.f32 [%0], {%1, %2, %3, %4};\n"
      "st.global.cs.v4.f32 [%0+16], {%5, %6, %7, %8};\n" ::"l"(C + m * N + n),
      "f"(acc[0]), "f"(acc[1]), "f"(acc[2]), "f"(acc[3]), "f"(acc[4]),
      "f"(acc[5]), "f"(acc[6]), "f"(acc[7])
      : "memory");
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{96, 64, 40},
                         check::Shape{48, 80, 160}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n), C(s.m, s.n);
    A.random(1);
    B.random(2);
    const dim3 grid((s.n + T - 1) / T, (s.m + T - 1) / T);
    predicated_accesses<<<grid, dim3(T, T)>>>(A.data(), B.data(), C.data(), s.m,
                                              s.n, s.k);
    test.expect("predicated_accesses", s, C, check::product(s, A, B), A, B);
  }
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{40, 64, 33}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    vectors_in_assembly<<<dim3((s.n / 8 + 3) / 4, (s.m + 15) / 16),
                          dim3(4, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n,
                                         s.k);
    test.expect("vectors_in_assembly", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
