// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls the product of a case once, for its trace: what it computes is of no
// interest.
//
//   launch <case> <A> <B> M N K lda ldb ldc batch raw
//
// A and B are the operands' types: bf16, f16, f32, tf32, f64, i8 or e4m3. Their
// elements are 1 and -1. With `raw` 1 floats have, within every 32 of a row or
// column, magnitudes too far apart for two fp16 parts.

#include <cuda_runtime_api.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

void product(const char *name, const void *a, const void *b, void *c, int m,
             int n, int k, int lda, int ldb, int ldc, int batch);

static void *make_operand(const char *type, size_t count, bool raw) {
  const bool is_float = strstr(type, "f32"), is_double = strstr(type, "f64");
  std::vector<float> floats;
  std::vector<double> doubles;
  const bool is_float8 = strcmp(type, "e4m3") == 0;
  const bool is_byte = strcmp(type, "i8") == 0 || is_float8;
  std::vector<uint16_t> halves;
  std::vector<int8_t> numbers;
  for (size_t i = 0; i < count; ++i) {
    const bool minus = i * 2654435761u >> 7 & 1;
    if (is_double)
      doubles.push_back(minus ? -1 : 1);
    else if (is_float)
      floats.push_back((minus ? -1.0f : 1.0f) *
                       (raw ? (i * 2654435761u >> 9 & 1 ? 1e15f : 1e-15f) : 1));
    else if (is_byte)
      numbers.push_back(
          int8_t(is_float8 ? (minus ? 0xb8 : 0x38) : (minus ? -1 : 1)));
    else
      halves.push_back(
          uint16_t((type[0] == 'b' ? 0x3f80 : 0x3c00) | (minus ? 0x8000 : 0)));
  }
  const size_t bytes = count * (is_double ? 8 : is_float ? 4 : is_byte ? 1 : 2);
  void *device = nullptr;
  cudaMalloc(&device, bytes);
  const void *const elements = is_double  ? (void *)doubles.data()
                               : is_float ? (void *)floats.data()
                               : is_byte  ? (void *)numbers.data()
                                          : halves.data();
  cudaMemcpy(device, elements, bytes, cudaMemcpyHostToDevice);
  return device;
}

int main(int argc, char **argv) {
  if (argc != 12)
    return 2;
  const char *name = *++argv;
  --argc;
  int number[11];
  for (int i = 3; i < argc; ++i)
    number[i] = atoi(argv[i]);
  const int m = number[3], n = number[4], k = number[5], batch = number[9];
  // Either dimension may be that of the leading one.
  const auto count = [&](int outer, int other, int pitch) {
    return size_t(outer > other ? outer : other) * pitch * batch;
  };
  void *a = make_operand(argv[1], count(m, k, number[6]), number[10]);
  void *b = make_operand(argv[2], count(n, k, number[7]), number[10]);
  void *c = nullptr;
  cudaMalloc(&c, count(m, n, number[8]) * 8);
  product(name, a, b, c, m, n, k, number[6], number[7], number[8], batch);
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess)
    printf("%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
