// Where a kernel's address stays in the file, whose launches are redirected, and
// where it leaves it.
// RUN: split-file %s %t && cd %t
// RUN: %warpwright rewrite stays.cu -o out.cu -- %parse 2>&1 | FileCheck stays.cu --implicit-check-not=warning:
// RUN: FileCheck stays.cu --check-prefix=TEXT --input-file=out.cu
// RUN: python3 %inputs/status.py 2 %warpwright rewrite leaves.cu -o out.cu -- %parse 2>log
// RUN: FileCheck leaves.cu --input-file=log --implicit-check-not=warning:
// RUN: not %warpwright rewrite leaves.cu --strict -o strict.cu -- %parse 2>/dev/null
// RUN: python3 %inputs/status.py 2 %warpwright rewrite kept.cu -o out.cu -- %parse 2>log
// RUN: FileCheck kept.cu --input-file=log --implicit-check-not=warning:
// RUN: %warpwright rewrite unused.cu -o out.cu -- %parse 2>&1 | FileCheck unused.cu --allow-empty --implicit-check-not=warning:
// RUN: FileCheck unused.cu --check-prefix=TEXT --input-file=out.cu --implicit-check-not=by_address
// RUN: %warpwright rewrite expressions.cu -o out.cu -- %parse 2>&1 | FileCheck expressions.cu --implicit-check-not=warning: --implicit-check-not=WW504
// RUN: FileCheck expressions.cu --check-prefix=TEXT --input-file=out.cu
// RUN: python3 %inputs/status.py 2 %warpwright rewrite host.cu -o out.cu -- %parse 2>log
// RUN: FileCheck host.cu --input-file=log --implicit-check-not=warning:
// RUN: FileCheck host.cu --check-prefix=TEXT --input-file=out.cu
// RUN: python3 %inputs/status.py 2 %warpwright rewrite declined.cu -o out.cu -- %parse 2>log
// RUN: FileCheck declined.cu --input-file=log --implicit-check-not=WW410
// RUN: diff declined.cu out.cu

//--- kernel.cuh
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#define MATMUL                                                                 \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row < N && col < N) {                                                    \
    float acc = 0;                                                             \
    for (int k = 0; k < N; ++k)                                                \
      acc += __half2float(A[row * N + k]) * __half2float(B[k * N + col]);      \
    C[row * N + col] = acc;                                                    \
  }
using Kernel = void (*)(const half *, const half *, float *, int);
void elsewhere(Kernel kernel);
template <class K> void in_header(K kernel) {
  kernel<<<1, 1>>>(nullptr, nullptr, nullptr, 0);
}
struct Known {
  Kernel kernel;
};
extern Kernel shared;
#define IN_HEADER(kernel) kernel<<<1, 1>>>(nullptr, nullptr, nullptr, 0)

