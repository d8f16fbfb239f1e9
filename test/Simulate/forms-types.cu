// Shared storage of dependent types, kernels in odd places, PTX with branches.
// RUN: %warpwright sim --original %s | FileCheck %s
// CHECK: OK
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>
// rt-level: hand-written code over the runtime's primitives
#include <warpwright/rt/warpwright.cuh>
using namespace warpwright;
struct alignas(16) Pod { float v[4]; };
template <typename T> struct Storage { T a[32]; alignas(8) unsigned long long bar; };
template <typename Traits> __global__ void traits_kernel(typename Traits::value_type *x) {
  using T = typename Traits::value_type;
  __shared__ Storage<T> storage;
  __shared__ typename Traits::template rebind<int>::type counts[4];
  volatile __shared__ int flag;
  if (threadIdx.x == 0) { flag = 3; counts[1] = 2; }
  storage.a[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (auto &e : counts) if (&e == &counts[1] && threadIdx.x == 5) e += 1;
  __syncthreads();
  x[threadIdx.x] = storage.a[31 - threadIdx.x] * flag + counts[1];
}
struct F { using value_type = float; template <class U> struct rebind { using type = U; }; };
template <int N> __device__ float total(const float (&a)[N]) { float s = 0; for (float v : a) s += v; return s; }
__global__ void arrays(float *out) {
  __shared__ float a[8]; __shared__ Pod pods[2];
  __shared__ float m[2][3][4];
  if (threadIdx.x < 8) a[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 2) pods[threadIdx.x] = Pod{{1, 2, 3, 4}};
  float *flat = &m[0][0][0];
  if (threadIdx.x < 24) flat[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float (*row)[3][4] = m; auto &second = m[1];
  out[threadIdx.x] = total(a) + pods[1].v[2] + row[1][2][3] + second[0][1] + sizeof(m) / sizeof(m[0]);
}
__global__ void barrier(int *out) {
  __shared__ alignas(8) uint64_t bar;
  if (threadIdx.x == 0) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"((unsigned)__cvta_generic_to_shared(&bar)), "r"(32)); asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
  __syncthreads();
  if (threadIdx.x < 32) { unsigned long long state; asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"((unsigned)__cvta_generic_to_shared(&bar)) : "memory"); }
  asm volatile("{\n\t.reg .pred P1;\n\tLAB_WAIT:\n\tmbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n\t@P1 bra DONE;\n\tbra LAB_WAIT;\n\tDONE:\n\t}" :: "r"((unsigned)__cvta_generic_to_shared(&bar)), "r"(0) : "memory");
  out[threadIdx.x] = 1;
}
#define KERNELS(name, type) \
  __global__ void name##_copy(type *d, const type *s) { __shared__ type t[64]; t[threadIdx.x] = s[threadIdx.x]; __syncthreads(); d[threadIdx.x] = t[63 - threadIdx.x]; } \
  static void name##_run(type *d, const type *s) { name##_copy<<<1, 64>>>(d, s); }
KERNELS(f32, float)
KERNELS(i16, short)
__global__ void chooser(int *x, int which) { x[0] = which; }
__global__ void other(int *x, int which) { x[0] = -which; }
void pick(bool b, int *x) { return b ? chooser<<<1, 1>>>(x, 1) : other<<<1, 1>>>(x, 2); }
namespace { template <class T> __global__ void anon(T *x) { *x += 1; } }
template <template <class> class Wrap, class T> struct Deep { template <T V> struct In { static __global__ void go(T *x) { *x = V; } static void launch(T *x) { In::go<<<1, 1>>>(x); go<<<dim3(1), dim3(1), 0, nullptr>>>(x); In<V + 1>::go<<<1, 1>>>(x); } }; };
template <class T> struct Id {};
struct Obj { static __global__ void stat(int *x) { *x = 77; } void call(int *x) { this->stat<<<1, 1>>>(x); Obj().stat<<<1, 1>>>(x); } };
__device__ __constant__ float weights[4] = {1, 2, 3, 4};
__global__ void use_weights(float *x) { x[threadIdx.x] = weights[threadIdx.x]; }
__global__ void big(Pod a, Pod b, const __grid_constant__ Pod c, float *out) { const Pod *p = &c; *out = a.v[0] + b.v[1] + p->v[2]; a.v[0] = 9; }
#define CHECK(c) do { if (!(c)) { printf("line %d: %s\n", __LINE__, #c); return 1; } } while (0)
int main() {
  float *f; int *x; short *s; cudaMallocManaged(&f, 4096); cudaMallocManaged(&x, 4096); cudaMallocManaged(&s, 4096);
  for (int i = 0; i < 64; ++i) f[i] = i, s[i] = i;
  traits_kernel<F><<<1, 32>>>(f); cudaDeviceSynchronize(); CHECK(f[0] == 31 * 3 + 3);
  arrays<<<1, 64>>>(f); cudaDeviceSynchronize(); CHECK(f[0] == 28 + 3 + 23 + 13 + 2);
  barrier<<<1, 64>>>(x); cudaDeviceSynchronize(); CHECK(x[63] == 1);
  f32_run(f + 64, f); i16_run(s + 64, s); cudaDeviceSynchronize(); CHECK(s[64] == 63);
  pick(true, x); cudaDeviceSynchronize(); CHECK(x[0] == 1); pick(false, x); cudaDeviceSynchronize(); CHECK(x[0] == -2);
  anon<<<1, 1>>>(x); cudaDeviceSynchronize(); CHECK(x[0] == -1);
  Deep<Id, int>::In<5>::launch(x); cudaDeviceSynchronize(); CHECK(x[0] == 6);
  Obj().call(x); cudaDeviceSynchronize(); CHECK(x[0] == 77);
  float host[4] = {5, 6, 7, 8}; cudaMemcpyToSymbol(weights, host, 16); use_weights<<<1, 4>>>(f); cudaDeviceSynchronize(); CHECK(f[3] == 8);
  Pod p{{1, 2, 3, 4}}; big<<<1, 2>>>(p, p, p, f); cudaDeviceSynchronize(); CHECK(f[0] == 6);
  void (*table[])(int *, int) = {chooser, other}; for (auto k : table) k<<<1, 1>>>(x, 4); (*table[0])<<<1, 1>>>(x, 8); cudaDeviceSynchronize(); CHECK(x[0] == 8);
  puts("OK");
}
