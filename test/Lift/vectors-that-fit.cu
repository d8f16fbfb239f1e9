// Tiles that are filled by vectors where these fit and are aligned, and
// otherwise by single elements.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse >%t.lifted 2>%t.declined
// RUN: FileCheck %s <%t.declined --implicit-check-not="is not rewritten"
// RUN: FileCheck %s --check-prefix=LIFTED <%t.lifted

#include <cuda_fp16.h>
#include <cuda_pipeline.h>

#define T 16
// Each of 16 x 4 threads fills four elements of a row of either tile.
#define KERNEL(FitsA, InsideA, FitsB, InsideB, COPY)                           \
  __shared__ __align__(16) float As[T][T], Bs[T][T];                           \
  const int tid = threadIdx.y * 16 + threadIdx.x, r = tid / 4, c = tid % 4 * 4; \
  const int row = blockIdx.y * T + r, col = blockIdx.x * T + c;                \
  float sum[4] = {};                                                           \
  for (int k0 = 0; k0 < K; k0 += T) {                                          \
    if (FitsA) {                                                               \
      COPY(As[r][c], A[row * K + k0 + c])                                      \
    } else                                                                     \
      for (int j = 0; j < 4; ++j)                                              \
        As[r][c + j] = InsideA ? A[row * K + k0 + c + j] : 0.0f;               \
    if (FitsB) {                                                               \
      COPY(Bs[r][c], B[(k0 + r) * N + col])                                    \
    } else                                                                     \
      for (int j = 0; j < 4; ++j)                                              \
        Bs[r][c + j] = InsideB ? B[(k0 + r) * N + col + j] : 0.0f;             \
    __pipeline_commit();                                                       \
    __pipeline_wait_prior(0);                                                  \
    __syncthreads();                                                           \
    for (int k = 0; k < T; ++k)                                                \
      for (int i = 0; i < 4; ++i)                                              \
        sum[i] += As[threadIdx.y + 4 * i][k] * Bs[k][threadIdx.x];             \
    __syncthreads();                                                           \
  }                                                                            \
  const int to = blockIdx.x * T + threadIdx.x;                                 \
  for (int i = 0; i < 4; ++i)                                                  \
    if (blockIdx.y * T + threadIdx.y + 4 * i < M && to < N)                    \
      C[(blockIdx.y * T + threadIdx.y + 4 * i) * N + to] = sum[i];
#define VECTOR(To, From) *(float4 *)&To = *(const float4 *)&From;
#define ASYNC(To, From) __pipeline_memcpy_async(&To, &From, 16);
#define ARGS const float *A, const float *B, float *C, int M, int N, int K

// LIFTED-LABEL: contraction "fitting" {
// LIFTED: index %m < min(16 * gridDim.y, M)
// LIFTED: index %n < min(16 * gridDim.x, N)
// LIFTED: index %k < K
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: operand B = B[%k * N + %n]:f32
// LIFTED-NOT: 0 beyond
#pragma warpwright matmul
__global__ void fitting(ARGS) {
  KERNEL(row < M && k0 + c + 3 < K, (row < M && k0 + c + j < K),
         k0 + r < K && col + 3 < N, (k0 + r < K && col + j < N), VECTOR)
}

// A row begins at a whole vector only where K and N are multiples of four.
//
// LIFTED-LABEL: contraction "aligned" {
// LIFTED: index %k < K
// LIFTED: operand B = B[%k * N + %n]:f32
// LIFTED-NOT: 0 beyond
#pragma warpwright matmul
__global__ void aligned(ARGS) {
  KERNEL(row < M && k0 + c + 3 < K && ((row * K + k0 + c) & 3) == 0,
         (row < M && k0 + c + j < K),
         k0 + r < K && col + 3 < N && ((k0 + r) * N + col) % 4 == 0,
         (k0 + r < K && col + j < N), VECTOR)
}

// LIFTED-LABEL: contraction "aligned_copies" {
// LIFTED: index %k < K
// LIFTED: operand B = B[%k * N + %n]:f32
// LIFTED-NOT: 0 beyond
#pragma warpwright matmul
__global__ void aligned_copies(ARGS) {
  KERNEL(row < M && k0 + c + 3 < K && ((row * K + k0 + c) & 3) == 0,
         (row < M && k0 + c + j < K),
         k0 + r < K && col + 3 < N && (((k0 + r) * N + col) & 3) == 0,
         (k0 + r < K && col + j < N), ASYNC)
}