//--- stays.cu
#include "kernel.cuh"
#include <array>
#include <map>
#include <string>
#include <tuple>
#include <vector>
#pragma warpwright matmul
__global__ void gemm(const half *A, const half *B, float *C, int N) { MATMUL }
struct Holder {
  Kernel kernel;
  explicit Holder(Kernel k) : kernel(k) {}
  void run() { kernel<<<1, 1>>>(nullptr, nullptr, nullptr, 0); }
};
struct Entry {
  const char *name;
  Kernel kernels[2];
};
const Entry entries[] = {{"a", {gemm, nullptr}}};
static Kernel pick() { return &gemm; }
template <auto K> void constant() { K<<<1, 1>>>(nullptr, nullptr, nullptr, 0); }
template <Kernel K> struct Runner {
  static void run() { K<<<1, 1>>>(nullptr, nullptr, nullptr, 0); }
};
template <class K> static void nested(K kernel) {
  auto run = [&](int n) { kernel<<<1, 1>>>(nullptr, nullptr, nullptr, n); };
  run(1);
}
using Other = void (*)(int);
// TEXT: void other(Other k) { k<<<1, 1>>>(0); }
static void other(Other k) { k<<<1, 1>>>(0); }
extern "C" int puts(const char *);
static const std::map<std::string, Kernel> table = {{"a", gemm}, {"b", &gemm}};
static void containers() {
  // TEXT: by_address::launch(entry.second)(
  for (const auto &entry : table)
    entry.second<<<1, 1>>>(nullptr, nullptr, nullptr, 0);
  // TEXT: by_address::launch(table.at("a"))(
  table.at("a")<<<1, 1>>>(nullptr, nullptr, nullptr, 0);
  std::vector<Kernel> kernels{gemm, nullptr};
  kernels.push_back(gemm);
  // TEXT: by_address::launch(kernels[0])(
  kernels[0]<<<1, 1>>>(nullptr, nullptr, nullptr, 0);
  std::array<Kernel, 1> one = {std::get<0>(std::make_tuple(gemm, 1))};
  // TEXT: by_address::launch(one.front())(
  one.front()<<<1, 1>>>(nullptr, nullptr, nullptr, 0);
}
int main() {
  containers();
  // CHECK: WW502
  Kernel kernel = gemm;
  decltype(&gemm) same = kernel;
  Holder(same).run();
  // TEXT: by_address::launch(entries[0].kernels[0])(
  entries[0].kernels[0]<<<1, 1>>>(nullptr, nullptr, nullptr, 0);
  // TEXT: by_address::launch((kernel ? kernel : pick()))(
  (kernel ? kernel : pick())<<<1, 1>>>(nullptr, nullptr, nullptr, 0);
  constant<gemm>();
  Runner<gemm>::run();
  nested(gemm);
  nested(kernel);
  other(nullptr);
  puts(entries[0].name);
  if (kernel == gemm)
    cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize, 1);
}

//--- leaves.cu
#include "kernel.cuh"
#include <functional>
#include <vector>
#pragma warpwright matmul
__global__ void gemm(const half *A, const half *B, float *C, int N) { MATMUL }
// CHECK-DAG: :[[@LINE+1]]:{{[0-9]+}}: warning: launches by this address of 'gemm' that are not in this file run the original kernel: it is kept in 'visible', which other files can see [WW410]
Kernel visible[] = {gemm};
static void handed(Kernel kernel) {
  // CHECK-DAG: :[[@LINE+1]]:{{[0-9]+}}: warning: launches by this address of 'gemm' that are not in this file run the original kernel: it is passed to 'elsewhere', which this file does not define [WW410]
  elsewhere(kernel);
}
// CHECK-DAG: :[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}}: 'get', which other files can call, returns it [WW410]
Kernel get() { return &gemm; }
int main() {
  handed(gemm);
  handed(gemm);
  // CHECK-DAG: :[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}}: it is passed to 'in_header', which this file does not define [WW410]
  in_header(gemm);
  // CHECK-DAG: :[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}}: it is kept in a 'Known', which another file defines [WW410]
  Known known = {gemm};
  // CHECK-DAG: :[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}}: it is kept in 'shared', which other files can see [WW410]
  shared = gemm;
  std::vector<Kernel> kernels(1, gemm);
  // CHECK-DAG: :[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}}: it is passed to 'elsewhere', which this file does not define [WW410]
  elsewhere(kernels[0]);
  // CHECK-DAG: :[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}}: it is passed to 'bind'{{.*}} [WW410]
  auto bound = std::bind(elsewhere, gemm);
  known.kernel<<<1, 1>>>(nullptr, nullptr, nullptr, 0);
}

