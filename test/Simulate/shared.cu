// Shared variables: a type where the declaration was, and an access for each
// use, lambdas included.
// RUN: %warpwright sim --original --emit=cpp %s | FileCheck %s

template <int N, class T> __device__ T sum(T v) {
  // CHECK: typedef  T __ww_type_part[N + 1], __ww_type_total;
  // CHECK-SAME: static ::warpwright::sim::SharedSite __ww_site_part = {"part", sizeof(__ww_type_part), alignof(__ww_type_part), 0};
  // CHECK-SAME: static ::warpwright::sim::SharedSite __ww_site_total = {"total", sizeof(__ww_type_total), alignof(__ww_type_total), 0};
  __shared__ T part[N + 1], total;
  // CHECK: typedef __attribute__((aligned(16))) {{ *}}volatile T __ww_type_more[2][N];
  alignas(16) static __shared__ volatile T more[2][N];
  // CHECK: typedef __attribute__((aligned(alignof(float4)))) unsigned char __ww_type_typed[64];
  alignas(float4) __shared__ unsigned char typed[64];
  // CHECK: typedef __attribute__((aligned(128))) unsigned char __ww_type_raw[N * sizeof(T)];
  __shared__ __align__(128) unsigned char raw[N * sizeof(T)];
  // CHECK: typedef struct { T a[N]; int b; } __ww_type_both;
  __shared__ struct { T a[N]; int b; } both;
  // CHECK: typedef T *__ww_type_pointer, (*__ww_type_rows)[4];
  __shared__ T *pointer, (*rows)[4];
  // CHECK: [=](int i) {{.*}} return (::warpwright::sim::shared<__ww_type_part &>(__ww_site_part))[i] + (::warpwright::sim::shared<__ww_type_both &>(__ww_site_both)).a[i]; };
  auto f = [=](int i) { return part[i] + both.a[i]; };
  // CHECK: __ww_type_total copy = (::warpwright::sim::shared<__ww_type_total &>(__ww_site_total));
  decltype(total) copy = total;
  // CHECK: sizeof (::warpwright::sim::shared<__ww_type_raw &>(__ww_site_raw))
  return copy + f(0) + sizeof raw;
}

// One name, several types.
// CHECK: typedef  T __ww_type_smem[];
// CHECK: (::warpwright::sim::dynamic_shared<__ww_type_smem &>(alignof(__ww_type_smem)))[0] = 1;
template <class T> __global__ void dynamic() {
  extern __shared__ T smem[];
  smem[0] = 1;
}
// CHECK: typedef __attribute__((aligned(1024))) {{ *}}double __ww_type_smem[];
__global__ void other() {
  extern __shared__ __align__(1024) double smem[];
  smem[0] = 1;
}

namespace ns {
// CHECK: typedef  float __ww_type_table[4]; static ::warpwright::sim::SharedSite __ww_site_table = {{.*}}; static inline __attribute__((always_inline)) __ww_type_table &__ww_shared_table() { return ::warpwright::sim::shared<__ww_type_table &>(__ww_site_table); }
__shared__ float table[4];
// CHECK: typedef  int __ww_type_all[]; static inline __attribute__((always_inline)) __ww_type_all &__ww_shared_all() { return ::warpwright::sim::dynamic_shared<__ww_type_all &>(alignof(__ww_type_all)); }
extern __shared__ int all[];
} // namespace ns
// CHECK: ns::__ww_shared_table()[1] = ::ns::__ww_shared_all()[2];
__global__ void globals() { ns::table[1] = ::ns::all[2]; }

// Other variables of the device are plain ones.
// CHECK: {{^}} int constant[4];
__constant__ int constant[4];
// CHECK: {{^}}static int counter = 0;
static __device__ int counter = 0;
