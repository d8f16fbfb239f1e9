// Strings in host code of C++20, where the program instantiates all of
// std::string itself: the engine must not be linked with those functions.
// RUN: %warpwright sim --original -std=c++20 %s | %FileCheck %s
#include <cstdio>
#include <map>
#include <sstream>
#include <string>
#include <vector>

__global__ void gemm(const float *A, const float *B, float *C, int M, int N,
                     int K) {
  int m = blockIdx.y * blockDim.y + threadIdx.y;
  int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= M || n >= N)
    return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += A[m * K + k] * B[k * N + n];
  C[m * N + n] = acc;
}

static std::string change(std::string text) {
  text.resize(text.size() + 20, '.');
  text.insert(3, "inserted, and longer than what needs no memory");
  text.erase(4, 2);
  text.replace(0, 1, "replaced");
  return text.substr(0, 30) + std::string(40, 'z');
}

int main() {
  std::map<std::string, std::vector<int>> table;
  std::string name = "a name of more than fifteen characters ";
  for (int i = 0; i < 50; ++i)
    table[change(name + std::to_string(i))].push_back(i);
  const int n = 32;
  float *A, *B, *C;
  cudaMallocManaged(&A, n * n * 4);
  cudaMallocManaged(&B, n * n * 4);
  cudaMallocManaged(&C, n * n * 4);
  for (int i = 0; i < n * n; ++i) {
    A[i] = i % 3;
    B[i] = i % 5;
  }
  gemm<<<dim3(2, 2), dim3(16, 16)>>>(A, B, C, n, n, n);
  std::ostringstream out;
  out << cudaGetErrorString(cudaDeviceSynchronize()) << ' ' << C[5] << ' '
      << table.size() << ' ' << change(name);
  std::puts(out.str().c_str());
}

// CHECK: no error 62 1 replaced nierted, and longer tzzzzz
