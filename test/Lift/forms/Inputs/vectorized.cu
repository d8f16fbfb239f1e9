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
template <typename T, size_t TX, size_t TY, size_t TK, size_t HX, size_t HY>
__global__ void form_four(size_t m, size_t n, size_t k, T al, T const *P, size_t ldp, T const *Q,
                        size_t ldq, T be, T *R, size_t ldr) {
  constexpr size_t COUNT{TX * TY / (HX * HY)};
  size_t const id{threadIdx.y * blockDim.x + threadIdx.x};
  __shared__ T sp[TY][TK];
  __shared__ T sq[TK][TX];
  size_t const tiles{(k + TK - 1) / TK};
  T acc[HY][HX] = {static_cast<T>(0)};
  T pv[HY] = {static_cast<T>(0)};
  T qv[HX] = {static_cast<T>(0)};
  constexpr size_t U{sizeof(int4) / sizeof(T)};
  static_assert(sizeof(int4) % sizeof(T) == 0U);
  constexpr size_t VX{HX / U};
  static_assert(HX % U == 0U);
  for (size_t t{0U}; t < tiles; ++t) {
    bring<T, TX, TY, TK, COUNT>(P, ldp, Q, ldq, sp, sq, t, id, m, n, k);
    __syncthreads();
#pragma unroll
    for (size_t i{0U}; i < TK; ++i) {
      size_t const pr{id / (TX / HX) * HY};
      size_t const pc{i};
#pragma unroll
      for (size_t a{0U}; a < HY; ++a) pv[a] = sp[pr + a][pc];
      size_t const qr{i};
      size_t const qc{id % (TX / HX) * HX};
#pragma unroll
      for (size_t v{0U}; v < VX; ++v)
        *reinterpret_cast<int4 *>(&qv[v * U]) = *reinterpret_cast<int4 const *>(&sq[qr][qc + v * U]);
      for (size_t a{0U}; a < HY; ++a)
        for (size_t b{0U}; b < HX; ++b) acc[a][b] += pv[a] * qv[b];
    }
    __syncthreads();
  }
  for (size_t a{0U}; a < HY; ++a) {
    for (size_t v{0U}; v < VX; ++v) {
      size_t const row{blockIdx.y * TY + id / (TX / HX) * HY + a};
      size_t const col{blockIdx.x * TX + id % (TX / HX) * HX + v * U};
      int4 old{*reinterpret_cast<int4 const *>(&R[row * ldr + col])};
      int4 const now{*reinterpret_cast<int4 const *>(&acc[a][v * U])};
      for (size_t i{0U}; i < U; ++i)
        reinterpret_cast<T *>(&old)[i] =
            al * reinterpret_cast<T const *>(&now)[i] + be * reinterpret_cast<T const *>(&old)[i];
      if (row < m && col < n) *reinterpret_cast<int4 *>(&R[row * ldr + col]) = old;
    }
  }
}
template <typename T>
void go(size_t m, size_t n, size_t k, T const *al, T const *P, size_t ldp, T const *Q, size_t ldq,
        T const *be, T *R, size_t ldr, cudaStream_t st) {
  constexpr unsigned int X{128U};
  constexpr unsigned int Y{128U};
  constexpr unsigned int D{16U};
  constexpr unsigned int HX{8U};
  constexpr unsigned int HY{8U};
  constexpr unsigned int COUNT{X * Y / (HX * HY)};
  dim3 const b{COUNT, 1U, 1U};
  dim3 const g{(static_cast<unsigned int>(n) + X - 1U) / X, (static_cast<unsigned int>(m) + Y - 1U) / Y, 1U};
  form_four<T, X, Y, D, HX, HY><<<g, b, 0U, st>>>(m, n, k, *al, P, ldp, Q, ldq, *be, R, ldr);
}
template void go<float>(size_t m, size_t n, size_t k, float const *al, float const *P, size_t ldp,
                        float const *Q, size_t ldq, float const *be, float *R, size_t ldr, cudaStream_t st);
