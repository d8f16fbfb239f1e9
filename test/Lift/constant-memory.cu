// Numbers in constant memory: read by name in the epilogue when the kernel runs. The
// launcher cannot read them, so what it has to know must not depend on them.

// RUN: not %warpwright rewrite --emit=contraction --strict %s -- %parse 2>&1 | FileCheck %s
// RUN: not %warpwright rewrite --emit=contraction %s -- %parse 2>/dev/null | FileCheck %s --check-prefix=LIFTED

#include <cuda_fp16.h>

__constant__ float alpha, beta;
// Whoever writes it may be hidden from the device's side of the file.
static __constant__ float initialised = 2.0f;
__constant__ int depth = 64, pitch = 64, rows = 64;
__constant__ float table[8];
__constant__ const float *bias;
__device__ float scale;
__constant__ const int Depth = 128;
__constant__ const float Half = 0.5f;
namespace layer {
struct Settings {
  float scale;
  int mode;
  float limits[4];
};
__constant__ Settings settings;
__constant__ const Settings fixed = {3.0f, 2, {1, 2, 3, 4}};
__constant__ __half shift;
} // namespace layer
namespace {
__constant__ float hidden;
}
struct Owner {
  static __constant__ float shared;
  __device__ static float use(float x) { return x * kept; }

private:
  static __constant__ float kept;
};
struct Mixed {
  float scale;
  const float *pointer;
};
__constant__ Mixed mixed;

#ifndef __CUDA_ARCH__
void set() {
  const float x = 3.0f;
  cudaMemcpyToSymbol(initialised, &x, sizeof x);
}
#endif

#define ARGS const half *A, const half *B, float *C, int M, int N, int K
#define PLACE                                                                  \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row >= M || col >= N)                                                    \
    return;
#define SUM                                                                    \
  float acc = 0.0f;                                                            \
  for (int k = 0; k < K; ++k)                                                  \
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);

// LIFTED-LABEL: contraction "scalars"
// LIFTED: output C[%m * N + %n]:f32 = ((const.f32 "::alpha" * acc) + (const.f32 "beta" * C[%m * N + %n]:f32))
#pragma warpwright matmul
__global__ void scalars(ARGS) {
  PLACE SUM
  C[row * N + col] = alpha * acc + beta * C[row * N + col];
}

// A parameter of that name is another thing.
// LIFTED-LABEL: contraction "hidden_by_parameter"
// LIFTED: = ((alpha:f32 * const.f32 "::alpha") * acc)
#pragma warpwright matmul
__global__ void hidden_by_parameter(ARGS, float alpha) {
  PLACE SUM
  C[row * N + col] = alpha * ::alpha * acc;
}

// Not 2.
// LIFTED-LABEL: contraction "with_initializer"
// LIFTED: = (const.f32 "initialised" * acc)
#pragma warpwright matmul
__global__ void with_initializer(ARGS) {
  PLACE SUM
  C[row * N + col] = initialised * acc;
}

__device__ __forceinline__ float shifted(float x) {
  return x + __half2float(layer::shift) + hidden;
}

// LIFTED-LABEL: contraction "members"
// LIFTED: = (((acc * const.f32 "layer::settings.scale") + f32(const.f16 "layer::shift")) + const.f32 "hidden")
#pragma warpwright matmul
__global__ void members(ARGS) {
  PLACE SUM
  C[row * N + col] = shifted(acc * layer::settings.scale);
}

// LIFTED-LABEL: contraction "copied"
// LIFTED: = (((const.f32 "layer::settings.scale" * acc) + const.f32 "layer::settings.limits[1]") + f32(const.i32 "layer::settings.mode"))
#pragma warpwright matmul
__global__ void copied(ARGS) {
  PLACE
  layer::Settings s = layer::settings;
  SUM
  C[row * N + col] = s.scale * acc + s.limits[1] + s.mode;
}

// LIFTED-LABEL: contraction "mode"
// LIFTED: = select(fcmp(const.i32 "layer::settings.mode" == int.i32(1)), call.f32 "fmaxf"(acc, 0.0f:f32), acc)
#pragma warpwright matmul
__global__ void mode(ARGS) {
  PLACE SUM
  if (layer::settings.mode == 1)
    acc = fmaxf(acc, 0.0f);
  C[row * N + col] = acc;
}

// LIFTED-LABEL: contraction "one_of_two"
// LIFTED: = (acc * select(fcmp(const.f32 "::alpha" > 0.0f:f32), const.f32 "table[1]", const.f32 "table[2]"))
#pragma warpwright matmul
__global__ void one_of_two(ARGS) {
  PLACE SUM
  C[row * N + col] = acc * (alpha > 0.0f ? table[1] : table[2]);
}

