// The shape of a rewritten file: the include first, the section behind the
// kernel, the launches redirected, everything else as it was.

// RUN: %warpwright rewrite %s -o %t.cu -- %parse
// RUN: grep -v "// *[A-Z-]*:" %t.cu > %t.text
// RUN: FileCheck %s --match-full-lines --strict-whitespace < %t.text
// RUN: FileCheck %s --check-prefix=LAUNCHER < %t.text

//      CHECK:#include <warpwright/rt/warpwright.cuh>
// CHECK-NEXT:#line 1 "{{.*}}section.cu"
// CHECK-NEXT:// >>> warpwright: <plans>
// CHECK-NEXT:#line 1 "<plans.warpwright>"
//      CHECK:namespace warpwright {
// CHECK-NEXT:namespace rt {
// CHECK-NEXT:#ifndef WARPWRIGHT_f16_f16_f16_[[TYPES:[0-9a-f]+]]
// CHECK-NEXT:#define WARPWRIGHT_f16_f16_f16_[[TYPES]]
// CHECK-NEXT:struct f16_f16_f16_[[TYPES]] : v2::decisions {
// CHECK-NEXT:  using a_element = __half;
//      CHECK:template <class Types> struct plans_[[SET:[0-9a-f]+]] {
// CHECK-NEXT:  struct plan_large : Types {
// CHECK-NEXT:    static constexpr const char *name = "large";
// CHECK-NEXT:    static constexpr int tile_m = 128, tile_n = 256, tile_k = 64, stages = 4;
// CHECK-NEXT:    static constexpr int consumer_groups = 2, cluster_m = 2;
// CHECK-NEXT:  };
//      CHECK:  using all =
// CHECK-NEXT:      v2::plans<plan_large, plan_wide, plan_medium_160, plan_pingpong_pair,
// CHECK-NEXT:                plan_pingpong, plan_medium_m, plan_pingpong_96,
// CHECK-NEXT:                plan_pingpong_64, plan_small, plan_small_four, plan_small_64,
// CHECK-NEXT:                plan_small_64_four, plan_skinny_n, plan_skinny_m,
// CHECK-NEXT:                plan_skinny_wide, plan_deep, plan_deep_m, plan_deep_192,
// CHECK-NEXT:                plan_deep_160_m, plan_deep_four>;
//      CHECK:// <<< warpwright: <plans> ({{[0-9a-f]+}})
// CHECK-NEXT:#line 1 "{{.*}}section.cu"
// CHECK-NEXT:// The shape of a rewritten file: the include first, the section behind the

#include <cuda_fp16.h>

#pragma warpwright matmul
__global__ void scaled(const half *A, const half *B, half *C, int M, int N,
                       int K, float alpha) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float acc = 0.0f;
    for (int k = 0; k < K; ++k)
      acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
    C[row * N + col] = __float2half(alpha * acc);
  }
} // this comment stays on the line
//      CHECK:} // this comment stays on the line
// CHECK-NEXT:// >>> warpwright: scaled ({{[0-9.]+}}, {{[0-9a-f]+}})
// CHECK-NEXT:#line 1 "<scaled.warpwright>"
// CHECK-NEXT://   operand A = A[%m * K + %k]:f16
//      CHECK:struct scaled_epilogue_{{[0-9a-f]+}} {
//      CHECK:    return __float2half(alpha * acc);
//      CHECK:void scaled_warpwright(::warpwright::rt::Launch launch, const half *A,
//      CHECK:// <<< warpwright: scaled ({{[0-9a-f]+}})
// CHECK-NEXT:#line 50 "{{.*}}section.cu"

// LAUNCHER: 1, rt::min(M, rt::Integer(launch.block.y) * launch.grid.y),
// LAUNCHER: {"A", A, rt::Type::f16, rt::Use::operand, 0, {0, K, 0, 1}},
// LAUNCHER: {"B", B, rt::Type::f16, rt::Use::operand, 0, {0, 0, 1, N}},
// LAUNCHER: {"C", C, rt::Type::f16, rt::Use::output, 0, {0, N, 1, 0}}};
// LAUNCHER: rt::IndexType::i32
// LAUNCHER: rt::run_or_original<
// LAUNCHER-NEXT: rt::plans_{{[0-9a-f]+}}<rt::f16_f16_f16_{{[0-9a-f]+}}>::all>(
// LAUNCHER-NEXT: problem, scaled,
// LAUNCHER-NEXT: {{[{][{]}}launch.block.z == 1, "blockDim.z is not 1"},
// LAUNCHER: scaled_epilogue_{{[0-9a-f]+}}{alpha}, A, B, C, M, N, K, alpha);

void run(half *p, cudaStream_t stream) {
  const int n = 64;
  scaled<<<dim3(n / 16, n / 16), dim3(16, 16), 0, stream>>>(p, p + n * n, p,
                                                            n, n, n, 1.0f);
}
//      CHECK:  (::warpwright::rt::Configure(dim3(n / 16, n / 16), dim3(16, 16), 0, stream), scaled_warpwright(p, p + n * n, p,
// CHECK-NEXT:                                                            n, n, n, 1.0f));
