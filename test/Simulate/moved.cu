// Where a matrix is not a whole number of tiles, the last one is moved back
// into it (rt/corner.cuh), and rows of two tiles are stored twice. Here by
// slabs and one by one, along rows and along columns, with operands exchanged,
// in clusters with a part behind the matrix, in turns, promoted, in slices, and
// by doubles. Kernels that add to an output are not moved, nor are tiles that
// are cut along k. B lies along k but in `across`, whose columns stay.
//
// RUN: %warpwright sim --threads=1 %s 2>&1 | FileCheck %s
// CHECK: rows 65x72x136: right
// CHECK: rows 100x131x72: right
// CHECK: rows 190x200x264: right
// CHECK: turned 33x104x136: right
// CHECK: turned 47x77x72: right
// CHECK: quad 65x72x136: right
// CHECK: quad 130x200x72: right
// CHECK: in_turn 150x90x136: right
// CHECK: wide 129x136x72: right
// CHECK: promoted 70x66x264: right
// CHECK: slices 70x66x1000: right
// CHECK: floats 140x72x264: right
// CHECK: doubles 70x36x40: right
// CHECK: both 79x81x136: right
// CHECK: transposed 90x70x136: right
// CHECK: single 90x70x136: right
// CHECK: across 90x88x136: right
// CHECK: adds 65x72x136: right
// CHECK: adds 100x131x72: right
// CHECK: adds_all 65x72x136: right
// CHECK: in place 65x72x136: right
// CHECK: PASS
//
// Without the condition what adds is added to twice, in an array of the same
// name or of another one.
//
// RUN: %warpwright rewrite %s -o %t.cu
// RUN: %edit_runtime %t.rt \
// RUN:   launch_plan.cuh 's/!problem.reads_outputs/(MISTAKE(reads) || &)/'
// RUN: %warpwright sim --build-only --keep=%t.wrong %t.cu -I%t.rt
// RUN: env MISTAKE_reads=1 not %warpwright sim --run=%t.wrong > %t.reads
// RUN: FileCheck --check-prefix=READS %s < %t.reads
// READS: rows 65x72x136: right
// READS: adds 65x72x136: WRONG
// READS: adds_all 65x72x136: WRONG
// READS: in place 65x72x136: WRONG

#include <cuda_fp16.h>
#include <math.h>
#include <stdio.h>
#include <vector>

#define PLACE                                                                  \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row >= M || col >= N)                                                    \
    return;

#define SUM(T, B_AT)                                                           \
  T acc = 0;                                                                   \
  for (int k = 0; k < K; ++k)                                                  \
    acc += (T)A[row * K + k] * (T)B[B_AT];

#define PARAMETERS(T)                                                          \
  const T *A, const T *B, T *C, const T *X, T *D, int M, int N, int K

/// Stores the sum and what FROM has, to element AT; B has its factor at B_AT.
#define STORES(NAME, T, SUM_T, B_AT, FROM, AT)                                 \
  __global__ void NAME(PARAMETERS(T)) {                                        \
    PLACE                                                                      \
    SUM(SUM_T, B_AT)                                                           \
    C[AT] = (T)(acc + (SUM_T)FROM[AT]);                                        \
  }
#define ALONG_K (k + col * K)
#define ACROSS_K (col + k * N)
#define ROW_MAJOR (col + row * N)
#define COLUMN_MAJOR (row + col * M)

#pragma warpwright matmul tile(64, 64, 64)
STORES(rows, half, float, ALONG_K, X, ROW_MAJOR)
#pragma warpwright matmul tile(32, 64, 64)
STORES(turned, half, float, ALONG_K, X, ROW_MAJOR)
#pragma warpwright matmul tile(64, 64, 64) cluster(2, 2)
STORES(quad, half, float, ALONG_K, X, ROW_MAJOR)
#pragma warpwright matmul tile(64, 64, 64) schedule(pingpong)
STORES(in_turn, half, float, ALONG_K, X, ROW_MAJOR)
#pragma warpwright matmul tile(128, 128, 64)
STORES(wide, half, float, ALONG_K, X, ROW_MAJOR)
#pragma warpwright matmul tile(64, 64, 64) accumulate(promoted)
STORES(promoted, half, float, ALONG_K, X, ROW_MAJOR)
#pragma warpwright matmul tile(64, 64, 64) split_k(3)
STORES(slices, half, float, ALONG_K, X, ROW_MAJOR)
#pragma warpwright matmul tile(64, 64, 32)
STORES(floats, float, float, ALONG_K, X, ROW_MAJOR)
#pragma warpwright matmul tile(64, 32, 16)
STORES(doubles, double, double, ALONG_K, X, ROW_MAJOR)
#pragma warpwright matmul tile(64, 64, 64)
STORES(transposed, half, float, ALONG_K, X, COLUMN_MAJOR)
#pragma warpwright matmul tile(64, 64, 64)
STORES(single, half, float, ALONG_K, X, ROW_MAJOR * 2)
#pragma warpwright matmul tile(64, 64, 64)
STORES(across, half, float, ACROSS_K, X, ROW_MAJOR)
#pragma warpwright matmul tile(64, 64, 64)
STORES(adds, half, float, ALONG_K, C, ROW_MAJOR)

