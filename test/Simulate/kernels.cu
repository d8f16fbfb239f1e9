// Kernels and launches as plain C++.
// RUN: %warpwright sim --original --emit=cpp %s | FileCheck %s

// CHECK: __attribute__((section("warpwright_kernels"))) void plain(int *x) {
// CHECK-SAME: static const ::warpwright::sim::KernelSite __ww_site = {"plain", __PRETTY_FUNCTION__, "{{.*}}kernels.cu", [[#@LINE+4]], 0, 0, ::warpwright::sim::parameter_bytes<decltype(x)>(), nullptr, {0, 0, 0}};
// CHECK-SAME: if (::warpwright::sim::answer_query<decltype(x)>(__ww_site)) return;
// CHECK-SAME: ::warpwright::sim::run_kernel(__ww_site, [=]() __attribute__((noinline)) mutable {
// CHECK-SAME: *x = 1; }); }
__global__ void plain(int *x) { *x = 1; }

// The bound is a number, since `threads` may mean something else in the body.
// CHECK: "bounded", __PRETTY_FUNCTION__, "{{.*}}", [[#@LINE+2]], 256, 2,
constexpr int threads = 256;
__global__ void __launch_bounds__(threads, 2) bounded(int threads) {}

// CHECK: "dependent", __PRETTY_FUNCTION__, "{{.*}}", [[#@LINE+2]], static_cast<int>(N * 32), static_cast<int>(sizeof(T)), ::warpwright::sim::parameter_bytes<decltype(x), decltype(rest)...>()
template <int N, class T, class... Rest>
__launch_bounds__(N * 32, sizeof(T)) __global__ void dependent(T *x, Rest... rest) {}

// Parameters without a name are types.
// CHECK: ::warpwright::sim::parameter_bytes<const int *, void (*)(int), decltype(n)>()
__global__ void unnamed(const int *, void (*)(int) = nullptr, int n = 3) {}

// CHECK: "clustered", __PRETTY_FUNCTION__, {{.*}} nullptr, {2, 1, 1}};
__global__ void __cluster_dims__(2) clustered() {}

// CHECK: struct Members {
// CHECK: static __attribute__((section("warpwright_kernels"))) void member(T x) {
// CHECK-SAME: "member"
// CHECK: friend __attribute__((section("warpwright_kernels"))) void friendly(Members) {
// CHECK-SAME: ::warpwright::sim::answer_query<Members>(__ww_site)
template <class T> struct Members {
  static __global__ void member(T x) {}
  friend __global__ void friendly(Members) {}
};

// A declaration stays one; other attributes stay.
// CHECK: extern "C" __attribute__((section("warpwright_kernels"))) void declared(int);
extern "C" __global__ void declared(int);
// CHECK: __attribute__((unused)) __attribute__((noinline)) int helper(int x) {
__attribute__((device, unused)) __noinline__ int helper(int x) { return x; }

#define LAUNCH(k, ...) k<<<1, 32>>>(__VA_ARGS__)

// CHECK: __attribute__((no_sanitize("coverage"))) void launches(int *x, cudaStream_t stream) {
template <class T> void launches(int *x, cudaStream_t stream) {
  // CHECK: (::warpwright::sim::configure(1, 32), plain(x));
  plain<<<1, 32>>>(x);
  // CHECK: (::warpwright::sim::configure(dim3(1, 2), 32, 1024, stream), dependent<2>(x, 1, T()));
  dependent<2><<<dim3(1, 2), 32, 1024, stream>>>(x, 1, T());
  // CHECK: (::warpwright::sim::configure(1, T()), Members<T>::member(T()));
  Members<T>::member<<<1, T()>>>(T());
  // CHECK: (::warpwright::sim::configure(1, 32), plain(x));
  LAUNCH(plain, x);
  auto kernel = plain;
  // CHECK: (::warpwright::sim::configure((((::warpwright::sim::configure(1, 1), unnamed(x))), 1), 2), kernel(x));
  kernel<<<((unnamed<<<1, 1>>>(x)), 1), 2>>>(x);
}
// CHECK-NOT: <<<
