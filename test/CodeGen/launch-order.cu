// A launch in its new form evaluates its configuration before its arguments,
// whatever the host compiler does with the arguments of one call; it chooses
// overloads, deduces template arguments, converts arguments and uses defaults
// as the launch of the kernel does, wherever an expression may stand.

// RUN: python3 %inputs/status.py 2 %warpwright rewrite %s -o %t.cu -- %parse 2>%t.log
// RUN: grep -v "// *[A-Z-]*:" %t.cu | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOG --input-file=%t.log
// RUN: %warpwright sim %s | FileCheck %s --check-prefix=ORDER
// RUN: %if nvcc %{ %nvcc -std=c++17 -arch=sm_80 -o %t.before %s %}
// RUN: %if nvcc %{ %nvcc -std=c++17 -arch=sm_80 -Xcompiler=-Wall,-Wextra,-Wno-unknown-pragmas,-Wno-comment,-Werror -I %runtime -o %t.after %t.cu %}
// RUN: %if nvcc %{ %nvcc -std=c++14 -arch=sm_80 -I %runtime -o %t.after14 %t.cu %}
// RUN: %if nvcc %{ %t.before > %t.out %}
// RUN: %if nvcc %{ FileCheck %s --check-prefix=ORDER --input-file=%t.out %}
// RUN: %if nvcc %{ %t.after | diff %t.out - %}
// RUN: %if nvcc %{ %t.after14 | diff %t.out - %}

#include <cuda_fp16.h>
#include <stdio.h>

template <class T> T say(const char *what, T value) {
  printf(" %s", what);
  return value;
}

#define BODY(STORE)                                                            \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row < M && col < N) {                                                    \
    float acc = 0;                                                             \
    for (int k = 0; k < K; ++k)                                                \
      acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);      \
    C[row * N + col] = STORE;                                                  \
  }

struct Size {
  const char *name;
  operator int() const { return say(name, 0); }
};

#pragma warpwright matmul
__global__ void product(const half *A, const half *B, float *C, int M,
                        int N = say("default", 0), int K = 0) {
  BODY(acc)
}
// CHECK: void product_warpwright(::warpwright::rt::Launch launch, const half *A,
// CHECK: inline void product_warpwright(const half *A, const half *B, float *C, int M,
// CHECK-NEXT: int N = say("default", 0), int K = 0) {
// CHECK-NEXT: product_warpwright(::warpwright::rt::Configure::take(), A, B, C, M, N, K);

// Chosen by the type of its third argument.
#pragma warpwright matmul
__global__ void product(const half *A, const half *B, half *C, int M, int N,
                        int K) {
  BODY(__float2half(acc))
}

// One template argument is given, the other one deduced.
#pragma warpwright matmul
template <int Factor, typename Out>
__global__ void scaled(const half *A, const half *B, Out *C, int M, int N,
                       int K) {
  BODY(Out(Factor * acc))
}

#define CHECKED(what, ...) ((void)(what), __VA_ARGS__)
#define ALL(...) __VA_ARGS__
#define SAY(text) puts(text)
#define SHOWN(statement) statement, SAY(#statement)
#define STRING(...) #__VA_ARGS__
#define HANDED(n, ...) __VA_ARGS__, SAY(STRING((__VA_ARGS__) + 0))
#define NOT_SHOWN(n, ...) SAY(STRING((n)) #n), __VA_ARGS__
#define TWO(x, y) x, y

struct Holder {
  half *p = nullptr;
  template <class T> void run(T *c) {
    // CHECK: return (::warpwright::rt::Configure(say("grid", 1), say("block", 1)), scaled_warpwright<2>(p, p, c, say("M", 0), 0, 0));
    return scaled<2><<<say("grid", 1), say("block", 1)>>>(p, p, c, say("M", 0), 0, 0);
  }
};

