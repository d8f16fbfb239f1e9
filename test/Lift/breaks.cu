// Loops over tiles that are left in their middle: the tiles that are multiplied
// are those before the break and those of the loop's own condition.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse > %t.txt 2> %t.log
// RUN: FileCheck %s < %t.txt
// RUN: FileCheck %s --check-prefix=LOG --implicit-check-not=WW220 --implicit-check-not=WW507 < %t.log

constexpr int T = 16;
#define COMMA ,
#define KERNEL(name, more)                                                     \
  __global__ void name(const float *A, const float *B, float *C, int M, int N, \
                       int K more)
#define PLACE                                                                  \
  const int tx = threadIdx.x, ty = threadIdx.y;                                \
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;              \
  float s = 0, x, y;
#define FETCH(k) x = A[row * K + (k) + tx], y = B[((k) + ty) * N + col]
#define FETCH_INSIDE(k)                                                        \
  x = row < M && (k) + tx < K ? A[row * K + (k) + tx] : 0,                     \
  y = (k) + ty < K && col < N ? B[((k) + ty) * N + col] : 0
#define FILL(a, b) a[ty][tx] = x, b[ty][tx] = y
#define MULTIPLY(a, b)                                                         \
  for (int q = 0; q < T; ++q)                                                  \
  s += a[ty][q] * b[q][tx]

