// Kernels with several contractions: each sum is shown, by the name that what is
// stored has for it. Those that plans do not compute together are declined by the
// planner, which says why and what to do instead.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse 2>&1 | FileCheck %s

#define ARGS                                                                   \
  const float *A, const float *B, const float *D, float *C, float *E,          \
      const float *s, int M, int N, int K, int L, float alpha
#define PLACE                                                                  \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row >= M || col >= N)                                                    \
    return;                                                                    \
  float x = 0, y = 0;
#define FIRST A[row * K + k] * B[k * N + col]
#define SECOND A[row * K + k] * D[k * N + col]

// CHECK-DAG: 'guarded_from' is not rewritten: which products are summed depends on more than the range of the loop: on a condition with 'L' [WW216]
// CHECK-DAG: 'part_alone' is not rewritten: it computes 2 sums, and a plan computes several only over the same range of k, not over 2 * floordiv(K, 2) and K; a kernel for each sum is rewritten [WW308]
// CHECK-DAG: 'exchanged' is not rewritten: it computes 2 sums, and a plan computes several only where all have the first factor in common, or the second; a kernel for each sum is rewritten [WW308]
// CHECK-DAG: 'after_the_first' is not rewritten: it computes 2 sums, and whether each is computed depends on a condition, where a plan computes all of them; a kernel for each sum is rewritten [WW308]
// CHECK-DAG: 'counts' is not rewritten: what a loop inside sums in i32 is converted to f32 before it is added [WW217]
// CHECK-DAG: 'norms' is not rewritten: the elements of 'A' and 'A' that are multiplied move with the same row or column, and not one with the row and one with the column [WW217]
// CHECK-DAG: 'of_one' is not rewritten: what is summed is a product of 1 loaded elements, not of two [WW217]
// CHECK-DAG: 'running' is not rewritten: {{.*}} [WW202]

// CHECK-LABEL: contraction "gated" {
// CHECK:       index %k < K
// CHECK-NEXT:  operand A = A[%m * K + %k]:f32
// CHECK-NEXT:  operand B = B[%k * N + %n]:f32
// CHECK-NEXT:  accumulate f32
// CHECK-NEXT:  sum acc1
// CHECK-NEXT:  index %k < K
// CHECK-NEXT:  operand A = A[%m * K + %k]:f32
// CHECK-NEXT:  operand B = D[%k * N + %n]:f32
// CHECK-NEXT:  accumulate f32
// CHECK-NEXT:  output C[%m * N + %n]:f32 = ((acc / (1.0f:f32 + call.f32 "expf"(-(acc)))) * acc1)
#pragma warpwright matmul
__global__ void gated(ARGS) {
  PLACE
  for (int k = 0; k < K; ++k) {
    x += FIRST;
    y += SECOND;
  }
  C[row * N + col] = x / (1.0f + expf(-x)) * y;
}

// Each product has a k of its own.
// CHECK-LABEL: contraction "other_ranges" {
// CHECK:       index %k < K
// CHECK:       plus over %k < L
// CHECK-NEXT:  operand A = D[%m * L + %k]:f32
// CHECK-NEXT:  operand B = B[%k * N + %n]:f32
// CHECK:       output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
__global__ void other_ranges(ARGS) {
  PLACE
  for (int k = 0; k < K; ++k)
    x += FIRST;
  for (int l = 0; l < L; ++l)
    x += D[row * L + l] * B[l * N + col];
  C[row * N + col] = x;
}

// A guard inside the loop bounds the product that it is of.
// CHECK-LABEL: contraction "guarded" {
// CHECK:       index %k < K
// CHECK:       minus over %k < min(K, L)
// CHECK:       output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
__global__ void guarded(ARGS) {
  PLACE
  for (int k = 0; k < K; ++k) {
    x += FIRST;
    if (k < L)
      y += SECOND;
  }
  C[row * N + col] = x - y;
}

#pragma warpwright matmul
__global__ void guarded_from(ARGS) {
  PLACE
  for (int k = 0; k < K; ++k) {
    x += FIRST;
    if (k >= L)
      y += SECOND;
  }
  C[row * N + col] = x - y;
}

