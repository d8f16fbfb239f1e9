// Of the runtime's functions that multiply matrices the simulator compiles those
// of the types and widths that plans have, and of fp16, which stands for other
// elements, and a declaration of those with sums that are halves; all of them
// where a program uses the names by which plans say so.
//
// RUN: %warpwright sim --emit=cpp %s -DTYPE=half > %t.half.cpp
// RUN: grep -o 'm64n" "[0-9]*" "k[a-z0-9.]*' %t.half.cpp | sort -u | FileCheck --check-prefix=HALF --implicit-check-not=m64n %s
// HALF: m64n" "16" "k16.f16.f16.f16
// HALF: m64n" "64" "k16.f32.f16.f16
// RUN: %warpwright sim --emit=cpp %s -DTYPE=__nv_bfloat16 > %t.bf16.cpp
// RUN: grep -o 'm64n" "[0-9]*" "k[a-z0-9.]*' %t.bf16.cpp | sort -u | FileCheck --check-prefix=BF16 --implicit-check-not=m64n %s
// BF16: m64n" "16" "k16.f16.f16.f16
// BF16: m64n" "64" "k16.f32.bf16.bf16
// BF16: m64n" "64" "k16.f32.f16.f16
// RUN: echo "static int b_""element = 1;" > %t.h
// RUN: %warpwright sim --emit=cpp %s -DTYPE=half -include %t.h > %t.other.cpp
// RUN: grep -o 'm64n" "[0-9]*" "k[a-z0-9.]*' %t.other.cpp | sort -u | FileCheck --check-prefix=OTHER %s
// OTHER: m64n" "256" "k256.s32.b1.b1.and.popc
// OTHER: m64n" "8" "k8.f32.tf32.tf32
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#pragma warpwright matmul tile(64, 64, 64)
__global__ void product(const TYPE *a, const TYPE *b, float *c, int m, int n,
                        int k) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= n)
    return;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += float(a[row * k + i]) * float(b[i * n + col]);
  c[row * n + col] = sum;
}

int main() { return 0; }
