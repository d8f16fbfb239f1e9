#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <cstddef>
template <typename T, size_t TX, size_t TY, size_t TK, size_t COUNT>
__device__ void bring(T const *P, size_t ldp, T const *Q, size_t ldq, T sp[TY][TK], T sq[TK][TX],
                      size_t tile, size_t id, size_t m, size_t n, size_t k) {
#pragma unroll
  for (size_t l{0U}; l < (TY * TK + COUNT - 1U) / COUNT; ++l) {
    size_t const r{(id + l * COUNT) / TK};
    size_t const c{(id + l * COUNT) % TK};
    size_t const gr{blockIdx.y * TY + r};
    size_t const gc{tile * TK + c};
    T v{static_cast<T>(0)};
    if (gr < m && gc < k) {
      v = P[gr * ldp + gc];
    }
    static_assert(TK * TY % COUNT == 0U);
    sp[r][c] = v;
  }
#pragma unroll
  for (size_t l{0U}; l < (TK * TX + COUNT - 1U) / COUNT; ++l) {
    size_t const r{(id + l * COUNT) / TX};
    size_t const c{(id + l * COUNT) % TX};
    size_t const gr{tile * TK + r};
    size_t const gc{blockIdx.x * TX + c};
    T v{static_cast<T>(0)};
    if (gr < k && gc < n) {
      v = Q[gr * ldq + gc];
    }
    static_assert(TX * TK % COUNT == 0U);
    sq[r][c] = v;
  }
}
#pragma warpwright matmul
template <typename T, size_t TX, size_t TY, size_t TK>
__global__ void form_two(size_t m, size_t n, size_t k, T al, T const *P, size_t ldp, T const *Q,
                       size_t ldq, T be, T *R, size_t ldr) {
  constexpr size_t COUNT{TX * TY};
  size_t const id{threadIdx.y * blockDim.x + threadIdx.x};
  size_t const col{blockIdx.x * blockDim.x + threadIdx.x};
  size_t const row{blockIdx.y * blockDim.y + threadIdx.y};
  __shared__ T sp[TY][TK];
  __shared__ T sq[TK][TX];
  size_t const tiles{(k + TK - 1) / TK};
  T s{static_cast<T>(0)};
  for (size_t t{0U}; t < tiles; ++t) {
    bring<T, TX, TY, TK, COUNT>(P, ldp, Q, ldq, sp, sq, t, id, m, n, k);
    __syncthreads();
#pragma unroll
    for (size_t i{0U}; i < TK; ++i) s += sp[threadIdx.y][i] * sq[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < n) R[row * ldr + col] = al * s + be * R[row * ldr + col];
}
template <typename T>
void go(size_t m, size_t n, size_t k, T const *al, T const *P, size_t ldp, T const *Q, size_t ldq,
        T const *be, T *R, size_t ldr, cudaStream_t st) {
  constexpr unsigned int X{32U};
  constexpr unsigned int Y{32U};
  constexpr unsigned int D{32U};
  dim3 const b{X, Y, 1U};
  dim3 const g{(static_cast<unsigned int>(n) + b.x - 1U) / b.x,
               (static_cast<unsigned int>(m) + b.y - 1U) / b.y, 1U};
  form_two<T, X, Y, D><<<g, b, 0U, st>>>(m, n, k, *al, P, ldp, Q, ldq, *be, R, ldr);
}
template void go<float>(size_t m, size_t n, size_t k, float const *al, float const *P, size_t ldp,
                        float const *Q, size_t ldq, float const *be, float *R, size_t ldr, cudaStream_t st);
