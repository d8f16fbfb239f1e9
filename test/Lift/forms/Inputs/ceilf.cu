#include <cuda_runtime.h>
#include <cmath>
#include <cstddef>
#define D 32
#pragma warpwright matmul
template <typename T>
__global__ void blog(T const *P, T const *Q, T *R, size_t m, size_t n, size_t p) {
  __shared__ T sp[D][D];
  __shared__ T sq[D][D];
  T s{0};
  for (size_t t{0}; t < ceilf(static_cast<float>(n) / D); ++t) {
    size_t i{blockIdx.y * blockDim.y + threadIdx.y};
    size_t j{t * blockDim.x + threadIdx.x};
    if ((i < m) && (j < n)) {
      sp[threadIdx.y][threadIdx.x] = P[i * n + j];
    } else {
      sp[threadIdx.y][threadIdx.x] = 0;
    }
    i = t * blockDim.y + threadIdx.y;
    j = blockIdx.x * blockDim.x + threadIdx.x;
    if ((i < n) && (j < p)) {
      sq[threadIdx.y][threadIdx.x] = Q[i * p + j];
    } else {
      sq[threadIdx.y][threadIdx.x] = 0;
    }
    __syncthreads();
    for (size_t k{0}; k < D; ++k) {
      s += sp[threadIdx.y][k] * sq[k][threadIdx.x];
    }
    __syncthreads();
  }
  size_t i{blockIdx.y * blockDim.y + threadIdx.y};
  size_t j{blockIdx.x * blockDim.x + threadIdx.x};
  if ((i < m) && (j < p)) {
    R[i * p + j] = s;
  }
}
#pragma warpwright matmul
template <typename T> __global__ void blog_plain(T const *P, T const *Q, T *R, size_t m, size_t n, size_t p) {
  size_t i{blockIdx.y * blockDim.y + threadIdx.y};
  size_t j{blockIdx.x * blockDim.x + threadIdx.x};
  if ((i >= m) || (j >= p)) {
    return;
  }
  T s{0};
  for (size_t k{0}; k < n; ++k) s += P[i * n + k] * Q[k * p + j];
  R[i * p + j] = s;
}
void run(float const *A, float const *B, float *C, size_t m, size_t n, size_t p) {
  dim3 t(D, D);
  dim3 g(1, 1);
  g.x = std::ceil(static_cast<double>(p) / static_cast<double>(t.x));
  g.y = std::ceil(static_cast<double>(m) / static_cast<double>(t.y));
  blog<float><<<g, t>>>(A, B, C, m, n, p);
  blog_plain<float><<<g, t>>>(A, B, C, m, n, p);
}
