// The sign of a sum that is zero, for kernels that look at it.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse 2>%t.log | FileCheck %s
// RUN: FileCheck --check-prefix=LOG %s <%t.log

#define MATRICES const float *A, const float *B, float *C, int M, int N, int K
#define ELEMENT                                                                \
  const int m = blockIdx.y * blockDim.y + threadIdx.y;                         \
  const int n = blockIdx.x * blockDim.x + threadIdx.x;                         \
  if (m >= M || n >= N)                                                        \
    return

// A loop that subtracts from 0 ends with 0, and never with -0, where the
// products cancel out.
// CHECK-LABEL: contraction "reciprocal"
// CHECK: output C[%m * N + %n]:f32 = (1.0f:f32 / (0.0f:f32 - acc))
#pragma warpwright matmul
__global__ void reciprocal(MATRICES) {
  ELEMENT;
  float sum = 0;
  for (int k = 0; k < K; ++k)
    sum -= A[m * K + k] * B[k * N + n];
  C[m * N + n] = 1.0f / sum;
}

// Only launches with K > 1000 look at the sign, which the executed check does
// not run.
// CHECK-LABEL: contraction "sometimes"
// CHECK: output C[%m * N + %n]:f32 = select(K > 1000, call.f32 "copysignf"(1.0f:f32, ((alpha:f32 * acc) + 0.0f:f32)), ((alpha:f32 * acc) + 0.0f:f32))
#pragma warpwright matmul
__global__ void sometimes(MATRICES, float alpha) {
  ELEMENT;
  float sum = 0;
  for (int k = 0; k < K; ++k)
    sum += alpha * A[m * K + k] * B[k * N + n];
  C[m * N + n] = K > 1000 ? copysignf(1.0f, sum) : sum;
}

// In double.
// CHECK-LABEL: contraction "sign_of_double"
// CHECK: "signbit"((0.0:f64 - acc))
#pragma warpwright matmul
__global__ void sign_of_double(const double *A, const double *B, double *C,
                               int M, int N, int K) {
  ELEMENT;
  double sum = 0;
  for (int k = 0; k < K; ++k)
    sum += -A[m * K + k] * B[k * N + n];
  C[m * N + n] = signbit(sum) ? 1.0 : 2.0;
}

// By bits. A positive factor does not change the sign.
// CHECK-LABEL: contraction "positive_factor"
// CHECK: "__float_as_uint"((0.5f:f32 * acc))
#pragma warpwright matmul
__global__ void positive_factor(MATRICES) {
  ELEMENT;
  float sum = 0;
  for (int k = 0; k < K; ++k)
    sum += 0.5f * A[m * K + k] * B[k * N + n];
  C[m * N + n] = __float_as_uint(sum) >> 31;
}

// The user's own negation outside of the loop is as written.
// CHECK-LABEL: contraction "negated_outside"
// CHECK: output C[%m * N + %n]:f32 = (1.0f:f32 / -(acc))
#pragma warpwright matmul
__global__ void negated_outside(MATRICES) {
  ELEMENT;
  float sum = 0;
  for (int k = 0; k < K; ++k)
    sum += A[m * K + k] * B[k * N + n];
  C[m * N + n] = 1.0f / -sum;
}

// Nobody looks at the sign here: a stored -0 equals 0.
// CHECK-LABEL: contraction "stored"
// CHECK: output C[%m * N + %n]:f32 = -(acc)
#pragma warpwright matmul
__global__ void stored(MATRICES) {
  ELEMENT;
  float sum = 0;
  for (int k = 0; k < K; ++k)
    sum -= A[m * K + k] * B[k * N + n];
  C[m * N + n] = sum;
}

// LOG: zeros.cu:[[#@LINE+6]]:{{.*}}'from_negative_zero' is not rewritten: a value starts from -0.0, and zeros that are added to it give 0 or -0: start it from 0 [WW202]
#pragma warpwright matmul
__global__ void from_negative_zero(MATRICES) {
  ELEMENT;
  float sum = -0.0f;
  for (int k = 0; k < K; ++k)
    sum += A[m * K + k] * B[k * N + n];
  C[m * N + n] = K > 1000 || K == 0 ? 1.0f / sum : sum;
}

// LOG: 'maybe_negative_zero' is not rewritten: {{.*}} starts from -0.0{{.*}} [WW202]
#pragma warpwright matmul
__global__ void maybe_negative_zero(MATRICES, int which) {
  ELEMENT;
  float sum = 0.0f * (which > 100 ? 1.0f : -1.0f);
  for (int k = 0; k < K; ++k)
    sum += A[m * K + k] * B[k * N + n];
  C[m * N + n] = K > 1000 || K == 0 ? 1.0f / sum : sum;
}
