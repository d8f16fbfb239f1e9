// Objects that are passed to a kernel by value.

#include "attack.h"

// Every copy has another number.
// DECLINES: WW207 'q' is copied more often .* 'Counted' has a copy constructor
struct Counted {
  float scale;
  Counted(float scale) : scale(scale) {}
  __host__ __device__ Counted(const Counted &from) : scale(from.scale + 1.0f) {}
};
#pragma warpwright matmul tile(64, 64, 64)
__global__ void copied_by_code(ARGS, Counted q) {
  PLACE
  SUM
  C[row * N + col] = acc * q.scale;
}

// Destructors count, and the kernel does not even look at the object.
// DECLINES: WW207 'guarded' is copied more often .* 'Guard' has a destructor
static int destroyed = 0;
struct Guard {
  int number;
  __host__ __device__ ~Guard() {
#ifndef __CUDA_ARCH__
    ++destroyed;
#endif
  }
};
struct Guarded : Guard {};
#pragma warpwright matmul tile(64, 64, 64)
__global__ void destroyed_often(ARGS, Guarded guarded) {
  PLACE
  SUM
  STORE
}

// A constructor for everything is a better match than the copy constructor.
// DECLINES: WW207 'q' is .* 'Anything' has a constructor that may be called in
struct Anything {
  float scale = 1.0f;
  Anything() = default;
  Anything(const Anything &) = default;
  Anything(Anything &&) = default;
  template <class Other>
  __host__ __device__ Anything(Other &&other) : scale(other.scale + 1.0f) {}
};
#pragma warpwright matmul tile(64, 64, 64)
__global__ void taken_for_anything(ARGS, Anything q) {
  PLACE
  SUM
  C[row * N + col] = acc * q.scale;
}

// One of two instances is passed such an object; both share a launcher.
// DECLINES: WW207 'q' is copied more often .* 'Counted' has a copy constructor
struct Plain {
  float scale;
};
#pragma warpwright matmul tile(64, 64, 64)
template <class Scale> __global__ void one_of_two(ARGS, Scale q) {
  PLACE
  SUM
  C[row * N + col] = acc * q.scale;
}

// Copies of these are their bytes, whoever may see them.
// DECLINES: nothing, it is lifted
class Private {
  float scale;
  __half2 pair;

public:
  Private(float scale) : scale(scale), pair() {}
  Private(const Private &) = default;
  template <class Other> Private(const Other &, int) : scale(0), pair() {}
  __device__ float get() const { return scale; }
};
#pragma warpwright matmul tile(64, 64, 64)
__global__ void copied_as_bytes(ARGS, Private q) {
  PLACE
  SUM
  C[row * N + col] = acc * q.get();
}

int main() {
  Product p;
  const Counted counted(2.0f);
  copied_by_code<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, counted);
  p.show("copied_by_code");
  destroyed_often<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, Guarded());
  printf("%d\n", destroyed);
  p.show("destroyed_often");
  Anything anything;
  taken_for_anything<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K,
                                          anything);
  p.show("taken_for_anything");
  one_of_two<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, Plain{2.0f});
  one_of_two<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, counted);
  p.show("one_of_two");
  copied_as_bytes<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K,
                                       Private(2.0f));
  p.show("copied_as_bytes");
}
