// Kernels in a header: the section of a definition goes behind the #include,
// in its namespace; a declaration's launches go through a weak reference.

// RUN: %warpwright rewrite %s -o %t.cu -- %parse -I %S/Inputs
// RUN: grep -v "// *[A-Z-]*:" %t.cu | FileCheck %s
// RUN: %if nvcc %{ %nvcc -std=c++17 -arch=sm_80 -Werror=all-warnings \
// RUN:   -diag-suppress 20199 -Xcompiler=-Wall,-Werror,-Wno-unknown-pragmas,-Wno-comment \
// RUN:   -I %runtime -I %S/Inputs -c %t.cu -o %t.o %}

#include "kernels.cuh"
//      CHECK: #include "kernels.cuh"
// CHECK-NEXT: // >>> warpwright: matmul
//      CHECK: namespace lib {
//      CHECK: __attribute__((weak)) void matmul_warpwright(
//      CHECK: static inline void matmul_warpwright_weak(
//      CHECK: if (matmul_warpwright) {
// CHECK-NEXT: matmul_warpwright(launch, A, B, C, M, N, K);
//      CHECK: matmul<<<launch.grid, launch.block, launch.smem, launch.stream>>>(
//      CHECK: // <<< warpwright: matmul
// CHECK-NEXT: #line [[#@LINE-9]]
//      CHECK: // >>> warpwright: inline_matmul
//      CHECK: namespace lib {
// CHECK-NEXT: namespace {
//      CHECK: void inline_matmul_warpwright(::warpwright::rt::Launch launch,
//      CHECK: } // namespace lib
//      CHECK: // <<< warpwright: inline_matmul

void run(__nv_bfloat16 *p) {
  lib::inline_matmul<<<1, 1>>>(p, p, p, 1, 1, 1);
  lib::matmul<<<1, 1>>>(p, p, p, 1, 1);
  // CHECK: (::warpwright::rt::Configure(1, 1), lib::inline_matmul_warpwright(p, p, p, 1, 1, 1));
  // CHECK: (::warpwright::rt::Configure(1, 1), lib::matmul_warpwright_weak(p, p, p, 1, 1));
}
