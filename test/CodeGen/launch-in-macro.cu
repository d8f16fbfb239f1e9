// Launches in the bodies of macros: by the launcher's name where the body names
// the kernel, by its address where an argument does. They convert, order and
// evaluate what the original launch did, once.

// RUN: %warpwright rewrite %s -o %t.cu -- %parse 2>&1 | FileCheck %s --check-prefix=LOG --allow-empty --implicit-check-not=warning:
// RUN: grep -v "// *[A-Z-]*:" %t.cu | FileCheck %s
// RUN: %warpwright rewrite %t.cu -o %t.again.cu -- %parse -I %runtime
// RUN: diff %t.cu %t.again.cu
// RUN: %warpwright sim --original %s > %t.original
// RUN: env WARPWRIGHT_LOG=1 %warpwright sim %s > %t.out 2>%t.path
// RUN: diff %t.original %t.out
// RUN: FileCheck %s --check-prefix=OUT --input-file=%t.out
// RUN: FileCheck %s --check-prefix=PATH --input-file=%t.path
// RUN: %if nvcc %{ %nvcc -std=c++17 -arch=sm_80 -o %t.before %s %}
// RUN: %if nvcc %{ %nvcc -std=c++17 -arch=sm_80 -Xcompiler=-Wall,-Wextra,-Wno-unknown-pragmas,-Wno-comment,-Werror -I %runtime -o %t.after %t.cu %}
// RUN: %if nvcc %{ %t.before > %t.before.out || true %}
// RUN: %if nvcc %{ %t.after > %t.after.out || true %}
// RUN: %if nvcc %{ diff %t.before.out %t.after.out %}

#include <cuda_fp16.h>
#include <stdio.h>

namespace app {
#pragma warpwright matmul tile(64, 64, 64)
template <class T>
__global__ void product(const half *A, const half *B, T *C, int M, int N,
                        int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float acc = 0;
    for (int k = 0; k < K; ++k)
      acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
    C[row * N + col] = acc;
  }
}
} // namespace app

__global__ void plain(const half *, const half *, float *C, int M, int, int) {
  if (threadIdx.x == 0 && threadIdx.y == 0)
    C[0] = float(M);
}

// The body names the kernel, whose template argument is deduced.
// CHECK: #define PRODUCT(grid, ...) {{[\\]$}}
// CHECK-NEXT: (::warpwright::rt::Configure((grid), dim3(16, 16) ), app::product_warpwright /*<< <>> >*/(__VA_ARGS__))
#define PRODUCT(grid, ...)                                                     \
  app::product << <(grid), dim3(16, 16) >> >(__VA_ARGS__)

// CHECK: #define CALL(kernel, m, n, ...) {{[\\]$}}
// CHECK-NEXT: (::warpwright::rt::Configure(dim3(((n) + 15) / 16, ((m) + 15) / 16), {{[\\]$}}
// CHECK-NEXT: dim3(16, 16), 0, nullptr), ::warpwright::rt::by_address::launch(kernel)(__VA_ARGS__, m, n, n)) /* no semicolon */
#define CALL(kernel, m, n, ...)                                                \
  kernel<<<dim3(((n) + 15) / 16, ((m) + 15) / 16),                             \
           dim3(16, 16), 0, nullptr>>>(__VA_ARGS__, m, n, n) /* no semicolon */

// CHECK: #define NAMED(kernel, ...) {{[\\]$}}
// CHECK-NEXT: do { {{[\\]$}}
// CHECK-NEXT: CALL(kernel, __VA_ARGS__); {{[\\]$}}
#define NAMED(kernel, ...)                                                     \
  do {                                                                         \
    CALL(kernel, __VA_ARGS__);                                                 \
    show(#kernel);                                                             \
  } while (0)

static half *A, *B;
static float *C;
constexpr int Size = 64;

static int say(const char *what, int value) {
  printf("%s ", what);
  return value;
}

static void show(const char *what) {
  const cudaError_t waiting = cudaDeviceSynchronize();
  float c[2] = {};
  cudaMemcpy(c, C, sizeof c, cudaMemcpyDeviceToHost);
  cudaMemset(C, 0, Size * Size * sizeof(float));
  printf("%s: %g %g, %s\n", what, c[0], c[1], cudaGetErrorName(waiting));
}

template <class T> static void generic(T *c) {
  // CHECK: CALL(app::product<T>, Size, Size, A, B, c);
  CALL(app::product<T>, Size, Size, A, B, c);
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

  // OUT: grid M named: [[X:[-0-9]+ [-0-9]+]], cudaSuccess
  // PATH: warpwright: product: hopper
  PRODUCT(dim3(say("grid", 4), 4), A, B, C, say("M", Size), Size, Size);
  show("named");
  // OUT-NEXT: app::product<float>: [[X]], cudaSuccess
  // PATH-NEXT: warpwright: product: hopper
  NAMED(app::product<float>, Size, Size, A, B, C);
  // OUT-NEXT: plain: 64 0, cudaSuccess
  NAMED(plain, Size, Size, A, B, C);
  // OUT-NEXT: generic: [[X]], cudaSuccess
  // PATH-NEXT: warpwright: product: hopper
  generic(C);
  show("generic");
  // OUT-NEXT: pointer: [[X]], cudaSuccess
  // PATH-NEXT: warpwright: product: hopper
  // LOG: WW502
  auto *pointer = app::product<float>;
  CALL(pointer, Size, Size, A, B, C);
  show("pointer");
}
