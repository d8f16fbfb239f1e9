// Whatever form kernels, launches and shared variables take, the program runs.
// Each check is in main(); the status says whether all were met.
// RUN: %warpwright sim --original %s | FileCheck %s
// CHECK: OK
#include <cstdio>
#include <cstdint>
#include <vector>
#include <initializer_list>

// templates, specialisations, members, namespaces
template <class T, int N> __global__ void __launch_bounds__(N * 32, 2) scale(T *x, T by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] *= by;
}
template <> __global__ void scale<int, 4>(int *x, int by) { x[threadIdx.x + blockIdx.x * blockDim.x] += 1000 * by; }
template __global__ void scale<float, 8>(float *, float);
namespace a { namespace { __global__ void inner(int *x) { x[threadIdx.x] += 1; } } 
template <class T> struct S { static __global__ void member(T *x, int n = 5) { x[threadIdx.x] += n; }
  template <class U> static void run(U *x); }; 
template <class T> template <class U> void S<T>::run(U *x) { member<<<1, 32>>>(x); S<U>::member<<<dim3(1), dim3(32)>>>(x, 7); } }
extern "C" __global__ void cname(int *x);
__global__ void forward(int *, int);
class Friend { friend __global__ void friendly(int *x, Friend f); int secret = 3; };
__global__ void friendly(int *x, Friend f) { x[threadIdx.x] += f.secret; }
__global__ void over(int *x) { x[threadIdx.x] += 1; }
__global__ void over(float *x) { x[threadIdx.x] += 1; }
template <class... Ts> __global__ void pack(int *out, Ts... values) { int s = 0; ((s += values), ...); out[threadIdx.x] = s; }
#define LAUNCH(k, g, b, ...) k<<<g, b>>>(__VA_ARGS__)
static __global__ void one_line(int *x) { if (threadIdx.x == 0) asm("" ::: "memory"); else asm volatile(""); x[threadIdx.x] = 9; }

// shared memory
constexpr int tile = 8;
template <int N, class T> __device__ T sum_all(T v) {
  __shared__ T part[N + 1], total;
  alignas(16) static __shared__ T more[2][N];
  __shared__ __align__(128) unsigned char raw[N * sizeof(T)];
  __shared__ struct { T a[N]; int b; } both;
  part[threadIdx.x] = v; more[1][threadIdx.x] = v; both.a[threadIdx.x] = v;
  reinterpret_cast<T *>(raw)[threadIdx.x] = v;
  __syncthreads();
  auto f = [](int i) { return part[i] + more[1][i] + both.a[i]; };
  auto g = [=](int i) { return ((T *)raw)[i]; };
  if (threadIdx.x == 0) { total = 0; for (int i = 0; i < N; ++i) total += f(i) + g(i); }
  __syncthreads();
  decltype(total) t = total;
  static_assert(sizeof(part) == (N + 1) * sizeof(T), "");
  return t;
}
__global__ void sums(int *x, float *y) { x[threadIdx.x] = sum_all<32>((int)threadIdx.x); y[threadIdx.x] = sum_all<32, float>(threadIdx.x); }
extern __shared__ float dyn[];
template <class T> __global__ void dynamic(T *x) { extern __shared__ __align__(16) unsigned char smem[]; T *s = reinterpret_cast<T *>(smem); s[threadIdx.x] = x[threadIdx.x]; __syncthreads(); x[threadIdx.x] = s[31 - threadIdx.x]; }
namespace ns { __shared__ int counter; __shared__ float table[4][4]; }
__global__ void globals(float *x) { if (threadIdx.x == 0) { ns::counter = 41; ns::table[1][2] = 0.5f; } dyn[threadIdx.x] = x[threadIdx.x]; __syncthreads(); x[threadIdx.x] = dyn[(threadIdx.x + 1) % 32] + ns::counter + ns::table[1][2]; }
__global__ void block_extern(double *x) { extern __shared__ double buf[]; buf[threadIdx.x] = x[threadIdx.x]; __syncwarp(); x[threadIdx.x] = buf[threadIdx.x ^ 1]; }

