// A product by tensor cores: cp.async, ldmatrix and mma.sync.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"
#include <cstdint>
#include <cuda_fp16.h>
#include <vector>

constexpr int M = 16, N = 8, K = 32;

__global__ void product(const half *a, const half *b, float *c) {
  __shared__ alignas(16) half as[M][K], bs[K][N];
  const int lane = threadIdx.x;
  for (int i = lane; i < M * K / 8; i += 32) {
    const auto to = static_cast<uint32_t>(__cvta_generic_to_shared(&as[0][0] + i * 8));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to),
                 "l"(a + i * 8) : "memory");
  }
  for (int i = lane; i < K * N / 8; i += 32) {
    const auto to = static_cast<uint32_t>(__cvta_generic_to_shared(&bs[0][0] + i * 8));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to),
                 "l"(b + i * 8) : "memory");
  }
  asm volatile("cp.async.commit_group;\ncp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  float d[4] = {};
  for (int k = 0; k < K; k += 16) {
    uint32_t ra[4], rb[2];
    const auto pa = static_cast<uint32_t>(
        __cvta_generic_to_shared(&as[lane % 16][k + lane / 16 * 8]));
    asm volatile(
        "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
        : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3]) : "r"(pa));
    const auto pb =
        static_cast<uint32_t>(__cvta_generic_to_shared(&bs[k + lane % 16][0]));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(rb[0]), "=r"(rb[1]) : "r"(pb));
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
  }
  const int row = lane / 4, col = lane % 4 * 2;
  c[row * N + col] = d[0];
  c[row * N + col + 1] = d[1];
  c[(row + 8) * N + col] = d[2];
  c[(row + 8) * N + col + 1] = d[3];
}

int main() {
  std::vector<half> a(M * K), b(K * N);
  std::vector<float> c(M * N);
  for (int i = 0; i < M * K; ++i)
    a[i] = __float2half(static_cast<float>(i * 7 % 13) - 6);
  for (int i = 0; i < K * N; ++i)
    b[i] = __float2half(static_cast<float>(i * 5 % 11) - 5);
  Device<half> da(a.data(), a.size()), db(b.data(), b.size());
  Device<float> dc(c.size());
  product<<<1, 32>>>(da, db, dc);
  CUDA(cudaDeviceSynchronize());
  dc.get(c.data());
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      float sum = 0;
      for (int k = 0; k < K; ++k)
        sum += __half2float(a[i * K + k]) * __half2float(b[k * N + j]);
      EXPECT(c[i * N + j] == sum);
    }
  return verdict();
}
