// One product that is stored to several arrays, to each of them for a range of
// columns or rows, as queries, keys and values of attention are.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse > %t.txt 2> %t.err
// RUN: FileCheck %s --input-file=%t.txt
// RUN: FileCheck --check-prefix=WHY --implicit-check-not="is not rewritten" %s --input-file=%t.err

// RUN: not %warpwright rewrite --no-check --emit=plan %s -- %parse 2>/dev/null | FileCheck --check-prefix=PLAN %s
// RUN: not %warpwright rewrite --no-check %s -o %t.cu -- %parse 2>/dev/null
// RUN: FileCheck --check-prefix=CODE %s --input-file=%t.cu

#define ARGS                                                                   \
  const float *x, const float *w, float *q, float *k, int M, int N, int K, int D
#define PLACE                                                                  \
  const int m = blockIdx.y * blockDim.y + threadIdx.y;                         \
  const int n = blockIdx.x * blockDim.x + threadIdx.x;                         \
  if (m >= M || n >= N)                                                        \
    return;                                                                    \
  float acc = 0
#define SUM                                                                    \
  for (int i = 0; i < K; ++i)                                                  \
  acc += x[m * K + i] * w[n * K + i]

// The widths follow from the arguments. No plan stages what it stores.
// CHECK-LABEL: contraction "projections"
// CHECK:      index %n < min(D + 2 * kv, blockDim.x * gridDim.x)
// CHECK:      output q[%m * D + %n]:f32 = acc when %n < D
// CHECK-NEXT: output k[%m * kv + %n - D]:f32 = (acc + bias[%n]:f32) when D <= %n < D + kv
// CHECK-NEXT: output v[%m * kv + %n - D - kv]:f32 = acc when D + kv <= %n
// CHECK-DAG:  require kv >= 0 : "the ranges of the outputs are not in order"
// CHECK-DAG:  require D >= 0 : "the ranges of the outputs are not in order"
// PLAN: epilogue: f32, stored directly
// CODE-LABEL: struct projections_epilogue_{{[0-9a-f]+}} {
// CODE:         if (n < D) {
// CODE-NEXT:      const float part_of_output0 = acc;
// CODE-NEXT:      q[m * D + n] = part_of_output0;
// CODE-NEXT:    }
// CODE-NEXT:    if (D <= n && int64_t(n) < int64_t(D) + kv) {
// CODE:           k[m * kv + n - D] = part_of_output1;
// CODE-NEXT:    }
// CODE-NEXT:    if (int64_t(D) + kv <= int64_t(n)) {
// CODE:           v[m * kv + n - D - kv] = part_of_output2;
// CODE:         rt::Array{"k",
// CODE:             .when(rt::Axis::n, D, rt::Integer(D) + kv),
// CODE:         rt::Array{"v",
// CODE:             .when(rt::Axis::n, rt::Integer(D) + kv),
// CODE-NEXT:    rt::Array{"bias",
// CODE-NEXT:        .when(rt::Axis::n, D, rt::Integer(D) + kv)};
#pragma warpwright matmul
__global__ void projections(const float *x, const float *w, const float *bias,
                            float *q, float *k, float *v, int M, int K, int D,
                            int kv) {
  const int N = D + 2 * kv;
  PLACE;
  SUM;
  if (n < D)
    q[m * D + n] = acc;
  else if (n < D + kv)
    k[m * kv + n - D] = acc + bias[n];
  else
    v[m * kv + n - D - kv] = acc;
}

// The pointer is chosen, and what else depends on the column with it.
// CHECK-LABEL: contraction "pointer_chosen"
// CHECK:      output q[%m * D + %n]:f32 = acc when %n < D
// CHECK-NEXT: output k[-%m * D + %m * N + %n - D]:f32 = acc when D <= %n
#pragma warpwright matmul
__global__ void pointer_chosen(ARGS) {
  PLACE;
  SUM;
  float *out = n < D ? q : k;
  const int width = n < D ? D : N - D, first = n < D ? 0 : D;
  out[m * width + n - first] = acc;
}

// CHECK-LABEL: contraction "rows"
// CHECK:      output q[%m * N + %n]:f32 = acc when %m < D
// CHECK-NEXT: output k[%m * N - D * N + %n]:f32 = (k[%m * N - D * N + %n]:f32 + acc) when D <= %m
#pragma warpwright matmul
__global__ void rows(ARGS) {
  PLACE;
  SUM;
  if (m < D)
    q[m * N + n] = acc;
  else
    k[(m - D) * N + n] += acc;
}

// Some columns are stored twice, and of the last ones there are none.
// CHECK-LABEL: contraction "ranges_overlap"
// CHECK:      index %n < min(N, blockDim.x * gridDim.x)
// CHECK:      output q[2 * %m * D + %n]:f32 = acc when %n < 2 * D
// CHECK-NEXT: output k[%m * N + %n]:f32 = acc when D <= %n
#pragma warpwright matmul
__global__ void ranges_overlap(ARGS) {
  PLACE;
  SUM;
  if (n < 2 * D)
    q[m * 2 * D + n] = acc;
  if (n >= D)
    k[m * N + n] = acc;
}

