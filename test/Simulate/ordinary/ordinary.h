// What the ordinary programs share: error checks and a verdict. They are plain
// CUDA, check their own results, print PASS or FAIL as the last line, and exit
// with 0 or 1; nvcc compiles them as they are.
#ifndef ORDINARY_H
#define ORDINARY_H

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CUDA(call)                                                             \
  do {                                                                         \
    const cudaError_t error_ = (call);                                         \
    if (error_ != cudaSuccess) {                                               \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                \
                  cudaGetErrorString(error_));                                 \
      std::printf("FAIL\n");                                                   \
      std::exit(1);                                                            \
    }                                                                          \
  } while (0)

static int failures = 0;

#define EXPECT(condition)                                                      \
  do {                                                                         \
    if (!(condition) && ++failures <= 10)                                      \
      std::printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);      \
  } while (0)

static inline int verdict() {
  std::printf("%s\n", failures ? "FAIL" : "PASS");
  return failures ? 1 : 0;
}

/// Device memory that frees itself.
template <class T> struct Device {
  T *data = nullptr;
  size_t count;
  explicit Device(size_t n) : count(n) {
    CUDA(cudaMalloc(&data, n * sizeof(T)));
  }
  Device(const T *from, size_t n) : Device(n) { set(from); }
  ~Device() { cudaFree(data); }
  Device(const Device &) = delete;
  void set(const T *from) {
    CUDA(cudaMemcpy(data, from, count * sizeof(T), cudaMemcpyHostToDevice));
  }
  void get(T *to) const {
    CUDA(cudaMemcpy(to, data, count * sizeof(T), cudaMemcpyDeviceToHost));
  }
  void zero() { CUDA(cudaMemset(data, 0, count * sizeof(T))); }
  operator T *() const { return data; }
};

/// Deterministic numbers.
static inline unsigned next_random(unsigned &state) {
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

#endif
