// Launches of a template go to one launcher template; what was lifted has a
// Hopper kernel, everything else runs the original.

// RUN: not %warpwright rewrite %s -o %t.cu -- %parse 2> %t.err
// RUN: FileCheck %s --check-prefix=DIAG < %t.err
// RUN: grep -v "// *[A-Z-]*:" %t.cu | FileCheck %s
// RUN: %if nvcc %{ %nvcc -std=c++17 -arch=sm_80 -Werror=all-warnings \
// RUN:   -diag-suppress 20199 -Xcompiler=-Wall,-Werror,-Wno-unknown-pragmas,-Wno-comment \
// RUN:   -I %runtime -c %t.cu -o %t.o %}

#include <cuda_bf16.h>

namespace outer {
namespace {

template <typename T, int BLOCK = 16>
__global__ void matmul(const T *__restrict__ A, const T *__restrict__ B,
                       T *__restrict__ C, int M, int N, int K);

// A launch ahead of the definition needs a declaration of the launcher, and
// the template's default argument there.
// CHECK: template <typename T, int BLOCK = 16>
// CHECK: template <typename T, int BLOCK = 16>
// CHECK-NEXT: static inline void matmul_warpwright(
// CHECK: #line [[#@LINE-6]]

template <typename U>
void call(const U *a, const U *b, U *c, int n, cudaStream_t stream) {
  matmul<U><<<dim3(n / 16, n / 16), dim3(16, 16), 0, stream>>>(a, b, c, n, n,
                                                              n);
  // CHECK: (::warpwright::rt::Configure(dim3(n / 16, n / 16), dim3(16, 16), 0, stream), matmul_warpwright<U>(a, b, c, n, n,
}

#pragma warpwright matmul
template <typename T, int BLOCK>
__global__ void matmul(const T *__restrict__ A, const T *__restrict__ B,
                       T *__restrict__ C, int M, int N, int K) {
  int row = blockIdx.y * BLOCK + threadIdx.y;
  int col = blockIdx.x * BLOCK + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += static_cast<float>(A[row * K + k]) * static_cast<float>(B[k * N + col]);
  C[row * N + col] = static_cast<T>(acc);
}

} // namespace
} // namespace outer

// DIAG: 'outer::(anonymous namespace)::matmul<short, 16>' is not rewritten
// CHECK: struct matmul_bfloat16_16_epilogue {
// CHECK: static void matmul_bfloat16_16_launch(
// CHECK: template <typename T, int BLOCK> struct matmul_instance {
// CHECK: "this instantiation has no Hopper kernel"
// CHECK: matmul<T, BLOCK><<<launch.grid, launch.block, launch.smem,
// CHECK: template <> struct matmul_instance<__nv_bfloat16, 16> {
// CHECK-NEXT: static constexpr auto run = &matmul_bfloat16_16_launch;
// CHECK: template <typename T, int BLOCK>
// CHECK-NEXT: static void matmul_warpwright(

void run(const __nv_bfloat16 *a, const __nv_bfloat16 *b, __nv_bfloat16 *c,
         const short *x, const short *y, short *z, cudaStream_t stream) {
  outer::call(a, b, c, 64, stream);
  outer::matmul<short><<<1, dim3(16, 16)>>>(x, y, z, 1, 1, 1);
  // CHECK: (::warpwright::rt::Configure(1, dim3(16, 16)), outer::matmul_warpwright<short>(x, y, z, 1, 1, 1));
}