// LIFTED-LABEL: contraction "in_the_loop"
// LIFTED: = (const.f32 "::alpha" * acc)
#pragma warpwright matmul
__global__ void in_the_loop(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += alpha * __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  C[row * N + col] = acc;
}

// What is const-qualified is a number.
// LIFTED-LABEL: contraction "qualified"
// LIFTED: index %k < 128
// LIFTED: operand A = A[%k + 128 * %m]
// LIFTED: = (((acc * 0.5f:f32) * 3.0f:f32) * 4.0f:f32)
#pragma warpwright matmul
__global__ void qualified(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < Depth; ++k)
    acc += __half2float(A[row * Depth + k]) * __half2float(B[k * N + col]);
  C[row * N + col] = acc * Half * layer::fixed.scale * layer::fixed.limits[3];
}

// LIFTED-LABEL: contraction "static_member"
// LIFTED: = (acc * const.f32 "Owner::shared")
#pragma warpwright matmul
__global__ void static_member(ARGS) {
  PLACE SUM
  C[row * N + col] = acc * Owner::shared;
}

// LIFTED-NOT: contraction

// CHECK: error: 'as_depth' is not rewritten: how often the loop runs is not known to the launcher: 'depth' is in constant memory, and the launcher cannot read it; pass it as an argument, or make it a constant of the program [WW203]
#pragma warpwright matmul
__global__ void as_depth(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < depth; ++k)
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  C[row * N + col] = acc;
}

// CHECK: error: 'as_pitch' is not rewritten: the address of an element is not known to the launcher: 'pitch' is in constant memory, and {{.*}} [WW204]
#pragma warpwright matmul
__global__ void as_pitch(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * pitch + k]) * __half2float(B[k * N + col]);
  C[row * N + col] = acc;
}

// CHECK: error: 'as_rows' is not rewritten: where the matrix ends is not known to the launcher: 'rows' is in constant memory, and {{.*}} [WW216]
#pragma warpwright matmul
__global__ void as_rows(ARGS) {
  PLACE SUM
  if (row < rows)
    C[row * N + col] = acc;
}

// CHECK: error: 'by_column' is not rewritten: an element of 'table', in constant memory, is chosen by an index; an array that is passed as an argument may be read so [WW204]
#pragma warpwright matmul
__global__ void by_column(ARGS) {
  PLACE SUM
  C[row * N + col] = acc * table[col % 8];
}

// CHECK: error: 'by_pointer' is not rewritten: 'bias' is a pointer in constant memory, which the launcher cannot read; pass it as an argument [WW215]
#pragma warpwright matmul
__global__ void by_pointer(ARGS) {
  PLACE SUM
  C[row * N + col] = acc + bias[col];
}

// CHECK: error: 'private_member' is not rewritten: 'Owner::kept' cannot be named beside the kernel, where generated code would have to read it [WW215]
#pragma warpwright matmul
__global__ void private_member(ARGS) {
  PLACE SUM
  C[row * N + col] = Owner::use(acc);
}

// CHECK: error: 'copied_with_pointer' is not rewritten: 'mixed', in constant memory, is copied with more than numbers in it [WW201]
#pragma warpwright matmul
__global__ void copied_with_pointer(ARGS) {
  PLACE
  Mixed m = mixed;
  SUM
  C[row * N + col] = acc * m.scale;
}

__constant__ float renamed;
__device__ __forceinline__ float by_renamed(float x) { return x * renamed; }
#define renamed 3.0f

// CHECK: error: 'macro_since' is not rewritten: 'renamed' cannot be named beside the kernel, {{.*}} [WW215]
#pragma warpwright matmul
__global__ void macro_since(ARGS) {
  PLACE SUM
  C[row * N + col] = by_renamed(acc);
}

struct Given {
  float factor;
};
__device__ __forceinline__ float by_factor(float x, Given g) {
  return x * g.factor;
}
#define factor 3.0f

// CHECK: error: 'member_and_macro' is not rewritten: 'factor' in 'given.factor' is also the name of a macro [WW207]
#pragma warpwright matmul
__global__ void member_and_macro(ARGS, Given given) {
  PLACE SUM
  C[row * N + col] = by_factor(acc, given);
}

// CHECK: error: 'in_the_device' is not rewritten: 'scale' is a variable of the device, which other kernels may write; pass it as an argument [WW215]
#pragma warpwright matmul
__global__ void in_the_device(ARGS) {
  PLACE SUM
  C[row * N + col] = acc * scale;
}

// The kernels before the declaration need not name it.
__constant__ float late;
// LIFTED-LABEL: contraction "reads_late"
// LIFTED: output C[%m * N + %n]:f32 = (const.f32 "late" * acc)
#pragma warpwright matmul
__global__ void reads_late(ARGS) {
  PLACE SUM
  C[row * N + col] = late * acc;
}
