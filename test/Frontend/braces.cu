// nvcc takes initializer lists between <<< and >>>, Clang does not: it is given
// parentheses in their place, and the text keeps its braces.
// RUN: %warpwright rewrite %s -o %t.cu -- %parse 2>&1 | FileCheck %s --check-prefix=LOG --allow-empty --implicit-check-not=warning:
// RUN: grep -v "// *[A-Z-]*:" %t.cu | FileCheck %s
// RUN: %warpwright rewrite %t.cu -o %t.again.cu -- %parse -I %runtime
// RUN: diff %t.cu %t.again.cu
// RUN: rm -rf %t.dir && mkdir %t.dir && grep -v "[p]ragma warpwright" %s > %t.dir/plain.cu
// RUN: %warpwright scan --annotate %t.dir 2>&1 -- %parse
// RUN: FileCheck %s --check-prefix=SCAN --input-file=%t.dir/plain.cu
// RUN: %if nvcc %{ %nvcc -std=c++17 -arch=sm_80 -I %runtime -c -o %t.o %t.cu %}

#include <cuda_fp16.h>
#include <cuda_runtime.h>

// SCAN: #pragma warpwright matmul
// SCAN-NEXT: __global__ void gemm
// SCAN: gemm<<<{1, 2}, {16, 16}>>>(
#pragma warpwright matmul tile(64, 64, 64)
__global__ void gemm(const half *A, const half *B, float *C, int N) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < N && col < N) {
    float acc = 0;
    for (int k = 0; k < N; ++k)
      acc += __half2float(A[row * N + k]) * __half2float(B[k * N + col]);
    C[row * N + col] = acc;
  }
}

struct Pair {
  unsigned x, y;
};
static unsigned first(Pair p) { return p.x; }
// CHECK: #define LAUNCH(x, y) (::warpwright::rt::Configure({x, y}, {16, 16}), gemm_warpwright(nullptr, nullptr, nullptr, 0))
#define LAUNCH(x, y) gemm<<<{x, y}, {16, 16}>>>(nullptr, nullptr, nullptr, 0)

int main() {
  const char *text = "<<<{1}>>>"; // <<<{1}, {2}>>>
  (void)text;
  // CHECK: (::warpwright::rt::Configure({1, 2}, {16, 16}), gemm_warpwright(nullptr, nullptr, nullptr, 0));
  gemm<<<{1, 2}, {16, 16}>>>(nullptr, nullptr, nullptr, 0);
  // CHECK: (::warpwright::rt::Configure({}, 1, 0, {}), gemm_warpwright(nullptr, nullptr, nullptr, 0));
  gemm<<<{}, 1, 0, {}>>>(nullptr, nullptr, nullptr, 0);
  // CHECK: (::warpwright::rt::Configure({first({3, 4}), 2, 1}, dim3{1, 2}), gemm_warpwright(nullptr, nullptr, nullptr, 0));
  gemm<<<{first({3, 4}), 2, 1}, dim3{1, 2}>>>(nullptr, nullptr, nullptr, 0);
  LAUNCH(1, 2);
  auto *pointer = gemm;
  // LOG: WW502
  // CHECK: (::warpwright::rt::Configure({1, 2}, 3), ::warpwright::rt::by_address::launch(pointer)(nullptr, nullptr, nullptr, 0));
  pointer<<<{1, 2}, 3>>>(nullptr, nullptr, nullptr, 0);
}
