// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs product() on small integers, which every sum represents exactly, and
// compares bit for bit, the bytes around the output included.
//
//   check <in> <out> <A: m or k> <B: n or k> <batch> M,N,K,pitch ...
//
// `in` is bf16 or f16, `out` also f32 and f64, with a t behind it for an output
// whose columns are contiguous; A and B are contiguous along the index named;
// `pitch` is what the output's rows (or columns) have more than their elements.

#include <cuda_runtime_api.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

void product(const void *a, const void *b, void *c, int m, int n, int k,
             int lda, int ldb, int ldc, int batch);

static uint64_t state = 1;
static int small_integer() {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<int>((state >> 33) % 5) - 2;
}

static uint16_t bf16(float x) {
  uint32_t bits;
  memcpy(&bits, &x, 4);
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/// Of integers below 2048, which f16 holds exactly.
static uint16_t f16(float x) {
  if (x == 0)
    return 0;
  int exponent = 0;
  const float mantissa = frexpf(fabsf(x), &exponent);
  return static_cast<uint16_t>((x < 0 ? 0x8000 : 0) | (exponent + 14) << 10 |
                               (static_cast<int>(mantissa * 2048) & 0x3ff));
}

static uint64_t encode(const char *type, float x) {
  if (type[0] == 'b')
    return bf16(x);
  if (type[1] == '1')
    return f16(x);
  if (type[1] == '6') {
    const double wide = x;
    uint64_t bits;
    memcpy(&bits, &wide, 8);
    return bits;
  }
  uint32_t bits;
  memcpy(&bits, &x, 4);
  return bits;
}

/// An operand: `outer` lines of `inner` integers, a line every `pitch`.
struct Operand {
  int inner, outer, pitch, batch;
  std::vector<float> values;
  void *device = nullptr;

  Operand(const char *type, int inner, int outer, int batch)
      : inner(inner), outer(outer), pitch((inner + 7) / 8 * 8), batch(batch),
        values(static_cast<size_t>(outer) * pitch * batch) {
    std::vector<uint16_t> bits(values.size(), 0xffff);
    for (size_t i = 0; i < values.size(); ++i)
      if (static_cast<int>(i % pitch) < inner) {
        values[i] = static_cast<float>(small_integer());
        bits[i] = static_cast<uint16_t>(encode(type, values[i]));
      }
    cudaMalloc(&device, bits.size() * 2);
    cudaMemcpy(device, bits.data(), bits.size() * 2, cudaMemcpyHostToDevice);
  }
  ~Operand() { cudaFree(device); }
};

int main(int argc, char **argv) {
  const char *in = argv[1], *out = argv[2];
  const bool a_by_m = argv[3][0] == 'm', b_by_n = argv[4][0] == 'n';
  const int batch = atoi(argv[5]);
  const size_t size = out[1] == '3' ? 4 : out[1] == '6' ? 8 : 2;
  const bool columns = out[strlen(out) - 1] == 't';
  bool good = true;
  for (int arg = 6; arg < argc; ++arg) {
    int m = 0, n = 0, k = 0, more = 0;
    if (sscanf(argv[arg], "%d,%d,%d,%d", &m, &n, &k, &more) != 4)
      return 2;
    Operand a(in, a_by_m ? m : k, a_by_m ? k : m, batch);
    Operand b(in, b_by_n ? n : k, b_by_n ? k : n, batch);
    const int ldc = (columns ? m : n) + more;
    const size_t guard = 1024;
    const size_t count = static_cast<size_t>(columns ? n : m) * ldc * batch;
    std::vector<unsigned char> want((count + 2 * guard) * size, 0xff);
    void *c = nullptr;
    cudaMalloc(&c, want.size());
    cudaMemset(c, 0xff, want.size());

    std::vector<float> row(n);
    for (int z = 0; z < batch; ++z)
      for (int i = 0; i < m; ++i) {
        for (float &x : row)
          x = 0;
        for (int l = 0; l < k; ++l) {
          const float *as = &a.values[size_t(z) * a.outer * a.pitch];
          const float *bs = &b.values[size_t(z) * b.outer * b.pitch];
          const float x = a_by_m ? as[size_t(l) * a.pitch + i]
                                 : as[size_t(i) * a.pitch + l];
          if (b_by_n)
            for (int j = 0; j < n; ++j)
              row[j] += x * bs[size_t(l) * b.pitch + j];
          else
            for (int j = 0; j < n; ++j)
              row[j] += x * bs[size_t(j) * b.pitch + l];
        }
        for (int j = 0; j < n; ++j) {
          const uint64_t bits = encode(out, row[j]);
          const size_t at = columns ? (size_t(z) * n + j) * ldc + i
                                    : (size_t(z) * m + i) * ldc + j;
          memcpy(&want[(guard + at) * size], &bits, size);
        }
      }

    product(a.device, b.device, static_cast<char *>(c) + guard * size, m, n, k,
            a.pitch, b.pitch, ldc, batch);
    std::vector<unsigned char> got(want.size());
    const cudaError_t ended = cudaDeviceSynchronize();
    if (ended != cudaSuccess ||
        cudaMemcpy(got.data(), c, got.size(), cudaMemcpyDeviceToHost) !=
            cudaSuccess) {
      printf("%s: %s\n", argv[arg], cudaGetErrorString(ended));
      return 1;
    }
    cudaFree(c);
    const bool equal = got == want;
    printf("%s: %s\n", argv[arg], equal ? "right" : "WRONG");
    good &= equal;
    if (!good)
      break;
  }
  return good ? 0 : 1;
}
