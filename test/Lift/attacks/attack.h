// What the programs here share: the skeleton of a matrix product, and arrays of
// small integers, whose sums float holds exactly.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <vector>

#define ARGS const __half *A, const __half *B, float *C, int M, int N, int K
#define PLACE                                                                  \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row >= M || col >= N)                                                    \
    return;
#define TERM (__half2float(A[row * K + k]) * __half2float(B[k * N + col]))
#define SUM                                                                    \
  float acc = 0.0f;                                                            \
  for (int k = 0; k < K; ++k)                                                  \
    acc += TERM;
#define STORE C[row * N + col] = acc;

/// The arrays of one product, and where a program's output goes.
struct Product {
  int M, N, K;
  __half *A, *B;
  float *C;
  dim3 grid, block;

  static unsigned random() {
    static uint64_t state = 88172645463325252u;
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return static_cast<unsigned>(state >> 20);
  }
  static int draw(int low, int high) {
    return low + static_cast<int>(random() % unsigned(high - low + 1));
  }
  template <class T> static T *upload(const std::vector<T> &host) {
    T *device = nullptr;
    cudaMalloc(&device, host.size() * sizeof(T) + 256);
    cudaMemcpy(device, host.data(), host.size() * sizeof(T),
               cudaMemcpyHostToDevice);
    return device;
  }
  /// Integers of T from low to high; one value where the two are one.
  template <class T> static T *array(size_t count, int low, int high) {
    std::vector<T> host(count);
    for (T &value : host)
      value = static_cast<T>(static_cast<float>(draw(low, high)));
    return upload(host);
  }
  static float *floats(size_t count, int low, int high) {
    return array<float>(count, low, high);
  }
  static int *ints(size_t count, int low, int high) {
    return array<int>(count, low, high);
  }

  /// C is larger than M x N by `spare` elements, which nothing may touch.
  enum : size_t { spare = 8192 };
  explicit Product(int M = 40, int N = 48, int K = 64)
      : M(M), N(N), K(K), grid((N + 15) / 16, (M + 15) / 16), block(16, 16) {
    A = array<__half>(size_t(M) * K + 4096, -2, 2);
    B = array<__half>(size_t(N) * K + 4096, -2, 2);
    C = floats(size_t(M) * N + spare, -777, -777);
  }

  /// Prints the name, a hash of all of C and some of its elements, and clears
  /// it for the next kernel.
  void show(const char *name) {
    const size_t count = size_t(M) * N + spare;
    int error = cudaDeviceSynchronize();
    error = error ? error : cudaGetLastError();
    std::vector<float> host(count);
    cudaMemcpy(host.data(), C, count * sizeof(float), cudaMemcpyDeviceToHost);
    uint32_t hash = 2166136261u;
    for (float value : host) {
      uint32_t bits;
      value += 0.0f; // no negative zeros
      if (value != value)
        bits = 0x7fc00000; // one NaN for all
      else
        memcpy(&bits, &value, sizeof(bits));
      hash = (hash ^ bits) * 16777619u;
    }
    printf("%s: error %d, hash %08x:", name, error, hash);
    for (size_t i : {size_t(0), size_t(1), size_t(N), size_t(M) * N - 1})
      printf(" %g", host[i]);
    printf("\n");
    fflush(stdout);
    host.assign(count, -777.0f);
    cudaMemcpy(C, host.data(), count * sizeof(float), cudaMemcpyHostToDevice);
  }
};
