// Integer and bit intrinsics, bytes four at a time, and dot products.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"
#include <vector>

__global__ void bits(const unsigned *in, unsigned *out, int n) {
  const int i = threadIdx.x;
  if (i >= n)
    return;
  const unsigned x = in[i], y = in[(i + 1) % n];
  unsigned *o = out + i * 16;
  o[0] = __popc(x) + 100 * __clz(x) + 10000 * __ffs(x);
  o[1] = __brev(x);
  o[2] = __byte_perm(x, y, 0x3614);
  o[3] = __funnelshift_l(x, y, 5);
  o[4] = __funnelshift_r(x, y, 37);
  o[5] = __umulhi(x, y);
  o[6] = __mulhi(static_cast<int>(x), static_cast<int>(y));
  o[7] = __vadd4(x, y);
  o[8] = __vaddus4(x, y);
  o[9] = __vcmpgtu4(x, y);
  o[10] = __dp4a(static_cast<int>(x), static_cast<int>(y), 1000);
  o[11] = __dp4a(x, y, 7u);
  o[12] = __vabsdiffu4(x, y);
  o[13] = __sad(static_cast<int>(x), static_cast<int>(y), 3);
  o[14] = __popcll(static_cast<unsigned long long>(x) << 20 | y);
  o[15] = min(x, 77u) + max(static_cast<int>(x), -5) + umin(y, 4u);
}

int main() {
  const int n = 20;
  std::vector<unsigned> in(n), out(16 * n);
  unsigned state = 77;
  for (unsigned &x : in)
    x = next_random(state) ^ next_random(state) << 9;
  in[3] = 0;
  in[4] = 0x80000000u;
  in[5] = 0xffffffffu;
  Device<unsigned> din(in.data(), n), dout(out.size());
  bits<<<1, 32>>>(din, dout, n);
  dout.get(out.data());
  for (int i = 0; i < n; ++i) {
    const unsigned x = in[i], y = in[(i + 1) % n], *o = &out[i * 16];
    unsigned count = 0, lead = 32, first = 0, reversed = 0;
    for (int b = 0; b < 32; ++b)
      if (x >> b & 1) {
        ++count;
        lead = 31 - b;
        first = first ? first : b + 1;
        reversed |= 1u << (31 - b);
      }
    EXPECT(o[0] == count + 100 * lead + 10000 * first);
    EXPECT(o[1] == reversed);
    const unsigned char bytes[8] = {
        (unsigned char)x, (unsigned char)(x >> 8), (unsigned char)(x >> 16),
        (unsigned char)(x >> 24), (unsigned char)y, (unsigned char)(y >> 8),
        (unsigned char)(y >> 16), (unsigned char)(y >> 24)};
    EXPECT(o[2] == (bytes[4] | bytes[1] << 8 | bytes[6] << 16 |
                    static_cast<unsigned>(bytes[3]) << 24));
    EXPECT(o[3] == (y << 5 | x >> 27));
    EXPECT(o[4] == (x >> 5 | y << 27));
    EXPECT(o[5] == static_cast<unsigned>((unsigned long long)x * y >> 32));
    EXPECT(o[6] == static_cast<unsigned>((long long)(int)x * (int)y >> 32));
    unsigned add = 0, saturated = 0, greater = 0, difference = 0;
    unsigned signed_dot = 1000, dot = 7;
    for (int b = 0; b < 4; ++b) {
      const unsigned p = bytes[b], q = bytes[4 + b];
      add |= ((p + q) & 255) << (8 * b);
      saturated |= (p + q > 255 ? 255 : p + q) << (8 * b);
      greater |= (p > q ? 255u : 0u) << (8 * b);
      difference |= (p > q ? p - q : q - p) << (8 * b);
      dot += p * q;
      signed_dot += static_cast<unsigned>((signed char)p * (signed char)q);
    }
    EXPECT(o[7] == add && o[8] == saturated && o[9] == greater);
    EXPECT(o[10] == signed_dot && o[11] == dot && o[12] == difference);
    const long long apart = (long long)(int)x - (int)y;
    EXPECT(o[13] == static_cast<unsigned>(apart < 0 ? -apart : apart) + 3);
    EXPECT(o[14] == (unsigned)__builtin_popcountll((unsigned long long)x << 20 | y));
    const int larger = (int)x > -5 ? (int)x : -5;
    EXPECT(o[15] == (x < 77 ? x : 77) + (unsigned)larger + (y < 4 ? y : 4));
  }
  return verdict();
}
