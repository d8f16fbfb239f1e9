// FORM: surface: accessors of tensors, whose members are private or inherited
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tensor library passes objects by value whose operators find the elements.

#include "check.h"

template <typename T, int Dims> class View {
public:
  __host__ __device__ View(T *data, const int *sizes, const int *strides)
      : data_(data), sizes_(sizes), strides_(strides) {}
  __device__ View<T, Dims - 1> operator[](int i) const {
    return View<T, Dims - 1>(data_ + strides_[0] * i, sizes_ + 1, strides_ + 1);
  }

private:
  T *data_;
  const int *sizes_, *strides_;
};

template <typename T> class View<T, 1> {
public:
  __host__ __device__ View(T *data, const int *sizes, const int *strides)
      : data_(data), sizes_(sizes), strides_(strides) {}
  __device__ T &operator[](int i) const { return data_[strides_[0] * i]; }

private:
  T *data_;
  const int *sizes_, *strides_;
};

template <typename T, int Dims> class AccessorBase {
public:
  AccessorBase(T *data, const int *sizes, const int *strides) : data_(data) {
    for (int i = 0; i < Dims; ++i) {
      sizes_[i] = sizes[i];
      strides_[i] = strides[i];
    }
  }
  __host__ __device__ int size(int i) const { return sizes_[i]; }

protected:
  T *data_;
  int sizes_[Dims], strides_[Dims];
};

template <typename T, int Dims> class Accessor : public AccessorBase<T, Dims> {
public:
  using AccessorBase<T, Dims>::AccessorBase;
  __device__ View<T, Dims - 1> operator[](int i) const {
    return View<T, Dims - 1>(this->data_ + this->strides_[0] * i,
                             this->sizes_ + 1, this->strides_ + 1);
  }
};

class Activation {
public:
  Activation(float slope, float *bias) : slope_(slope), bias_(bias) {}
  __device__ float operator()(float x, int n) const {
    x += bias_[n];
    return x > 0 ? x : slope_ * x;
  }

private:
  float slope_, *bias_;
};

#pragma warpwright matmul
template <typename T>
__global__ void linear(const Accessor<T, 2> x, const Accessor<T, 2> weight,
                       Accessor<float, 2> y, Activation activation) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < x.size(0) && col < weight.size(0)) {
    float sum = 0.0f;
    for (int k = 0; k < x.size(1); ++k)
      sum += (float)x[row][k] * (float)weight[col][k];
    y[row][col] = activation(sum, col);
  }
}

#pragma warpwright matmul
__global__ void batches(Accessor<half, 3> a, Accessor<half, 3> b,
                        Accessor<float, 3> c) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int batch = blockIdx.z;
  if (row >= c.size(1) || col >= c.size(2))
    return;
  float sum = 0.0f;
  for (int k = 0; k < a.size(2); ++k)
    sum += (float)a[batch][row][k] * (float)b[batch][k][col];
  c[batch][row][col] = sum;
}

template <typename T> Accessor<T, 2> accessorOf(check::Matrix<T> &matrix) {
  const int sizes[2] = {matrix.rows(), matrix.cols()},
            strides[2] = {matrix.pitch(), 1};
  return {matrix.data(), sizes, strides};
}

template <typename T> Accessor<T, 3> halvesOf(check::Matrix<T> &matrix) {
  const int rows = matrix.rows() / 2;
  const int sizes[3] = {2, rows, matrix.cols()},
            strides[3] = {rows * matrix.pitch(), matrix.pitch(), 1};
  return {matrix.data(), sizes, strides};
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  const dim3 block(16, 16);
  for (check::Shape s : {check::Shape{64, 48, 32}, check::Shape{37, 21, 43},
                         check::Shape{1, 1, 1}}) {
    const dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));
    check::Matrix<half> x(s.m, s.k, check::roundUp(s.k, 8)),
        w(s.n, s.k, check::roundUp(s.k, 8) + 8);
    check::Matrix<float> bias(1, s.n), y(s.m, s.n, s.n + 1);
    x.random(1);
    w.random(2);
    bias.random(3);
    linear<<<grid, block>>>(accessorOf(x), accessorOf(w), accessorOf(y),
                            Activation(0.25f, bias.data()));
    const check::Table of_halves = check::product(
        s, [&](int m, int k) { return x(m, k); },
        [&](int k, int n) { return w(n, k); });
    test.expect(
        "linear", s, y,
        [&](int m, int n) {
          const double v = of_halves(m, n) + bias(0, n);
          return v > 0 ? v : 0.25 * v;
        },
        x, w, bias);

    check::Matrix<half> A(2 * s.m, s.k), B(2 * s.k, s.n);
    check::Matrix<float> C(2 * s.m, s.n);
    A.random(4);
    B.random(5);
    batches<<<dim3(grid.x, grid.y, 2), block>>>(halvesOf(A), halvesOf(B),
                                                halvesOf(C));
    check::Table halves[2] = {check::product(
                                  s, [&](int m, int k) { return A(m, k); },
                                  [&](int k, int n) { return B(k, n); }),
                              check::product(
                                  s,
                                  [&](int m, int k) { return A(s.m + m, k); },
                                  [&](int k, int n) { return B(s.k + k, n); })};
    test.expect(
        "batches", s, C,
        [&](int m, int n) { return halves[m / s.m](m % s.m, n); }, A, B);
  }
  return test.finish();
}