int main() {
  half *p = nullptr;
  float *f = nullptr;
  // ORDER: {{^}}1: grid{{( M default| default M)$}}
  printf("1:");
  // CHECK: (::warpwright::rt::Configure(say("grid", 1), 1), product_warpwright(p, p, f, Size{"M"}));
  product<<<say("grid", 1), 1>>>(p, p, f, Size{"M"});
  // ORDER-NEXT: {{^}}2: grid M{{$}}
  printf("\n2:");
  if (p == nullptr)
    product<<<say("grid", 1), 1, 0, nullptr>>>(p, p, p, Size{"M"}, 0, {});
  else
    product<<<1, 1>>>(p, p, p, 0, 0, 0);
  printf("\n3:");
  // ORDER-NEXT: {{^}}3:{{( grid block| block grid) M$}}
  Holder().run(f);
  // ORDER-NEXT: {{^}}4: outer{{( inner arg last| last inner arg)$}}
  printf("\n4:");
  product<<<say("outer", 1), 1>>>(
      p, p, p, (product<<<say("inner", 1), 1>>>(p, p, f, say("arg", 0), 0), 0),
      0, say("last", 0) * 0);
  // ORDER-NEXT: {{^}}5: grid M outer caught{{$}}
  printf("\n5:");
  auto fail = [](int) -> int { throw 1; };
  try {
    product<<<say("grid", 1), 1>>>(p, p, p, fail(say("M", 0)), 0, 0);
  } catch (int) {
    // What the launch above has left behind is not taken by this one.
    product<<<say("outer", 1), 1>>>(p, p, f, say("caught", 0), 0);
  }
  // ORDER-NEXT: {{^}}6: a b{{$}}
  printf("\n6:");
  p ? product<<<say("no", 1), 1>>>(p, p, f, 0, 0)
    : product<<<say("a", 1), 1>>>(p, p, f, say("b", 0), 0);
  // ORDER-NEXT: {{^}}7: a b c d e{{$}}
  printf("\n7:");
  ALL(product<<<say("a", 1), 1>>>(p, p, f, say("b", 0), 0));
  // CHECK: CHECKED(say("c", 0), (::warpwright::rt::Configure(say("d", 1), 1), product_warpwright(p, p, f, say("e", 0), 0)));
  CHECKED(say("c", 0), product<<<say("d", 1), 1>>>(p, p, f, say("e", 0), 0));
  printf("\n");
  // LOG: :[[@LINE+2]]:7: warning: this launch of 'product' is not redirected: its commas may separate arguments of the macro 'TWO' [WW404]
  // CHECK: TWO(product<<<1, 1>>>(p, p, f, 0, 0));
  TWO(product<<<1, 1>>>(p, p, f, 0, 0));
  // CHECK: TWO(((::warpwright::rt::Configure(1, 1), product_warpwright(p, p, f, 0, 0))), (void)p);
  TWO((product<<<1, 1>>>(p, p, f, 0, 0)), (void)p);
  // LOG: :[[@LINE+3]]:10: warning: this launch of 'product' is not redirected: the macro 'SHOWN' makes a string of it [WW404]
  // CHECK: SHOWN((product<<<1, 1>>>(p, p, f, 0, 0)));
  // ORDER: {{^}}(product<<<1, 1>>>(p, p, f, 0, 0)){{$}}
  SHOWN((product<<<1, 1>>>(p, p, f, 0, 0)));
  // LOG: :[[@LINE+2]]:14: warning: this launch of 'product' is not redirected: the macro 'HANDED' makes a string of it [WW404]
  // ORDER: {{^}}((product<<<1, 1>>>(p, p, f, 0, 0))) + 0{{$}}
  HANDED(0, (product<<<1, 1>>>(p, p, f, 0, 0)));
  // CHECK: NOT_SHOWN(0, ((::warpwright::rt::Configure(1, 1), product_warpwright(p, p, f, 0, 0))));
  NOT_SHOWN(0, (product<<<1, 1>>>(p, p, f, 0, 0)));
  // LOG: :[[@LINE+1]]:3: warning: this launch of 'product' is not redirected: preprocessor conditionals begin or end in the middle of it [WW404]
  product<<<1,
#ifdef NARROW
            1>>>(p, p, f, 0, 0);
#else
            2>>>(p, p, f, 0, 0);
#endif
  // CHECK: (::warpwright::rt::Configure(1, 1), product_warpwright(p, p, f,
  product<<<1, 1>>>(p, p, f,
#ifdef NARROW
                    1,
#else
                    0,
#endif
                    0);
  // LOG: :[[@LINE+2]]:14: warning: this launch of 'product' is not redirected: it stands in the configuration of another launch [WW404]
  // CHECK: (::warpwright::rt::Configure((product<<<1, 1>>>(p, p, f, 0, 0), 1), 1), product_warpwright(p, p, f, 0, 0));
  product<<<(product<<<1, 1>>>(p, p, f, 0, 0), 1), 1>>>(p, p, f, 0, 0);
  printf("\n");
}
