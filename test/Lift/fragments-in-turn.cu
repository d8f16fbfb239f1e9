// Fragments that take turns by k over all tiles, `fragment[(k + kk) % 2]`: where
// tiles are of an even depth, that is one after the other in each tile.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse >%t 2>%t.no
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --input-file=%t.no --check-prefix=DECLINED --implicit-check-not=WW220

#define BM 64
#define KERNEL(NAME, BK, STORED, READ, NEXT, BARRIER)                          \
  __global__ void NAME(const float *A, const float *B, float *C, int M, int N, \
                       int K) {                                                \
    __shared__ float As[2][BK][BM], Bs[2][BK][BM];                             \
    const int t = threadIdx.x, tx = t % 32, ty = t / 32;                       \
    const int r0 = blockIdx.y * BM, c0 = blockIdx.x * BM;                      \
    float fa[2][2], fb[2][2], acc[2][2] = {};                                  \
    auto fill = [&](int buf, int k0) {                                         \
      for (int i = t; i < BK * BM; i += 1024) {                                \
        As[buf][i / BM][i % BM] = A[(r0 + i % BM) * K + k0 + i / BM];          \
        Bs[buf][i / BM][i % BM] = B[(k0 + i / BM) * N + c0 + i % BM];          \
      }                                                                        \
    };                                                                         \
    fill(0, 0);                                                                \
    __syncthreads();                                                           \
    for (int i = 0; i < 2; ++i) {                                              \
      fa[0][i] = As[0][0][ty + 32 * i];                                        \
      fb[0][i] = Bs[0][0][tx + 32 * i];                                        \
    }                                                                          \
    for (int k = 0; k < K; k += BK) {                                          \
      const int now = k / BK % 2;                                              \
      if (k + BK < K)                                                          \
        fill(now ^ 1, k + BK);                                                 \
      for (int kk = 0; kk < BK; ++kk) {                                        \
        if (kk == BK - 1)                                                      \
          BARRIER;                                                             \
        const int buf = kk == BK - 1 ? NEXT : now, at = (kk + 1) % BK;         \
        for (int i = 0; i < 2; ++i) {                                          \
          fa[STORED][i] = As[buf][at][ty + 32 * i];                            \
          fb[STORED][i] = Bs[buf][at][tx + 32 * i];                            \
        }                                                                      \
        for (int i = 0; i < 2; ++i)                                            \
          for (int j = 0; j < 2; ++j)                                          \
            acc[i][j] += fa[READ][i] * fb[READ][j];                            \
      }                                                                        \
    }                                                                          \
    for (int i = 0; i < 2; ++i)                                                \
      for (int j = 0; j < 2; ++j)                                              \
        C[(r0 + ty + 32 * i) * N + c0 + tx + 32 * j] = acc[i][j];              \
  }

// CHECK: contraction "by_all_k" {
// CHECK: index %k < 16 * floordiv(K + 15, 16)
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%k * N + %n]:f32
#pragma warpwright matmul
KERNEL(by_all_k, 16, (k + kk + 1) % 2, (k + kk) % 2, now ^ 1, __syncthreads())

// CHECK: contraction "by_mask" {
// CHECK: index %k < 16 * floordiv(K + 15, 16)
#pragma warpwright matmul
KERNEL(by_mask, 16, (k + kk + 1) & 1, (k + kk) & 1, now ^ 1, __syncthreads())

// What was stored just now is multiplied, so that the last term is one beyond the
// last tile: no launch is asked for that.
//
// CHECK: contraction "same_parity" {
// CHECK: require K - 16 * floordiv(K + 15, 16) - 1 >= 0 : "a tile is not filled completely"
#pragma warpwright matmul
KERNEL(same_parity, 16, (k + kk + 1) % 2, (k + kk + 1) % 2, now ^ 1,
       __syncthreads())

// The first fragment of the next tile is that of this one.
//
// DECLINED: warning: 'same_buffer' is not rewritten: {{.*}} [WW221]
#pragma warpwright matmul
KERNEL(same_buffer, 16, (k + kk + 1) % 2, (k + kk) % 2, now, __syncthreads())

// DECLINED: warning: 'no_barrier' is not rewritten: {{.*}} [WW221]
#pragma warpwright matmul
KERNEL(no_barrier, 16, (k + kk + 1) % 2, (k + kk) % 2, now ^ 1, )

// The step is another one from the second iteration on.
// DECLINED: 'step_changes' is not rewritten: a variable of the loop steps by numbers that the loop stores to an array [WW208]
#pragma warpwright matmul
__global__ void step_changes(const float *A, const float *B, float *C, int M,
                             int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float sum = 0.0f;
  int steps[2] = {1, 1}, at = 0;
  for (int k = 0; k < K; k += 2) {
    sum += A[row * K + at] * B[at * N + col];
    at += steps[0];
    steps[k % 2] = 2;
  }
  C[row * N + col] = sum;
}

