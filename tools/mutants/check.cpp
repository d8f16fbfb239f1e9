// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs product() on numbers of few bits, whose sums are exact in float in any
// order, and compares bit for bit, the bytes around the output included.
//
//   check <A,B> <out> <A: m or k> <B: n or k> <batch> M,N,K,pitch ...
//
// `A,B` are bf16, f16, f32, or tf32 (floats of which 11 bits are enough), `out`
// also f64, with a t behind it for an output whose columns are contiguous; A
// and B are contiguous along the index named; `pitch` is what the output's rows
// (or columns) have more than their elements.

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

/// An integer below 2048, which f16 holds exactly.
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
  if (type[1] == '6') { // f64
    const double wide = x;
    uint64_t bits;
    memcpy(&bits, &wide, 8);
    return bits;
  }
  uint32_t bits;
  memcpy(&bits, &x, 4);
  return bits;
}

/// The element of a float operand; `i` is its index along which it varies.
/// Products of two elements have bits down to 2^-12 below the first ones, in
/// rows of very different magnitude. If one operand has low bits, the other has
/// none, because the product of two low parts is not computed. Some elements
/// stand out: tiny or huge ones that are the only ones multiplied by a
/// non-zero, an infinity, a NaN. They are in the first 32 rows or columns, with
/// two exceptions. Rows 32 to 63 of A have no zeros, so that the transform has
/// to test them more closely, also because of the one tiny element there. Row
/// 72 has an element that is less than 2^16 times its scale until it is
/// rounded. If one part must do, there are no low bits, every second group of
/// 32 rows has no zeros, and row 104 has an element whose size requires the
/// closer test.
static float wide(bool a, int i, int k, bool two_parts) {
  static const int exponents[] = {0, 30, -24, 5, -40};
  float x = static_cast<float>(small_integer());
  const int low = small_integer();
  if (x == 0 && a && (two_parts ? i / 32 == 1 : i / 32 % 2 == 1))
    x = 1;
  if (two_parts && k % 2 == (a ? 0 : 1))
    x += ldexpf(static_cast<float>(low), -13);
  x = ldexpf(x, exponents[i % 5] + (a && k / 96 % 2 ? 3 : 0));
  if (!a && (i == 11 || i == 12)) // columns that select one element of A
    x = k == (i == 11 ? 3 : 36) ? 1.0f : 0.0f;
  if (!a && i == 7)
    x = k == 33 ? 1.0f : k == 35 ? ldexpf(1.0f, -60) : 0.0f;
  if (!a && i == 17 && k == 40)
    x = NAN;
  if (a && i == 3) // a row that selects one of B
    x = k == 35 ? 1.0f : 0.0f;
  if (a && i == 5)
    x = k == 1 ? 1.0f : k == 3 ? ldexpf(1.0f, -60) : 0.0f;
  if (a && i == 45 && k == 36)
    x = ldexpf(1.0f, -60);
  if (a && i == 9 && k == 70)
    x = INFINITY;
  if (a && i == 20)
    x = k == 1 ? 1.0f : k == 40 ? ldexpf(1.5f, 30) : 0.0f;
  if (a && i == 72 && two_parts)
    x = k == 1 ? 1.0f : k == 40 ? 16.0f - ldexpf(1.0f, -9) : 0.0f;
  if (a && i == 104 && !two_parts)
    x = k == 70 ? 1536.0f : 1.0f;
  return x;
}

/// An operand: `outer` lines of `inner` numbers; lines are `pitch` apart.
struct Operand {
  int inner, outer, pitch, batch;
  std::vector<float> values;
  void *device = nullptr;

