// Arguments that choose between computations: a contraction for each.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse > %t.out 2> %t.log
// RUN: FileCheck %s < %t.out
// RUN: FileCheck %s --check-prefix=LOG < %t.log

#define T 16
#define PLACE                                                                  \
  const int row = blockIdx.y * blockDim.y + threadIdx.y,                       \
            col = blockIdx.x * blockDim.x + threadIdx.x;                       \
  if (row >= M || col >= N)                                                    \
    return;

// BLAS's letters: either case of a letter means the same.
//
// CHECK-LABEL: contraction "letters"
// CHECK: operand A = A[%m * lda + %k]:f32
// CHECK: operand B = B[%k * ldb + %n]:f32
// CHECK: require ta == 78 || ta == 110 :
// CHECK: require tb == 78 || tb == 110 :
// CHECK-LABEL: contraction "letters"
// CHECK: operand A = A[%m * lda + %k]:f32
// CHECK: operand B = B[%n * ldb + %k]:f32
// CHECK: require ta == 78 || ta == 110 :
// CHECK: require tb != 78 :
// CHECK: require tb != 110 :
// CHECK-LABEL: contraction "letters"
// CHECK: operand A = A[%k * lda + %m]:f32
// CHECK: operand B = B[%k * ldb + %n]:f32
// CHECK-LABEL: contraction "letters"
// CHECK: operand A = A[%k * lda + %m]:f32
// CHECK: operand B = B[%n * ldb + %k]:f32
#pragma warpwright matmul
__global__ void letters(char ta, char tb, int M, int N, int K, const float *A,
                        int lda, const float *B, int ldb, float *C) {
  PLACE
  float acc = 0;
  for (int k = 0; k < K; ++k)
    acc += A[ta == 'N' || ta == 'n' ? row * lda + k : k * lda + row] *
           B[tb == 'N' || tb == 'n' ? k * ldb + col : col * ldb + k];
  C[row * N + col] = acc;
}

