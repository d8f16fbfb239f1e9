// Pointers and numbers of buffers that each iteration exchanges.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse >%t.lifted 2>%t.declined
// RUN: FileCheck %s <%t.declined --implicit-check-not="is not rewritten"
// RUN: FileCheck %s --check-prefix=LIFTED <%t.lifted

#define T 16
#define ARGS const float *A, const float *B, float *C, int M, int N, int K
#define PLACE                                                                  \
  const int tx = threadIdx.x, ty = threadIdx.y;                                \
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;              \
  float sum = 0.0f;
#define FILL(As, Bs, Tile)                                                     \
  As[ty][tx] = A[row * K + (Tile)*T + tx];                                     \
  Bs[ty][tx] = B[((Tile)*T + ty) * N + col];
#define MULTIPLY(As, Bs)                                                       \
  for (int k = 0; k < T; ++k)                                                  \
    sum += As[ty][k] * Bs[k][tx];

template <class Type> __device__ void exchange(Type &a, Type &b) {
  Type c = a;
  a = b;
  b = c;
}

// Two arrays of each operand.
//
// LIFTED-LABEL: contraction "pointers" {
// LIFTED: index %k < 16 * floordiv(K, 16)
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: operand B = B[%k * N + %n]:f32
#pragma warpwright matmul
__global__ void pointers(ARGS) {
  __shared__ float A0[T][T], A1[T][T], B0[T][T], B1[T][T];
  float(*a)[T] = A0, (*b)[T] = B0, (*aNext)[T] = A1, (*bNext)[T] = B1;
  PLACE
  FILL(a, b, 0)
  __syncthreads();
  for (int t = 0; t < K / T; ++t) {
    if (t + 1 < K / T) {
      FILL(aNext, bNext, t + 1)
    }
    MULTIPLY(a, b)
    __syncthreads();
    exchange(a, aNext);
    exchange(b, bNext);
  }
  C[row * N + col] = sum;
}

// Three numbers that move on by one.
//
// LIFTED-LABEL: contraction "three" {
// LIFTED: operand A = A[%m * K + %k]:f32
#pragma warpwright matmul
__global__ void three(ARGS) {
  __shared__ float As[3][T][T], Bs[3][T][T];
  PLACE
  int now = 0, next = 1, free = 2;
  FILL(As[0], Bs[0], 0)
  if (K / T > 1) {
    FILL(As[1], Bs[1], 1)
  }
  for (int t = 0; t < K / T; ++t) {
    __syncthreads();
    if (t + 2 < K / T) {
      FILL(As[free], Bs[free], t + 2)
    }
    MULTIPLY(As[now], Bs[now])
    const int last = now;
    now = next;
    next = free;
    free = last;
  }
  C[row * N + col] = sum;
}

// Only one of the operands is exchanged.
//
// CHECK: 'half_of_them' is not rewritten: 'B0' is overwritten here while other threads may still read it: a __syncthreads() is missing after line [[#]] [WW221]
#pragma warpwright matmul
__global__ void half_of_them(ARGS) {
  __shared__ float A0[T][T], A1[T][T], B0[T][T];
  float(*a)[T] = A0, (*aNext)[T] = A1;
  PLACE
  FILL(a, B0, 0)
  __syncthreads();
  for (int t = 0; t < K / T; ++t) {
    MULTIPLY(a, B0)
    if (t + 1 < K / T) {
      FILL(aNext, B0, t + 1)
    }
    __syncthreads();
    exchange(a, aNext);
  }
  C[row * N + col] = sum;
}

// The buffer that is filled is the one that is multiplied.
//
// CHECK: 'never' is not rewritten: 'A0' or 'A1' is read here before a __syncthreads() that comes after the store of another thread [WW221]
#pragma warpwright matmul
__global__ void never(ARGS) {
  __shared__ float A0[T][T], A1[T][T], B0[T][T], B1[T][T];
  float(*a)[T] = A0, (*b)[T] = B0, (*aNext)[T] = A1, (*bNext)[T] = B1;
  PLACE
  FILL(a, b, 0)
  __syncthreads();
  for (int t = 0; t < K / T; ++t) {
    exchange(a, aNext);
    exchange(b, bNext);
    if (t + 1 < K / T) {
      FILL(a, b, t + 1)
    }
    MULTIPLY(a, b)
    __syncthreads();
  }
  C[row * N + col] = sum;
}

// The exchange comes a tile too late.
//
// CHECK: 'late' is not rewritten: a value is handed from one iteration to the next in a way that is not a sum [WW202]
#pragma warpwright matmul
__global__ void late(ARGS) {
  __shared__ float A0[T][T], A1[T][T], B0[T][T], B1[T][T];
  float(*a)[T] = A0, (*b)[T] = B0, (*aNext)[T] = A1, (*bNext)[T] = B1;
  PLACE
  FILL(a, b, 0)
  __syncthreads();
  for (int t = 0; t < K / T; ++t) {
    if (t + 1 < K / T) {
      FILL(aNext, bNext, t + 1)
    }
    MULTIPLY(a, b)
    __syncthreads();
    if (t > 0) {
      exchange(a, aNext);
      exchange(b, bNext);
    }
  }
  C[row * N + col] = sum;
}

// What decides is data.
//
// CHECK: 'by_data' is not rewritten:
#pragma warpwright matmul
__global__ void by_data(ARGS) {
  __shared__ float A0[T][T], A1[T][T], B0[T][T], B1[T][T];
  float(*a)[T] = A0, (*b)[T] = B0, (*aNext)[T] = A1, (*bNext)[T] = B1;
  PLACE
  FILL(a, b, 0)
  __syncthreads();
  for (int t = 0; t < K / T; ++t) {
    if (t + 1 < K / T) {
      FILL(aNext, bNext, t + 1)
    }
    MULTIPLY(a, b)
    __syncthreads();
    if (A[t] > 0.0f) {
      exchange(a, aNext);
      exchange(b, bNext);
    }
  }
  C[row * N + col] = sum;
}

// A value that is fetched only while there is a next tile has none before.
//
// LIFTED-LABEL: contraction "flag" {
// LIFTED: index %k < 16 * floordiv(K, 16)
// LIFTED: operand A = A[%m * K + %k]:f32
#pragma warpwright matmul
__global__ void flag(ARGS) {
  __shared__ float As[2][T][T], Bs[2][T][T];
  PLACE
  bool now = false;
  float a, b;
  FILL(As[now], Bs[now], 0)
  __syncthreads();
  int t = 0;
  do {
    ++t;
    if (t < K / T) {
      a = A[row * K + t * T + tx];
      b = B[(t * T + ty) * N + col];
    }
    MULTIPLY(As[now], Bs[now])
    if (t < K / T) {
      As[!now][ty][tx] = a;
      Bs[!now][ty][tx] = b;
      __syncthreads();
      now = !now;
    }
  } while (t < K / T);
  C[row * N + col] = sum;
}

// It is stored even if it was not fetched.
//
// CHECK: 'not_fetched' is not rewritten:
#pragma warpwright matmul
__global__ void not_fetched(ARGS) {
  __shared__ float As[T][T], Bs[T][T];
  PLACE
  float a, b;
  for (int t = 0; t < K / T; ++t) {
    if (t > 0) {
      a = A[row * K + t * T + tx];
      b = B[(t * T + ty) * N + col];
    }
    As[ty][tx] = a;
    Bs[ty][tx] = b;
    __syncthreads();
    MULTIPLY(As, Bs)
    __syncthreads();
  }
  C[row * N + col] = sum;
}