// Rows that are not aligned are cleared.
//
// CHECK: 'cleared' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void cleared(ARGS) {
  KERNEL(row < M && k0 + c + 3 < K && ((row * K + k0 + c) & 3) == 0, (false),
         k0 + r < K && col + 3 < N, (k0 + r < K && col + j < N), VECTOR)
}

// Single elements are copied beyond the end, so vectors are of elements that
// single ones would not be.
//
// LIFTED-LABEL: contraction "one_more" {
// LIFTED: index %k < {{.*}}K
// LIFTED: 0 beyond
#pragma warpwright matmul
__global__ void one_more(ARGS) {
  KERNEL(row < M && k0 + c + 3 < K, (row < M && k0 + c + j <= K),
         k0 + r < K && col + 3 < N, (k0 + r < K && col + j < N), VECTOR)
}

// The copy and the stores are not made by one condition and its opposite.
//
// CHECK: 'both' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void both(ARGS) {
  __shared__ __align__(16) float As[T][T], Bs[T][T];
  const int tid = threadIdx.y * 16 + threadIdx.x, r = tid / 4, c = tid % 4 * 4;
  const int row = blockIdx.y * T + r, col = blockIdx.x * T + c;
  float sum[4] = {};
  for (int k0 = 0; k0 < K; k0 += T) {
    if (row < M && k0 + c + 3 < K && ((row * K + k0 + c) & 3) == 0)
      __pipeline_memcpy_async(&As[r][c], &A[row * K + k0 + c], 16);
    if (!(row < M && k0 + c + 3 < K && ((row * K + k0 + c) & 1) == 0))
      for (int j = 0; j < 4; ++j)
        As[r][c + j] = row < M && k0 + c + j < K ? A[row * K + k0 + c + j] : 0;
    for (int j = 0; j < 4; ++j)
      Bs[r][c + j] =
          k0 + r < K && col + j < N ? B[(k0 + r) * N + col + j] : 0.0f;
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int k = 0; k < T; ++k)
      for (int i = 0; i < 4; ++i)
        sum[i] += As[threadIdx.y + 4 * i][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  const int to = blockIdx.x * T + threadIdx.x;
  for (int i = 0; i < 4; ++i)
    if (blockIdx.y * T + threadIdx.y + 4 * i < M && to < N)
      C[(blockIdx.y * T + threadIdx.y + 4 * i) * N + to] = sum[i];
}

// The first tile is filled in a loop over all threads, by variables, and the others
// by an array of registers, which are fetched in the middle of a tile where there is
// a next one. So are the fragments, which take turns: the first one is loaded from
// the next tile.
//
// A vector is taken where FIRST or NEXT elements of it are inside.
#define STASHED(NAME, FIRST, NEXT, BARRIER, MORE)                              \
  __global__ void NAME(ARGS) {                                                 \
    __shared__ __align__(16) float As[2][8][32], Bs[2][8][32];                 \
    const int tid = threadIdx.y * blockDim.x + threadIdx.x;                    \
    const int row = blockIdx.y * 32, col = blockIdx.x * 32;                    \
    const int r = threadIdx.y * 4, c = threadIdx.x * 4;                        \
    float fa[2][4], fb[2][4], sum[4][4] = {};                                  \
    for (int i = tid; i < 64; i += 64) {                                       \
      float4 a = make_float4(0, 0, 0, 0), b = make_float4(0, 0, 0, 0);         \
      const int ra = row + i / 2, ka = i % 2 * 4, kb = i / 8;                  \
      const int cb = col + i % 8 * 4;                                          \
      VECTOR_OR_ELEMENTS(a, ra < M, A + ra * K, ka, K, FIRST)                  \
      VECTOR_OR_ELEMENTS(b, kb < K, B + kb * N, cb, N, FIRST)                  \
      PUT(a, b, 0, i)                                                          \
    }                                                                          \
    __syncthreads();                                                           \
    FRAGMENTS(0, 0, 0)                                                         \
    float4 nextA[1], nextB[1];                                                 \
    int now = 0;                                                               \
    for (int k0 = 0; k0 < K; k0 += 8) {                                        \
      const bool more = k0 + 8 < K;                                            \
      for (int k = 0; k < 8; ++k) {                                            \
        if (k + 1 < 8)                                                         \
          FRAGMENTS((k + 1) & 1, now, k + 1)                                   \
        if (k == 0 && more)                                                    \
          for (int q = 0; q < 1; ++q) {                                        \
            const int i = tid + q * 64, ra = row + i / 2, kb = k0 + 8 + i / 8; \
            const int ka = k0 + 8 + i % 2 * 4, cb = col + i % 8 * 4;           \
            nextA[q] = nextB[q] = make_float4(0, 0, 0, 0);                     \
            VECTOR_OR_ELEMENTS(nextA[q], ra < M, A + ra * K, ka, K, NEXT)      \
            VECTOR_OR_ELEMENTS(nextB[q], kb < K, B + kb * N, cb, N, NEXT)      \
          }                                                                    \
        for (int i = 0; i < 4; ++i)                                            \
          for (int j = 0; j < 4; ++j)                                          \
            sum[i][j] += fa[k & 1][i] * fb[k & 1][j];                          \
      }                                                                        \
      if (more)                                                                \
        for (int q = 0; q < 1; ++q)                                            \
          PUT(nextA[q], nextB[q], 1 - now, tid + q * 64)                       \
      BARRIER;                                                                 \
      if (MORE)                                                                \
        FRAGMENTS(0, 1 - now, 0)                                               \
      now = 1 - now;                                                           \
    }                                                                          \
    for (int i = 0; i < 4; ++i)                                                \
      for (int j = 0; j < 4; ++j)                                              \
        if (row + r + i < M && col + c + j < N)                                \
          C[(row + r + i) * N + col + c + j] = sum[i][j];                      \
  }
