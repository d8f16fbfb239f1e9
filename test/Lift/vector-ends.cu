// Vectors that are stored where all of their elements are in the matrix, and
// otherwise one by one; zeros that are stored as vectors of another type.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse >%t.yes 2>%t.no
// RUN: FileCheck %s --implicit-check-not="is not rewritten" <%t.no
// RUN: FileCheck %s --check-prefix=LIFTED <%t.yes

#include <cuda_fp16.h>

#define ARGS const float *A, const float *B, float *C, int M, int N, int K

#define QUADS(Store)                                                           \
  const int c = 4 * (blockIdx.x * blockDim.x + threadIdx.x);                   \
  const int r = blockIdx.y * blockDim.y + threadIdx.y;                         \
  float x[4] = {};                                                             \
  for (int k = 0; k < K; ++k)                                                  \
    for (int j = 0; j < 4; ++j)                                                \
      x[j] += A[r * K + k] * (c + j < N ? B[(c + j) * K + k] : 0.0f);          \
  Store

// LIFTED-LABEL: contraction "quads" {
// LIFTED: index %m < min(M, blockDim.y * gridDim.y)
// LIFTED: index %n < min(4 * blockDim.x * gridDim.x, N)
// LIFTED: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
__global__ void quads(ARGS) {
  QUADS(if (r < M && c + 4 <= N) * (float4 *)&C[r * N + c] =
            make_float4(x[0], x[1], x[2], x[3]);
        else for (int j = 0; j < 4; ++j) if (r < M && c + j < N)
            C[r * N + c + j] = x[j];)
}

// LIFTED-LABEL: contraction "after_return" {
// LIFTED: index %n < min(4 * blockDim.x * gridDim.x, N)
#pragma warpwright matmul
__global__ void after_return(ARGS) {
  QUADS(if (r >= M) return; if (c + 3 < N) {
    *(float4 *)&C[r * N + c] = make_float4(x[0], x[1], x[2], x[3]);
    return;
  } for (int j = 0; j < 4; ++j) if (c + j < N) C[r * N + c + j] = x[j];)
}

// Where rows end is said in other words.
//
// LIFTED-LABEL: contraction "other_words" {
// LIFTED: index %n < min(4 * blockDim.x * gridDim.x, N)
#pragma warpwright matmul
__global__ void other_words(ARGS) {
  QUADS(if (r < M && c < N - 3) * (float4 *)&C[r * N + c] =
            make_float4(x[0], x[1], x[2], x[3]);
        else for (int j = 0; j < 4; ++j) if (r < M && j <= N - 1 - c)
            C[r * N + c + j] = x[j];)
}

// What an iteration stores beside its element, the next one stores over.
//
// CHECK: 'stored_over' is not rewritten: {{.*}} [WW201]
#pragma warpwright matmul
__global__ void stored_over(ARGS) {
  QUADS(if (r >= M) return; if (c + 3 < N) * (float4 *)&C[r * N + c] =
            make_float4(x[0], x[1], x[2], x[3]);
        else for (int j = 0; j < 3; ++j) {
          if (c + j < N)
            C[r * N + c + j] = j == 0 ? x[0] : x[j] + 1.0f;
          if (c + j + 1 < N)
            C[r * N + c + j + 1] = x[j + 1];
        })
}

// The last element of a row is left out.
//
// CHECK: 'too_few' is not rewritten: {{.*}} [WW2{{01|16}}]
#pragma warpwright matmul
__global__ void too_few(ARGS) {
  QUADS(if (r < M && c + 4 <= N) * (float4 *)&C[r * N + c] =
            make_float4(x[0], x[1], x[2], x[3]);
        else for (int j = 0; j < 3; ++j) if (r < M && c + j < N - 1)
            C[r * N + c + j] = x[j];)
}

// Something else is stored at the end of a row.
//
// CHECK: 'another_value' is not rewritten: {{.*}} [WW2{{.*}}]
#pragma warpwright matmul
__global__ void another_value(ARGS) {
  QUADS(if (r < M && c + 4 <= N) * (float4 *)&C[r * N + c] =
            make_float4(x[0], x[1], x[2], x[3]);
        else for (int j = 0; j < 4; ++j) if (r < M && c + j < N)
            C[r * N + c + j] = x[3 - j];)
}