// Tiles that are filled along the rows that there are: which thread stores
// which element depends on the flags, so the kernel is not lifted as a whole.
//
// CHECK-LABEL: contraction "turned"
// CHECK: operand A = A[%k * M + %m]:f32
// CHECK: operand B = B[%n * K + %k]:f32
// CHECK: require ta != 0 :
// CHECK: require tb != 0 :
// CHECK-COUNT-3: contraction "turned"
#pragma warpwright matmul
__global__ void turned(const float *A, const float *B, float *C, int M, int N,
                       int K, bool ta, bool tb) {
  __shared__ float As[T][T + 1], Bs[T][T + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int m0 = blockIdx.y * T, n0 = blockIdx.x * T;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += T) {
    if (ta)
      As[tx][ty] = k0 + ty < K && m0 + tx < M ? A[(k0 + ty) * M + m0 + tx] : 0;
    else
      As[ty][tx] = m0 + ty < M && k0 + tx < K ? A[(m0 + ty) * K + k0 + tx] : 0;
    if (tb)
      Bs[tx][ty] = n0 + ty < N && k0 + tx < K ? B[(n0 + ty) * K + k0 + tx] : 0;
    else
      Bs[ty][tx] = k0 + ty < K && n0 + tx < N ? B[(k0 + ty) * N + n0 + tx] : 0;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  if (m0 + ty < M && n0 + tx < N)
    C[(m0 + ty) * N + n0 + tx] = acc;
}

// Heads that share keys, where there are fewer of these.
//
// CHECK-LABEL: contraction "heads_of_keys"
// CHECK: operand B = K[%b * D * L + %n * D + %k]:f32
// CHECK: require heads == of_keys :
// CHECK-LABEL: contraction "heads_of_keys"
// CHECK: operand B = K[D * L * floordiv(%b, group) + %n * D + %k]:f32
// CHECK: require heads != of_keys :
#pragma warpwright matmul
__global__ void heads_of_keys(const float *Q, const float *K, float *S,
                              int heads, int of_keys, int group, int L, int D) {
  const int M = L, N = L;
  PLACE
  const int h = blockIdx.z, of = heads == of_keys ? h : h / group;
  float acc = 0;
  for (int d = 0; d < D; ++d)
    acc += Q[(h * L + row) * D + d] * K[(of * L + col) * D + d];
  S[(h * L + row) * L + col] = acc;
}

// A loop for either order.
//
// CHECK-LABEL: contraction "loops"
// CHECK: operand B = B[%n * K + %k]:f32
// CHECK-NOT: sum acc1
// CHECK-LABEL: contraction "loops"
// CHECK: operand B = B[%k * N + %n]:f32
// CHECK-NOT: sum acc1
#pragma warpwright matmul
__global__ void loops(const float *A, const float *B, float *C, int M, int N,
                      int K, bool tb) {
  PLACE
  float acc = 0;
  if (tb)
    for (int k = 0; k < K; ++k)
      acc += A[row * K + k] * B[col * K + k];
  else
    for (int k = 0; k < K; ++k)
      acc += A[row * K + k] * B[k * N + col];
  C[row * N + col] = acc;
}

// Which stride is 1 depends on the flag.
//
// CHECK-LABEL: contraction "strides"
// CHECK: operand B = B[%n * K + %k]:f32
// CHECK-LABEL: contraction "strides"
// CHECK: operand B = B[%k * N + %n]:f32
#pragma warpwright matmul
__global__ void strides(const float *A, const float *B, float *C, int M, int N,
                        int K, bool tb) {
  PLACE
  const int along_k = tb ? 1 : N, along_n = tb ? K : 1;
  float acc = 0;
  for (int k = 0; k < K; ++k)
    acc += A[row * K + k] * B[k * along_k + col * along_n];
  C[row * N + col] = acc;
}

// Three computations and no more: what two of the conditions exclude is no
// case.
//
// CHECK-LABEL: contraction "orders"
// CHECK: operand A = A[%k * M + %m]:f32
// CHECK: require order != 0 :
// CHECK: require order != 1 :
// CHECK-LABEL: contraction "orders"
// CHECK: operand B = B[%k * N + %n]:f32
// CHECK: require order == 0 :
// CHECK-LABEL: contraction "orders"
// CHECK: operand B = B[%n * K + %k]:f32
// CHECK: require order == 1 :
// CHECK-NOT: contraction "orders"
#pragma warpwright matmul
__global__ void orders(const float *A, const float *B, float *C, int M, int N,
                       int K, int order) {
  PLACE
  float acc = 0;
  for (int k = 0; k < K; ++k)
    switch (order) {
    case 0:
      acc += A[row * K + k] * B[k * N + col];
      break;
    case 1:
      acc += A[row * K + k] * B[col * K + k];
      break;
    default:
      acc += A[k * M + row] * B[k * N + col];
    }
  C[row * N + col] = acc;
}

// A default for a pitch decides nothing of the plan.
//
// CHECK-LABEL: contraction "pitch"
// CHECK: operand A = A[%m * select(
// CHECK-NOT: contraction "pitch"
#pragma warpwright matmul
__global__ void pitch(const float *A, int lda, const float *B, float *C, int M,
                      int N, int K) {
  PLACE
  const int ld = lda > 0 ? lda : K;
  float acc = 0;
  for (int k = 0; k < K; ++k)
    acc += A[row * ld + k] * B[k * N + col];
  C[row * N + col] = acc;
}

// Eight computations are more than a kernel is rewritten for; the launches of
// the others are named.
//
// LOG: 'eight where {{.*}}' is not rewritten: its arguments choose between more
// computations than the 4 that it can have [WW218]
// CHECK-COUNT-4: contraction "eight"
// CHECK-NOT: contraction "eight"
#pragma warpwright matmul
__global__ void eight(const float *A, const float *B, float *C, int M, int N,
                      int K, bool ta, bool tb, bool far) {
  PLACE
  float acc = 0;
  for (int k = 0; k < K; ++k)
    acc += A[(ta ? k * M + row : row * K + k) + (far ? row : 0)] *
           B[tb ? col * K + k : k * N + col];
  C[row * N + col] = acc;
}

// Where the flag asks for tiles, a barrier is missing.
//
// LOG: 'half_wrong where tiled != 0' is not rewritten: 'As' {{.*}} [WW221]
// CHECK-LABEL: contraction "half_wrong"
// CHECK: require tiled == 0 :
// CHECK-NOT: contraction "half_wrong"
#pragma warpwright matmul
__global__ void half_wrong(const float *A, const float *B, float *C, int M,
                           int N, int K, bool tiled) {
  __shared__ float As[T][T];
  const int row = blockIdx.y * T + threadIdx.y,
            col = blockIdx.x * T + threadIdx.x;
  float acc = 0;
  if (tiled) {
    for (int k0 = 0; k0 < K; k0 += T) {
      As[threadIdx.y][threadIdx.x] =
          row < M && k0 + threadIdx.x < K ? A[row * K + k0 + threadIdx.x] : 0;
      for (int k = 0; k < T && k0 + k < K; ++k)
        acc += As[threadIdx.y][k] * B[(k0 + k) * N + col];
      __syncthreads();
    }
  } else {
    for (int k = 0; k < K; ++k)
      acc += A[row * K + k] * B[k * N + col];
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

// Bits of one argument.
//
// CHECK-LABEL: contraction "bits"
// CHECK: operand A = A[%k * M + %m]:f32
// CHECK: operand B = B[%n * K + %k]:f32
// CHECK: require mod(flags, 2) != 0 :
// CHECK-COUNT-3: contraction "bits"
#pragma warpwright matmul
__global__ void bits(const float *A, const float *B, float *C, int M, int N,
                     int K, unsigned flags) {
  PLACE
  float acc = 0;
  for (int k = 0; k < K; ++k)
    acc += (flags & 1 ? A[k * M + row] : A[row * K + k]) *
           (flags & 2 ? B[col * K + k] : B[k * N + col]);
  C[row * N + col] = acc;
}

// Of two conditions one chooses the sum.
//
// CHECK-LABEL: contraction "negated"
// CHECK: operand B = B[%k * N + %n]:f32
// CHECK: require mode > 3 :
// CHECK-LABEL: contraction "negated"
// CHECK: operand B = B[%n * K + %k]:f32
// CHECK: require mode <= 3 :
// CHECK-NOT: contraction "negated"
#pragma warpwright matmul
__global__ void negated(const float *A, const float *B, float *C, int M, int N,
                        int K, int mode) {
  PLACE
  float acc = 0;
  if (mode > 3)
    for (int k = 0; k < K; ++k)
      acc += A[row * K + k] * B[k * N + col];
  else
    for (int k = 0; k < K; ++k)
      acc += A[row * K + k] * B[col * K + k];
  C[row * N + col] = mode & 1 ? -acc : acc;
}
