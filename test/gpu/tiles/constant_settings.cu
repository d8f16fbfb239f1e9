// FORM: surface: __constant__ structs and arrays, const-qualified sizes
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A structure in constant memory chooses what becomes of the sum, and a table there
// has what it is scaled by; the depth is a constant of the program that lies there.

#include "check.h"

namespace layer {
enum Activation { None, Rectified, Clipped };
struct Settings {
  float scale;
  int activation;
  float limits[2];
};
__constant__ Settings settings;
__constant__ __half shift;
__constant__ const int Depth = 96;
} // namespace layer

__constant__ float gains[4] = {1.0f, 0.5f, -2.0f, 4.0f};

// Which function it is is not known before the kernel runs.
__device__ float finish(float x) {
  x = x * layer::settings.scale * gains[2] + __half2float(layer::shift);
  if (layer::settings.activation == layer::Rectified)
    return x > 0.0f ? x : 0.0f;
  if (layer::settings.activation == layer::Clipped)
    return fminf(fmaxf(x, layer::settings.limits[0]),
                 layer::settings.limits[1]);
  return x;
}

#define T 16

#pragma warpwright matmul
__global__ void constant_settings(const half *A, const half *B, float *C, int M,
                                  int N) {
  using layer::Depth;
  __shared__ half As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < Depth; k0 += T) {
    As[ty][tx] = row < M ? A[row * Depth + k0 + tx] : half(0);
    Bs[ty][tx] = col < N ? B[(k0 + ty) * N + col] : half(0);
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += __half2float(As[ty][k]) * __half2float(Bs[k][tx]);
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = finish(acc);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  const __half shift = __float2half(0.75f);
  CUDA_CHECK(cudaMemcpyToSymbol(layer::shift, &shift, sizeof shift));
  int turn = 0;
  for (check::Shape s : {check::Shape{96, 64, 96}, check::Shape{136, 72, 96},
                         check::Shape{67, 45, 96}, check::Shape{130, 40, 96},
                         check::Shape{3, 8, 96}, check::Shape{1, 1, 96}}) {
    const layer::Settings with = {0.5f + turn, turn % 3, {-1.0f, 2.0f}};
    const float gain = turn % 2 ? -2.0f : 0.25f;
    ++turn;
    CUDA_CHECK(cudaMemcpyToSymbol(layer::settings, &with, sizeof with));
    CUDA_CHECK(cudaMemcpyToSymbol(gains, &gain, sizeof gain, 8));
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    constant_settings<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                        dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n);
    check::Table sum = check::product(s, A, B);
    test.expect(
        "constant_settings", s, C,
        [&](int m, int n) {
          const double x = sum(m, n) * with.scale * gain + 0.75;
          return with.activation == 0   ? x
                 : with.activation == 1 ? std::max(x, 0.0)
                                        : std::min(std::max(x, -1.0), 2.0);
        },
        A, B);
  }
  return test.finish();
}
