// Expressions that double in size at every step: a decline, or an answer,
// soon.

#include "attack.h"

// Twelve squarings.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void squared_often(ARGS) {
  PLACE
  SUM
  acc = acc * acc + acc;
  acc = acc * acc + acc;
  acc = acc * acc + acc;
  acc = acc * acc + acc;
  acc = acc * acc + acc;
  acc = acc * acc + acc;
  acc = acc * acc + acc;
  acc = acc * acc + acc;
  acc = acc * acc + acc;
  acc = acc * acc + acc;
  acc = acc * acc + acc;
  acc = acc * acc + acc;
  STORE
}

// Twenty squarings in a loop.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void squared_in_a_loop(ARGS) {
  PLACE
  SUM
  for (int i = 0; i < 20; ++i)
    acc = acc * acc + acc;
  STORE
}

// Sixteen helpers that each call the next one twice.
// DECLINES: nothing, it is lifted
__device__ float level0(float x) { return x; }
__device__ float level1(float x) { return level0(x) + level0(x + 1.0f); }
__device__ float level2(float x) { return level1(x) + level1(x + 1.0f); }
__device__ float level3(float x) { return level2(x) + level2(x + 1.0f); }
__device__ float level4(float x) { return level3(x) + level3(x + 1.0f); }
__device__ float level5(float x) { return level4(x) + level4(x + 1.0f); }
__device__ float level6(float x) { return level5(x) + level5(x + 1.0f); }
__device__ float level7(float x) { return level6(x) + level6(x + 1.0f); }
__device__ float level8(float x) { return level7(x) + level7(x + 1.0f); }
__device__ float level9(float x) { return level8(x) + level8(x + 1.0f); }
__device__ float level10(float x) { return level9(x) + level9(x + 1.0f); }
__device__ float level11(float x) { return level10(x) + level10(x + 1.0f); }
__device__ float level12(float x) { return level11(x) + level11(x + 1.0f); }
__device__ float level13(float x) { return level12(x) + level12(x + 1.0f); }
__device__ float level14(float x) { return level13(x) + level13(x + 1.0f); }
__device__ float level15(float x) { return level14(x) + level14(x + 1.0f); }
#pragma warpwright matmul tile(64, 64, 64)
__global__ void helpers_twice_each(ARGS) {
  PLACE
  SUM
  C[row * N + col] = level15(acc);
}

// Thirty integer squarings that wrap.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void integers_that_double(ARGS) {
  PLACE
  SUM
  unsigned h = col;
  h = h * h + row;
  h = h * h + row;
  h = h * h + row;
  h = h * h + row;
  h = h * h + row;
  h = h * h + row;
  h = h * h + row;
  h = h * h + row;
  h = h * h + row;
  h = h * h + row;
  h = h * h + row;
  h = h * h + row;
  h = h * h + row;
  h = h * h + row;
  h = h * h + row;
  h = h * h + row;
  h = h * h + row;
  h = h * h + row;
  h = h * h + row;
  h = h * h + row;
  h = h * h + row;
  h = h * h + row;
  h = h * h + row;
  h = h * h + row;
  h = h * h + row;
  h = h * h + row;
  h = h * h + row;
  h = h * h + row;
  h = h * h + row;
  h = h * h + row;
  C[row * N + col] = acc + (float)(h >> 16);
}

// Sixteen choices that each depend on the last.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void selects_nested(ARGS) {
  PLACE
  SUM
  acc = acc > 0.0f ? acc * 0.5f : acc + 0.0f;
  acc = acc > 1.0f ? acc * 0.5f : acc + 1.0f;
  acc = acc > 2.0f ? acc * 0.5f : acc + 2.0f;
  acc = acc > 3.0f ? acc * 0.5f : acc + 3.0f;
  acc = acc > 4.0f ? acc * 0.5f : acc + 4.0f;
  acc = acc > 5.0f ? acc * 0.5f : acc + 5.0f;
  acc = acc > 6.0f ? acc * 0.5f : acc + 6.0f;
  acc = acc > 7.0f ? acc * 0.5f : acc + 7.0f;
  acc = acc > 8.0f ? acc * 0.5f : acc + 8.0f;
  acc = acc > 9.0f ? acc * 0.5f : acc + 9.0f;
  acc = acc > 10.0f ? acc * 0.5f : acc + 10.0f;
  acc = acc > 11.0f ? acc * 0.5f : acc + 11.0f;
  acc = acc > 12.0f ? acc * 0.5f : acc + 12.0f;
  acc = acc > 13.0f ? acc * 0.5f : acc + 13.0f;
  acc = acc > 14.0f ? acc * 0.5f : acc + 14.0f;
  acc = acc > 15.0f ? acc * 0.5f : acc + 15.0f;
  STORE
}