// CHECK-LABEL: contraction "two_outputs" {
// CHECK:       sum acc1
// CHECK:       output C[%m * N + %n]:f32 = acc
// CHECK-NEXT:  output E[%m * N + %n]:f32 = (alpha:f32 * acc1)
#pragma warpwright matmul
__global__ void two_outputs(ARGS) {
  PLACE
  for (int k = 0; k < K; ++k) {
    x += FIRST;
    y += SECOND;
  }
  C[row * N + col] = x;
  E[row * N + col] = alpha * y;
}

// One sum in two arrays, or in two loops, is one sum.
// CHECK-LABEL: contraction "two_arrays" {
// CHECK-NOT:   sum acc1
// CHECK:       output C[%m * N + %n]:f32 = acc
// CHECK-NEXT:  output E[%m * N + %n]:f32 = (alpha:f32 * acc)
#pragma warpwright matmul
__global__ void two_arrays(ARGS) {
  PLACE
  for (int k = 0; k < K; ++k)
    x += FIRST;
  C[row * N + col] = x;
  E[row * N + col] = alpha * x;
}

// CHECK-LABEL: contraction "two_loops" {
// CHECK-NOT:   sum acc1
// CHECK:       output C[%m * N + %n]:f32 = (acc * acc)
#pragma warpwright matmul
__global__ void two_loops(ARGS) {
  PLACE
  for (int k = 0; k < K; ++k)
    x += FIRST;
  for (int k = 0; k < K; ++k)
    y += FIRST;
  C[row * N + col] = x * y;
}

// Every fourth product is added to a sum of its own, and the rest to all of them.
// CHECK-LABEL: contraction "fourths" {
// CHECK:       index %k < K
// CHECK-NOT:   sum acc1
// CHECK:       output C[%m * N + %n]:f32 = acc
// CHECK:       require K >= 0 : "a loop runs a negative number of times"
#pragma warpwright matmul
__global__ void fourths(ARGS) {
  PLACE
  float z = 0, w = 0;
  const int whole = K / 4 * 4;
  for (int k = 0; k < whole; k += 4) {
    x += A[row * K + k] * B[k * N + col];
    y += A[row * K + k + 1] * B[(k + 1) * N + col];
    z += A[row * K + k + 2] * B[(k + 2) * N + col];
    w += A[row * K + k + 3] * B[(k + 3) * N + col];
  }
  float sum = (x + y) + (z + w);
  for (int k = whole; k < K; ++k)
    sum += FIRST;
  C[row * N + col] = sum;
}

// What every second product was added to is used alone as well.
// CHECK-LABEL: contraction "part_alone" {
// CHECK:       index %k < 2 * floordiv(K, 2)
// CHECK:       sum acc1
// CHECK-NEXT:  index %k < K
// CHECK-NEXT:  operand A = A[%m * K + %k]:f32
// CHECK:       output C[%m * N + %n]:f32 = (acc * acc1)
#pragma warpwright matmul
__global__ void part_alone(ARGS) {
  PLACE
  const int whole = K / 2 * 2;
  for (int k = 0; k < whole; k += 2) {
    x += A[row * K + k] * B[k * N + col];
    y += A[row * K + k + 1] * B[(k + 1) * N + col];
  }
  float part = x + y, rest = 0;
  for (int k = whole; k < K; ++k)
    rest += FIRST;
  C[row * N + col] = part * (part + rest);
}

// The first sum is rounded to a whole number, or as what is added to it is, and
// the second one is not.
// CHECK-LABEL: contraction "rounded_by_adding" {
// CHECK:       sum acc1
// CHECK:       output C[%m * N + %n]:f32 = (((acc + 12582912.0f:f32) - 12582912.0f:f32) + acc1)
// CHECK-LABEL: contraction "rounded_alike" {
// CHECK:       sum acc1
// CHECK:       output C[%m * N + %n]:f32 = {{.*}} - (s[%n]:f32 - acc{{.*}}
#define LOW_RANK                                                               \
  for (int k = 0; k < K; ++k)                                                  \
    x += FIRST;                                                                \
  for (int k = 0; k < L; ++k)                                                  \
    y += A[row * L + k] * D[k * N + col];
#pragma warpwright matmul
__global__ void rounded_by_adding(ARGS) {
  PLACE LOW_RANK C[row * N + col] = ((x + 12582912.0f) - 12582912.0f) + y;
}