__constant__ int lut[4] = {1, 2, 3, 4};
__device__ int total_calls = 0;
__managed__ int managed = 5;
__device__ __forceinline__ int helper(int x) { return x + lut[x & 3]; }
__host__ __device__ __noinline__ int hd(int x) {
#ifdef __CUDA_ARCH__
  return x + 1;
#else
  return x + 1;
#endif
}
__global__ void consts(int *x) { x[threadIdx.x] = helper(threadIdx.x) + hd(2); atomicAdd(&total_calls, 1); if (threadIdx.x == 0) managed = 6; }
template <class F> __global__ void apply(F f, int *x) { x[threadIdx.x] = f(threadIdx.x); }
constexpr auto table = &scale<float, 8>;
struct Ops { void (*k)(int *); };
static const Ops ops = {a::inner};
template <void (*K)(int *)> void through(int *x) { K<<<1, 32>>>(x); }
__global__ void qualifiers(const int *__restrict__ in, int *__restrict__ out, const int n) {
#pragma unroll
  for (int i = 0; i < 4; ++i) out[threadIdx.x * 4 + i] = in[threadIdx.x * 4 + i] * n;
#pragma unroll 4
  for (int i = 0; i < 4; ++i) ;
}
template <int B> struct P { static constexpr int threads = B; };
template <class Q> __launch_bounds__(Q::threads) __global__ void policy(int *x) { x[threadIdx.x] = Q::threads; }
__global__ void cname(int *x) { x[threadIdx.x] += 100; }
__global__ void forward(int *x, int v) { x[threadIdx.x] = v; }
template <class T> void relay(T *x) { auto k = scale<T, 4>; k<<<1, 32>>>(x, T(3)); scale<T, 4><<<1, 32, 0, 0>>>(x, T(2)); }
#define CHECK(c) do { if (!(c)) { printf("line %d: %s\n", __LINE__, #c); return 1; } } while (0)
int main() {
  int *x; float *y; double *z; cudaMallocManaged(&x, 4096); cudaMallocManaged(&y, 4096); cudaMallocManaged(&z, 4096);
  auto sync = [] { cudaDeviceSynchronize(); };
  for (int i = 0; i < 32; ++i) y[i] = i;
  scale<float, 8><<<1, 32>>>(y, 2.f); sync(); CHECK(y[5] == 10);
  table<<<1, 32>>>(y, 2.f); sync(); CHECK(y[5] == 20);
  relay(x);
  sync(); 
  forward<<<1, 32>>>(x, 0); sync(); CHECK(x[7] == 0);
  relay(x); sync(); CHECK(x[7] == 5000);
  forward<<<1, 32>>>(x, 0); a::inner<<<1, 32>>>(x); a::S<int>::run(x); sync(); CHECK(x[3] == 13);
  cname<<<1, 32>>>(x); friendly<<<1, 32>>>(x, Friend()); over<<<1, 32>>>(x); over<<<1, 32>>>(y); sync(); CHECK(x[3] == 117); CHECK(y[5] == 21);
  pack<<<1, 32>>>(x, 1, 2L, (short)3); sync(); CHECK(x[31] == 6);
  LAUNCH(one_line, 1, 32, x); sync(); CHECK(x[1] == 9);
  sums<<<1, 32>>>(x, y); sync(); CHECK(x[0] == 4 * 496); CHECK(y[2] == 4 * 496);
  for (int i = 0; i < 32; ++i) y[i] = i, z[i] = i, x[i] = i;
  dynamic<<<1, 32, 128>>>(y); dynamic<<<1, 32, 256>>>(z); sync(); CHECK(y[0] == 31); CHECK(z[1] == 30);
  block_extern<<<1, 32, 256>>>(z); sync(); CHECK(z[1] == 31);
  globals<<<1, 32, 128>>>(y); sync(); CHECK(y[0] == 30 + 41.5f);
  consts<<<1, 32>>>(x); sync(); CHECK(x[5] == 5 + 2 + 3); CHECK(managed == 6);
  int calls; cudaMemcpyFromSymbol(&calls, total_calls, 4); CHECK(calls == 32);
  int k = 7; apply<<<1, 32>>>([=] __device__ (int i) { return i * k; }, x); sync(); CHECK(x[3] == 21);
  apply<<<1, 32>>>([k] __host__ __device__ (int i) mutable -> int { k += i; return k; }, x); sync(); CHECK(x[3] == 10);
  ops.k<<<1, 32>>>(x); through<a::inner>(x); sync(); CHECK(x[3] == 12);
  void *args[] = {&x, &k}; cudaLaunchKernel((const void *)forward, dim3(1), dim3(32), args, 0, 0); sync(); CHECK(x[9] == 7);
  void *args2[] = {&y, new float(3)}; CHECK(cudaLaunchKernel((const void *)table, dim3(1), dim3(32), args2, 0, 0) == cudaSuccess); sync(); CHECK(y[0] == 3 * 71.5f);
  cudaFuncAttributes fa; CHECK(cudaFuncGetAttributes(&fa, scale<float, 8>) == cudaSuccess); CHECK(fa.maxThreadsPerBlock == 256);
  CHECK(cudaFuncSetAttribute(dynamic<double>, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000) == cudaSuccess);
  int blocks = 0; CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, dynamic<double>, 128, 0) == cudaSuccess); CHECK(blocks > 0);
  for (int i = 0; i < 128; ++i) x[i] = i;
  qualifiers<<<1, 32>>>(x, x + 256, 3); sync(); CHECK(x[256 + 9] == 27);
  policy<P<64>><<<1, 64>>>(x); sync(); CHECK(x[63] == 64);
  cudaLaunchConfig_t cfg = {}; cfg.gridDim = dim3(1); cfg.blockDim = dim3(32);
  CHECK(cudaLaunchKernelEx(&cfg, forward, x, 11) == cudaSuccess); sync(); CHECK(x[9] == 11);
  CHECK(cudaGetLastError() == cudaSuccess);
  policy<P<32>><<<1, 64>>>(x); CHECK(cudaGetLastError() != cudaSuccess);
  forward<<<(cname<<<1, 32>>>(x), 1), 32>>>(x, [&] { cname<<<1, 32>>>(x); cudaDeviceSynchronize(); return x[0]; }()); sync(); CHECK(x[5] == 211);
  printf("OK\n");
}
