// Inline PTX becomes a call of the interpreter; the host's assembly stays.
// RUN: %warpwright sim --original --emit=cpp %s | FileCheck %s

template <int N> __device__ void forms(float (&d)[2], unsigned long long address, int x) {
  // CHECK: { static ::warpwright::sim::AsmSite __ww_site = {"wgmma.fence.sync.aligned;", nullptr}; ::warpwright::sim::run_asm(__ww_site, nullptr, 0); }
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  // CHECK: { static ::warpwright::sim::AsmSite __ww_site = {"a" "b;", nullptr}; ::warpwright::sim::AsmOperand __ww_list[] = {::warpwright::sim::asm_output("+f", nullptr, (d[0])), ::warpwright::sim::asm_output("=f", nullptr, (d[1])), ::warpwright::sim::asm_input("l", nullptr, (address)), ::warpwright::sim::asm_input("n", nullptr, (N * 2))}; ::warpwright::sim::run_asm(__ww_site, __ww_list, 4); }
  asm volatile("a" "b;" : "+f"(d[0]), "=f"(d[1]) : "l"(address), "n"(N * 2) : "memory");
  // CHECK: ::warpwright::sim::asm_output("=r", "out", (x)), ::warpwright::sim::asm_input("r", "in", (x + 1))
  asm("add.s32 %[out], %[in], 1;" : [out] "=r"(x) : [in] "r"(x + 1));
  // Not only what stands in a block of its own.
  // CHECK: if (x) { static {{.*}}; ::warpwright::sim::run_asm(__ww_site, nullptr, 0); } else { static
  if (x) asm("bar.sync 0;"); else __asm__ __volatile__("bar.sync 1;" :);
  // Lines behind a long statement keep their numbers.
  asm volatile("one;\n"
               "two;"
               :
               : "r"(x)
               : "memory");
  // CHECK: # 26 "line"
  // CHECK: x = 1;
#line 26 "line"
  x = 1;
}

// CHECK: [] (int i) {{.*}}{ static ::warpwright::sim::AsmSite
// CHECK: [](int i) {{.*}}{ asm volatile("nop");
void host() {
  auto device = [] __device__ (int i) { asm volatile("nop;"); };
  auto here = [](int i) { asm volatile("nop"); };
  // CHECK: asm volatile("" ::: "memory");
  asm volatile("" ::: "memory");
}

// Pragmas of nvcc's own mean nothing to a host compiler.
// CHECK-NOT: #pragma {{unroll|nv_}}
__global__ void unrolled(int n) {
#pragma nv_diag_suppress 177
#pragma unroll
  for (int i = 0; i < n; ++i) ;
}
