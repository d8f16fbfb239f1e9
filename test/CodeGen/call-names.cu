// A section calls a function by a name that finds it beside the kernel, among
// the section's own names; where no name does, the body stands there instead.

// RUN: %warpwright rewrite %s -o %t.cu -- %parse
// RUN: grep -v "// *[A-Z-]*:" %t.cu | FileCheck %s
// RUN: %if nvcc %{ %nvcc -std=c++17 -arch=sm_80 -Werror=all-warnings \
// RUN:   -Xcompiler=-Wall,-Werror,-Wno-unknown-pragmas,-Wno-comment -I %runtime -c %t.cu -o %t.o %}

#include <cuda_fp16.h>

#define ARGS const half *A, const half *B, float *C, int M, int N, int K
#define SUM                                                                    \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row >= M || col >= N)                                                    \
    return;                                                                    \
  float acc = 0.0f;                                                            \
  for (int k = 0; k < K; ++k)                                                  \
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);

// The function that the epilogue is, and a parameter called as a function.
// CHECK-LABEL: struct members_epilogue_{{[0-9a-f]+}} {
// CHECK: return {{.*}}::scale(::value(acc))
__device__ float value(float x) { return 0.5f * x * (1.0f + erff(x)); }
__device__ float scale(float x) { return x * erff(x); }
#pragma warpwright matmul
__global__ void members(ARGS, float scale) {
  SUM C[row * N + col] = ::scale(::value(acc)) * scale;
}

// A call is written alike in all kernels of a file.
// CHECK-LABEL: struct plain_epilogue_{{[0-9a-f]+}} {
// CHECK: return ::scale(acc);
#pragma warpwright matmul
__global__ void plain(ARGS) { SUM C[row * N + col] = scale(acc); }

// A private member, and one of a class inside the kernel.
// CHECK-LABEL: struct private_member_epilogue_{{[0-9a-f]+}} {
// CHECK-NOT: relu(
// CHECK: // <<< warpwright: private_member
class Activation {
  static __device__ float relu(float x) { return sqrtf(fabsf(x)); }
  friend __global__ void private_member(ARGS);
};
#pragma warpwright matmul
__global__ void private_member(ARGS) {
  SUM C[row * N + col] = Activation::relu(acc);
}
// CHECK-LABEL: struct local_class_epilogue_{{[0-9a-f]+}} {
// CHECK-NOT: Local::
// CHECK: // <<< warpwright: local_class
#pragma warpwright matmul
__global__ void local_class(ARGS) {
  SUM struct Local {
    static __device__ float twice(float x) { return 2.0f * sqrtf(fabsf(x)); }
  };
  C[row * N + col] = Local::twice(acc);
}

// Beside this kernel `deep` is another namespace.
// CHECK-LABEL: struct nested_epilogue_{{[0-9a-f]+}} {
// CHECK: return ::deep::act(acc);
namespace deep {
__device__ float act(float x) { return x * erff(x) - 1.0f; }
} // namespace deep
namespace outer {
namespace deep {
__device__ float act(double x) { return 7.0f; }
} // namespace deep
#pragma warpwright matmul
__global__ void nested(ARGS) { SUM C[row * N + col] = ::deep::act(acc); }
} // namespace outer

// A parameter of an enumeration takes no number: the body stands there.
// CHECK-LABEL: struct enumerated_epilogue_{{[0-9a-f]+}} {
// CHECK-NOT: mode(
// CHECK: // <<< warpwright: enumerated
enum Mode { Off, On };
__device__ float mode(Mode m, float x) { return m == On ? fabsf(x) : x; }
#pragma warpwright matmul
__global__ void enumerated(ARGS, Mode m) {
  SUM C[row * N + col] = mode(m, acc);
}

// A macro of that name came after the function.
// CHECK-LABEL: struct macro_since_epilogue_{{[0-9a-f]+}} {
// CHECK: return acc * 0.5f;
__device__ float halved(float x) { return x * 0.5f; }
__device__ float through(float x, const float *) { return halved(x); }
#define halved fabsf
#pragma warpwright matmul
__global__ void macro_since(ARGS) { SUM C[row * N + col] = through(acc, C); }

// A local variable and a member that are called as launchers.
// CHECK: (::warpwright::rt::Configure(1, 1), /*added*/::plain_warpwright(h, h, f, plain_warpwright, 1, 1));
void run(half *h, float *f) {
  int plain_warpwright = 1;
  plain<<<1, 1>>>(h, h, f, plain_warpwright, 1, 1);
}
// CHECK: (::warpwright::rt::Configure(1, 1), /*added*/::outer::nested_warpwright(h, h, f, 1, 1, 1));
using namespace outer;
struct Runner {
  int nested_warpwright = 3;
  void go(half *h, float *f) { nested<<<1, 1>>>(h, h, f, 1, 1, 1); }
};
