// FORM: loop nests: by a pointer array per batch, const float *const *A
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As in a BLAS's batched call: an array of pointers per operand.

#include "check.h"

#pragma warpwright matmul
__global__ void batch_pointers(const float *const *A, const float *const *B,
                               float *const *C, int M, int N, int K) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const float *a = A[blockIdx.z];
  const float *b = B[blockIdx.z];
  float *c = C[blockIdx.z];
  if (row < M && col < N) {
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
      sum += a[row * K + k] * b[k * N + col];
    c[row * N + col] = sum;
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  const int batch = 3;
  for (check::Shape s : {check::Shape{48, 64, 64}, check::Shape{40, 72, 88},
                         check::Shape{37, 21, 83}, check::Shape{3, 5, 7},
                         check::Shape{1, 1, 1}}) {
    check::Matrix<float> A(s.m, s.k, 0, batch), B(s.k, s.n, 0, batch);
    check::Matrix<float> C(s.m, s.n, 0, batch);
    A.random(1);
    B.random(2);
    float *host[3 * batch], **table;
    for (int b = 0; b < batch; ++b) {
      host[b] = A.data() + b * A.batchStride();
      host[batch + b] = B.data() + b * B.batchStride();
      host[2 * batch + b] = C.data() + b * C.batchStride();
    }
    CUDA_CHECK(cudaMalloc(&table, sizeof host));
    CUDA_CHECK(cudaMemcpy(table, host, sizeof host, cudaMemcpyHostToDevice));
    batch_pointers<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16),
                          batch),
                     dim3(16, 16)>>>(table, table + batch, table + 2 * batch,
                                     s.m, s.n, s.k);
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaFree(table));
    std::vector<check::Table> sums;
    for (int b = 0; b < batch; ++b)
      sums.push_back(check::product(
          s, [&](int m, int k) { return A(m, k, b); },
          [&](int k, int n) { return B(k, n, b); }));
    test.expect(
        "batch_pointers", s, C,
        [&](int m, int n, int b) { return sums[b](m, n); }, A, B);
  }
  return test.finish();
}
