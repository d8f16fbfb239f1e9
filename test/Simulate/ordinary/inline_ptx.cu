// Inline PTX of the usual kinds: registers, arithmetic, bits, predicates.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"
#include <cstdint>
#include <vector>

__device__ unsigned lane_id() {
  unsigned id;
  asm("mov.u32 %0, %%laneid;" : "=r"(id));
  return id;
}
__device__ uint32_t shared_address(const void *p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
__device__ int load_volatile(const int *p) {
  int v;
  asm volatile("ld.volatile.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
template <int N> __device__ unsigned extract(unsigned x) {
  unsigned r;
  asm("bfe.u32 %0, %1, %2, 8;" : "=r"(r) : "r"(x), "n"(N * 8));
  return r;
}

__global__ void kernel(const int *in, unsigned *out, float *f) {
  __shared__ int s[32];
  const int i = threadIdx.x;
  const uint32_t address = shared_address(&s[i]);
  asm volatile("st.shared.b32 [%0], %1;" ::"r"(address), "r"(in[i]) : "memory");
  __syncthreads();
  int neighbour;
  asm volatile("ld.shared.b32 %0, [%1];"
               : "=r"(neighbour)
               : "r"(shared_address(&s[(i + 1) % 32])));
  unsigned picked;
  asm("{\n\t"
      ".reg .pred p;\n\t"
      "setp.gt.s32 p, %1, %2;\n\t"
      "selp.u32 %0, 1, 0, p;\n\t"
      "}"
      : "=r"(picked)
      : "r"(neighbour), "r"(10));
  float fused;
  asm("fma.rn.f32 %0, %1, %2, %3;"
      : "=f"(fused)
      : "f"(1.0f + i), "f"(0.5f), "f"(-1.0f));
  unsigned long long wide;
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(wide) : "r"(0x80000000u + i), "r"(6u));
  unsigned sum, packed;
  asm("{ .reg .u32 t; add.u32 t, %1, 3; shl.b32 %0, t, 2; }"
      : "=r"(sum)
      : "r"(unsigned(i)));
  asm("prmt.b32 %0, %1, %2, 0x5410;" : "=r"(packed) : "r"(0x1111u + i), "r"(7u));
  int doubled = i;
  asm("add.s32 %0, %0, %0;" : "+r"(doubled));
  unsigned count = 0;
  asm volatile("{\n"
               ".reg .pred done;\n"
               "loop:\n"
               "  add.u32 %0, %0, 1;\n"
               "  setp.ge.u32 done, %0, %1;\n"
               "  @!done bra loop;\n"
               "}"
               : "+r"(count)
               : "r"(unsigned(i + 1)));
  unsigned *o = out + i * 10;
  o[0] = lane_id();
  o[1] = picked;
  o[2] = static_cast<unsigned>(wide >> 32);
  o[3] = static_cast<unsigned>(wide);
  o[4] = sum;
  o[5] = packed;
  o[6] = doubled;
  o[7] = count;
  o[8] = extract<1>(0xaabbccddu);
  o[9] = load_volatile(in + i);
  f[i] = fused;
}

int main() {
  std::vector<int> in(32);
  for (int i = 0; i < 32; ++i)
    in[i] = i * 3 % 23;
  std::vector<unsigned> out(320);
  std::vector<float> f(32);
  Device<int> din(in.data(), 32);
  Device<unsigned> dout(320);
  Device<float> df(32);
  kernel<<<1, 32>>>(din, dout, df);
  CUDA(cudaDeviceSynchronize());
  dout.get(out.data());
  df.get(f.data());
  for (unsigned i = 0; i < 32; ++i) {
    const unsigned *o = &out[i * 10];
    EXPECT(o[0] == i);
    EXPECT(o[1] == (in[(i + 1) % 32] > 10));
    EXPECT(o[2] == 3 && o[3] == i * 6);
    EXPECT(o[4] == (i + 3) * 4);
    EXPECT(o[5] == (7u << 16 | (0x1111 + i)));
    EXPECT(o[6] == 2 * i && o[7] == i + 1);
    EXPECT(o[8] == 0xcc && o[9] == unsigned(in[i]));
    EXPECT(f[i] == (1.0f + i) * 0.5f - 1);
  }
  return verdict();
}
