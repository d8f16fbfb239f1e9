#include <cuda_fp16.h>
// Lanes gather the results of mma.sync that make 16 bytes of a row.
__device__ void multiply(unsigned *c, const unsigned *a, const unsigned *b) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, "
               "{%2,%3,%4,%5}, {%6,%7}, {%0,%1};"
               : "+r"(c[0]), "+r"(c[1])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]),
                 "r"(b[1]));
}
__device__ unsigned pair(const half *p) { return *(const unsigned *)p; }
__device__ void products(const half *P, const half *Q, int depth, int lane,
                         unsigned (*c)[2]) {
  for (int k = 0; k < depth; k += 16) {
    const half *p = P + lane / 4 * depth + k + lane % 4 * 2;
    const unsigned a[4] = {pair(p), pair(p + 8 * depth), pair(p + 8),
                           pair(p + 8 * depth + 8)};
    for (int j = 0; j < 2; ++j) {
      const half *q = Q + (j * 8 + lane / 4) * depth + k + lane % 4 * 2;
      const unsigned b[2] = {pair(q), pair(q + 8)};
      multiply(c[j], a, b);
    }
  }
}
template <int Step>
__device__ void gather(const half *P, const half *Q, half *R, int n,
                       int depth) {
  const int lane = threadIdx.x % 32;
  const int down = blockIdx.y * 16, across = blockIdx.x * 16;
  unsigned c[2][2] = {};
  products(P + down * depth, Q + across * depth, depth, lane, c);
  for (int j = 0; j < 2; ++j) {
    unsigned v[2][4];
    for (int h = 0; h < 2; ++h) {
      v[h][0] = c[j][h];
      for (int i = 1; i < 4; ++i)
        v[h][i] = __shfl_sync(0xffffffff, c[j][h], lane + Step * i);
    }
    if (lane % 4 == 0) {
      half *to = R + (down + lane / 4) * n + across + j * 8;
      *(uint4 *)to = *(uint4 *)v[0];
      *(uint4 *)(to + 8 * n) = *(uint4 *)v[1];
    }
  }
}
#pragma warpwright matmul
__global__ void gathered_rows(const half *P, const half *Q, half *R, int n,
                              int depth) {
  gather<1>(P, Q, R, n, depth);
}
#pragma warpwright matmul
__global__ void gathered_rows_wrong(const half *P, const half *Q, half *R,
                                    int n, int depth) {
  gather<4>(P, Q, R, n, depth);
}
void run(const half *P, const half *Q, half *R, int m, int n, int depth) {
  const dim3 grid(n / 16, m / 16);
  gathered_rows<<<grid, 32>>>(P, Q, R, n, depth);
  gathered_rows_wrong<<<grid, 32>>>(P, Q, R, n, depth);
}