#pragma warpwright matmul
__global__ void rounded_alike(ARGS) {
  PLACE LOW_RANK C[row * N + col] = y + (s[col] - (s[col] - x));
}

// The operands of the second sum in another order, and in another place.
// CHECK-LABEL: contraction "exchanged" {
// CHECK:       operand A = A[%m * K + %k]:f32
// CHECK-NEXT:  operand B = B[%k * N + %n]:f32
// CHECK:       sum acc1
// CHECK:       operand A = D[%k * M + %m]:f32
// CHECK-NEXT:  operand B = A[%n * K + %k]:f32
#pragma warpwright matmul
__global__ void exchanged(ARGS) {
  PLACE
  for (int k = K - 1; k >= 0; --k) {
    x += FIRST;
    y += A[col * K + k] * D[k * M + row];
  }
  C[row * N + col] = x * y;
}

// CHECK-LABEL: contraction "rank_2k" {
// CHECK:       index %k < K
// CHECK-NEXT:  operand A = A[%m * K + %k]:f32
// CHECK-NEXT:  operand B = B[%n * K + %k]:f32
// CHECK-NEXT:  plus
// CHECK-NEXT:  operand A = B[%m * K + %k]:f32
// CHECK-NEXT:  operand B = A[%n * K + %k]:f32
// CHECK-NEXT:  accumulate f32
// CHECK-NEXT:  output C[%m * N + %n]:f32 = (alpha:f32 * acc)
#pragma warpwright matmul
__global__ void rank_2k(ARGS) {
  PLACE
  for (int k = 0; k < K; ++k)
    x += A[row * K + k] * B[col * K + k] + B[row * K + k] * A[col * K + k];
  C[row * N + col] = alpha * x;
}

// CHECK-LABEL: contraction "unrolled" {
// CHECK:       index %k < 2 * floordiv(K + 1, 2)
// CHECK-NEXT:  operand A = A[%m * K + %k]:f32
// CHECK-NEXT:  operand B = B[%k * N + %n]:f32
// CHECK-NEXT:  plus
// CHECK-NEXT:  operand A = A[%m * K + %k]:f32
// CHECK-NEXT:  operand B = D[%k * N + %n]:f32
// CHECK-NEXT:  accumulate f32
#pragma warpwright matmul
__global__ void unrolled(ARGS) {
  PLACE
  for (int k = 0; k < K; k += 2) {
    x += A[row * K + k] * B[k * N + col];
    x += A[row * K + k] * D[k * N + col];
    x += A[row * K + k + 1] * B[(k + 1) * N + col];
    x += A[row * K + k + 1] * D[(k + 1) * N + col];
  }
  C[row * N + col] = x;
}

// Terms that look like an unrolled loop, and are not.
// CHECK-LABEL: contraction "crossed" {
// CHECK:       operand A = A[%m * K + 3 * %k]:f32
// CHECK-NEXT:  operand B = B[3 * %k * N + %n]:f32
// CHECK-NEXT:  plus
// CHECK-NEXT:  operand A = A[%m * K + 3 * %k + 1]:f32
// CHECK-NEXT:  operand B = B[3 * %k * N + %n + 2 * N]:f32
// CHECK-NEXT:  plus
// CHECK-NEXT:  operand A = A[%m * K + 3 * %k + 2]:f32
// CHECK-NEXT:  operand B = B[3 * %k * N + %n + N]:f32
#pragma warpwright matmul
__global__ void crossed(ARGS) {
  PLACE
  for (int k = 0; k < K; k += 3)
    x += FIRST + A[row * K + k + 1] * B[(k + 2) * N + col] +
         A[row * K + k + 2] * B[(k + 1) * N + col];
  C[row * N + col] = x;
}

// A sum that is multiplied with a number is a product of the other one, also
// where something else is added between them.
// CHECK-LABEL: contraction "adapted" {
// CHECK:       index %k < L
// CHECK-NEXT:  operand A = D[%m * L + %k]:f32
// CHECK-NEXT:  operand B = E[%k * N + %n]:f32
// CHECK-NEXT:  times -((alpha:f32 * 0.5f:f32))
// CHECK-NEXT:  plus over %k < K
// CHECK-NEXT:  operand A = A[%m * K + %k]:f32
// CHECK-NEXT:  operand B = B[%k * N + %n]:f32
// CHECK-NEXT:  accumulate f32
// CHECK-NEXT:  output C[%m * N + %n]:f32 = (acc + s[%n]:f32)
#pragma warpwright matmul
__global__ void adapted(ARGS) {
  PLACE
  for (int k = 0; k < K; ++k)
    x += FIRST;
  for (int l = 0; l < L; ++l)
    y += D[row * L + l] * E[l * N + col];
  C[row * N + col] = x + s[col] - alpha * 0.5f * y;
}