// Twenty integer choices.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void integer_selects(ARGS) {
  PLACE
  SUM
  int n = col;
  n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  C[row * N + col] = acc + n;
}

// Sixteen branches one after the other: 65536 ways.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void many_branches(ARGS, int mask) {
  PLACE
  SUM
  if (mask & 1)
    acc = acc * 2.0f - 0.0f;
  if (mask & 2)
    acc = acc * 2.0f - 1.0f;
  if (mask & 4)
    acc = acc * 2.0f - 2.0f;
  if (mask & 8)
    acc = acc * 2.0f - 3.0f;
  if (mask & 16)
    acc = acc * 2.0f - 4.0f;
  if (mask & 32)
    acc = acc * 2.0f - 5.0f;
  if (mask & 64)
    acc = acc * 2.0f - 6.0f;
  if (mask & 128)
    acc = acc * 2.0f - 7.0f;
  if (mask & 256)
    acc = acc * 2.0f - 8.0f;
  if (mask & 512)
    acc = acc * 2.0f - 9.0f;
  if (mask & 1024)
    acc = acc * 2.0f - 10.0f;
  if (mask & 2048)
    acc = acc * 2.0f - 11.0f;
  if (mask & 4096)
    acc = acc * 2.0f - 12.0f;
  if (mask & 8192)
    acc = acc * 2.0f - 13.0f;
  if (mask & 16384)
    acc = acc * 2.0f - 14.0f;
  if (mask & 32768)
    acc = acc * 2.0f - 15.0f;
  STORE
}

// Eight loops inside one another.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void nested_loops(ARGS, int P) {
  PLACE
  SUM
  int n = 0;
  for (int i0 = 0; i0 < P; ++i0)
    for (int i1 = 0; i1 < P; ++i1)
      for (int i2 = 0; i2 < P; ++i2)
        for (int i3 = 0; i3 < P; ++i3)
          for (int i4 = 0; i4 < P; ++i4)
            for (int i5 = 0; i5 < P; ++i5)
              for (int i6 = 0; i6 < P; ++i6)
                for (int i7 = 0; i7 < P; ++i7)
                  n += i0 + i7;
  C[row * N + col] = acc + n;
}

// Remainders of remainders.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void quotients_nested(ARGS) {
  PLACE
  SUM
  int n = row * 1000 + col;
  n = n / 3 + n % 5;
  n = n / 4 + n % 6;
  n = n / 5 + n % 7;
  n = n / 6 + n % 8;
  n = n / 7 + n % 9;
  n = n / 8 + n % 10;
  n = n / 9 + n % 11;
  n = n / 10 + n % 12;
  n = n / 11 + n % 13;
  n = n / 12 + n % 14;
  n = n / 13 + n % 15;
  n = n / 14 + n % 16;
  n = n / 15 + n % 17;
  n = n / 16 + n % 18;
  C[row * N + col] = acc + n;
}

int main() {
  Product p;
  squared_often<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("squared_often");
  squared_in_a_loop<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("squared_in_a_loop");
  helpers_twice_each<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("helpers_twice_each");
  integers_that_double<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("integers_that_double");
  selects_nested<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("selects_nested");
  integer_selects<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("integer_selects");
  many_branches<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 0x5a5a);
  p.show("many_branches");
  nested_loops<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 2);
  p.show("nested_loops");
  quotients_nested<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("quotients_nested");
}
