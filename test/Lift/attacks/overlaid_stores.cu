// Families of stores to local arrays, laid over one another.

#include "attack.h"

// Each iteration overwrites what the last one stored.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void next_overwrites(ARGS, const float *b1, const float *b2) {
  PLACE
  SUM
  float t[9];
  for (int i = 0; i < 8; ++i) {
    t[i] = b1[i];
    t[i + 1] = b2[i];
  }
  C[row * N + col] = acc + t[3];
}

// The same downwards: now the other store wins.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void backwards(ARGS, const float *b1, const float *b2) {
  PLACE
  SUM
  float t[9];
  for (int i = 7; i >= 0; --i) {
    t[i + 1] = b2[i];
    t[i] = b1[i];
  }
  C[row * N + col] = acc + t[3] + 1000.0f * t[8];
}

// Every second element is stored again.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void stride_two_over_one(ARGS) {
  PLACE
  SUM
  int t[8];
  for (int i = 0; i < 8; ++i)
    t[i] = i;
  for (int i = 0; i < 8; i += 2)
    t[i] = 10 * i;
  C[row * N + col] = acc + t[col % 8];
}

// One element is replaced after the loop.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void one_element_later(ARGS, int n) {
  PLACE
  SUM
  int t[8];
  for (int i = 0; i < 8; ++i)
    t[i] = 2 * i;
  t[n] = 99;
  C[row * N + col] = acc + t[3] + t[4];
}

// Two pointers into one local array.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void aliased_locals(ARGS) {
  PLACE
  SUM
  float t[4] = {1.0f, 2.0f, 3.0f, 4.0f};
  float *a = t, *b = t + 2;
  a[2] = acc;
  b[1] = a[2] + b[0];
  C[row * N + col] = t[3] + t[0];
}

// Elements change places by a temporary.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void swapped_elements(ARGS) {
  PLACE
  SUM
  int t[4] = {1, 2, 3, 4};
  for (int i = 0; i < 3; ++i) {
    int s = t[i];
    t[i] = t[i + 1];
    t[i + 1] = s;
  }
  C[row * N + col] = acc + t[0] + 8 * t[3];
}

// Two accumulators in an array, chosen by k % 2.
// DECLINES: WW2
#pragma warpwright matmul tile(64, 64, 64)
__global__ void accumulators_by_parity(ARGS) {
  PLACE
  float t[2] = {0.0f, 0.0f};
  for (int k = 0; k < K; ++k)
    t[k % 2] += TERM;
  C[row * N + col] = t[0] - t[1];
}

// A struct copied as a whole over an element.
// DECLINES: WW2|WW30[24567]|WW4
struct Cell {
  float x, y;
};
#pragma warpwright matmul tile(64, 64, 64)
__global__ void struct_in_array(ARGS) {
  PLACE
  SUM
  Cell t[2] = {{1.0f, 2.0f}, {3.0f, 4.0f}};
  t[0].y = acc;
  t[1] = t[0];
  t[0].x = 50.0f;
  C[row * N + col] = t[1].x + t[1].y + t[0].x;
}

// The bytes of a float, one replaced.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void bytes_of_float(ARGS) {
  PLACE
  SUM
  float x = acc;
  unsigned char *bytes = reinterpret_cast<unsigned char *>(&x);
  bytes[3] ^= 0x80;
  C[row * N + col] = x;
}

// memcpy into an int and back.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void memcpy_of_bits(ARGS) {
  PLACE
  SUM
  int bits;
  memcpy(&bits, &acc, 4);
  bits &= 0x7fffffff;
  memcpy(&acc, &bits, 4);
  STORE
}

// C is stored twice, the second time for some columns.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void two_outputs_one_place(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc;
  if (col > 4)
    C[row * N + col] = acc + 1.0f;
}

// Each thread also stores to the right of its element.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void neighbour_overwritten(ARGS) {
  PLACE
  SUM
  if (col + 1 < N)
    C[row * N + col + 1] = -1.0f;
  __syncthreads();
  C[row * N + col] = acc;
}

int main() {
  Product p;
  next_overwrites<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K,
      p.floats(16, 1, 1), p.floats(16, 100, 100));
  p.show("next_overwrites");
  backwards<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, p.floats(16, 1,
      1), p.floats(16, 100, 100));
  p.show("backwards");
  stride_two_over_one<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("stride_two_over_one");
  one_element_later<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 4);
  p.show("one_element_later");
  aliased_locals<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("aliased_locals");
  swapped_elements<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("swapped_elements");
  accumulators_by_parity<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("accumulators_by_parity");
  struct_in_array<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("struct_in_array");
  bytes_of_float<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("bytes_of_float");
  memcpy_of_bits<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("memcpy_of_bits");
  two_outputs_one_place<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("two_outputs_one_place");
  neighbour_overwritten<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("neighbour_overwritten");
}