// CHECK-LABEL: contraction "one_more"
// CHECK:      output q[%m * D + %m + %n]:f32 = acc when %n < D + 1
// CHECK-NEXT: output k[%m * N + %n]:f32 = acc when D + 1 <= %n
#pragma warpwright matmul
__global__ void one_more(ARGS) {
  PLACE;
  SUM;
  if (n <= D)
    q[m * (D + 1) + n] = acc;
  if (n > D)
    k[m * N + n] = acc;
}

// The columns end where nothing is stored any more.
// CHECK-LABEL: contraction "ends_early"
// CHECK:      index %n < min(2 * D, min(N, blockDim.x * gridDim.x))
// CHECK:      output q[%m * D + %n]:f32 = acc when %n < D
// CHECK-NEXT: output k[%m * D + %n - D]:f32 = acc when D <= %n < 2 * D
#pragma warpwright matmul
__global__ void ends_early(ARGS) {
  PLACE;
  SUM;
  if (n < D)
    q[m * D + n] = acc;
  else if (n < 2 * D)
    k[m * D + n - D] = acc;
}

// One array, of which the launcher compares the parts.
// CHECK-LABEL: contraction "stacked"
// CHECK:      output q[%m * D + %n]:f32 = acc when %n < D
// CHECK-NEXT: output q[%m * D + D * M + %n - D]:f32 = acc when D <= %n
#pragma warpwright matmul
__global__ void stacked(ARGS) {
  PLACE;
  SUM;
  if (n < D)
    q[m * D + n] = acc;
  else
    q[M * D + m * D + n - D] = acc;
}

// What is computed behind a test, modulo 2^32, is known to be in the range.
// CHECK-LABEL: contraction "unsigned_columns"
// CHECK:      output q[%m * D + %n]:f32 = acc when %n < D
// CHECK-NEXT: output k[-%m * D + %m * N + %n - D]:f32 = acc when D <= %n
// CHECK-NOT:  D == 0
// CHECK:      offsets u32
#pragma warpwright matmul
__global__ void unsigned_columns(const float *x, const float *w, float *q,
                                 float *k, unsigned M, unsigned N, unsigned K,
                                 unsigned D) {
  const unsigned m = blockIdx.y * blockDim.y + threadIdx.y;
  const unsigned n = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= M || n >= N)
    return;
  float acc = 0;
  for (unsigned i = 0; i < K; ++i)
    acc += x[m * K + i] * w[n * K + i];
  if (n < D)
    q[m * D + n] = acc;
  else
    k[m * (N - D) + (n - D)] = acc;
}

// The number of the array is an index, which moves the weights alone.
// CHECK-LABEL: contraction "by_block"
// CHECK:      index %b < min(3, gridDim.z)
// CHECK:      output q[%m * N + %n]:f32 = acc when %b < 1
// CHECK-NEXT: output k[%m * N + %n]:f32 = acc when 1 <= %b < 2
// CHECK-NEXT: output v[%m * N + %n]:f32 = acc when 2 <= %b
#pragma warpwright matmul
__global__ void by_block(ARGS, float *v) {
  const int z = blockIdx.z;
  PLACE;
  if (z >= 3)
    return;
  for (int i = 0; i < K; ++i)
    acc += x[m * K + i] * w[(z * N + n) * K + i];
  float *out = z == 0 ? q : z == 1 ? k : v;
  out[m * N + n] = acc;
}

// CHECK-LABEL: contraction "divided"
// CHECK:      index %b < 3
// CHECK:      index %n < D
// CHECK:      output q[%m * D + %n]:f32 = acc when %b < 1
// CHECK-NEXT: output k[%m * D + %n]:f32 = acc when 1 <= %b < 2
// CHECK-NEXT: output v[%m * D + %n]:f32 = acc when 2 <= %b
#pragma warpwright matmul
__global__ void divided(ARGS, float *v) {
  N = 3 * D;
  PLACE;
  SUM;
  float *out = n / D == 0 ? q : n / D == 1 ? k : v;
  out[m * D + n % D] = acc;
}

// Each array has a loop of its own over the columns of a thread.
#define PAIR                                                                   \
  const int m = blockIdx.y * blockDim.y + threadIdx.y;                         \
  const int c = 2 * (blockIdx.x * blockDim.x + threadIdx.x);                   \
  if (m >= M || c >= N)                                                        \
    return;                                                                    \
  float acc[2] = {};                                                           \
  for (int i = 0; i < K; ++i)                                                  \
    for (int j = 0; j < 2; ++j)                                                \
      acc[j] += x[m * K + i] * w[i * N + c + j]

