// A kernel that is launched by its address runs as its launcher decides: through
// pointers, tables, members, templates and the functions of the CUDA runtime,
// with the errors, conversions and order of evaluation of the original launch.

// RUN: %warpwright rewrite %s -o %t.cu -- %parse 2>%t.log
// RUN: grep -v "// *[A-Z-]*:" %t.cu | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOG --input-file=%t.log --implicit-check-not=warning:
// RUN: %warpwright rewrite %t.cu -o %t.again.cu -- %parse -I %runtime 2>%t.again.log
// RUN: FileCheck %s --check-prefix=AGAIN --input-file=%t.again.log --implicit-check-not=warning:
// RUN: diff %t.cu %t.again.cu
// RUN: %warpwright sim --original %s > %t.original
// RUN: env WARPWRIGHT_LOG=1 %warpwright sim %s > %t.out 2>%t.path
// RUN: diff %t.original %t.out
// RUN: FileCheck %s --check-prefix=OUT --input-file=%t.out
// RUN: FileCheck %s --check-prefix=PATH --input-file=%t.path
// RUN: %if nvcc %{ %nvcc -std=c++17 -arch=sm_80 -o %t.before %s %}
// RUN: %if nvcc %{ %nvcc -std=c++17 -arch=sm_80 -Xcompiler=-Wall,-Wextra,-Wno-unknown-pragmas,-Wno-comment,-Werror -I %runtime -o %t.after %t.cu %}
// RUN: %if nvcc %{ %nvcc -std=c++14 -arch=sm_80 -I %runtime -o %t.after14 %t.cu %}
// RUN: %if nvcc %{ %nvcc -default-stream=per-thread -arch=sm_80 -I %runtime -c -o %t.o %t.cu %}
// RUN: %if nvcc %{ %t.before > %t.before.out || true %}
// RUN: %if nvcc %{ %t.after > %t.after.out || true %}
// RUN: %if nvcc %{ diff %t.before.out %t.after.out %}
// RUN: %if nvcc %{ %t.after14 > %t.after.out || true %}
// RUN: %if nvcc %{ diff %t.before.out %t.after.out %}

// AGAIN: remark: 'product' is rewritten already [WW503]
// AGAIN: remark: 'scaled' is rewritten already [WW503]

#include <cuda_fp16.h>
#include <stdio.h>

#define BODY(STORE)                                                            \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row < M && col < N) {                                                    \
    float acc = 0;                                                             \
    for (int k = 0; k < K; ++k)                                                \
      acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);      \
    C[row * N + col] = STORE;                                                  \
  }

#pragma warpwright matmul tile(64, 64, 64)
__global__ void product(const half *__restrict__ A, const half B[], float *C,
                        int M, const int N, int K = 64) {
  BODY(acc)
}
// CHECK: __attribute__((init_priority(101))) static const ::warpwright::rt::by_address::
// CHECK-NEXT: Kernel<void(const half *__restrict, const half *, float *, int, const int,
// CHECK-NEXT: int)>
// CHECK-NEXT: product_by_address("product", product, product_warpwright);

// Another kernel of that name.
__global__ void product(double *C) {}

#pragma warpwright matmul tile(64, 64, 64)
template <class T, int Factor>
__global__ void scaled(const half *A, const half *B, T *C, int M, int N,
                       int K) {
  BODY(T(acc * Factor))
}
// CHECK: Kernel<void(const __half *, const __half *, float *, int, int, int)>
// CHECK-NEXT: scaled_float_2_launch_by_address("scaled", scaled<float, 2>,
// CHECK-NEXT: scaled_float_2_launch);

// Nobody has annotated this one.
__global__ void plain(const half *, const half *, float *C, int M, int, int) {
  if (threadIdx.x == 0 && threadIdx.y == 0)
    C[0] = float(M);
}

using Kernel = void (*)(const half *, const half *, float *, int, int, int);
static half *A, *B;
static float *C;
constexpr int Size = 64;
static const dim3 Grid(4, 4), Block(16, 16);

static int say(const char *what, int value) {
  printf(" %s", what);
  return value;
}