// Rows beyond the matrix are stored to the next one.
//
// CHECK: 'no_rows' is not rewritten: {{.*}} [WW2{{01|16}}]
#pragma warpwright matmul
__global__ void no_rows(ARGS) {
  QUADS(if (c + 4 <= N) * (float4 *)&C[r * N + c] =
            make_float4(x[0], x[1], x[2], x[3]);
        else for (int j = 0; j < 4; ++j) if (r < M && c + j < N)
            C[r * N + c + j] = x[j];)
}

#define HALVES const half *A, const half *B, half *C, int M, int N, int K
#define PAIRS(Store)                                                           \
  const int c = 2 * (blockIdx.x * blockDim.x + threadIdx.x);                   \
  const int r = blockIdx.y * blockDim.y + threadIdx.y;                         \
  float x = 0.0f, y = 0.0f;                                                    \
  for (int k = 0; k < K; ++k) {                                                \
    x += __half2float(A[r * K + k]) * __half2float(B[c * K + k]);              \
    y += __half2float(A[r * K + k]) * __half2float(B[(c + 1) * K + k]);        \
  }                                                                            \
  Store

// LIFTED-LABEL: contraction "pairs" {
// LIFTED: index %n < min(2 * blockDim.x * gridDim.x, N)
// LIFTED: output C[%m * N + %n]:f16 = f16(acc)
#pragma warpwright matmul
__global__ void pairs(HALVES) {
  PAIRS(if (r < M && c + 1 < N) * (half2 *)&C[r * N + c] =
            __float22half2_rn(make_float2(x, y));
        else if (r < M && c < N) C[r * N + c] = __float2half(x);)
}

// CHECK: 'other_row' is not rewritten: {{.*}} [WW2{{.*}}]
#pragma warpwright matmul
__global__ void other_row(HALVES) {
  PAIRS(if (r < M && c + 1 < N) * (half2 *)&C[r * N + c] =
            __float22half2_rn(make_float2(x, y));
        else if (r + 1 < M && c < N) C[r * N + c] = __float2half(x);)
}

#define TILE(Fill)                                                             \
  __shared__ half a[16][32], b[32][16];                                        \
  const int x = threadIdx.x, y = threadIdx.y, t = y * 16 + x;                  \
  const int row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;              \
  float sum = 0.0f;                                                            \
  for (int k0 = 0; k0 < K; k0 += 32) {                                         \
    if (t < 64) {                                                              \
      const int r = t / 4, k = t % 4 * 8;                                      \
      const bool inside = blockIdx.y * 16 + r < M;                             \
      const half *from = &A[(blockIdx.y * 16 + r) * K + k0 + k];               \
      half *to = &a[r][k];                                                     \
      Fill                                                                     \
    }                                                                          \
    for (int k = y; k < 32; k += 16)                                           \
      b[k][x] = B[(k0 + k) * N + col];                                         \
    __syncthreads();                                                           \
    for (int k = 0; k < 32; ++k)                                               \
      sum += __half2float(a[y][k]) * __half2float(b[k][x]);                    \
    __syncthreads();                                                           \
  }                                                                            \
  if (row < M)                                                                 \
    C[row * N + col] = __float2half(sum);

// LIFTED-LABEL: contraction "zeros_in_a_branch" {
// LIFTED: operand A = A[%m * K + %k]:f16
#pragma warpwright matmul
__global__ void zeros_in_a_branch(HALVES) {
  TILE(if (inside) * (float4 *)to = *(const float4 *)from;
       else * (float4 *)to = make_float4(0.0f, 0.0f, 0.0f, 0.0f);)
}

// LIFTED-LABEL: contraction "chosen_zeros" {
// LIFTED: operand A = A[%m * K + %k]:f16
#pragma warpwright matmul
__global__ void chosen_zeros(HALVES) {
  TILE(*(float4 *)to =
           inside ? *(const float4 *)from : make_float4(0, 0, 0, 0);)
}

