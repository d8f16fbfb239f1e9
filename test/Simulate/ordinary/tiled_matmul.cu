// A matrix product with shared tiles, by template; products are fused.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"
#include <cmath>
#include <vector>

template <class T, int Tile>
__global__ void matmul(const T *a, const T *b, T *c, int m, int n, int k) {
  __shared__ T as[Tile][Tile], bs[Tile][Tile];
  const int row = blockIdx.y * Tile + threadIdx.y;
  const int col = blockIdx.x * Tile + threadIdx.x;
  T acc = T(0);
  for (int k0 = 0; k0 < k; k0 += Tile) {
    as[threadIdx.y][threadIdx.x] =
        row < m && k0 + threadIdx.x < k ? a[row * k + k0 + threadIdx.x] : T(0);
    bs[threadIdx.y][threadIdx.x] =
        k0 + threadIdx.y < k && col < n ? b[(k0 + threadIdx.y) * n + col] : T(0);
    __syncthreads();
    for (int i = 0; i < Tile; ++i)
      acc += as[threadIdx.y][i] * bs[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < n)
    c[row * n + col] = acc;
}

template <class T, int Tile> void check(int m, int n, int k) {
  std::vector<T> a(m * k), b(k * n), c(m * n);
  unsigned state = 5;
  for (T &x : a)
    x = static_cast<T>(next_random(state) % 1000) / T(64) - T(7);
  for (T &x : b)
    x = static_cast<T>(next_random(state) % 1000) / T(96) - T(5);
  Device<T> da(a.data(), a.size()), db(b.data(), b.size()), dc(c.size());
  matmul<T, Tile><<<dim3((n + Tile - 1) / Tile, (m + Tile - 1) / Tile),
                    dim3(Tile, Tile)>>>(da, db, dc, m, n, k);
  CUDA(cudaGetLastError());
  dc.get(c.data());
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      T sum = T(0);
      for (int l = 0; l < k; ++l)
        sum = std::fma(a[i * k + l], b[l * n + j], sum); // as nvcc compiles it
      EXPECT(c[i * n + j] == sum);
    }
}

int main() {
  check<float, 16>(48, 32, 40);
  check<float, 8>(19, 23, 29);
  check<double, 8>(17, 16, 9);
  return verdict();
}