//--- kept.cu
#include "kernel.cuh"
#pragma warpwright matmul
__global__ void gemm(const half *A, const half *B, float *C, int N) { MATMUL }
int main() {
  Kernel kernel = gemm;
  // CHECK-DAG: :[[@LINE+1]]:{{[0-9]+}}: warning: this launch by address is not redirected, and runs the original of a kernel whose address it is given: the macro is not defined in this file [WW409]
  IN_HEADER(kernel);
  // CHECK-DAG: :[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}}: preprocessor conditionals begin or end in the middle of it [WW409]
  kernel<<<1,
#ifdef NARROW
           1>>>(nullptr, nullptr, nullptr, 0);
#else
           2>>>(nullptr, nullptr, nullptr, 0);
#endif
#define launch(x) x
  // CHECK-DAG: :[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}}: 'launch', which a redirected launch names, is a macro [WW409]
  kernel<<<1, 1>>>(nullptr, nullptr, nullptr, 0);
#undef launch
  // CHECK-DAG: :[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}}: it stands in the configuration of another launch [WW409]
  kernel<<<(kernel<<<1, 1>>>(nullptr, nullptr, nullptr, 0), 1), 1>>>(nullptr, nullptr, nullptr, 0);
}

//--- unused.cu
// Launches by address are edited only where a kernel's address is taken.
#include "kernel.cuh"
#pragma warpwright matmul
// CHECK-NOT: WW502
__global__ void gemm(const half *A, const half *B, float *C, int N) { MATMUL }
// TEXT: kernel<<<1, 1>>>(nullptr, nullptr, nullptr, 0);
static void run(Kernel kernel) { kernel<<<1, 1>>>(nullptr, nullptr, nullptr, 0); }
int main() {
  gemm<<<1, 1>>>(nullptr, nullptr, nullptr, 0);
  run(nullptr);
  cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize, 1);
}

//--- expressions.cu
// A launch of an expression that names a kernel launches a pointer.
#include "kernel.cuh"
// CHECK: WW502
#pragma warpwright matmul
__global__ void gemm(const half *A, const half *B, float *C, int N) { MATMUL }
__global__ void plain(const half *A, const half *B, float *C, int N) {}
int main() {
  int n = 3;
  // TEXT: by_address::launch((n > 2 ? gemm : plain))(
  (n > 2 ? gemm : plain)<<<1, 1>>>(nullptr, nullptr, nullptr, 0);
  // TEXT: by_address::launch((n = 4, gemm))(
  (n = 4, gemm)<<<1, 1>>>(nullptr, nullptr, nullptr, 0);
  // TEXT: by_address::launch(static_cast<Kernel>(gemm))(
  static_cast<Kernel>(gemm)<<<1, 1>>>(nullptr, nullptr, nullptr, 0);
  // TEXT: by_address::launch((*gemm))(
  (*gemm)<<<1, 1>>>(nullptr, nullptr, nullptr, 0);
}

//--- host.cu
// What device code does not see.
#include "kernel.cuh"
#pragma warpwright matmul
__global__ void gemm(const half *A, const half *B, float *C, int N) { MATMUL }
// TEXT: gemm_by_address("gemm", gemm, gemm_warpwright);
// TEXT: by_address::launch(kernel)(
static void run(Kernel kernel) { kernel<<<1, 1>>>(nullptr, nullptr, nullptr, 0); }
#ifndef __CUDA_ARCH__
int main() {
  run(gemm);
  // TEXT: by_address::cudaLaunchKernel(gemm, dim3(1), dim3(1), nullptr);
  cudaLaunchKernel(gemm, dim3(1), dim3(1), nullptr);
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}}: it is passed to 'elsewhere', which this file does not define [WW410]
  elsewhere(gemm);
}
#endif

//--- declined.cu
#include "kernel.cuh"
// CHECK: 'gemm' is not rewritten
#pragma warpwright matmul
__global__ void gemm(const half *A, const half *B, float *C, int N) { C[0] = 1; }
int main() {
  elsewhere(gemm);
  Kernel kernel = gemm;
  kernel<<<1, 1>>>(nullptr, nullptr, nullptr, 0);
}