// LIFTED-LABEL: contraction "zeros_before" {
// LIFTED: operand A = A[%m * K + %k]:f16
#pragma warpwright matmul
__global__ void zeros_before(HALVES) {
  TILE(float4 v = {}; if (inside) v = *(const float4 *)from; *(float4 *)to = v;)
}

// The bits of 1.0f are no zeros.
//
// CHECK: 'ones' is not rewritten: {{.*}} [WW2{{07|23}}]
#pragma warpwright matmul
__global__ void ones(HALVES) {
  TILE(if (inside) * (float4 *)to = *(const float4 *)from;
       else * (float4 *)to = make_float4(0.0f, 1.0f, 0.0f, 0.0f);)
}

// Neither are those of -0.0f.
//
// CHECK: 'negative_zeros' is not rewritten: {{.*}} [WW2{{07|23}}]
#pragma warpwright matmul
__global__ void negative_zeros(HALVES) {
  TILE(*(float4 *)to = inside ? *(const float4 *)from
                              : make_float4(-0.0f, 0.0f, 0.0f, 0.0f);)
}

// The output is read and stored in two places, of which a thread executes one.
#define SCALED ARGS, float alpha, float beta

// LIFTED-LABEL: contraction "added_to" {
// LIFTED: index %n < min(4 * blockDim.x * gridDim.x, N)
// LIFTED: output C[%m * N + %n]:f32 = ((alpha:f32 * acc) + (beta:f32 * C[%m * N + %n]:f32))
#pragma warpwright matmul
__global__ void added_to(SCALED) {
  QUADS(if (r < M && c + 3 < N) {
    const float4 o = *(const float4 *)&C[r * N + c];
    *(float4 *)&C[r * N + c] =
        make_float4(alpha * x[0] + beta * o.x, alpha * x[1] + beta * o.y,
                    alpha * x[2] + beta * o.z, alpha * x[3] + beta * o.w);
  } else for (int j = 0; j < 4; ++j) if (r < M && c + j < N)
      C[r * N + c + j] = alpha * x[j] + beta * C[r * N + c + j];)
}

// LIFTED-LABEL: contraction "two_loops" {
// LIFTED: index %n < min(4 * blockDim.x * gridDim.x, N)
// LIFTED: output C[%m * N + %n]:f32 = select(fcmp(beta:f32 != 0.0f:f32), ((alpha:f32 * acc) + (beta:f32 * C[%m * N + %n]:f32)), (alpha:f32 * acc))
#pragma warpwright matmul
__global__ void two_loops(SCALED) {
  QUADS(if (r < M) {
    if (beta != 0.0f) {
      for (int j = 0; j < 4; ++j)
        if (c + j < N)
          C[r * N + c + j] = alpha * x[j] + beta * C[r * N + c + j];
    } else {
      for (int j = 0; j < 4; ++j)
        if (c + j < N)
          C[r * N + c + j] = alpha * x[j];
    }
  })
}

// The second loop stores where the first one has stored.
//
// LIFTED-LABEL: contraction "one_after_the_other" {
// LIFTED: output C[%m * N + %n]:f32 = ((beta:f32 * acc) + (alpha:f32 * acc))
#pragma warpwright matmul
__global__ void one_after_the_other(SCALED) {
  QUADS(if (r < M) {
    for (int j = 0; j < 4; ++j)
      if (c + j < N)
        C[r * N + c + j] = alpha * x[j];
    for (int j = 0; j < 4; ++j)
      if (c + j < N)
        C[r * N + c + j] = beta * x[j] + C[r * N + c + j];
  })
}

// What is read was stored by the same thread, at another element.
//
// CHECK: 'one_beside' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void one_beside(SCALED) {
  QUADS(if (r < M) {
    if (beta != 1.0f) {
      for (int j = 0; j < 4; ++j)
        if (c + j < N)
          C[r * N + c + j] = alpha * x[j];
    }
    for (int j = 0; j < 4; ++j)
      if (c + j < N)
        C[r * N + c + j] = beta * x[j] + C[r * N + c + (j ^ 1)];
  })
}