#define VECTOR_OR_ELEMENTS(V, Row, From, At, End, Count)                       \
  if (Row && At + Count <= End) {                                              \
    V = *(const float4 *)(From + At);                                          \
  } else if (Row) {                                                            \
    if (At < End)                                                              \
      V.x = (From)[At];                                                        \
    if (At + 1 < End)                                                          \
      V.y = (From)[At + 1];                                                    \
    if (At + 2 < End)                                                          \
      V.z = (From)[At + 2];                                                    \
  }
#define PUT(VA, VB, To, I)                                                     \
  {                                                                            \
    As[To][(I) % 2 * 4][(I) / 2] = VA.x;                                       \
    As[To][(I) % 2 * 4 + 1][(I) / 2] = VA.y;                                   \
    As[To][(I) % 2 * 4 + 2][(I) / 2] = VA.z;                                   \
    As[To][(I) % 2 * 4 + 3][(I) / 2] = VA.w;                                   \
    *(float4 *)&Bs[To][(I) / 8][(I) % 8 * 4] = VB;                             \
  }
#define FRAGMENTS(To, Tile, K_)                                                \
  {                                                                            \
    *(float4 *)fa[To] = *(const float4 *)&As[Tile][K_][r];                     \
    *(float4 *)fb[To] = *(const float4 *)&Bs[Tile][K_][c];                     \
  }

// LIFTED-LABEL: contraction "stashed" {
// LIFTED: index %m < min(32 * gridDim.y, M)
// LIFTED: index %n < min(32 * gridDim.x, N)
// LIFTED: index %k < K
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: operand B = B[%k * N + %n]:f32
// LIFTED: require blockDim.x == 8
// LIFTED: require blockDim.y == 8
#pragma warpwright matmul
STASHED(stashed, 4, 4, __syncthreads(), more)

// The next tiles take vectors that are not inside.
//
// CHECK: warning: 'too_long' is not rewritten: {{.*}} [WW208]
#pragma warpwright matmul
STASHED(too_long, 4, 3, __syncthreads(), more)

// CHECK: warning: 'no_barrier' is not rewritten: {{.*}} [WW221]
#pragma warpwright matmul
STASHED(no_barrier, 4, 4, , more)

// The last tile but one keeps the fragments of its end.
//
// CHECK: warning: 'too_few' is not rewritten: {{.*}} [WW208]
#pragma warpwright matmul
STASHED(too_few, 4, 4, __syncthreads(), k0 + 16 < K)