// With one number for both it is that of the sum, and with two the sums stay
// apart, as they do with a number that rows have.
// CHECK-LABEL: contraction "both_alike" {
// CHECK:       plus over %k < L
// CHECK-NOT:   times
// CHECK:       output C[%m * N + %n]:f32 = (alpha:f32 * acc)
// CHECK-LABEL: contraction "both" {
// CHECK:       sum acc1
// CHECK-LABEL: contraction "by_row" {
// CHECK:       sum acc1
#define ADAPTED(NAME, VALUE)                                                   \
  __global__ void NAME(ARGS, float beta) {                                     \
    PLACE                                                                      \
    for (int k = 0; k < K; ++k)                                                \
      x += FIRST;                                                              \
    for (int l = 0; l < L; ++l)                                                \
      y += D[row * L + l] * E[l * N + col];                                    \
    C[row * N + col] = VALUE;                                                  \
  }
#pragma warpwright matmul
ADAPTED(both_alike, alpha * x + alpha * y)
#pragma warpwright matmul
ADAPTED(both, alpha * x + beta * y)
#pragma warpwright matmul
ADAPTED(by_row, x + s[row] * y)

// What finished sums are multiplied with tells them apart.
// CHECK-LABEL: contraction "unlike" {
// CHECK:       sum acc1
// CHECK:       output C[%m * N + %n]:f32 = ((alpha:f32 * acc) - (s[%m]:f32 * acc1))
#pragma warpwright matmul
__global__ void unlike(ARGS) {
  PLACE
  for (int k = 0; k < K; ++k)
    x += alpha * FIRST - s[row] * (SECOND);
  C[row * N + col] = x;
}

// CHECK-LABEL: contraction "complex" {
// CHECK:       operand A = A[%m * K + %k]:f32
// CHECK-NEXT:  operand B = D[%k * N + %n]:f32
// CHECK-NEXT:  minus
// CHECK-NEXT:  operand A = B[%m * K + %k]:f32
// CHECK-NEXT:  operand B = s[%k * N + %n]:f32
// CHECK:       sum acc1
// CHECK:       operand A = A[%m * K + %k]:f32
// CHECK-NEXT:  operand B = s[%k * N + %n]:f32
// CHECK-NEXT:  plus
// CHECK-NEXT:  operand A = B[%m * K + %k]:f32
// CHECK-NEXT:  operand B = D[%k * N + %n]:f32
// CHECK:       output C[%m * N + %n]:f32 = acc
// CHECK-NEXT:  output E[%m * N + %n]:f32 = acc1
#pragma warpwright matmul
__global__ void complex(ARGS) {
  PLACE
  for (int k = 0; k < K; ++k) {
    const float ar = A[row * K + k], ai = B[row * K + k];
    const float br = D[k * N + col], bi = s[k * N + col];
    x += ar * br - ai * bi;
    y += ar * bi + ai * br;
  }
  C[row * N + col] = x;
  E[row * N + col] = y;
}

// What is not computed reads nothing, and what it would read need not exist.
// CHECK-LABEL: contraction "one_of_two" {
// CHECK:       operand B = B[%k * N + %n]:f32
// CHECK:       output C[%m * N + %n]:f32 = acc{{$}}
// CHECK:       require L != 0 :
// CHECK-LABEL: contraction "one_of_two" {
// CHECK:       operand B = D[%k * N + %n]:f32
// CHECK:       output C[%m * N + %n]:f32 = acc{{$}}
// CHECK:       require L == 0 :
#pragma warpwright matmul
__global__ void one_of_two(ARGS) {
  PLACE
  if (L)
    for (int k = 0; k < K; ++k)
      x += FIRST;
  else
    for (int k = 0; k < K; ++k)
      x += SECOND;
  C[row * N + col] = x;
}

