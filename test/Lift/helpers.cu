// Functions, structs, templates and types on the way to the same sum.

// RUN: %warpwright rewrite --emit=contraction %s -- %parse | FileCheck %s

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <stddef.h>
#include <stdint.h>

#define PLACE                                                                  \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row >= M || col >= N)                                                    \
    return;

__device__ int at(int r, int c, int ld) { return r * ld + c; }
__device__ float load(const half *p, int r, int c, int ld) {
  return __half2float(p[at(r, c, ld)]);
}
__device__ void mac(float &acc, float a, float b) { acc += a * b; }
__device__ void mac(float *acc, float a, float b) { *acc += a * b; }

// CHECK-LABEL: contraction "functions"
// CHECK: operand A = A[%m * K + %k]:f16
// CHECK: operand B = B[%k * N + %n]:f16
#pragma warpwright matmul
__global__ void functions(const half *A, const half *B, half *C, int M, int N,
                          int K) {
  PLACE
  float acc = 0;
  for (int k = 0; k < K; ++k)
    mac(acc, load(A, row, k, K), load(B, k, col, N));
  C[at(row, col, N)] = __float2half(acc);
}

// CHECK-LABEL: contraction "through_a_pointer"
// CHECK: output C[%m * N + %n]:f16 = f16(acc)
#pragma warpwright matmul
__global__ void through_a_pointer(const half *A, const half *B, half *C, int M,
                                  int N, int K) {
  PLACE
  float acc = 0;
  for (int k = 0; k < K; ++k)
    mac(&acc, load(A, row, k, K), load(B, k, col, N));
  C[at(row, col, N)] = __float2half(acc);
}

struct Matrix {
  int rows, cols, pitch;
  half *data;
  __device__ half &operator()(int r, int c) { return data[r * pitch + c]; }
  __device__ float get(int r, int c) const {
    return __half2float(data[r * pitch + c]);
  }
};

// CHECK-LABEL: contraction "structs"
// CHECK: index %m < min(C.rows, blockDim.y * gridDim.y)
// CHECK: index %k < A.cols
// CHECK: operand A = A.data[%m * A.pitch + %k]:f16
// CHECK: output C.data[%m * C.pitch + %n]:f16
#pragma warpwright matmul
__global__ void structs(Matrix A, const Matrix B, Matrix C) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < C.rows && col < C.cols) {
    float acc = 0;
    for (int k = 0; k < A.cols; ++k)
      acc += A.get(row, k) * B.get(k, col);
    C(row, col) = __float2half(acc);
  }
}

struct Params {
  struct {
    const __nv_bfloat16 *ptr;
    int64_t stride;
  } a, b;
  __nv_bfloat16 *c;
  int m, n, k;
  float alpha;
};

// CHECK-LABEL: contraction "nested_struct"
// CHECK: index %k < p.k
// CHECK: operand A = p.a.ptr[%m * p.a.stride + %k]:bf16
// CHECK: (p.alpha:f32 * acc)
#pragma warpwright matmul
__global__ void nested_struct(Params p) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= p.m || col >= p.n)
    return;
  const __nv_bfloat16 *a = p.a.ptr + row * p.a.stride;
  const __nv_bfloat16 *b = p.b.ptr + col * p.b.stride;
  float acc = 0;
  for (int k = 0; k < p.k; ++k)
    acc += __bfloat162float(a[k]) * __bfloat162float(b[k]);
  p.c[row * p.n + col] = __float2bfloat16(p.alpha * acc);
}

// 64-bit offsets are not limited to 32 bits; unsigned ones are to 32.
// CHECK-LABEL: contraction "wide_offsets"
// CHECK: offsets i64
#pragma warpwright matmul
__global__ void wide_offsets(const half *A, const half *B, half *C, size_t M,
                             size_t N, size_t K) {
  size_t row = blockIdx.y * blockDim.y + threadIdx.y;
  size_t col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0;
  for (size_t k = 0; k < K; ++k)
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  C[row * N + col] = __float2half(acc);
}

// CHECK-LABEL: contraction "unsigned_offsets"
// CHECK: offsets u32
#pragma warpwright matmul
__global__ void unsigned_offsets(const half *A, const half *B, half *C,
                                 unsigned M, unsigned N, unsigned K) {
  unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0;
  for (unsigned k = 0; k < K; ++k)
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  C[row * N + col] = __float2half(acc);
}

template <typename T> __device__ float up(T x) { return static_cast<float>(x); }
template <typename T> struct Traits;
template <> struct Traits<half> {
  using type = half;
  static __device__ half down(float x) { return __float2half(x); }
};

// CHECK-LABEL: contraction "templates<__half, 8, true>"
// CHECK: index %m < min(8 * gridDim.y, M)
// CHECK: operand B = B[%n * K + %k]:f16
// CHECK: (call.f16 "Traits<__half>::down"(2.0f:f32) * call.f16 "Traits<__half>::down"(acc))
#pragma warpwright matmul
template <typename T, int BLOCK, bool TransB>
__global__ void templates(const T *A, const T *B, typename Traits<T>::type *C,
                          int M, int N, int K) {
  const int row = blockIdx.y * BLOCK + threadIdx.y;
  const int col = blockIdx.x * BLOCK + threadIdx.x;
  if (row < M && col < N) {
    float acc = 0;
    for (int k = 0; k < K; ++k)
      acc += up(A[row * K + k]) * up(TransB ? B[col * K + k] : B[k * N + col]);
    if constexpr (TransB)
      C[row * N + col] = Traits<T>::down(2.0f) * Traits<T>::down(acc);
    else
      C[row * N + col] = Traits<T>::down(acc);
  }
}
template __global__ void templates<half, 8, true>(const half *, const half *,
                                                  half *, int, int, int);

