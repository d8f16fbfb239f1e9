// FORM: tiles: filled where the matrix is, and not cleared beyond it
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows and columns beyond the matrix are not stored, so it does not matter what
// their elements of a tile are. Along k it does: the launcher asks for a
// multiple of the tile. The stages of the buffer are chosen by an array of
// pointers, and by an offset of which one bit is flipped.

#include "check.h"

#pragma warpwright matmul
__global__ void partly_filled(const float *A, const float *B, float *C, int M,
                              int N, int K) {
  __shared__ float buffer[4 * 256];
  float *a[2] = {buffer, buffer + 256}, *b[2] = {buffer + 512, buffer + 768};
  const int x = threadIdx.x, y = threadIdx.y, at = y * 16 + x;
  const int row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
  const int tiles = (K + 15) / 16;
  if (tiles == 0)
    return;
  float sum = 0.0f;
  if (row < M && x < K)
    a[0][at] = A[row * K + x];
  if (y < K && col < N)
    b[0][at] = B[y * N + col];
  for (int t = 0; t < tiles; ++t) {
    __syncthreads();
    if (t + 1 < tiles) {
      const int i = (t + 1) * 16 + x, j = (t + 1) * 16 + y;
      if (row < M && i < K)
        a[(t + 1) % 2][at] = A[row * K + i];
      if (j < K && col < N)
        b[(t + 1) % 2][at] = B[j * N + col];
    }
    for (int k = 0; k < 16; ++k)
      sum += a[t % 2][y * 16 + k] * b[t % 2][k * 16 + x];
  }
  if (row < M && col < N)
    C[row * N + col] = sum;
}

#pragma warpwright matmul
__global__ void flipped_offset(const float *A, const float *B, float *C, int M,
                               int N, int K) {
  __shared__ float a[512], b[512];
  const int t = threadIdx.x, x = t % 16, y = t / 16;
  const int row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
  float sum = 0.0f;
  int now = 0;
  if (row < M)
    a[t] = A[row * K + x];
  if (col < N)
    b[t] = B[y * N + col];
  for (int k0 = 0; k0 < K; k0 += 16) {
    __syncthreads();
    int i = now + y * 16, j = now + x;
    for (int k = 0; k < 16; ++k, ++i, j += 16)
      sum += a[i] * b[j];
    now ^= 256;
    if (k0 + 16 < K) {
      if (row < M)
        a[now + t] = A[row * K + k0 + 16 + x];
      if (col < N)
        b[now + t] = B[(k0 + 16 + y) * N + col];
    }
  }
  if (row < M && col < N)
    C[row * N + col] = sum;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 64, 64}, check::Shape{67, 45, 80},
                         check::Shape{3, 5, 16}, check::Shape{35, 20, 96}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n), D(s.m, s.n);
    A.random(1);
    B.random(2);
    const dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));
    partly_filled<<<grid, dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m,
                                          s.n, s.k);
    flipped_offset<<<grid, 256>>>(A.data(), B.data(), D.data(), s.m, s.n, s.k);
    check::Table sum = check::product(s, A, B);
    test.expect(
        "partly_filled", s, C, [&](int m, int n) { return sum(m, n); }, A, B);
    test.expect(
        "flipped_offset", s, D, [&](int m, int n) { return sum(m, n); }, A, B);
  }
  return test.finish();
}
