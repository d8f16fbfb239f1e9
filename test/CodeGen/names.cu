// What the user calls his things: macros that a section's words run into,
// parameters called like its locals, declarations called like its functions.

// RUN: %warpwright rewrite %s -o %t.cu -- %parse
// RUN: grep -v "// *[A-Z-]*:" %t.cu | FileCheck %s
// RUN: %if nvcc %{ %nvcc -std=c++17 -arch=sm_80 -Werror=all-warnings \
// RUN:   -Xcompiler=-Wall,-Werror,-Wno-unknown-pragmas,-Wno-comment -I %runtime -c %t.cu -o %t.o %}

// Macros of the command line are avoided, too, and the runtime does not see them.
// RUN: %warpwright rewrite %s -o %t.d.cu -- %parse -Dlaunch=why -Dplans=2
// RUN: FileCheck --check-prefix=COMMAND %s < %t.d.cu
// RUN: %warpwright rewrite %t.d.cu -o - -- %parse -Dlaunch=why -Dplans=2 | diff %t.d.cu -
// COMMAND: {{^}}#pragma push_macro("launch")
// COMMAND-NEXT: #undef launch
// COMMAND-NEXT: #pragma push_macro("plans")
// COMMAND-NEXT: #undef plans
// COMMAND-NEXT: #include <warpwright/rt/warpwright.cuh>
// COMMAND-NEXT: #pragma pop_macro("launch")
// COMMAND-NEXT: #pragma pop_macro("plans")
// COMMAND-NEXT: #line 1
// COMMAND: // >>> warpwright: gemm
// COMMAND: void gemm_warpwright(::warpwright::rt::Launch launch_,

#include <cuda_fp16.h>

#define min(a, b) ((a) < (b) ? (a) : (b))
#define N 1024
#define launch go
#define decisions struct
#define problem 17
#define T float
#define value 3
#define row 5
#define unrelated no harm

int gemm_plans, plan_large;
namespace rt {}

// CHECK: // >>> warpwright: gemm
// CHECK-NEXT: #pragma push_macro("min")
// CHECK-NOT: unrelated
// CHECK: struct gemm_epilogue_{{[0-9a-f]+}} {
// CHECK-NEXT: const half *grid;
// CHECK-NEXT: int n;
// CHECK-NEXT: T acc;
// CHECK: value(float sum, int row_, int column,
// CHECK: void gemm_warpwright(::warpwright::rt::Launch launch_, const half *a,
// CHECK: rt::Array arrays_[] = {
// CHECK: #pragma pop_macro("min")
// CHECK: // <<< warpwright: gemm
#pragma warpwright matmul
__global__ void gemm(const half *a, const half *b, half *out, const half *grid,
                     int m, int n, int k, T acc, int arrays) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y < m && x < n) {
    float s = 0;
    for (int i = 0; i < k; ++i)
      s += __half2float(a[y * k + i]) * __half2float(b[i * n + x]);
    out[y * n + x] = __float2half(s * acc + __half2float(grid[y * n + x]));
  }
}

// Macros are back behind the section: `launch` is `go`.
void launch(half *p) {
  gemm<<<1, dim3(16, 16)>>>(p, p, p, p, 1, 2, min(3, 4), 1.0f, row);
}