// Before the tile beyond K.
// CHECK-LABEL: contraction "before_the_end" {
// CHECK: index %k < K
#pragma warpwright matmul
KERNEL(before_the_end, ) {
  __shared__ float a[T][T], b[T][T];
  PLACE
  FETCH_INSIDE(0);
  FILL(a, b);
  __syncthreads();
  for (int t = 0; t < (K + T - 1) / T; ++t) {
    MULTIPLY(a, b);
    if (t == (K + T - 1) / T - 1)
      break;
    __syncthreads();
    FETCH_INSIDE(t * T + T);
    FILL(a, b);
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = s;
}

// Before the second of two buffers: the number of tiles may be odd.
// CHECK-LABEL: contraction "second_buffer" {
// CHECK: index %k < 16 * floordiv(K + 15, 16)
#pragma warpwright matmul
KERNEL(second_buffer, ) {
  __shared__ float a0[T][T], b0[T][T], a1[T][T], b1[T][T];
  PLACE
  FETCH(0);
  FILL(a0, b0);
  __syncthreads();
  for (int k = 0; k < K; k += 2 * T) {
    if (k + T < K)
      FETCH(k + T);
    MULTIPLY(a0, b0);
    if (k + T < K)
      FILL(a1, b1);
    __syncthreads();
    if (k + T >= K)
      break;
    if (k + 2 * T < K)
      FETCH(k + 2 * T);
    MULTIPLY(a1, b1);
    if (k + 2 * T < K)
      FILL(a0, b0);
    __syncthreads();
  }
  C[row * N + col] = s;
}

// The break is the only condition that says where K ends.
// CHECK-LABEL: contraction "by_argument" {
// CHECK: index %k < min(16 * min(floordiv(K + 15, 16), most), K)
// CHECK: require K - 1 >= 0 : "the loop's 'break' would come before its first iteration"
#pragma warpwright matmul
KERNEL(by_argument, COMMA int most) {
  __shared__ float a[T][T], b[T][T];
  PLACE
  for (int t = 0; t < most; ++t) {
    FETCH_INSIDE(t * T);
    FILL(a, b);
    __syncthreads();
    MULTIPLY(a, b);
    if (t * T + T >= K)
      break;
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = s;
}

// In a loop that has its test at the end.
// CHECK-LABEL: contraction "in_do" {
// CHECK: index %k < 16 * floordiv(K - 1, 16) + 16
#pragma warpwright matmul
KERNEL(in_do, ) {
  __shared__ float a[T][T], b[T][T];
  PLACE
  FETCH(0);
  int k = 0;
  do {
    FILL(a, b);
    __syncthreads();
    MULTIPLY(a, b);
    k += T;
    if (k >= K)
      break;
    FETCH(k);
    __syncthreads();
  } while (k < K);
  C[row * N + col] = s;
}

// One tile less.
// CHECK-LABEL: contraction "one_less" {
// CHECK: index %k < 16 * floordiv(K - 1, 16)
// CHECK: require K - 17 >= 0
#pragma warpwright matmul
KERNEL(one_less, ) {
  __shared__ float a[T][T], b[T][T];
  PLACE
  FETCH(0);
  FILL(a, b);
  __syncthreads();
  for (int k = 0; k < K; k += T) {
    MULTIPLY(a, b);
    if (k + 2 * T >= K)
      break;
    __syncthreads();
    FETCH(k + T);
    FILL(a, b);
    __syncthreads();
  }
  C[row * N + col] = s;
}

// Without the barrier before the tile is overwritten.
// LOG: [[#@LINE+13]]:{{[0-9]+}}: warning: 'no_barrier' is not rewritten: {{.*}} [WW221]
#pragma warpwright matmul
KERNEL(no_barrier, ) {
  __shared__ float a[T][T], b[T][T];
  PLACE
  FETCH(0);
  FILL(a, b);
  __syncthreads();
  for (int k = 0; k < K; k += T) {
    MULTIPLY(a, b);
    if (k + T >= K)
      break;
    FETCH(k + T);
    FILL(a, b);
    __syncthreads();
  }
  C[row * N + col] = s;
}

// Only some threads leave.
// LOG: [[#@LINE+10]]:{{[0-9]+}}: warning: 'some_threads' is not rewritten: {{.*}} [WW203]
#pragma warpwright matmul
KERNEL(some_threads, ) {
  __shared__ float a[T][T], b[T][T];
  PLACE
  FETCH(0);
  FILL(a, b);
  __syncthreads();
  for (int k = 0; k < K; k += T) {
    MULTIPLY(a, b);
    if (k + T + ty >= K)
      break;
    __syncthreads();
    FETCH(k + T);
    FILL(a, b);
    __syncthreads();
  }
  C[row * N + col] = s;
}

// LOG: [[#@LINE+10]]:{{[0-9]+}}: warning: 'by_the_sum' is not rewritten: {{.*}} [WW203]
#pragma warpwright matmul
KERNEL(by_the_sum, ) {
  __shared__ float a[T][T], b[T][T];
  PLACE
  FETCH(0);
  FILL(a, b);
  __syncthreads();
  for (int k = 0; k < K; k += T) {
    MULTIPLY(a, b);
    if (s > 1000)
      break;
    __syncthreads();
    FETCH(k + T);
    FILL(a, b);
    __syncthreads();
  }
  C[row * N + col] = s;
}

// The break never comes, so the second buffer has to be filled in each iteration.
// CHECK-LABEL: contraction "one_too_many" {
// CHECK: require {{.*}} : "a tile is not filled completely"
#pragma warpwright matmul
KERNEL(one_too_many, ) {
  __shared__ float a0[T][T], b0[T][T], a1[T][T], b1[T][T];
  PLACE
  FETCH(0);
  FILL(a0, b0);
  __syncthreads();
  for (int k = 0; k < K; k += 2 * T) {
    if (k + T < K)
      FETCH(k + T);
    MULTIPLY(a0, b0);
    if (k + T < K)
      FILL(a1, b1);
    __syncthreads();
    if (k + T >= K + T)
      break;
    if (k + 2 * T < K)
      FETCH(k + 2 * T);
    MULTIPLY(a1, b1);
    if (k + 2 * T < K)
      FILL(a0, b0);
    __syncthreads();
  }
  C[row * N + col] = s;
}

// Loops whose only test comes after the product, and before the step.
#define PRODUCT(name, BODY)                                                    \
  KERNEL(name, ) {                                                             \
    const int row = blockIdx.y * blockDim.y + threadIdx.y;                     \
    const int col = blockIdx.x * blockDim.x + threadIdx.x;                     \
    if (row >= M || col >= N)                                                  \
      return;                                                                  \
    const float *a = A + row * K, *b = B + col, *end = a + K - 1;              \
    float s = 0;                                                               \
    BODY                                                                       \
    C[row * N + col] = s;                                                      \
  }

// CHECK-LABEL: contraction "last_term" {
// CHECK: index %k < K
// CHECK: require K >= 1 : "a do loop would run no iteration"
#pragma warpwright matmul
PRODUCT(last_term, int k = 0; for (;;) {
  s += A[row * K + k] * B[k * N + col];
  if (k == K - 1)
    break;
  ++k;
})

// CHECK-LABEL: contraction "last_pointer" {
// CHECK: index %k < K
#pragma warpwright matmul
PRODUCT(last_pointer, for (;;) {
  s += *a * *b;
  if (a == end)
    break;
  ++a;
  b += N;
})

// The term at which the loop ends is not added.
// CHECK-LABEL: contraction "without_last" {
// CHECK: index %k < K - 1
#pragma warpwright matmul
PRODUCT(without_last, int k = 0; for (;;) {
  if (k == K - 1)
    break;
  s += A[row * K + k] * B[k * N + col];
  ++k;
})

// What is added before the test is not what comes out of the loop.
// LOG: warning: 'only_last' is not rewritten: {{.*}} [WW202]
#pragma warpwright matmul
PRODUCT(only_last, int k = 0; for (;;) {
  s = A[row * K + k] * B[k * N + col];
  if (k == K - 1)
    break;
  ++k;
})

// What is stored behind the test is not so in the last iteration.
// LOG: warning: 'stores_on_both_sides' is not rewritten: {{.*}} [WW2{{0[0-9]|1[0-9]}}]
#pragma warpwright matmul
KERNEL(stores_on_both_sides, ) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  for (int k = 0;; ++k) {
    C[row * N + col] += A[row * K + k] * B[k * N + col];
    if (k == K - 1)
      break;
    C[row * N + col] += A[row * K + k] * B[k * N + col];
  }
}