// CHECK-LABEL: contraction "after_the_first" {
// CHECK:       output C[%m * N + %n]:f32 = (acc * select(fcmp(acc > 0.0f:f32), acc1, 0.0f:f32))
#pragma warpwright matmul
__global__ void after_the_first(ARGS) {
  PLACE
  for (int k = 0; k < K; ++k)
    x += FIRST;
  if (x > 0.0f)
    for (int k = 0; k < K; ++k)
      y += SECOND;
  C[row * N + col] = x * y;
}

// A comparison uses both, whichever is stored then.
// CHECK-LABEL: contraction "greater" {
// CHECK:       output C[%m * N + %n]:f32 = select(fcmp(acc > acc1), acc, acc1)
// CHECK-NOT:   not rewritten
#pragma warpwright matmul
__global__ void greater(ARGS) {
  PLACE
  for (int k = 0; k < K; ++k) {
    x += FIRST;
    y += SECOND;
  }
  C[row * N + col] = x > y ? x : y;
}

// One sum under a condition that the host knows runs where that holds.
// CHECK-LABEL: contraction "unless_zero" {
// CHECK:       output C[%m * N + %n]:f32 = (alpha:f32 * select(fcmp(alpha:f32 != 0.0f:f32), acc, 0.0f:f32))
// CHECK:       require fcmp(alpha:f32 != 0.0f:f32) : "nothing is summed under the kernel's condition"
#pragma warpwright matmul
__global__ void unless_zero(ARGS) {
  PLACE
  if (alpha != 0.0f)
    for (int k = 0; k < K; ++k)
      x += FIRST;
  C[row * N + col] = alpha * x;
}

// Two loops that add to one sum are one loop over two products.
// CHECK-LABEL: contraction "one_after_the_other" {
// CHECK:       index %k < K
// CHECK-NEXT:  operand A = A[%m * K + %k]:f32
// CHECK-NEXT:  operand B = B[%k * N + %n]:f32
// CHECK-NEXT:  plus
// CHECK-NEXT:  operand A = E[%m * K + %k]:f32
// CHECK-NEXT:  operand B = D[%k * N + %n]:f32
// CHECK-NEXT:  accumulate f32
// CHECK-NEXT:  output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
__global__ void one_after_the_other(ARGS) {
  PLACE
  for (int k = 0; k < K; ++k)
    x += FIRST;
  for (int k = 0; k < K; ++k)
    x += E[row * K + k] * D[k * N + col];
  C[row * N + col] = x;
}

// Where one of the two is used alone as well, they stay apart.
// CHECK-LABEL: contraction "and_alone" {
// CHECK:       sum acc1
// CHECK:       output E[%m * N + %n]:f32 = acc
// CHECK-NEXT:  output C[%m * N + %n]:f32 = (acc + acc1)
#pragma warpwright matmul
__global__ void and_alone(ARGS) {
  PLACE
  for (int k = 0; k < K; ++k)
    x += FIRST;
  E[row * N + col] = x;
  for (int k = 0; k < K; ++k)
    x += SECOND;
  C[row * N + col] = x;
}

// Loops of another length inside one loop.
// CHECK-LABEL: contraction "loops_inside" {
// CHECK:       index %k < 8 * L
// CHECK:       minus over %k < 4 * L
// CHECK:       output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
__global__ void loops_inside(ARGS) {
  PLACE
  for (int t = 0; t < L; ++t) {
    float p = 0, q = 0;
    for (int k = 0; k < 8; ++k)
      p += A[row * K + t * 8 + k] * B[(t * 8 + k) * N + col];
    for (int k = 0; k < 4; ++k)
      q += A[row * K + t * 4 + k] * D[(t * 4 + k) * N + col];
    x += p - q;
  }
  C[row * N + col] = x;
}

// What is scaled group by group is a factor of the group's elements.
// CHECK-LABEL: contraction "partial" {
// CHECK:       index %k < 8 * L
// CHECK-NEXT:  operand A = A[%m * K + %k]:f32 as (s[floordiv(%k, 8)]:f32 * A[%m * K + %k]:f32)
// CHECK-NEXT:  operand B = B[%k * N + %n]:f32
#pragma warpwright matmul
__global__ void partial(ARGS) {
  PLACE
  for (int t = 0; t < L; ++t) {
    float p = 0;
    for (int k = 0; k < 8; ++k)
      p += A[row * K + t * 8 + k] * B[(t * 8 + k) * N + col];
    x += s[t] * p;
  }
  C[row * N + col] = x;
}

