// A variable counts the tiles that have been fetched, up to their number; it
// and the pointers step only where there is a tile to fetch, before the loop
// and in it.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse 2>%t | FileCheck %s
// RUN: FileCheck --check-prefix=WHY %s <%t

#include <cuda_runtime.h>

constexpr int T = 16, Stages = 4;

#define ARGS const float *A, const float *B, float *C, int M, int N, int K
#define COPY(TO, FROM)                                                         \
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(               \
                   (unsigned)__cvta_generic_to_shared(&TO)),                   \
               "l"(FROM))
#define COMMIT asm volatile("cp.async.commit_group;")
#define HEAD                                                                   \
  __shared__ float As[Stages][T][T], Bs[Stages][T][T];                         \
  const int tx = threadIdx.x, ty = threadIdx.y;                                \
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;              \
  const float *a = A + row * K + tx, *b = B + ty * N + col;                    \
  const int tiles = K / T;                                                     \
  int write = 0, read = 0, fetched = 0;                                        \
  float acc = 0;
#define FETCH                                                                  \
  COPY(As[write][ty][tx], a);                                                  \
  COPY(Bs[write][ty][tx], b);                                                  \
  a += T, b += T * N;                                                          \
  ++fetched;
#define NEXT(stage) stage = stage + 1 == Stages ? 0 : stage + 1
#define MULTIPLY                                                               \
  for (int k = 0; k < T; ++k)                                                  \
    acc += As[read][ty][k] * Bs[read][k][tx];                                  \
  NEXT(read);

// CHECK-LABEL: contraction "counted"
// CHECK: index %m < 16 * gridDim.y
// CHECK: index %n < 16 * gridDim.x
// CHECK: index %k < 16 * floordiv(K, 16)
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%k * N + %n]:f32
#pragma warpwright matmul
__global__ void counted(ARGS) {
  HEAD
#pragma unroll
  for (int s = 0; s < Stages - 1; ++s) {
    if (fetched < tiles) {
      FETCH
    }
    COMMIT;
    NEXT(write);
  }
  for (int i = 0; i < tiles; ++i) {
    asm volatile("cp.async.wait_group 2;");
    __syncthreads();
    if (fetched < tiles) {
      FETCH
    }
    COMMIT;
    NEXT(write);
    MULTIPLY
  }
  C[row * N + col] = acc;
}

// The first tiles are fetched in any case, the others in the middle of the
// products of a tile, by the loop over its parts.
//
// CHECK-LABEL: contraction "counted_amid_products"
// CHECK: index %m < 16 * gridDim.y
// CHECK: index %k < 16 * floordiv(K, 16)
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%k * N + %n]:f32
#pragma warpwright matmul
__global__ void counted_amid_products(ARGS) {
  HEAD
  for (int s = 0; s < Stages - 1; ++s) {
    FETCH
    COMMIT;
    NEXT(write);
  }
  for (int i = 0; i < tiles; ++i) {
    asm volatile("cp.async.wait_group 2;");
    __syncthreads();
    for (int part = 0; part < 4; ++part) {
      for (int k = 0; k < 4; ++k)
        acc += As[i % Stages][ty][4 * part + k] * Bs[i % Stages][4 * part + k][tx];
      if (part == 1) {
        if (fetched < tiles) {
          COPY(As[fetched % Stages][ty][tx], A + row * K + fetched * T + tx);
          COPY(Bs[fetched % Stages][ty][tx], B + (fetched * T + ty) * N + col);
          ++fetched;
        }
        COMMIT;
      }
    }
  }
  C[row * N + col] = acc;
}

// The last wait waits for all groups, of which none is empty.
//
// CHECK-LABEL: contraction "waits_by_what_is_left"
// CHECK: index %k < 16 * floordiv(K, 16)
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%k * N + %n]:f32
#pragma warpwright matmul
__global__ void waits_by_what_is_left(ARGS) {
  HEAD
  for (int s = 0; s < 2 && s < tiles; ++s) {
    COPY(As[s][ty][tx], A + row * K + s * T + tx);
    COPY(Bs[s][ty][tx], B + (s * T + ty) * N + col);
    COMMIT;
  }
  asm volatile("cp.async.wait_group 0;");
  __syncthreads();
  int next = 2;
  for (int i = 0; i < tiles; ++i) {
    if (next < tiles) {
      COPY(As[next % Stages][ty][tx], A + row * K + next * T + tx);
      COPY(Bs[next % Stages][ty][tx], B + (next * T + ty) * N + col);
      COMMIT;
      ++next;
    }
    for (int k = 0; k < T; ++k)
      acc += As[i % Stages][ty][k] * Bs[i % Stages][k][tx];
    if (next < tiles)
      asm volatile("cp.async.wait_group 1;");
    else
      asm volatile("cp.async.wait_group 0;");
    __syncthreads();
  }
  C[row * N + col] = acc;
}

// Groups are committed only where there is a tile, so that the last waits do
// not wait for the last tiles.
//
// WHY: [[@LINE+16]]:{{.*}}'committed_with_tiles' is not rewritten: 'As' is stored to here while the asynchronous copy at line {{[0-9]+}} may still store to the same element: {{.*}} [WW224]
#pragma warpwright matmul
__global__ void committed_with_tiles(ARGS) {
  HEAD
#pragma unroll
  for (int s = 0; s < Stages - 1; ++s) {
    if (fetched < tiles) {
      FETCH
    }
    COMMIT;
    NEXT(write);
  }
  for (int i = 0; i < tiles; ++i) {
    asm volatile("cp.async.wait_group 2;");
    __syncthreads();
    if (fetched < tiles) {
      FETCH
      COMMIT;
    }
    NEXT(write);
    MULTIPLY
  }
  C[row * N + col] = acc;
}

// Before the loop, tiles are counted up to another bound than in it.
//
// WHY: [[@LINE+16]]:{{.*}}'another_bound' is not rewritten: 'As' is stored to here while the asynchronous copy at line {{[0-9]+}} may still store to the same element: {{.*}} [WW224]
#pragma warpwright matmul
__global__ void another_bound(ARGS) {
  HEAD
#pragma unroll
  for (int s = 0; s < Stages - 1; ++s) {
    if (fetched < M) {
      FETCH
    }
    COMMIT;
    NEXT(write);
  }
  for (int i = 0; i < tiles; ++i) {
    asm volatile("cp.async.wait_group 2;");
    __syncthreads();
    if (fetched < tiles) {
      FETCH
    }
    COMMIT;
    NEXT(write);
    MULTIPLY
  }
  C[row * N + col] = acc;
}

// Every other iteration fetches no tile.
//
// WHY: [[@LINE+16]]:{{.*}}'every_other' is not rewritten: a value is handed from one iteration to the next in a way that is not a sum [WW202]
#pragma warpwright matmul
__global__ void every_other(ARGS) {
  HEAD
#pragma unroll
  for (int s = 0; s < Stages - 1; ++s) {
    if (fetched < tiles) {
      FETCH
    }
    COMMIT;
    NEXT(write);
  }
  for (int i = 0; i < tiles; ++i) {
    asm volatile("cp.async.wait_group 2;");
    __syncthreads();
    if (fetched < tiles && i % 2 == 0) {
      FETCH
    }
    COMMIT;
    NEXT(write);
    MULTIPLY
  }
  C[row * N + col] = acc;
}
