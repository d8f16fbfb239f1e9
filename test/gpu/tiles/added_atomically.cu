// FORM: several outputs: added atomically
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradients that each thread adds to its elements by atomicAdd, since other
// kernels may add to them at the same time.

#include "check.h"

#pragma warpwright matmul
__global__ void weight_gradient(const half *X, const half *dY, float *dW, int B,
                                int I, int O) {
  const int o = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= I || o >= O)
    return;
  float sum = 0;
  for (int b = 0; b < B; ++b)
    sum += __half2float(X[b * I + i]) * __half2float(dY[b * O + o]);
  atomicAdd(&dW[i * O + o], sum);
}

// Each thread has four rows, and adds each product by itself.
#pragma warpwright matmul
__global__ void four_rows(const half *X, const half *dY, float *dW, int B,
                          int I, int O) {
  const int o = blockIdx.x * blockDim.x + threadIdx.x;
  const int first = (blockIdx.y * blockDim.y + threadIdx.y) * 4;
  if (o >= O)
    return;
  for (int j = 0; j < 4; ++j)
    if (first + j < I)
      for (int b = 0; b < B; ++b)
        atomicAdd(dW + (first + j) * O + o, __half2float(X[b * I + first + j]) *
                                                __half2float(dY[b * O + o]));
}

template <class T> check::Table sumOf(check::Matrix<T> &C, check::Table more) {
  for (int i = 0; i < C.rows(); ++i)
    for (int j = 0; j < C.cols(); ++j)
      more.row(i)[j] += C(i, j);
  return more;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{72, 88, 96},
                         check::Shape{67, 45, 51}, check::Shape{3, 5, 16},
                         check::Shape{64, 32, 4096}}) {
    check::Matrix<half> X(s.k, s.m), dY(s.k, s.n);
    check::Matrix<float> dW(s.m, s.n), V(s.m, s.n);
    X.random(1);
    dY.random(2);
    dW.random(3);
    V.random(4);
    const auto transposed = [&](int m, int k) { return X(k, m); };
    const dim3 block(16, 16);
    check::Table wanted = sumOf(dW, check::product(s, transposed, dY));
    weight_gradient<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                      block>>>(X.data(), dY.data(), dW.data(), s.k, s.m, s.n);
    test.expect("weight_gradient", s, dW, wanted, X, dY);
    wanted = sumOf(V, check::product(s, transposed, dY));
    four_rows<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 64)),
                block>>>(X.data(), dY.data(), V.data(), s.k, s.m, s.n);
    test.expect("four_rows", s, V, wanted, X, dY);
  }
  return test.finish();
}
