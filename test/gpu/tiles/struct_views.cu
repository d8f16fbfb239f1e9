// FORM: surface: structs with strides, accessor methods and sub-matrix views
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices are passed by value; a block takes sub-matrices of them, one after
// the other along k.

#include "check.h"

constexpr int T = 16;

struct View {
  int rows, cols, stride;
  float *elements;
  __device__ float get(int r, int c) const { return elements[r * stride + c]; }
  __device__ void set(int r, int c, float x) { elements[r * stride + c] = x; }
  __device__ View sub(int r, int c) const {
    View part;
    part.rows = part.cols = T;
    part.stride = stride;
    part.elements = &elements[stride * T * r + T * c];
    return part;
  }
};

#pragma warpwright matmul
__global__ void struct_views(View A, View B, View C) {
  const int br = blockIdx.y, bc = blockIdx.x, r = threadIdx.y, c = threadIdx.x;
  View mine = C.sub(br, bc);
  float value = 0;
  for (int m = 0; m < A.cols / T; ++m) {
    View a = A.sub(br, m), b = B.sub(m, bc);
    __shared__ float As[T][T];
    __shared__ float Bs[T][T];
    As[r][c] = a.get(r, c);
    Bs[r][c] = b.get(r, c);
    __syncthreads();
    for (int e = 0; e < T; ++e)
      value += As[r][e] * Bs[e][c];
    __syncthreads();
  }
  mine.set(r, c, value);
}

// The arguments of a batch: the kernel moves their pointers to its matrices.
struct Batch {
  const float *A, *B;
  float *C;
  int m, n, k;
  float scale;
  __device__ void select(int number) {
    A += number * m * k;
    B += number * k * n;
    C += number * m * n;
  }
};

#pragma warpwright matmul
__global__ void moved_views(Batch p) {
  p.select(blockIdx.z);
  const int r = blockIdx.y * T + threadIdx.y, c = blockIdx.x * T + threadIdx.x;
  if (r >= p.m || c >= p.n)
    return;
  p.scale *= 0.5f;
  p.A += r * p.k;
  p.B += c;
  float sum = 0;
  for (int k = 0; k < p.k; ++k) {
    sum += *p.A++ * *p.B;
    p.B += p.n;
  }
  p.C[r * p.n + c] = sum * p.scale;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{128, 64, 96},
                         check::Shape{32, 32, 160}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    struct_views<<<dim3(s.n / T, s.m / T), dim3(T, T)>>>(
        View{s.m, s.k, s.k, A.data()}, View{s.k, s.n, s.n, B.data()},
        View{s.m, s.n, s.n, C.data()});
    test.expect("struct_views", s, C, check::product(s, A, B), A, B);
  }
  const int batch = 3;
  for (check::Shape s : {check::Shape{100, 70, 90}, check::Shape{33, 130, 65},
                         check::Shape{1, 3, 2}}) {
    check::Matrix<float> A(s.m, s.k, 0, batch), B(s.k, s.n, 0, batch);
    check::Matrix<float> C(s.m, s.n, 0, batch);
    A.random(3);
    B.random(4);
    moved_views<<<dim3(check::ceilDiv(s.n, T), check::ceilDiv(s.m, T), batch),
                  dim3(T, T)>>>(
        Batch{A.data(), B.data(), C.data(), s.m, s.n, s.k, 4.0f});
    std::vector<check::Table> sums;
    for (int b = 0; b < batch; ++b)
      sums.push_back(check::product(
          s, [&](int m, int k) { return A(m, k, b); },
          [&](int k, int n) { return B(k, n, b); }));
    test.expect(
        "moved_views", s, C,
        [&](int m, int n, int b) { return 2 * sums[b](m, n); }, A, B);
  }
  return test.finish();
}
