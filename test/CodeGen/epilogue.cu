// Epilogues are printed again in the user's own terms.

// RUN: %warpwright rewrite %s -o %t.cu -- %parse
// RUN: grep -v "// *[A-Z-]*:" %t.cu | FileCheck %s

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>

__device__ float gelu(float x) { return 0.5f * x * (1.0f + erff(x * 0.7071f)); }

#define DOT(MULTIPLY)                                                          \
  int m = blockIdx.y * blockDim.y + threadIdx.y;                               \
  int n = blockIdx.x * blockDim.x + threadIdx.x;                               \
  if (m >= rows || n >= cols)                                                  \
    return;                                                                    \
  float sum = 0.0f;                                                            \
  for (int k = 0; k < depth; ++k)                                              \
    sum += MULTIPLY;

// Bias that may be missing, then an activation.
// CHECK-LABEL: struct linear_epilogue_{{[0-9a-f]+}} {
// CHECK-NEXT: const __nv_bfloat16 *bias;
// CHECK: value(float acc, int, int n,
// CHECK: #line [[#@LINE+9]] "{{.*}}epilogue.cu"
// CHECK-NEXT: return __float2bfloat16(
// CHECK-NEXT: gelu(acc + (bias != nullptr ? __bfloat162float(bias[n]) : 0.0f)));
#pragma warpwright matmul
__global__ void linear(const __nv_bfloat16 *x, const __nv_bfloat16 *w,
                       const __nv_bfloat16 *bias, __nv_bfloat16 *y, int rows,
                       int cols, int depth) {
  DOT(__bfloat162float(x[m * depth + k]) * __bfloat162float(w[n * depth + k]))
  sum += bias ? __bfloat162float(bias[n]) : 0.0f;
  y[m * cols + n] = __float2bfloat16(gelu(sum));
}

// The residual is C itself, by a row pitch of its own.
// CHECK-LABEL: struct residual_epilogue_{{[0-9a-f]+}} {
// CHECK-NEXT: half *C;
// CHECK-NEXT: int ldc;
// CHECK-NEXT: float alpha;
// CHECK-NEXT: float beta;
// CHECK: return __float2half(alpha * acc + beta * __half2float(C[m * ldc + n]));
#pragma warpwright matmul
__global__ void residual(const half *A, const half *B, half *C, int ldc,
                         int rows, int cols, int depth, float alpha,
                         float beta) {
  DOT(__half2float(A[m * depth + k]) * __half2float(B[k * cols + n]))
  C[m * ldc + n] =
      __float2half(alpha * sum + beta * __half2float(C[m * ldc + n]));
}

// A second output; parameters called like the indices.
// CHECK-LABEL: struct both_epilogue_{{[0-9a-f]+}} {
// CHECK: __device__ __forceinline__ float value(float acc, int, int, int) const {
// CHECK-NEXT: return acc;
// CHECK: void store_others(float acc, int row, int column,
// CHECK: const __half part_of_output1 = __float2half(acc > 0.0f ? acc : 0.0f);
// CHECK: relu[row * n + column] = part_of_output1;
#pragma warpwright matmul
__global__ void both(const half *a, const half *b, float *c, half *relu, int m,
                     int n, int k) {
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (y < m && x < n) {
    float sum = 0.0f;
    for (int i = 0; i < k; ++i)
      sum += __half2float(a[y * k + i]) * __half2float(b[i * n + x]);
    c[y * n + x] = sum;
    relu[y * n + x] = __float2half(sum > 0.0f ? sum : 0.0f);
  }
}

// What the user computed once is computed once.
// CHECK-LABEL: struct leaky_epilogue_{{[0-9a-f]+}} {
// CHECK: const float part0 = acc + bias[n];
// CHECK: return part0 > 0.0f ? part0 : slope * part0;
#pragma warpwright matmul
__global__ void leaky(const half *A, const half *B, float *C, const float *bias,
                      float slope, int rows, int cols, int depth) {
  DOT(__half2float(A[m * depth + k]) * __half2float(B[k * cols + n]))
  sum += bias[n];
  C[m * cols + n] = sum > 0 ? sum : slope * sum;
}

// Without a guard the extents are the launch, and so is the row pitch.
// CHECK-LABEL: struct unguarded_epilogue_{{[0-9a-f]+}} {
// CHECK-NEXT: const float *scale;
// CHECK-NEXT: dim3 launch_grid, launch_block;
// CHECK: scale[int64_t(m) * launch_block.x * launch_grid.x + n]
// CHECK: unguarded_epilogue_{{[0-9a-f]+}}{scale, launch.grid, launch.block}
#pragma warpwright matmul
__global__ void unguarded(const half *A, const half *B, half *C,
                          const float *scale, int depth) {
  int m = blockIdx.y * blockDim.y + threadIdx.y;
  int n = blockIdx.x * blockDim.x + threadIdx.x;
  int cols = gridDim.x * blockDim.x;
  float sum = 0.0f;
  for (int k = 0; k < depth; ++k)
    sum += __half2float(A[m * depth + k]) * __half2float(B[k * cols + n]);
  C[m * cols + n] = __float2half(sum * scale[m * cols + n]);
}

// A sum whose bits are read: not before wgmma has ended.
// CHECK-LABEL: struct rounded_epilogue_{{[0-9a-f]+}} {
// CHECK: (float acc, int
// CHECK: ::warpwright::rt::use_register(acc);
// CHECK: __float_as_uint(acc)
#pragma warpwright matmul
__global__ void rounded(const half *A, const half *B, unsigned short *C,
                        int rows, int cols, int depth) {
  DOT(__half2float(A[m * depth + k]) * __half2float(B[k * cols + n]))
  const unsigned bits = __float_as_uint(sum);
  C[m * cols + n] = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

// Only a condition reads them.
// CHECK-LABEL: struct marked_epilogue_{{[0-9a-f]+}} {
// CHECK: use_register(acc);
#pragma warpwright matmul
__global__ void marked(const half *A, const half *B, float *C, int rows,
                       int cols, int depth) {
  DOT(__half2float(A[m * depth + k]) * __half2float(B[k * cols + n]))
  C[m * cols + n] = signbit(sum) ? 0.5f : sum;
}

// Those of a bias, and of no sum.
// CHECK-LABEL: struct bias_by_bits_epilogue_{{[0-9a-f]+}} {
// CHECK-NOT: use_register
// CHECK: void bias_by_bits_warpwright(
#pragma warpwright matmul
__global__ void bias_by_bits(const half *A, const half *B, float *C, int rows,
                             int cols, int depth, const unsigned short *bias) {
  DOT(__half2float(A[m * depth + k]) * __half2float(B[k * cols + n]))
  C[m * cols + n] = sum + __uint_as_float(static_cast<unsigned>(bias[n]) << 16);
}

void run(__nv_bfloat16 *p, half *h, float *f) {
  linear<<<1, 1>>>(p, p, p, p, 1, 1, 1);
  residual<<<1, 1>>>(h, h, h, 1, 1, 1, 1, 1.0f, 1.0f);
  both<<<1, 1>>>(h, h, f, h, 1, 1, 1);
  leaky<<<1, 1>>>(h, h, f, f, 1.0f, 1, 1, 1);
  unguarded<<<1, 1>>>(h, h, h, f, 1);
  rounded<<<1, 1>>>(h, h, (unsigned short *)h, 1, 1, 1);
  marked<<<1, 1>>>(h, h, f, 1, 1, 1);
  bias_by_bits<<<1, 1>>>(h, h, f, 1, 1, 1, (const unsigned short *)h);
}
