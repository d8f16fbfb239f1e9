// Device code among ordinary C++ of the host: tables of kernels, lambdas, threads.
// RUN: %warpwright sim --original %s | FileCheck %s
// CHECK: OK
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <algorithm>
#include <vector>
#include <thread>
#include <iostream>
#include <chrono>
#ifndef __CUDACC__
#error no
#endif
// device objects
struct Vec { float x, y; __host__ __device__ Vec(float x = 0, float y = 0) : x(x), y(y) {} __host__ __device__ Vec operator+(const Vec &o) const { return Vec(x + o.x, y + o.y); } __device__ friend Vec operator*(float s, Vec v) { return Vec(s * v.x, s * v.y); } };
template <class T, class = std::enable_if_t<std::is_floating_point_v<T>>> __device__ inline T square(T x) { return x * x; }
template <class T> struct Functor { T k; __device__ T operator()(T x) const { return k * square(x); } };
template <class F, class... Args> __global__ void invoke(F f, float *out, Args... args) {
  if constexpr (sizeof...(Args) > 1) { out[threadIdx.x] = f(float(threadIdx.x)) + (0.f + ... + float(args)); }
  else { auto g = [&](auto x) { return f(x) + out[threadIdx.x]; }; out[threadIdx.x] = g(1.0f); }
}
__device__ int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
__global__ void control(int *x, int n) {
  int i = threadIdx.x;
  switch (i % 4) { case 0: { __shared__ int t0; if (i == 0) t0 = 4; __syncwarp(); x[i] = t0; break; } case 1: x[i] = fact(5); goto done; default: x[i] = -1; }
  for (int j = 0; auto k = n - j; ++j) { if (j > 3) break; x[i] += k; }
done:
  if (i == 31) return;
  struct Local { int v; __device__ int get() const { return v + 1; } } l{x[i]};
  x[i] = l.get();
}
namespace detail { enum class Op { add, mul }; template <Op op> struct Apply; template <> struct Apply<Op::add> { static __device__ int run(int a, int b) { return a + b; } }; template <> struct Apply<Op::mul> { static __device__ int run(int a, int b) { return a * b; } };
  template <Op op> static __global__ void kernel(int *x, int b) { x[threadIdx.x] = Apply<op>::run(x[threadIdx.x], b); } }
using Kernel = void (*)(int *, int);
static const std::map<std::string, Kernel> kernels = {{"add", detail::kernel<detail::Op::add>}, {"mul", detail::kernel<detail::Op::mul>}};
constexpr Kernel fixed[] = {detail::kernel<detail::Op::add>, &detail::kernel<detail::Op::mul>};
class Runner { public: Runner() { cudaMalloc(&p, 128); cudaStreamCreate(&s); } ~Runner() { cudaFree(p); cudaStreamDestroy(s); }
  template <class K, class... A> void run(K k, A... a) { k<<<1, 32, 0, s>>>(p, a...); cudaStreamSynchronize(s); }
  int *p; cudaStream_t s; };
template <int BLOCK> __global__ void __launch_bounds__(BLOCK) reduce(const float *__restrict__ in, float *out, int n) {
  __shared__ float sh[BLOCK / 32]; float v = 0;
  for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) v += in[i];
#pragma unroll
  for (int o = 16; o; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
  if (threadIdx.x % 32 == 0) sh[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 32) { v = threadIdx.x < BLOCK / 32 ? sh[threadIdx.x] : 0; for (int o = 16; o; o /= 2) v += __shfl_xor_sync(~0u, v, o); if (!threadIdx.x) atomicAdd(out, v); }
}
template <class T> struct SharedMemory { __device__ operator T *() { extern __shared__ int __smem[]; return (T *)__smem; } };
template <class T> __global__ void sdk(T *x) { T *s = SharedMemory<T>(); s[threadIdx.x] = x[threadIdx.x]; __syncthreads(); x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x]; }
__global__ void ptx(unsigned *out, float *f) {
  unsigned lane, r; asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm volatile("{ .reg .pred p; setp.gt.u32 p, %1, 15; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "r"(lane));
  float a = f[lane], b; asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(b) : "f"(a), "f"(2.0f), "f"(1.0f));
  out[lane] = r; f[lane] = b;
}
#define CHECK(c) do { if (!(c)) { printf("line %d: %s\n", __LINE__, #c); return 1; } } while (0)
#define LAUNCH_ALL(T, ...) do { auto fn = [&](auto k) { k<<<dim3{1, 1, 1}, dim3(32)>>>(__VA_ARGS__); }; fn(sdk<T>); } while (0)
int main(int argc, char **argv) {
  float *f; int *x; cudaMallocManaged(&f, 4096); cudaMallocManaged(&x, 4096);
  invoke<<<1, 32>>>(Functor<float>{2}, f, 1, 2.5f); cudaDeviceSynchronize(); CHECK(f[3] == 2 * 9 + 3.5f);
  invoke<<<1, 32>>>([] __device__(float v) { Vec a(v, 1), b = 2.0f * (a + Vec(1, 1)); return b.x; }, f); cudaDeviceSynchronize(); CHECK(f[3] == 4 + 21.5f);
  for (int i = 0; i < 32; ++i) x[i] = 0;
  control<<<1, 32>>>(x, 10); cudaDeviceSynchronize(); CHECK(x[0] == 4 + 10 + 9 + 8 + 7 + 1); CHECK(x[1] == 121); CHECK(x[31] == -1 + 34);
  Runner r; cudaMemset(r.p, 0, 128); for (auto &k : kernels) r.run(k.second, 3); for (Kernel k : fixed) r.run(k, 2);
  int h[32]; cudaMemcpy(h, r.p, 128, cudaMemcpyDeviceToHost); CHECK(h[7] == (0 + 3) * 3 * 2 + 2 * 2 - 4 + 0 || h[7] == 22);
  int seven = 7; void *args[] = {&r.p, &seven}; CHECK(cudaLaunchKernel(fixed[0], 1, 32, args, 0, 0) == cudaSuccess); cudaDeviceSynchronize(); cudaMemcpy(h, r.p, 128, cudaMemcpyDefault); CHECK(h[7] == 29);
  std::vector<float> in(1000, 0.5f); float *din, *dout; cudaMalloc((void **)&din, 4000); cudaMalloc(&dout, 4); cudaMemcpy(din, in.data(), 4000, cudaMemcpyHostToDevice); cudaMemset(dout, 0, 4);
  reduce<128><<<3, 128>>>(din, dout, 1000); float sum; cudaMemcpy(&sum, dout, 4, cudaMemcpyDeviceToHost); CHECK(sum == 500);
  for (int i = 0; i < 32; ++i) f[i] = i; sdk<<<1, 32, 128>>>(f); cudaDeviceSynchronize(); CHECK(f[0] == 31);
  ptx<<<1, 32>>>((unsigned *)x, f); cudaDeviceSynchronize(); CHECK(x[16] == 1 && x[15] == 0); CHECK(f[31] == 1);
  std::thread t([&] { sdk<<<1, 32, 128>>>(f); cudaDeviceSynchronize(); }); t.join(); CHECK(f[0] == 1);
  std::unique_ptr<int[]> u(new int[4]); std::sort(in.begin(), in.end(), [](float a, float b) { return a < b; });
  try { throw std::string("OK"); } catch (std::string &s) { std::cout << s << std::endl; }
  return 0;
}
