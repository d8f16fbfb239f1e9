// Tiles that are cut along k: for two clusters and for five, in two orders of
// threads, replayed as a graph, whose scratch memory holds what the launch
// before has left, and whole without scratch memory.
// RUN: %warpwright sim --build-only --keep=%t.all %s
// RUN: env WARPWRIGHT_SIM_SMS=2 %t.all/program 2>&1 | %FileCheck %s
// RUN: env WARPWRIGHT_SIM_SMS=5 WARPWRIGHT_SIM_SEED=7 %t.all/program few 2>&1 \
// RUN:   | %FileCheck %s
// RUN: env WARPWRIGHT_SIM_SMS=2 WARPWRIGHT_SCRATCH=off %t.all/program less \
// RUN:   2>&1 | %FileCheck %s
// CHECK: 0 wrong

// Without the sums of other clusters the product is another one.
// RUN: %edit_runtime %t cut_tiles.cuh 's/^    add_piece<Plan>(.*$//'
// RUN: %not env WARPWRIGHT_SIM_SMS=2 %warpwright sim %s -I%t -- few 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=FORGOTTEN
// FORGOTTEN: {{[1-9][0-9]*}} wrong

#include <cstdio>
#include <cuda_fp8.h>
#include <string>
#include <vector>

#define KERNEL(NAME, TYPE, SUM, OUT, B_INDEX)                                  \
  __global__ void NAME(const TYPE *A, const TYPE *B, OUT *C, int M, int N,     \
                       int K) {                                                \
    int m = blockIdx.y * blockDim.y + threadIdx.y;                             \
    int n = blockIdx.x * blockDim.x + threadIdx.x;                             \
    if (m >= M || n >= N)                                                      \
      return;                                                                  \
    SUM sum = 0;                                                               \
    for (int k = 0; k < K; ++k)                                                \
      sum += SUM(A[m * K + k]) * SUM(B[B_INDEX]);                              \
    C[m * N + n] = sum;                                                        \
  }
#pragma warpwright matmul tile(64, 64, 32)
KERNEL(floats, float, float, float, k *N + n)
#pragma warpwright matmul tile(64, 64, 32) precision(tf32)
KERNEL(rounded, float, float, float, n *K + k)
#pragma warpwright matmul tile(64, 64, 16)
KERNEL(doubles, double, double, double, k *N + n)
// Sums that leave the tensor cores with each stage, of three consumers.
#pragma warpwright matmul tile(192, 64, 128)
KERNEL(bytes, __nv_fp8_e4m3, float, float, n *K + k)

// Small integers, whose sums are exact in any order.
template <class E, class T = E, class Launch>
int wrong(int M, int N, int K, bool transposed, Launch launch) {
  std::vector<E> a(M * K), b(K * N);
  std::vector<T> x(M * K), y(K * N), c(M * N), sums(M * N);
  for (int i = 0; i < M * K; ++i)
    a[i] = E(x[i] = T(i * 7 % 5 - 2));
  for (int i = 0; i < K * N; ++i)
    b[i] = E(y[i] = T(i * 11 % 7 - 3));
  for (int m = 0; m < M; ++m)
    for (int n = 0; n < N; ++n)
      for (int k = 0; k < K; ++k)
        sums[m * N + n] += x[m * K + k] * y[transposed ? n * K + k : k * N + n];
  E *A, *B;
  T *C;
  cudaMalloc(&A, a.size() * sizeof(E));
  cudaMalloc(&B, b.size() * sizeof(E));
  cudaMalloc(&C, c.size() * sizeof(T));
  cudaMemcpy(A, a.data(), a.size() * sizeof(E), cudaMemcpyHostToDevice);
  cudaMemcpy(B, b.data(), b.size() * sizeof(E), cudaMemcpyHostToDevice);
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  launch(dim3((N + 31) / 32, (M + 7) / 8), stream, A, B, C);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  int bad = 0;
  for (int time = 0; time < 2; ++time) {
    cudaMemsetAsync(C, 0, c.size() * sizeof(T), stream);
    cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    cudaMemcpy(c.data(), C, c.size() * sizeof(T), cudaMemcpyDeviceToHost);
    for (int i = 0; i < M * N; ++i)
      bad += c[i] != sums[i];
  }
  cudaFree(A), cudaFree(B), cudaFree(C);
  return bad;
}

// With `few` only the largest; with `less` a smaller one, and no bytes.
int main(int argc, char **argv) {
  int bad = 0;
  const bool less = argc > 1 && argv[1] == std::string("less");
  const dim3 block(32, 8);
  for (int M : {136, 40})
    for (int K : {712, 1500}) {
      if (argc > 1 && (M != (less ? 40 : 136) || K != 1500))
        continue;
      const int N = 60;
      bad += wrong<float>(M, N, K, false, [&](auto grid, auto s, auto... p) {
        floats<<<grid, block, 0, s>>>(p..., M, N, K);
      });
      bad += wrong<float>(M, N, K, true, [&](auto grid, auto s, auto... p) {
        rounded<<<grid, block, 0, s>>>(p..., M, N, K);
      });
      bad += wrong<double>(M, N, K, false, [&](auto grid, auto s, auto... p) {
        doubles<<<grid, block, 0, s>>>(p..., M, N, K);
      });
    }
  // As many blocks of 128 as pay for adding the sums of one tile.
  if (!less)
    bad += wrong<__nv_fp8_e4m3, float>(
        130, 60, 5000, true, [&](auto grid, auto s, auto... p) {
          bytes<<<grid, block, 0, s>>>(p..., 130, 60, 5000);
        });
  printf("%d wrong\n", bad);
  return bad != 0;
}