// CHECK-LABEL: contraction "two_loops"
// CHECK:      output q[%m * D + %n]:f32 = acc when %n < D
// CHECK-NEXT: output k[%m * N + %n]:f32 = acc when D <= %n
#pragma warpwright matmul
__global__ void two_loops(ARGS) {
  PAIR;
  for (int j = 0; j < 2; ++j)
    if (c + j < D)
      q[m * D + c + j] = acc[j];
  for (int j = 0; j < 2; ++j)
    if (c + j >= D)
      k[m * N + c + j] = acc[j];
}

// The second loop stores the columns of the thread in the other order.
// WHY: 'turned_loop' is not rewritten: the output is walked backwards [WW216]
#pragma warpwright matmul
__global__ void turned_loop(ARGS) {
  PAIR;
  for (int j = 0; j < 2; ++j)
    q[m * N + c + j] = acc[j];
  for (int j = 0; j < 2; ++j)
    k[m * N + c + 1 - j] = acc[j];
}

// The fourth number of the index would store to v as well.
// WHY: 'several_to_one' is not rewritten: several threads store to the same element [WW205]
#pragma warpwright matmul
__global__ void several_to_one(ARGS, float *v) {
  const int z = blockIdx.z;
  PLACE;
  if (z >= 4)
    return;
  for (int i = 0; i < K; ++i)
    acc += x[m * K + i] * w[(z * N + n) * K + i];
  float *out = z == 0 ? q : z == 1 ? k : v;
  out[m * N + n] = acc;
}

// WHY: 'same_elements' is not rewritten: 'q' is stored to in several places, which are the same elements [WW201]
#pragma warpwright matmul
__global__ void same_elements(ARGS) {
  PLACE;
  SUM;
  if (n < D)
    q[m * D + n] = acc;
  else
    q[m * D + n - D] = 2 * acc;
}

// The weights of the columns between need not exist.
// WHY: 'gap_not_read' is not rewritten: some elements are stored nowhere, and their threads may not read what the others do [WW216]
#pragma warpwright matmul
__global__ void gap_not_read(ARGS) {
  PLACE;
  if (n < D) {
    SUM;
    q[m * D + n] = acc;
  } else if (n >= 2 * D) {
    SUM;
    k[m * N + n] = acc;
  }
}

// The same, where the loop asks.
// WHY: 'gap_not_read_in_loop' is not rewritten: some elements are stored nowhere, and their threads may not read what the others do [WW216]
#pragma warpwright matmul
__global__ void gap_not_read_in_loop(ARGS) {
  PLACE;
  float other = 0;
  for (int i = 0; i < K; ++i) {
    if (n < D)
      acc += x[m * K + i] * w[n * K + i];
    if (n >= 2 * D)
      other += x[m * K + i] * w[n * K + i];
  }
  if (n < D)
    q[m * D + n] = acc;
  else if (n >= 2 * D)
    k[m * N + n] = other;
}

// WHY: 'zeros_elsewhere' is not rewritten: the outputs are not stored under the same condition, and a sum is not used by all of them; what would be read for the others need not exist [WW216]
#pragma warpwright matmul
__global__ void zeros_elsewhere(ARGS) {
  PLACE;
  if (n < D) {
    SUM;
    q[m * D + n] = acc;
  } else {
    k[m * N + n] = 0;
  }
}

// WHY: 'weights_apart' is not rewritten: the outputs are not stored under the same condition, and a sum is not used by all of them; what would be read for the others need not exist [WW216]
#pragma warpwright matmul
__global__ void weights_apart(ARGS, const float *v) {
  PLACE;
  const float *row = n < D ? w + n * K : v + (n - D) * K;
  for (int i = 0; i < K; ++i)
    acc += x[m * K + i] * row[i];
  if (n < D)
    q[m * D + n] = acc;
  else
    k[m * N + n] = acc;
}

// WHY: 'corner' is not rewritten: the outputs are not stored under the same condition [WW216]
#pragma warpwright matmul
__global__ void corner(ARGS) {
  PLACE;
  SUM;
  if (n < D && m < D)
    q[m * D + n] = acc;
  k[m * N + n] = acc;
}

// WHY: 'triangle' is not rewritten: the condition under which this element is stored does not bound one index at a time, but compares two with each other
#pragma warpwright matmul
__global__ void triangle(ARGS) {
  PLACE;
  SUM;
  if (n < m)
    q[m * N + n] = acc;
  else
    k[m * N + n] = acc;
}

// WHY: 'reads_other_range' is not rewritten: 'q' is read at another element than the one that is stored [WW212]
#pragma warpwright matmul
__global__ void reads_other_range(ARGS) {
  PLACE;
  SUM;
  if (n < D)
    q[m * D + n] = acc;
  else
    k[m * N + n] = acc + q[m * D + n];
}