// Eight halves as a vector, or one by one with a zero that is `half{}`: an
// integer of 16 bits beside the halves.
#define HALVES(Name, OTHERWISE)                                                \
  __global__ void Name(const half *A, const half *B, half *C, int M, int N,    \
                       int K) {                                                \
    __shared__ half As[T][T], Bs[T][T];                                        \
    const int y = threadIdx.x / 2, x = threadIdx.x % 2 * 8;                    \
    const int m = blockIdx.y * T + y, n = blockIdx.x * T + x;                  \
    float s[8] = {};                                                           \
    for (int k = 0; k < K; k += T) {                                           \
      if (m < M && k + x + 8 <= K)                                             \
        *(uint4 *)&As[y][x] = *(const uint4 *)&A[m * K + k + x];               \
      else                                                                     \
        for (int j = 0; j < 8; j++) {                                          \
          if (m < M && k + x + j < K)                                          \
            As[y][x + j] = A[m * K + k + x + j];                               \
          else                                                                 \
            OTHERWISE;                                                         \
        }                                                                      \
      for (int j = 0; j < 8; j++)                                              \
        Bs[y][x + j] = k + y < K && n + j < N ? B[(k + y) * N + n + j]         \
                                              : __float2half(0.f);             \
      __syncthreads();                                                         \
      for (int i = 0; i < T; i++)                                              \
        for (int j = 0; j < 8; j++)                                            \
          s[j] += __half2float(As[y][i]) * __half2float(Bs[i][x + j]);         \
      __syncthreads();                                                         \
    }                                                                          \
    for (int j = 0; j < 8; j++)                                                \
      if (m < M && n + j < N)                                                  \
        C[m * N + n + j] = __float2half(s[j]);                                 \
  }

// LIFTED-LABEL: contraction "halves" {
// LIFTED: index %k < K
// LIFTED: operand A = A[%m * K + %k]:f16
// LIFTED: operand B = B[%k * N + %n]:f16
#pragma warpwright matmul
HALVES(halves, As[y][x + j] = half{})

// The bits of 1.
// CHECK: 'bits_of_one' is not rewritten
#pragma warpwright matmul
HALVES(bits_of_one, *(unsigned short *)&As[y][x + j] = 0x3c00)

// Single elements that are stored by `if` and `else`.
#define BRANCHES(NAME, OTHERWISE)                                              \
  __global__ void NAME(const float *A, const float *B, float *C, int M, int N, \
                       int K) {                                                \
    __shared__ float As[T][T], Bs[T][T];                                       \
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y,      \
              col = blockIdx.x * T + x;                                        \
    float sum = 0;                                                             \
    for (int k = 0; k < K; k += T) {                                           \
      Bs[y][x] = k + y < K && col < N ? B[(k + y) * N + col] : 0.0f;           \
      if (x % 4 == 0) {                                                        \
        if (K % 4 == 0 && row < M && k + x + 3 < K)                            \
          *(float4 *)&As[y][x] = *(const float4 *)&A[row * K + k + x];         \
        else                                                                   \
          for (int j = 0; j < 4; ++j) {                                        \
            if (row < M && k + x + j < K)                                      \
              As[y][x + j] = A[row * K + k + x + j];                           \
            OTHERWISE As[y][x + j] = 0.0f;                                     \
          }                                                                    \
      }                                                                        \
      __syncthreads();                                                         \
      for (int j = 0; j < T; ++j)                                              \
        sum += As[y][j] * Bs[j][x];                                            \
      __syncthreads();                                                         \
    }                                                                          \
    if (row < M && col < N)                                                    \
      C[row * N + col] = sum;                                                  \
  }

// LIFTED-LABEL: contraction "branches" {
// LIFTED: index %k < K
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: operand B = B[%k * N + %n]:f32
#pragma warpwright matmul
BRANCHES(branches, else)

// The last one of four keeps what it was.
// CHECK: 'some_not_set' is not rewritten: 'As' is read here where it may still hold what an earlier iteration stored [WW223]
#pragma warpwright matmul
BRANCHES(some_not_set, else if (j < 3))

