// The user's own functions, called as the library's.

#include "attack.h"

// A static member called fma that takes a minimum.
// DECLINES: WW2|WW30[24567]|WW4
struct Own {
  static __device__ float fma(float a, float b, float c) {
    return fminf(c, a + b);
  }
};
#pragma warpwright matmul tile(64, 64, 64)
__global__ void member_fma(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc = Own::fma(__half2float(A[row * K + k]), __half2float(B[k * N + col]), acc);
  STORE
}

// A fma in a namespace that subtracts.
// DECLINES: WW2|WW30[24567]|WW4
namespace own {
__device__ float fma(float a, float b, float c) { return a * b - c; }
} // namespace own
#pragma warpwright matmul tile(64, 64, 64)
__global__ void epilogue_fma(ARGS) {
  PLACE
  SUM
  C[row * N + col] = own::fma(acc, 2.0f, 1.0f);
}

// A min that is the sum.
// DECLINES: WW2|WW30[24567]|WW4
namespace own {
__device__ float min(float a, float b) { return a + b; }
} // namespace own
#pragma warpwright matmul tile(64, 64, 64)
__global__ void own_min(ARGS) {
  PLACE
  SUM
  C[row * N + col] = own::min(acc, (float)col);
}

// A max over int that is the difference, in the bound.
// DECLINES: WW2|WW30[24567]|WW4
namespace own {
__device__ int max(int a, int b) { return a - b; }
} // namespace own
#pragma warpwright matmul tile(64, 64, 64)
__global__ void own_max_of_ints(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < own::max(K, 8); ++k)
    acc += TERM;
  STORE
}

// A conversion that doubles.
// DECLINES: WW2|WW30[24567]|WW4
namespace own {
__device__ float __half2float(__half x) { return 2.0f * ::__half2float(x); }
} // namespace own
#pragma warpwright matmul tile(64, 64, 64)
__global__ void own_half2float(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += own::__half2float(A[row * K + k]) * ::__half2float(B[k * N + col]);
  STORE
}

// A __ldg that reads the next element.
// DECLINES: WW2|WW30[24567]|WW4
namespace own {
__device__ __half __ldg(const __half *p) { return p[1]; }
} // namespace own
#pragma warpwright matmul tile(64, 64, 64)
__global__ void own_ldg(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += __half2float(own::__ldg(A + row * K + k)) * __half2float(B[k * N + col]);
  STORE
}

// A fabsf that negates.
// DECLINES: WW2|WW30[24567]|WW4
namespace own {
__device__ float fabsf(float x) { return -x; }
} // namespace own
#pragma warpwright matmul tile(64, 64, 64)
__global__ void own_fabsf(ARGS) {
  PLACE
  SUM
  C[row * N + col] = own::fabsf(acc);
}

// A function called relu that is none.
// DECLINES: WW2|WW30[24567]|WW4
__device__ float relu(float x) { return fminf(x, 0.0f) + 1.0f; }
#pragma warpwright matmul tile(64, 64, 64)
__global__ void own_relu(ARGS) {
  PLACE
  SUM
  C[row * N + col] = relu(acc);
}

// A member called __syncthreads that changes the sum.
// DECLINES: WW2|WW30[24567]|WW4
struct Sync {
  float *p;
  __device__ void __syncthreads() { *p += 5.0f; }
};
#pragma warpwright matmul tile(64, 64, 64)
__global__ void own_syncthreads(ARGS) {
  PLACE
  SUM
  Sync s{&acc};
  s.__syncthreads();
  STORE
}

// A parameter that hides a function of the same name.
// DECLINES: WW2|WW30[24567]|WW4
__device__ float bias(float x) { return x + 1.0f; }
#pragma warpwright matmul tile(64, 64, 64)
__global__ void hidden_by_parameter(ARGS, float bias) {
  PLACE
  SUM
  C[row * N + col] = acc * bias;
}

// An expf that takes two arguments.
// DECLINES: WW2|WW30[24567]|WW4
__device__ float expf(float x, int n) { return x * n + 1.0f; }
#pragma warpwright matmul tile(64, 64, 64)
__global__ void own_expf(ARGS) {
  PLACE
  SUM
  C[row * N + col] = expf(acc, 2);
}

// An atomicAdd that only adds.
// DECLINES: WW2|WW30[24567]|WW4
namespace own {
__device__ void atomicAdd(float *p, float x) { *p = x + 2.0f; }
} // namespace own
#pragma warpwright matmul tile(64, 64, 64)
__global__ void own_atomic_add(ARGS) {
  PLACE
  SUM
  own::atomicAdd(&C[row * N + col], acc);
}

// A half type of the user's own whose conversion negates.
// DECLINES: WW2|WW30[24567]|WW4
struct Half {
  __half bits;
  __device__ operator float() const { return -__half2float(bits); }
};
#pragma warpwright matmul tile(64, 64, 64)
__global__ void own_operator(ARGS) {
  PLACE
  float acc = 0.0f;
  const Half *a = reinterpret_cast<const Half *>(A);
  for (int k = 0; k < K; ++k)
    acc += (float)a[row * K + k] * __half2float(B[k * N + col]);
  STORE
}

// A swap that copies only one way.
// DECLINES: WW2|WW30[24567]|WW4
__device__ void swap(float &a, float &b) { b = a; }
#pragma warpwright matmul tile(64, 64, 64)
__global__ void own_swap(ARGS) {
  PLACE
  SUM
  float other = 4.0f;
  swap(acc, other);
  C[row * N + col] = acc + other;
}

int main() {
  Product p;
  member_fma<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("member_fma");
  epilogue_fma<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("epilogue_fma");
  own_min<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("own_min");
  own_max_of_ints<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("own_max_of_ints");
  own_half2float<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("own_half2float");
  own_ldg<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("own_ldg");
  own_fabsf<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("own_fabsf");
  own_relu<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("own_relu");
  own_syncthreads<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("own_syncthreads");
  hidden_by_parameter<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 3.0f);
  p.show("hidden_by_parameter");
  own_expf<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("own_expf");
  own_atomic_add<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("own_atomic_add");
  own_operator<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("own_operator");
  own_swap<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("own_swap");
}