#pragma warpwright matmul tile(64, 64, 64)
__global__ void both(PARAMETERS(half)) {
  PLACE
  SUM(float, ALONG_K)
  C[ROW_MAJOR] = (half)(acc + (float)X[ROW_MAJOR]);
  D[ROW_MAJOR] = (half)(2 * acc);
}

#pragma warpwright matmul tile(64, 64, 32) precision(tf32)
__global__ void adds_all(PARAMETERS(float)) {
  PLACE
  SUM(float, ALONG_K)
  atomicAdd(&C[ROW_MAJOR], acc);
}

template <class T>
bool check(const char *name, void (*kernel)(PARAMETERS(T)), int m, int n, int k,
           bool in_place = false, bool b_along_k = true, bool c_along_m = false,
           int each = 1) {
  std::vector<T> a(m * k), b(n * k), c(m * n * each);
  for (int i = 0; i < m * k; ++i)
    a[i] = T(float(i * 37 % 7 - 3));
  for (int i = 0; i < n * k; ++i)
    b[i] = T(float(i * 23 % 5 - 2));
  for (int i = 0; i < m * n * each; ++i)
    c[i] = T(float(i * 11 % 17));
  T *A, *B, *C, *D, *X;
  cudaMalloc(&A, a.size() * sizeof(T));
  cudaMalloc(&B, b.size() * sizeof(T));
  cudaMalloc(&C, c.size() * sizeof(T));
  cudaMalloc(&D, c.size() * sizeof(T));
  cudaMalloc(&X, c.size() * sizeof(T));
  cudaMemcpy(A, a.data(), a.size() * sizeof(T), cudaMemcpyHostToDevice);
  cudaMemcpy(B, b.data(), b.size() * sizeof(T), cudaMemcpyHostToDevice);
  cudaMemcpy(C, c.data(), c.size() * sizeof(T), cudaMemcpyHostToDevice);
  cudaMemcpy(D, c.data(), c.size() * sizeof(T), cudaMemcpyHostToDevice);
  cudaMemcpy(X, c.data(), c.size() * sizeof(T), cudaMemcpyHostToDevice);
  kernel<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(
      A, B, C, in_place ? C : X, D, m, n, k);
  std::vector<T> c_is(c), d_is(c);
  cudaMemcpy(c_is.data(), C, c.size() * sizeof(T), cudaMemcpyDeviceToHost);
  cudaMemcpy(d_is.data(), D, c.size() * sizeof(T), cudaMemcpyDeviceToHost);
  const bool two = (void *)kernel == (void *)both;
  bool right = true;
  for (int r = 0; r < m; ++r)
    for (int s = 0; s < n; ++s) {
      float sum = 0;
      for (int j = 0; j < k; ++j)
        sum +=
            float(a[r * k + j]) * float(b[b_along_k ? s * k + j : j * n + s]);
      const int at = (c_along_m ? s * m + r : r * n + s) * each;
      right &= float(c_is[at]) == float(T(sum + float(c[at])));
      right &= float(d_is[at]) == float(two ? T(2 * sum) : c[at]);
    }
  printf("%s %dx%dx%d: %s\n", name, m, n, k, right ? "right" : "WRONG");
  return right;
}

int main() {
  bool all = check("rows", rows, 65, 72, 136);
  all &= check("rows", rows, 100, 131, 72);
  all &= check("rows", rows, 190, 200, 264);
  all &= check("turned", turned, 33, 104, 136);
  all &= check("turned", turned, 47, 77, 72);
  all &= check("quad", quad, 65, 72, 136);
  all &= check("quad", quad, 130, 200, 72);
  all &= check("in_turn", in_turn, 150, 90, 136);
  all &= check("wide", wide, 129, 136, 72);
  all &= check("promoted", promoted, 70, 66, 264);
  all &= check("slices", slices, 70, 66, 1000);
  all &= check("floats", floats, 140, 72, 264);
  all &= check("doubles", doubles, 70, 36, 40);
  all &= check("both", both, 79, 81, 136);
  all &= check("transposed", transposed, 90, 70, 136, false, true, true);
  all &= check("single", single, 90, 70, 136, false, true, false, 2);
  all &= check("across", across, 90, 88, 136, false, false);
  all &= check("adds", adds, 65, 72, 136);
  all &= check("adds", adds, 100, 131, 72);
  all &= check("adds_all", adds_all, 65, 72, 136);
  all &= check("in place", rows, 65, 72, 136, true);
  printf(all ? "PASS\n" : "FAIL\n");
  return !all;
}