// CHECK-LABEL: contraction "lambda"
// CHECK: operand A = A[%m * K + %k]:f16
#pragma warpwright matmul
__global__ void lambda(const half *A, const half *B, half *C, int M, int N,
                       int K) {
  PLACE
  auto a = [&](int k) { return __half2float(A[row * K + k]); };
  auto b = [=](int k) { return __half2float(B[k * N + col]); };
  float acc = 0;
  for (int k = 0; k < K; ++k)
    acc += a(k) * b(k);
  C[row * N + col] = __float2half(acc);
}

typedef __nv_bfloat16 elem;
#define IDX2C(i, j, ld) (((j) * (ld)) + (i))

// CHECK-LABEL: contraction "macros_and_typedefs"
// CHECK: operand A = B[%m * K + %k]:bf16
// CHECK: operand B = A[%k * M + %n]:bf16
#pragma warpwright matmul
__global__ void macros_and_typedefs(const elem *A, const elem *B, elem *C,
                                    int M, int N, int K) {
  PLACE
  float acc = 0;
  for (int k = 0; k < K; ++k)
    acc += (float)A[IDX2C(row, k, M)] * (float)B[IDX2C(k, col, K)];
  C[IDX2C(row, col, M)] = (elem)acc;
}

// Local arrays are memory that nobody else sees.
// CHECK-LABEL: contraction "local_arrays"
// CHECK: operand A = A[%m * K + %k]:f16
#pragma warpwright matmul
__global__ void local_arrays(const half *A, const half *B, half *C, int M,
                             int N, int K) {
  PLACE
  float acc[1] = {0.0f};
  int shape[2] = {N, K};
  for (int k = 0; k < shape[1]; ++k)
    acc[0] += __half2float(A[row * K + k]) * __half2float(B[k * shape[0] + col]);
  C[row * N + col] = __float2half(acc[0]);
}

// Fields that nobody understands do no harm as long as nobody uses them.
struct Described {
  const half *a, *b;
  half *c;
  int m, n, k;
  char name[16];
  float4 tag;
};

// CHECK-LABEL: contraction "unused_fields"
// CHECK: index %m < min(blockDim.y * gridDim.y, d.m)
// CHECK: operand A = d.a[%m * d.k + %k]:f16
#pragma warpwright matmul
__global__ void unused_fields(Described d) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= d.m || col >= d.n)
    return;
  float acc = 0;
  for (int k = 0; k < d.k; ++k)
    acc += __half2float(d.a[row * d.k + k]) * __half2float(d.b[k * d.n + col]);
  d.c[row * d.n + col] = __float2half(acc);
}

// Cache hints on loads and stores say nothing about values. Clang itself
// declares __ldg only.
// CHECK-LABEL: contraction "hints"
// CHECK: output C[%m * N + %n]:f32 = (C[%m * N + %n]:f32 + acc)
#pragma warpwright matmul
__global__ void hints(const half *A, const half *B, float *C, int M, int N,
                      int K) {
  PLACE
  float acc = 0.0f;
  for (int i = 0; i < K; ++i)
    acc += __half2float(__ldcs(&A[row * K + i])) *
           __half2float(__ldcg(&B[i * N + col]));
  __stcs(&C[row * N + col], __ldcs(&C[row * N + col]) + acc);
}

// A function returns a structure with an array, as 16 bytes of a row.
template <class T> struct alignas(16) Row {
  static constexpr int Size = 16 / sizeof(T);
  T Elements[Size];
  __device__ T &operator[](int I) { return Elements[I]; }
  __device__ const T &operator[](int I) const { return Elements[I]; }
};
template <class T> __device__ Row<T> loadRow(const T *P) {
  return *reinterpret_cast<const Row<T> *>(P);
}
template <class T> __device__ void storeRow(T *P, Row<T> R) {
  *reinterpret_cast<Row<T> *>(P) = R;
}

// CHECK-LABEL: contraction "arrays_returned"
// CHECK: index %m < min(M, blockDim.y * gridDim.y)
// CHECK: index %n < 4 * blockDim.x * gridDim.x
// CHECK: index %k < 8 * floordiv(K + 7, 8)
// CHECK: operand A = A[%m * K + %k]:bf16
// CHECK: operand B = B[%n * K + %k]:bf16
// CHECK: output C[%m * N + %n]:f32 = (bias[%n]:f32 + acc)
#pragma warpwright matmul
__global__ void arrays_returned(const __nv_bfloat16 *A, const __nv_bfloat16 *B,
                                const float *bias, float *C, int M, int N,
                                int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= M)
    return;
  Row<float> acc = loadRow(bias + col);
  for (int k = 0; k < K; k += 8) {
    const Row<__nv_bfloat16> a = loadRow(A + row * K + k);
    for (int j = 0; j < 4; ++j) {
      const Row<__nv_bfloat16> b = loadRow(B + (col + j) * K + k);
      for (int i = 0; i < 8; ++i)
        acc[j] += __bfloat162float(a[i]) * __bfloat162float(b[i]);
    }
  }
  storeRow(C + row * N + col, acc);
}
