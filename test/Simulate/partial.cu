// A product of fewer rows than a tile: boxes of the operand along k have these
// rows alone, and the kernel clears the others once. Rows as the rows operand
// and, exchanged, as the columns operand; a second tile of which the boxes are
// whole; and what the simulator says of a kernel that does not clear them, or
// not in the order in which wgmma reads.
//
// RUN: %warpwright sim --threads=1 %s 2>&1 | FileCheck %s
// CHECK: rows 33x70x200: right
// CHECK: rows 64x64x64: right
// CHECK: rows 65x40x136: right
// CHECK: cols 5x70x200: right
// CHECK: cols 32x10x72: right
// CHECK: cols 45x66x136: right
// CHECK: PASS
//
// RUN: %warpwright rewrite %s -o %t.cu
// RUN: %edit_runtime %t.rt \
// RUN:   kernel.cuh 's/^  clear_what_is_not_loaded</if (!MISTAKE(clear)) &/' \
// RUN:   partial.cuh 's/^  if (chunks > 0)$/  if (chunks > 0 \&\& !MISTAKE(fence))/'
// RUN: %warpwright sim --build-only --keep=%t.wrong %t.cu -I%t.rt
//
// RUN: env MISTAKE_clear=1 %warpwright sim --run=%t.wrong --threads=1 > %t.clear 2>&1
// RUN: FileCheck --check-prefix=CLEAR %s < %t.clear
// CLEAR: rt/feed_straight.cuh:{{[0-9]+}}: warning: wgmma.mma_async{{.*}} reads shared memory {{.*}}, which nothing has written [WW704]
//
// RUN: python3 %inputs/status.py 3 env MISTAKE_fence=1 %warpwright sim --run=%t.wrong --threads=1 > %t.fence 2>&1
// RUN: FileCheck --check-prefix=FENCE %s < %t.fence
// FENCE: error: wgmma.mma_async{{.*}} without a proxy fence between them: {{.*}} [WW707]

#include <cuda_fp16.h>
#include <math.h>
#include <stdio.h>
#include <vector>

#define PLACE                                                                  \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row >= M || col >= N)                                                    \
    return;

#pragma warpwright matmul tile(64, 64, 64)
__global__ void rows(const half *A, const half *B, float *C, int M, int N,
                     int K) {
  PLACE
  float acc = 0;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * K + k]) * __half2float(B[col * K + k]);
  C[row * N + col] = acc;
}

#pragma warpwright matmul tile(32, 64, 64)
__global__ void cols(const half *A, const half *B, float *C, int M, int N,
                     int K) {
  PLACE
  float acc = 0;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * K + k]) * __half2float(B[col * K + k]);
  C[row * N + col] = acc;
}

int main() {
  bool all = true;
  const int shapes[][3] = {{33, 70, 200}, {64, 64, 64}, {65, 40, 136},
                           {5, 70, 200},  {32, 10, 72}, {45, 66, 136}};
  for (int i = 0; i < 6; ++i) {
    const int m = shapes[i][0], n = shapes[i][1], k = shapes[i][2];
    std::vector<half> a(m * k), b(n * k);
    for (int j = 0; j < m * k; ++j)
      a[j] = __float2half(j * 37 % 11 - 5);
    for (int j = 0; j < n * k; ++j)
      b[j] = __float2half(j * 23 % 13 - 6);
    half *A, *B;
    float *C;
    cudaMalloc(&A, a.size() * 2);
    cudaMalloc(&B, b.size() * 2);
    cudaMalloc(&C, m * n * 4);
    cudaMemcpy(A, a.data(), a.size() * 2, cudaMemcpyHostToDevice);
    cudaMemcpy(B, b.data(), b.size() * 2, cudaMemcpyHostToDevice);
    const dim3 grid((n + 15) / 16, (m + 15) / 16), block(16, 16);
    if (i < 3)
      rows<<<grid, block>>>(A, B, C, m, n, k);
    else
      cols<<<grid, block>>>(A, B, C, m, n, k);
    std::vector<float> c(m * n);
    cudaMemcpy(c.data(), C, m * n * 4, cudaMemcpyDeviceToHost);
    bool right = true;
    for (int r = 0; r < m; ++r)
      for (int s = 0; s < n; ++s) {
        float sum = 0;
        for (int j = 0; j < k; ++j)
          sum += __half2float(a[r * k + j]) * __half2float(b[s * k + j]);
        right &= c[r * n + s] == sum;
      }
    printf("%s %dx%dx%d: %s\n", i < 3 ? "rows" : "cols", m, n, k,
           right ? "right" : "WRONG");
    all &= right;
  }
  printf(all ? "PASS\n" : "FAIL\n");
  return !all;
}
