// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One flat thread index, taken apart with / and %.
//
// EXPECT-LOG: hopper if k > 0

#include "check.h"

#pragma warpwright matmul
__global__ void matmul_flat(__nv_bfloat16 *out, const __nv_bfloat16 *x,
                            const __nv_bfloat16 *w, int rows, int inner,
                            int cols) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < rows * cols) {
    int r = idx / cols;
    int c = idx % cols;
    float val = 0.0f;
    for (int i = 0; i < inner; i++) {
      val += (float)x[r * inner + i] * (float)w[i * cols + c];
    }
    out[idx] = (__nv_bfloat16)val;
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : test.shapes()) {
    check::Matrix<__nv_bfloat16> x(s.m, s.k), w(s.k, s.n), out(s.m, s.n);
    x.random(5);
    w.random(6);
    int threads = 256;
    int blocks = (s.m * s.n + threads - 1) / threads;
    matmul_flat<<<blocks, threads>>>(out.data(), x.data(), w.data(), s.m, s.k,
                                     s.n);
    test.expect("matmul_flat", s, out, check::product(s, x, w), x, w);
  }
  return test.finish();
}