// Prints what the last launch has left.
static void show(const char *what, cudaError_t returned = cudaSuccess) {
  const cudaError_t waiting = cudaDeviceSynchronize();
  const cudaError_t last = cudaGetLastError();
  float c[2] = {};
  cudaMemcpy(c, C, sizeof c, cudaMemcpyDeviceToHost);
  cudaMemset(C, 0, Size * Size * sizeof(float));
  cudaGetLastError();
  printf("%s: %g %g, %s, %s, %s\n", what, c[0], c[1],
         cudaGetErrorName(returned), cudaGetErrorName(waiting),
         cudaGetErrorName(last));
}

static void run(Kernel kernel) {
  // CHECK: (::warpwright::rt::Configure(Grid, Block), ::warpwright::rt::by_address::launch(kernel)(A, B, C, Size, Size, Size));
  kernel<<<Grid, Block>>>(A, B, C, Size, Size, Size);
}

template <class K, class... Arguments>
static void forward(K kernel, dim3 grid, Arguments... arguments) {
  // CHECK: (::warpwright::rt::Configure(grid, Block, 0, nullptr), ::warpwright::rt::by_address::launch(kernel)(arguments...));
  kernel<<<grid, Block, 0, nullptr>>>(arguments...);
}

template <Kernel K> static void constant() {
  // CHECK: (::warpwright::rt::Configure(Grid, Block), ::warpwright::rt::by_address::launch(K)(A, B, C, Size, Size, Size));
  K<<<Grid, Block>>>(A, B, C, Size, Size, Size);
}

struct Case {
  const char *name;
  Kernel kernel;
};
// LOG: :[[@LINE+1]]:40: remark: the address of 'product' is taken here; launches by it in this file go to its launcher [WW502]
static const Case cases[] = {{"table", product}, {"plain", plain}};
static Kernel early = scaled<float, 2>;
static Kernel pick(bool other) {
  if (other)
    return scaled<float, 2>;
  return product;
}