  Operand(const char *type, bool a, bool by_k, int inner, int outer, int batch)
      : inner(inner), outer(outer), pitch((inner + 7) / 8 * 8), batch(batch),
        values(static_cast<size_t>(outer) * pitch * batch) {
    const bool tf32 = type[0] == 't';
    const size_t size = tf32 || type[1] == '3' ? 4 : 2;
    std::vector<unsigned char> bytes(values.size() * size, 0xff);
    for (size_t at = 0; at < values.size(); ++at) {
      const int x = static_cast<int>(at % pitch);
      const int y = static_cast<int>(at / pitch % outer);
      if (x >= inner)
        continue;
      values[at] = size == 4 ? wide(a, by_k ? y : x, by_k ? x : y, !tf32)
                             : static_cast<float>(small_integer());
      const uint64_t bits = encode(type, values[at]);
      memcpy(&bytes[at * size], &bits, size);
    }
    cudaMalloc(&device, bytes.size());
    cudaMemcpy(device, bytes.data(), bytes.size(), cudaMemcpyHostToDevice);
  }
  ~Operand() { cudaFree(device); }
};

/// Whether `got` has the bits of `want`, or both are NaN.
static bool same(const std::vector<unsigned char> &got,
                 const std::vector<unsigned char> &want, bool floats) {
  if (got == want)
    return true;
  for (size_t at = 0; floats && at < want.size(); at += 4) {
    float x, y;
    memcpy(&x, &got[at], 4);
    memcpy(&y, &want[at], 4);
    // The bytes around the output are NaNs, which must not be changed.
    uint32_t bits;
    memcpy(&bits, &want[at], 4);
    if (memcmp(&x, &y, 4) != 0 && (bits == 0xffffffff || x == x || y == y)) {
      printf("byte %zu: %a, not %a\n", at, double(x), double(y));
      return false;
    }
  }
  return floats;
}

int main(int argc, char **argv) {
  char a_type[8] = "", b_type[8] = "";
  if (argc < 6 || sscanf(argv[1], "%7[^,],%7s", a_type, b_type) != 2)
    return 2;
  const char *out = argv[2];
  const bool a_by_m = argv[3][0] == 'm', b_by_n = argv[4][0] == 'n';
  const int batch = atoi(argv[5]);
  const size_t size = out[1] == '3' ? 4 : out[1] == '6' ? 8 : 2;
  const bool columns = out[strlen(out) - 1] == 't';
  bool good = true;
  for (int arg = 6; arg < argc; ++arg) {
    int m = 0, n = 0, k = 0, more = 0;
    if (sscanf(argv[arg], "%d,%d,%d,%d", &m, &n, &k, &more) != 4)
      return 2;
    Operand a(a_type, true, !a_by_m, a_by_m ? m : k, a_by_m ? k : m, batch);
    Operand b(b_type, false, !b_by_n, b_by_n ? n : k, b_by_n ? k : n, batch);
    const int ldc = (columns ? m : n) + more;
    const size_t guard = 1024;
    const size_t count = static_cast<size_t>(columns ? n : m) * ldc * batch;
    std::vector<unsigned char> want((count + 2 * guard) * size, 0xff);
    void *c = nullptr;
    cudaMalloc(&c, want.size());
    cudaMemset(c, 0xff, want.size());

    std::vector<double> row(n);
    for (int z = 0; z < batch; ++z)
      for (int i = 0; i < m; ++i) {
        for (double &x : row)
          x = 0;
        for (int l = 0; l < k; ++l) {
          const float *as = &a.values[size_t(z) * a.outer * a.pitch];
          const float *bs = &b.values[size_t(z) * b.outer * b.pitch];
          const double x = a_by_m ? as[size_t(l) * a.pitch + i]
                                  : as[size_t(i) * a.pitch + l];
          if (b_by_n)
            for (int j = 0; j < n; ++j)
              row[j] += x * bs[size_t(l) * b.pitch + j];
          else
            for (int j = 0; j < n; ++j)
              row[j] += x * bs[size_t(j) * b.pitch + l];
        }
        for (int j = 0; j < n; ++j) {
          const float sum = static_cast<float>(row[j]);
          const uint64_t bits = encode(out, sum == sum ? sum : NAN);
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
    const bool equal = same(got, want, out[1] == '3');
    printf("%s: %s\n", argv[arg], equal ? "right" : "WRONG");
    good &= equal;
    if (!good)
      break;
  }
  return good ? 0 : 1;
}
