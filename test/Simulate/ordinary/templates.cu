// Templates: kernels by type and size, specialisations, variadic functors.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"
#include <type_traits>
#include <vector>

template <class T> struct Shared; // a type's own dynamic shared memory
template <> struct Shared<int> {
  __device__ static int *get() {
    extern __shared__ int ints[];
    return ints;
  }
};
template <> struct Shared<double> {
  __device__ static double *get() {
    extern __shared__ double doubles[];
    return doubles;
  }
};

template <class T, int Items, bool Reverse = false>
__global__ void rotate(const T *in, T *out) {
  T *s = Shared<T>::get();
  T local[Items];
#pragma unroll
  for (int i = 0; i < Items; ++i) {
    local[i] = in[threadIdx.x * Items + i];
    s[threadIdx.x * Items + i] = local[i];
  }
  __syncthreads();
  for (int i = 0; i < Items; ++i) {
    const int at = threadIdx.x * Items + i, n = blockDim.x * Items;
    if constexpr (Reverse)
      out[at] = s[n - 1 - at] + local[i];
    else
      out[at] = s[(at + 1) % n] - local[i];
  }
}

template <class... F> struct Chain;
template <> struct Chain<> {
  template <class T> __host__ __device__ T operator()(T x) const { return x; }
};
template <class First, class... Rest> struct Chain<First, Rest...> {
  First first;
  Chain<Rest...> rest;
  template <class T> __host__ __device__ T operator()(T x) const {
    return rest(first(x));
  }
};
struct Double {
  template <class T> __host__ __device__ T operator()(T x) const { return x * 2; }
};
template <int N> struct Plus {
  template <class T> __host__ __device__ T operator()(T x) const { return x + N; }
};

template <class T, template <class...> class C, class... F>
__global__ void map(C<F...> f, T *values,
                    std::enable_if_t<std::is_arithmetic<T>::value, int> n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    values[i] = f(values[i]);
}

template <class T, int Items, bool Reverse> void check() {
  const int threads = 16, n = threads * Items;
  std::vector<T> in(n), out(n);
  for (int i = 0; i < n; ++i)
    in[i] = static_cast<T>(i * i % 23);
  Device<T> din(in.data(), n), dout(n);
  rotate<T, Items, Reverse><<<1, threads, n * sizeof(T)>>>(din, dout);
  dout.get(out.data());
  for (int i = 0; i < n; ++i)
    EXPECT(out[i] == (Reverse ? in[n - 1 - i] + in[i] : in[(i + 1) % n] - in[i]));
}

int main() {
  check<int, 1, false>();
  check<int, 3, true>();
  check<double, 2, false>();
  check<double, 4, true>();
  float values[5] = {1, 2, 3, 4, 5};
  Device<float> d(values, 5);
  const Chain<Double, Plus<3>, Double> chain = {};
  map<<<1, 2>>>(chain, d.data, 5);
  d.get(values);
  for (int i = 0; i < 5; ++i)
    EXPECT(values[i] == chain(static_cast<float>(i + 1)) &&
           values[i] == ((i + 1) * 2 + 3) * 2);
  return verdict();
}