int main() {
  cudaMalloc(&A, Size * Size * sizeof(half));
  cudaMalloc(&B, Size * Size * sizeof(half));
  cudaMalloc(&C, Size * Size * sizeof(float));
  half h[Size * Size];
  for (int i = 0; i < Size * Size; ++i)
    h[i] = __float2half(float(i % 7) - 2.0f);
  cudaMemcpy(A, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpy(B, h, sizeof h, cudaMemcpyHostToDevice);
  show("none");

  // OUT: table: [[X:[-0-9]+ [-0-9]+]], cudaSuccess, cudaSuccess, cudaSuccess
  // OUT-NEXT: plain: 64 0, cudaSuccess
  // PATH: warpwright: product: hopper
  for (const Case &c : cases) {
    run(c.kernel);
    show(c.name);
  }
  // OUT-NEXT: forward: [[X]], cudaSuccess
  // PATH-NEXT: warpwright: product: hopper
  forward<Kernel>(product, Grid, A, B, C, Size, Size, Size);
  show("forward");
  // OUT-NEXT: constant: [[X]], cudaSuccess
  // PATH-NEXT: warpwright: product: hopper
  constant<product>();
  show("constant");
  // OUT-NEXT: template: [[Y:[-0-9]+ [-0-9]+]], cudaSuccess
  // PATH-NEXT: warpwright: scaled: hopper
  run(early);
  show("template");
  // OUT-NEXT: picked: [[Y]], cudaSuccess
  // PATH-NEXT: warpwright: scaled: hopper
  // CHECK: (::warpwright::rt::Configure(Grid, Block), ::warpwright::rt::by_address::launch(pick(true))(A, B, C, Size, Size, Size));
  pick(true)<<<Grid, Block>>>(A, B, C, Size, Size, Size);
  show("picked");
  // Arguments are converted to the parameters' types.
  // OUT-NEXT: {{^}} grid M K converted: [[X]], cudaSuccess
  // PATH-NEXT: warpwright: product: hopper
  auto lambda = [](Kernel k) {
    k<<<dim3(say("grid", 4), 4), Block>>>(A, B, C, say("M", Size) + 0.5, Size,
                                          short(say("K", Size)));
  };
  lambda(product);
  show(" converted");

  const int M = Size, N = Size, K = Size;
  const void *arguments[] = {&A, &B, &C, &M, &N, &K};
  void **args = const_cast<void **>(arguments);
  Kernel typed = product;
  const void *address = (const void *)typed;
  cudaError_t error;
  // OUT-NEXT: cudaLaunchKernel: [[X]], cudaSuccess, cudaSuccess, cudaSuccess
  // PATH-NEXT: warpwright: product: hopper
  // CHECK: error = ::warpwright::rt::by_address::cudaLaunchKernel(address, Grid, Block, args, 0, nullptr);
  error = cudaLaunchKernel(address, Grid, Block, args, 0, nullptr);
  show("cudaLaunchKernel", error);
  // OUT-NEXT: typed: [[X]], cudaSuccess
  // PATH-NEXT: warpwright: product: hopper
  // CHECK: error = ::warpwright::rt::by_address ::cudaLaunchKernel(typed, Grid, Block, args);
  error = ::cudaLaunchKernel(typed, Grid, Block, args);
  show("typed", error);
  cudaLaunchConfig_t config = {};
  config.gridDim = Grid;
  config.blockDim = Block;
  // OUT-NEXT: cudaLaunchKernelEx: [[Y]], cudaSuccess
  // PATH-NEXT: warpwright: scaled: hopper
  // CHECK: error = ::warpwright::rt::by_address::cudaLaunchKernelEx(&config, scaled<float, 2>, A, B, C, M, N, K + 0.5);
  error = cudaLaunchKernelEx(&config, scaled<float, 2>, A, B, C, M, N, K + 0.5);
  show("cudaLaunchKernelEx", error);
  // OUT-NEXT: cudaLaunchKernelExC: [[X]], cudaSuccess
  // PATH-NEXT: warpwright: product: hopper
  error = cudaLaunchKernelExC(&config, address, args);
  show("cudaLaunchKernelExC", error);
  // OUT-NEXT: cooperative: [[X]], cudaSuccess
  // PATH-NEXT: warpwright: product: hopper
  error = cudaLaunchCooperativeKernel(address, Grid, Block, args, 0, nullptr);
  show("cooperative", error);

  // What the original is asked for, and what fails, is the original's.
  // OUT-NEXT: attributes: [[X]], cudaSuccess
  // PATH-NEXT: warpwright: product: original: the launch has attributes
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  error = cudaLaunchKernelExC(&config, address, args);
  show("attributes", error);
  // OUT-NEXT: too many threads: 0 0, {{cudaErrorInvalid[A-Z][a-z]+}}, cudaSuccess, {{cudaErrorInvalid[A-Z][a-z]+}}
  // PATH-NEXT: warpwright: product: original: the launch is not valid
  error = cudaLaunchKernel(address, Grid, dim3(2048), args, 0, nullptr);
  show("too many threads", error);
  // OUT-NEXT: the same of a pointer: 0 0, cudaSuccess, cudaSuccess, {{cudaErrorInvalid[A-Z][a-z]+}}
  // PATH-NEXT: warpwright: product: original: the launch is not valid
  typed<<<Grid, 2048>>>(A, B, C, M, N, K);
  show("the same of a pointer");
  // OUT-NEXT: all blocks at once: 0 0, cudaErrorCooperativeLaunchTooLarge, cudaSuccess, cudaErrorCooperativeLaunchTooLarge
  // PATH-NEXT: warpwright: product: original: the launch is not valid
  error = cudaLaunchCooperativeKernel(address, dim3(4096), Block, args, 0, nullptr);
  show("all blocks at once", error);
  // OUT-NEXT: after an error: [[X]], cudaSuccess, cudaSuccess, cudaErrorInvalidValue
  // PATH-NEXT: warpwright: product: original: an earlier error has not been asked for
  cudaMemset(nullptr, 0, 1);
  error = cudaLaunchKernel(address, Grid, Block, args, 0, nullptr);
  show("after an error", error);
  // Lists between the brackets, also of a kernel that stays as it is.
  // OUT-NEXT: braces: 64 0, cudaSuccess
  plain<<<{4, 4}, {16, 16}>>>(A, B, C, M, N, K);
  show("braces");
  // OUT-NEXT: braces: [[X]], cudaSuccess
  // PATH-NEXT: warpwright: product: hopper
  typed<<<{4, 4}, {16, 16}, 0, {}>>>(A, B, C, M, N, K);
  show("braces");
  // No launch: nothing is said of these.
  cudaFuncAttributes attributes;
  printf("%d\n", cudaFuncGetAttributes(&attributes, scaled<float, 2>) ==
                     cudaFuncSetCacheConfig(scaled<float, 2>, cudaFuncCachePreferL1));
}
