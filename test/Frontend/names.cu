// Names that a generated section could not repeat, or that stand where its own
// would: each kernel is declined at its pragma.

// RUN: python3 %inputs/status.py 2 %warpwright rewrite %s -o %t.cu -- %parse >%t.log 2>&1
// RUN: FileCheck %s --implicit-check-not=error: --implicit-check-not=warning: <%t.log

#include <cuda_fp16.h>

#define ARGS const half *A, const half *B, float *C, int M, int N, int K
#define SUM                                                                    \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row >= M || col >= N)                                                    \
    return;                                                                    \
  float acc = 0.0f;                                                            \
  for (int k = 0; k < K; ++k)                                                  \
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);

// CHECK-DAG: :[[#@LINE+4]]:9: warning: 'app::types' is not rewritten: 'app::dim3' has the name of something that its launcher needs [WW406]
namespace app {
struct dim3 {};
typedef double int64_t;
#pragma warpwright matmul
__global__ void types(ARGS) { SUM C[row * N + col] = acc; }
} // namespace app

// CHECK-DAG: :[[#@LINE+2]]:9: warning: 'taken' is not rewritten: 'taken_warpwright', the name of its launcher, is declared already [WW406]
void taken_warpwright(int);
#pragma warpwright matmul
__global__ void taken(ARGS) { SUM C[row * N + col] = acc; }

// CHECK-DAG: :[[#@LINE+2]]:9: warning: 'in_macro' is not rewritten: 'in_macro_warpwright', the name of its launcher, is a macro [WW406]
#define in_macro_warpwright 3
#pragma warpwright matmul
__global__ void in_macro(ARGS) { SUM C[row * N + col] = acc; }

// CHECK-DAG: :[[#@LINE+4]]:9: warning: 'outside::far' is not rewritten: it is defined outside its namespace [WW406]
namespace outside {
__global__ void far(ARGS);
}
#pragma warpwright matmul
__global__ void outside::far(ARGS) { SUM C[row * N + col] = acc; }

// CHECK-DAG: :[[#@LINE+1]]:9: warning: 'scaled<Owner::Scale>' is not rewritten: its template argument names 'Owner::Scale', and 'Scale' is a private member [WW406]
#pragma warpwright matmul
template <class Q> __global__ void scaled(ARGS) {
  SUM C[row * N + col] = Q::s * acc;
}
class Owner {
  struct Scale {
    static constexpr float s = 3.0f;
  };

public:
  static void go(half *h, float *f) {
    scaled<Scale><<<1, 1>>>(h, h, f, 1, 1, 1);
  }
};

// CHECK-DAG: :[[#@LINE+9]]:9: warning: 'friendly' is not rewritten: the type of its parameter 'p' names 'Keeper::Params', and 'Params' is a private member [WW406]
class Keeper;
class Keeper {
  struct Params {
    float alpha;
  };
  friend __global__ void friendly(ARGS, Params p);
};

#pragma warpwright matmul
__global__ void friendly(ARGS, Keeper::Params p) {
  SUM C[row * N + col] = p.alpha * acc;
}

// CHECK-DAG: :[[#@LINE+1]]:9: warning: 'hidden' is not rewritten: a parameter has its name, and hides it [WW406]
#pragma warpwright matmul
__global__ void hidden(ARGS, float hidden) {
  SUM C[row * N + col] = hidden * acc;
}