// Integers that may wrap are not what floats add up to.
#pragma warpwright matmul
__global__ void counts(const short *A, const short *B,
                       const float *s, float *C, int M, int N, int L) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float x = 0;
  for (int t = 0; t < L; ++t) {
    int p = 0;
    for (int k = 0; k < 8; ++k)
      p += A[row * L * 8 + t * 8 + k] * B[(t * 8 + k) * N + col];
    x += s[t] * p;
  }
  C[row * N + col] = x;
}

// Through three tiles.
// CHECK-LABEL: contraction "gated_tiles" {
// CHECK:       index %m < min(16 * gridDim.y, M)
// CHECK-NEXT:  index %n < min(16 * gridDim.x, N)
// CHECK-NEXT:  index %k < K
// CHECK-NEXT:  operand A = A[%m * K + %k]:f32
// CHECK-NEXT:  operand B = B[%k * N + %n]:f32
// CHECK-NEXT:  accumulate f32
// CHECK-NEXT:  sum acc1
// CHECK-NEXT:  index %k < K
// CHECK-NEXT:  operand A = A[%m * K + %k]:f32
// CHECK-NEXT:  operand B = D[%k * N + %n]:f32
// CHECK:       output C[%m * N + %n]:f32 = (call.f32 "fmaxf"(acc, 0.0f:f32) * acc1)
#define T 16
#pragma warpwright matmul
__global__ void gated_tiles(const float *A, const float *B, const float *D,
                            float *C, int M, int N, int K) {
  __shared__ float As[T][T], Bs[T][T], Ds[T][T];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float x = 0, y = 0;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
    Bs[ty][tx] = col < N && k0 + ty < K ? B[(k0 + ty) * N + col] : 0.0f;
    Ds[ty][tx] = col < N && k0 + ty < K ? D[(k0 + ty) * N + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < T; ++k) {
      x += As[ty][k] * Bs[k][tx];
      y += As[ty][k] * Ds[k][tx];
    }
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = fmaxf(x, 0.0f) * y;
}

// Several elements of a thread.
// CHECK-LABEL: contraction "gated_registers" {
// CHECK:       index %m < 4 * blockDim.y * gridDim.y
// CHECK:       operand B = B[%k * N + %n]:f32
// CHECK:       sum acc1
// CHECK:       operand B = D[%k * N + %n]:f32
// CHECK:       output C[%m * N + %n]:f32 = (acc * acc1)
#pragma warpwright matmul
__global__ void gated_registers(const float *A, const float *B, const float *D,
                                float *C, int M, int N, int K) {
  constexpr int R = 4;
  const int row = (blockIdx.y * blockDim.y + threadIdx.y) * R,
            col = (blockIdx.x * blockDim.x + threadIdx.x) * R;
  float x[R][R] = {}, y[R][R] = {};
  for (int k = 0; k < K; ++k)
    for (int i = 0; i < R; ++i)
      for (int j = 0; j < R; ++j) {
        x[i][j] += A[(row + i) * K + k] * B[k * N + col + j];
        y[i][j] += A[(row + i) * K + k] * D[k * N + col + j];
      }
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < R; ++j)
      C[(row + i) * N + col + j] = x[i][j] * y[i][j];
}

// A sum that no second matrix is in is no product of matrices.
#pragma warpwright matmul
__global__ void norms(ARGS) {
  PLACE
  for (int k = 0; k < K; ++k) {
    x += FIRST;
    y += A[row * K + k] * A[row * K + k];
  }
  C[row * N + col] = x / sqrtf(y);
}

#pragma warpwright matmul
__global__ void of_one(ARGS) {
  PLACE
  for (int k = 0; k < K; ++k) {
    x += FIRST;
    y += A[row * K + k];
  }
  C[row * N + col] = x - s[col] * y;
}

#pragma warpwright matmul
__global__ void running(ARGS) {
  PLACE
  for (int k = 0; k < K; ++k) {
    x += FIRST;
    y += x * D[k * N + col];
  }
  C[row * N + col] = y;
}
