// Members of parameters that are private or inherited: the contraction has them
// under their names, and the launcher and the epilogue read them at their places.
//
// RUN: %warpwright rewrite --emit=contraction %s -- %parse 2>/dev/null | FileCheck %s
// RUN: %warpwright rewrite %s -o %t.cu -- %parse
// RUN: FileCheck --check-prefix=CODE --input-file=%t.cu %s

// A class that has grown since is an error of the compiler.
// RUN: sed 's/^  float scale_;/  float scale_, other_[2];/' %t.cu > %t.grown.cu
// RUN: %not %clang -x cuda --cuda-path=/nonexistent %parse -std=c++17 -I %runtime \
// RUN:   -fsyntax-only --cuda-host-only %t.grown.cu 2>&1 | FileCheck --check-prefix=GROWN %s
// GROWN: another layout than when the file was rewritten: rewrite it again

#define PLACE                                                                  \
  const int row = blockIdx.y * blockDim.y + threadIdx.y;                       \
  const int col = blockIdx.x * blockDim.x + threadIdx.x;                       \
  float sum = 0.0f;

// The derived class's own member lies behind those of both bases.
class Data {
public:
  __device__ float *at(int i, int j) const {
    return data_ + i * strides_[0] + j * strides_[1];
  }

protected:
  float *data_;
  int strides_[2];
};
class Shape {
protected:
  int sizes_[2];
};
class Tensor : public Data, Shape {
public:
  __device__ int rows() const { return sizes_[0]; }
  __device__ int columns() const { return sizes_[1]; }
  __device__ float scale() const { return scale_; }

private:
  float scale_;
};

// CHECK-LABEL: contraction "inherited"
// CHECK: operand A = a.data_[%k * a.strides_[1] + %m * a.strides_[0]]:f32
// CHECK: output c.data_[%m * c.strides_[0] + %n * c.strides_[1]]:f32 = (acc * c.scale_:f32)
// CODE-LABEL: struct inherited_epilogue
// CODE: member<float, 24, 32>(c /*.scale_*/)
// CODE: member<float *, 0, 32>(c /*.data_*/)
// CODE-LABEL: void inherited_warpwright
// CODE: member<int, 16, 32>(c /*.sizes_[0]*/)
// CODE: "a.data_"
// CODE: member<float *, 0, 32>(a /*.data_*/)
// CODE: member<int, 8, 32>(a /*.strides_[0]*/)
#pragma warpwright matmul
__global__ void inherited(Tensor a, Tensor b, Tensor c) {
  PLACE
  if (row >= c.rows() || col >= c.columns())
    return;
  for (int k = 0; k < a.columns(); ++k)
    sum += *a.at(row, k) * *b.at(k, col);
  *c.at(row, col) = sum * c.scale();
}

// A public member of a private one, behind a public member that has a name.
struct Pitches {
  long long a, b, c;
};
class Sizes {
public:
  int m;
  __device__ long long pitch(int of) const {
    return of == 0 ? pitches.a : of == 1 ? pitches.b : pitches.c;
  }
  __device__ bool has(int row) const { return row < m; }

private:
  Pitches pitches;
};
// CHECK-LABEL: contraction "nested"
// CHECK: operand A = A[%m * s.pitches.a + %k]:f32
// CODE-LABEL: void nested_warpwright
// CODE: s.m
// CODE: member<long long, 8, 32>(s /*.pitches.a*/)
#pragma warpwright matmul
__global__ void nested(const float *A, const float *B, float *C, int N, int K,
                       Sizes s) {
  PLACE
  if (!s.has(row) || col >= N)
    return;
  for (int k = 0; k < K; ++k)
    sum += A[row * s.pitch(0) + k] * B[k * s.pitch(1) + col];
  C[row * s.pitch(2) + col] = sum;
}