// Two registers for each fragment, of which a variable that all tiles go on with
// says which one is multiplied. The first ones of a tile are fetched behind the
// barrier. Vectors are loaded where they fit in the row.
#define IN_TURN(NAME, DEPTH, STEP, INTO, FROM, BARRIER)                        \
  __global__ void NAME(const float *A, const float *B, float *C, int M, int N, \
                       int K) {                                                \
    __shared__ float As[2][64][DEPTH + 4], Bs[2][DEPTH][64];                   \
    const int t = threadIdx.x, tx = t % 16, ty = t / 16;                       \
    const int r0 = blockIdx.y * 64, c0 = blockIdx.x * 64;                      \
    float fa[2][4], fb[2][4], acc[4][4] = {};                                  \
    auto fill = [&](int w, int k0) {                                           \
      for (int l = t; l < 16 * DEPTH; l += 256   ) {                           \
        const int r = l / (DEPTH / 4), c = l % (DEPTH / 4) * 4;                \
        const int gr = r0 + r, gc = k0 + c;                                    \
        for (int j = 0; j < 4; ++j)                                            \
          As[w][r][c + j] = gr < M && gc + j < K ? A[gr * K + gc + j] : 0.0f;  \
      }                                                                        \
      for (int l = t; l < 16 * DEPTH;                                          \
           l += blockDim.x) {                                                  \
        const int r = l / 16, c = l % 16 * 4, gr = k0 + r, gc = c0 + c;        \
        if (gr < K && gc + 3 < N) {                                            \
          const float4 v = *(const float4 *)&B[gr * N + gc];                   \
          Bs[w][r][c] = v.x, Bs[w][r][c + 1] = v.y;                            \
          Bs[w][r][c + 2] = v.z, Bs[w][r][c + 3] = v.w;                        \
        } else {                                                               \
          for (int j = 0; j < 4; ++j)                                          \
            Bs[w][r][c + j] =                                                  \
                gr < K && gc + j < N ? B[gr * N + gc + j] : 0.0f;              \
        }                                                                      \
      }                                                                        \
    };                                                                         \
    auto fetch = [&](int to, int r, int k) {                                   \
      for (int i = 0; i < 4; ++i) {                                            \
        fa[to][i] = As[r][ty * 4 + i][k];                                      \
        fb[to][i] = Bs[r][k][tx * 4 + i];                                      \
      }                                                                        \
    };                                                                         \
    auto multiply = [&](int from) {                                            \
      for (int i = 0; i < 4; ++i)                                              \
        for (int j = 0; j < 4; ++j)                                            \
          acc[i][j] += fa[from][i] * fb[from][j];                              \
    };                                                                         \
    int w = 0, r = 0, now = 0;                                                 \
    fill(0, 0);                                                                \
    __syncthreads();                                                           \
    fetch(0, 0, 0);                                                            \
    const int tiles = (K + DEPTH - 1) / DEPTH;                                 \
    for (int i = 0; i < tiles - 1; ++i) {                                      \
      w = 1 - w;                                                               \
      for (int k = 0; k < DEPTH; ++k) {                                        \
        const int next = STEP;                                                 \
        if (k + 1 < DEPTH)                                                     \
          fetch(next, r, k + 1);                                               \
        if (k == 0)                                                            \
          fill(w, (i + 1) * DEPTH);                                            \
        multiply(FROM);                                                        \
        now = next;                                                            \
      }                                                                        \
      BARRIER;                                                                 \
      r = w;                                                                   \
      fetch(INTO, r, 0);                                                       \
    }                                                                          \
    for (int k = 0; k < DEPTH; ++k) {                                          \
      const int next = STEP;                                                   \
      if (k + 1 < DEPTH)                                                       \
        fetch(next, r, k + 1);                                                 \
      multiply(FROM);                                                          \
      now = next;                                                              \
    }                                                                          \
    for (int i = 0; i < 4; ++i)                                                \
      for (int j = 0; j < 4; ++j)                                              \
        if (r0 + ty * 4 + i < M && c0 + tx * 4 + j < N)                        \
          C[(r0 + ty * 4 + i) * N + c0 + tx * 4 + j] = acc[i][j];              \
  }

// CHECK: contraction "one_minus" {
// CHECK: index %n < min(64 * gridDim.x, N)
// CHECK-NEXT: index %k < K
// CHECK-NEXT: operand A = A[%m * K + %k]:f32
// CHECK-NEXT: operand B = B[%k * N + %n]:f32
#pragma warpwright matmul
IN_TURN(one_minus, 16, 1 - now, now, now, __syncthreads())

// CHECK: contraction "next_of_two" {
// CHECK: index %k < K
#pragma warpwright matmul
IN_TURN(next_of_two, 16, (now + 1) % 2, now, now, __syncthreads())

// The first fragments of the next tile are fetched into the other register.
//
// DECLINED: warning: 'other_register' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
IN_TURN(other_register, 16, 1 - now, 1 - now, now, __syncthreads())