// Every iteration of the second loop stores to the element of the first one.
//
// CHECK: 'same_element' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void same_element(SCALED) {
  QUADS(if (r < M && c + 3 < N) {
    if (beta != 0.0f) {
      for (int j = 0; j < 4; ++j)
        C[r * N + c + j / 4] = x[j];
    } else {
      for (int j = 0; j < 4; ++j)
        C[r * N + c + j / 4] = alpha * x[j];
    }
  })
}

// Either place asks for beta.
#define ASKED(Single)                                                          \
  QUADS(if (r >= M) return; if (c + 3 < N) {                                   \
    float4 p = make_float4(x[0], x[1], x[2], x[3]);                            \
    float4 *to = (float4 *)&C[r * N + c];                                      \
    if (beta != 0.0f) {                                                        \
      float4 o = *to;                                                          \
      o.x = alpha * p.x + beta * o.x;                                          \
      o.y = alpha * p.y + beta * o.y;                                          \
      o.z = alpha * p.z + beta * o.z;                                          \
      o.w = alpha * p.w + beta * o.w;                                          \
      *to = o;                                                                 \
    } else {                                                                   \
      p.x *= alpha;                                                            \
      p.y *= alpha;                                                            \
      p.z *= alpha;                                                            \
      p.w *= alpha;                                                            \
      *to = p;                                                                 \
    }                                                                          \
  } else for (int j = 0; j < 4; ++j) if (c + j < N) {                          \
      float *to = &C[r * N + c + j];                                           \
      if (beta != 0.0f)                                                        \
        *to = alpha * x[j] + beta * *to;                                       \
      else                                                                     \
        *to = Single;                                                          \
    })

// LIFTED-LABEL: contraction "asked_twice" {
// LIFTED: index %n < min(4 * blockDim.x * gridDim.x, N)
// LIFTED: output C[%m * N + %n]:f32 = select(fcmp(beta:f32 != 0.0f:f32), ((alpha:f32 * acc) + (beta:f32 * C[%m * N + %n]:f32)), (alpha:f32 * acc))
#pragma warpwright matmul
__global__ void asked_twice(SCALED) { ASKED(alpha * x[j]) }

// Single elements are not scaled.
//
// CHECK: 'not_scaled' is not rewritten: {{.*}} [WW201]
#pragma warpwright matmul
__global__ void not_scaled(SCALED) { ASKED(x[j]) }

// What is left of a row, as many elements as the smaller of two numbers says, if
// there is any.
#define LEFT(NAME, COUNT)                                                      \
  __global__ void NAME(const float *A, const float *B, float *C, int M, int N, \
                       int K) {                                                \
    __shared__ float As[16][16], Bs[16][64];                                   \
    const int t = threadIdx.x, tx = t % 16, ty = t / 16,                       \
              row = blockIdx.y * 16 + ty, col = blockIdx.x * 64 + tx * 4;      \
    float acc[4] = {};                                                         \
    for (int k0 = 0; k0 < K; k0 += 16) {                                       \
      As[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;       \
      float v[4] = {0};                                                        \
      if (k0 + ty < K) {                                                       \
        const int n = min(4, N - col);                                         \
        if (n > 0)                                                             \
          for (int i = 0; i < COUNT; ++i)                                      \
            v[i] = B[(k0 + ty) * N + col + i];                                 \
      }                                                                        \
      for (int i = 0; i < 4; ++i)                                              \
        Bs[ty][tx * 4 + i] = v[i];                                             \
      __syncthreads();                                                         \
      for (int k = 0; k < 16; ++k)                                             \
        for (int i = 0; i < 4; ++i)                                            \
          acc[i] += As[ty][k] * Bs[k][tx * 4 + i];                             \
      __syncthreads();                                                         \
    }                                                                          \
    for (int i = 0; i < 4; ++i)                                                \
      if (row < M && col + i < N)                                              \
        C[row * N + col + i] = acc[i];                                         \
  }

// LIFTED-LABEL: contraction "left_of_row" {
// LIFTED: index %k < K
// LIFTED: operand B = B[%k * N + %n]:f32
#pragma warpwright matmul
LEFT(left_of_row, n)

// The last element of a row is not read.
// CHECK: 'one_less' is not rewritten
#pragma warpwright matmul
LEFT(one_less, n - 1)
