// Registers that are set under a condition and multiplied without it: what is
// stored must not depend on those that are not set.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse >%t.lifted 2>%t.declined
// RUN: FileCheck %s --input-file=%t.lifted --implicit-check-not=contraction
// RUN: FileCheck %s --input-file=%t.declined --check-prefix=DECLINED

#define KERNEL(Name, Set, Stored)                                              \
  __global__ void Name(const float *A, const float *B, float *C, int M, int N, \
                       int K) {                                                \
    const int row = 4 * (blockIdx.y * 16 + threadIdx.y);                       \
    const int col = blockIdx.x * 16 + threadIdx.x;                             \
    float acc[4] = {};                                                         \
    for (int k = 0; k < K; ++k) {                                              \
      float a[4];                                                              \
      for (int i = 0; i < 4; ++i)                                              \
        if (Set)                                                               \
          a[i] = A[(row + i) * K + k];                                         \
      if (col < N)                                                             \
        for (int i = 0; i < 4; ++i)                                            \
          acc[i] += a[i] * B[col * K + k];                                     \
    }                                                                          \
    for (int i = 0; i < 4; ++i)                                                \
      if (Stored && col < N)                                                   \
        C[(row + i) * N + col] = acc[i];                                       \
  }

// CHECK-LABEL: contraction "stored_where_set"
// CHECK: index %m < min(64 * gridDim.y, M)
// CHECK-NOT: a tile is not filled completely
#pragma warpwright matmul
KERNEL(stored_where_set, row + i < M, row + i < M)

// Rows beyond those that are set are stored, too: the grid has to end before
// them.
// CHECK-LABEL: contraction "stored_everywhere"
// CHECK: index %m < 64 * gridDim.y
// CHECK: require M - 64 * gridDim.y >= 0 : "a tile is not filled completely"
#pragma warpwright matmul
KERNEL(stored_everywhere, row + i < M, true)

// CHECK-LABEL: contraction "last_row_not_set"
// CHECK: require M - 64 * gridDim.y - 1 >= 0 : "a tile is not filled
// completely"
#pragma warpwright matmul
KERNEL(last_row_not_set, row + i < M - 1, row + i < M)

// DECLINED: 'every_other_term' is not rewritten: {{.*}}[WW2
#pragma warpwright matmul
KERNEL(every_other_term, k % 2 == 0, row + i < M)
