// Names that a generated section must not confuse.

#include "attack.h"

// A namespace that holds the names of the runtime.
// DECLINES: WW2|WW30[24567]|WW4
namespace app {
namespace warpwright {
namespace rt {
struct Launch {};
} // namespace rt
} // namespace warpwright
namespace rt {
struct Problem {};
} // namespace rt
struct extents {};
struct tile_grid {};
struct dim3 {};
typedef double int64_t;
struct CUtensorMap {};
int floor_div;
struct cudaStream_t {};
#pragma warpwright matmul tile(64, 64, 64)
__global__ void inside(ARGS) {
  PLACE
  SUM
  STORE
}
} // namespace app

// Local variables called as the launcher and the runtime.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void shadowed(ARGS) {
  PLACE
  SUM
  STORE
}

// A function of the user called value.
// DECLINES: WW2|WW30[24567]|WW4
__device__ float value(float x, int a, int b, int c) {
  return sqrtf(fabsf(x)) + a;
}
#pragma warpwright matmul tile(64, 64, 64)
__global__ void calls_value(ARGS) {
  PLACE
  SUM
  C[row * N + col] = value(acc, row, col, 0);
}

// A member called as the launcher hides it.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void hidden_launcher(ARGS) {
  PLACE
  SUM
  STORE
}
struct Launcher {
  int hidden_launcher_warpwright = 3;
  void go(const Product &p) {
    hidden_launcher<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  }
};

// A typedef inside the kernel.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void local_typedef(ARGS) {
  PLACE
  SUM
  typedef int Whole;
  C[row * N + col] = (float)(Whole)(acc * 0.5f);
}

// A private static member function of which the kernel is a friend.
// DECLINES: WW2|WW30[24567]|WW4
class Activation;
__global__ void private_static(ARGS);
class Activation {
  static __device__ float relu(float x) { return sqrtf(fabsf(x)); }
  friend __global__ void private_static(ARGS);
};
#pragma warpwright matmul tile(64, 64, 64)
__global__ void private_static(ARGS) {
  PLACE
  SUM
  C[row * N + col] = Activation::relu(acc);
}

// A parameter called acc, and one called k.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void named_acc(ARGS, int acc, int k, int m, int n) {
  PLACE
  float sum = 0.0f;
  for (int i = 0; i < K; ++i)
    sum += __half2float(A[row * K + i]) * __half2float(B[i * N + col]);
  C[row * N + col] = sum + acc * k + m - n;
}

// A macro called m stands for a number.
// DECLINES: WW2|WW30[24567]|WW4
#define m 5
#define int64 7
#pragma warpwright matmul tile(64, 64, 64)
__global__ void macro_m(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc + m + int64;
}

// A struct inside the kernel whose member is called.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void local_function_struct(ARGS) {
  PLACE
  SUM
  struct Local {
    static __device__ float twice(float x) { return 2.0f * x + sqrtf(fabsf(x)); }
  };
  C[row * N + col] = Local::twice(acc);
}

// A namespace alias inside the kernel.
// DECLINES: WW2|WW30[24567]|WW4
namespace deep {
namespace inner {
__device__ float act(float x) { return sqrtf(fabsf(x)) - 1.0f; }
} // namespace inner
} // namespace deep
#pragma warpwright matmul tile(64, 64, 64)
__global__ void alias_of_namespace(ARGS) {
  PLACE
  SUM
  namespace alias = deep::inner;
  C[row * N + col] = alias::act(acc);
}

// A using-directive inside the kernel picks one of two.
// DECLINES: WW2|WW30[24567]|WW4
namespace first {
__device__ float chosen(float x) { return sqrtf(fabsf(x)); }
} // namespace first
namespace second {
__device__ float chosen(float x) { return sqrtf(fabsf(x)) + 9.0f; }
} // namespace second
#pragma warpwright matmul tile(64, 64, 64)
__global__ void using_inside(ARGS) {
  PLACE
  SUM
  using namespace second;
  C[row * N + col] = chosen(acc);
}

// A function found through its argument's namespace.
// DECLINES: WW2|WW30[24567]|WW4
namespace lib {
struct Tag {};
__device__ float act(Tag, float x) { return sqrtf(fabsf(x)) + 2.0f; }
} // namespace lib
__device__ float act(int, float x) { return x; }
#pragma warpwright matmul tile(64, 64, 64)
__global__ void found_by_argument(ARGS) {
  PLACE
  SUM
  C[row * N + col] = act(lib::Tag{}, acc);
}

// An overload that is declared only after the kernel fits better.
// DECLINES: WW2|WW30[24567]|WW4
__device__ float overloaded(double x) { return sqrtf(fabsf((float)x)); }
#pragma warpwright matmul tile(64, 64, 64)
__global__ void redefined_later(ARGS) {
  PLACE
  SUM
  C[row * N + col] = overloaded(acc);
}
__device__ float overloaded(float x) { return x - 100.0f; }

// A parameter called as the launcher, which calls itself with a configuration.
// DECLINES: WW406 a parameter has the name of its launcher
#pragma warpwright matmul tile(64, 64, 64)
__global__ void named_as_launcher(ARGS, float named_as_launcher_warpwright) {
  PLACE
  SUM
  C[row * N + col] = acc * named_as_launcher_warpwright;
}

int main() {
  Product p;
  app::inside<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("inside");
  {
    int shadowed_warpwright = 1;
    int warpwright = 2;
    shadowed<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
    printf("%d\n", shadowed_warpwright + warpwright);
  }
  p.show("shadowed");
  calls_value<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("calls_value");
  Launcher launcher;
  launcher.go(p);
  p.show("hidden_launcher");
  local_typedef<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("local_typedef");
  private_static<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("private_static");
  named_acc<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 1, 2, 3, 4);
  p.show("named_acc");
  macro_m<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("macro_m");
  local_function_struct<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("local_function_struct");
  alias_of_namespace<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("alias_of_namespace");
  using_inside<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("using_inside");
  found_by_argument<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("found_by_argument");
  redefined_later<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("redefined_later");
  named_as_launcher<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 2.0f);
  p.show("named_as_launcher");
}