// Where the address itself is aligned: both ways have to do the same.
#define IS_ALIGNED(P) (((unsigned long)(P) & 15) == 0)
#define ADDRESSES(NAME, FIRST, ALIGNED, OTHER, STORE)                          \
  __global__ void NAME(const float *A, const float *B, float *C, int M, int N, \
                       int K) {                                                \
    const int row = blockIdx.y * blockDim.y + threadIdx.y,                     \
              col = (blockIdx.x * blockDim.x + threadIdx.x) * 4;               \
    FIRST;                                                                     \
    if (row >= M || col + 3 >= N)                                              \
      return;                                                                  \
    float s[4] = {};                                                           \
    for (int k = 0; k < K; ++k) {                                              \
      const float *p = &B[k * N + col];                                        \
      float v[4] = {};                                                         \
      if (ALIGNED)                                                             \
        *(float4 *)v = *(const float4 *)p;                                     \
      else                                                                     \
        for (int i = 0; i < 4; ++i)                                            \
          v[i] = OTHER;                                                        \
      for (int i = 0; i < 4; ++i)                                              \
        s[i] += A[row * K + k] * v[i];                                         \
    }                                                                          \
    float *c = C + row * N + col;                                              \
    if (IS_ALIGNED(c))                                                         \
      *(float4 *)c = make_float4(s[0], s[1], s[2], s[3]);                      \
    else                                                                       \
      STORE;                                                                   \
  }
#define FOUR for (int i = 0; i < 4; ++i) c[i] = s[i]

// LIFTED-LABEL: contraction "aligned_addresses" {
// LIFTED: index %n < 4 * min(blockDim.x * gridDim.x, floordiv(N, 4))
// LIFTED: operand B = B[%k * N + %n]:f32
// LIFTED: output C[%m * N + %n]:f32 = acc
// LIFTED-NOT: address
#pragma warpwright matmul
ADDRESSES(aligned_addresses, , IS_ALIGNED(p), p[i], FOUR)

// LIFTED-LABEL: contraction "aligned_base" {
// LIFTED: output C[%m * N + %n]:f32 = acc
// LIFTED-NOT: address
#pragma warpwright matmul
ADDRESSES(aligned_base, const bool vectors = N % 4 == 0 && (unsigned long)B % 16 == 0, vectors, p[i], FOUR)

// LIFTED-LABEL: contraction "aligned_both" {
// LIFTED: output C[%m * N + %n]:f32 = acc
// LIFTED-NOT: address
#pragma warpwright matmul
ADDRESSES(aligned_both, const bool vectors = IS_ALIGNED((unsigned long)A | (unsigned long)B), vectors, p[i], FOUR)

// CHECK: 'zeros_elsewhere' is not rewritten: {{.*}} [WW204]
#pragma warpwright matmul
ADDRESSES(zeros_elsewhere, , IS_ALIGNED(p), 0.0f, FOUR)

// CHECK: 'next_element' is not rewritten: {{.*}} [WW204]
#pragma warpwright matmul
ADDRESSES(next_element, , IS_ALIGNED(p), p[i + 1], FOUR)

// CHECK: 'three_stored' is not rewritten: {{.*}} [WW201]
#pragma warpwright matmul
ADDRESSES(three_stored, , IS_ALIGNED(p), p[i], for (int i = 0; i < 3; ++i) c[i] = s[i])

// CHECK: 'none_stored' is not rewritten: {{.*}} [WW204]
#pragma warpwright matmul
ADDRESSES(none_stored, , IS_ALIGNED(p), p[i], )

// CHECK: 'other_where_not_both' is not rewritten: what it computes depends on whether the address of 'B' is aligned [WW215]
#pragma warpwright matmul
ADDRESSES(other_where_not_both, const bool vectors = IS_ALIGNED((unsigned long)A | (unsigned long)B), vectors, p[i] + 1, FOUR)

// CHECK: 'nothing_if_not_aligned' is not rewritten: what it computes depends on whether the address of 'A' is aligned [WW215]
#pragma warpwright matmul
ADDRESSES(nothing_if_not_aligned, if (!IS_ALIGNED(A)) return, IS_ALIGNED(p), p[i], FOUR)

// CHECK: 'one_term_less' is not rewritten: what it computes depends on whether the address of 'A' is aligned [WW215]
#pragma warpwright matmul
ADDRESSES(one_term_less, K -= !IS_ALIGNED(A), IS_ALIGNED(p), p[i], FOUR)

// CHECK: 'moved' is not rewritten: what it computes depends on whether the address of 'A' is aligned [WW215]
#pragma warpwright matmul
ADDRESSES(moved, A += (unsigned long)A & 15, IS_ALIGNED(p), p[i], FOUR)
