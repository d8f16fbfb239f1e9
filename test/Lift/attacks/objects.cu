// Objects: destructors, virtual calls, references, lambdas, operators,
// inheritance.

#include "attack.h"

// A destructor that doubles the sum at the end of its scope.
// DECLINES: WW2|WW30[24567]|WW4
struct Doubler {
  float *p;
  __device__ ~Doubler() { *p *= 2.0f; }
};
#pragma warpwright matmul tile(64, 64, 64)
__global__ void destructor(ARGS) {
  PLACE
  float acc = 0.0f;
  {
    Doubler d{&acc};
    for (int k = 0; k < K; ++k)
      acc += TERM;
  }
  STORE
}

// A call through a reference to the base.
// DECLINES: WW2|WW30[24567]|WW4
struct Base {
  __device__ virtual float apply(float x) const { return x; }
};
struct Twice : Base {
  __device__ float apply(float x) const override { return x * 2.0f; }
};
#pragma warpwright matmul tile(64, 64, 64)
__global__ void virtual_call(ARGS) {
  PLACE
  SUM
  Twice twice;
  Base &base = twice;
  C[row * N + col] = base.apply(acc);
}

// A member that is a reference to the sum.
// DECLINES: WW2|WW30[24567]|WW4
struct Ref {
  float &x;
};
#pragma warpwright matmul tile(64, 64, 64)
__global__ void reference_member(ARGS) {
  PLACE
  SUM
  Ref r{acc};
  r.x *= 2.0f;
  STORE
}

// Two copies of a lambda that changes its capture.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void mutable_lambda(ARGS) {
  PLACE
  SUM
  float n = 1.0f;
  auto f = [n]() mutable {
    n += 1.0f;
    return n;
  };
  auto g = f;
  float a = f();
  float b = g();
  C[row * N + col] = acc * a + b;
}

// The same lambda twice: the second sees the first.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void lambda_called_twice(ARGS) {
  PLACE
  SUM
  int n = 0;
  auto next = [n]() mutable { return ++n; };
  int a = next(), b = next();
  C[row * N + col] = acc * a + b + n;
}

// A lambda that changes the sum by reference.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void lambda_by_reference(ARGS) {
  PLACE
  SUM
  auto bump = [&acc](float x) { return acc += x; };
  float y = bump(2.0f);
  C[row * N + col] = acc * 2.0f - y;
}

// The destructor of a temporary runs at the end of the full expression.
// DECLINES: WW2|WW30[24567]|WW4
struct Adder {
  float *p;
  __device__ explicit Adder(float *p) : p(p) { *p += 1.0f; }
  __device__ ~Adder() { *p += 8.0f; }
  __device__ float value() const { return *p; }
};
#pragma warpwright matmul tile(64, 64, 64)
__global__ void temporary_destructor(ARGS) {
  PLACE
  SUM
  float y = Adder(&acc).value() + acc;
  C[row * N + col] = y + 2.0f * acc;
}

// Two destructors in the reverse order.
// DECLINES: WW2|WW30[24567]|WW4
struct Times {
  float *p;
  __device__ ~Times() { *p *= 3.0f; }
};
struct Plus {
  float *p;
  __device__ ~Plus() { *p += 1.0f; }
};
#pragma warpwright matmul tile(64, 64, 64)
__global__ void destructor_order(ARGS) {
  PLACE
  SUM
  {
    Times t{&acc};
    Plus p{&acc};
  }
  STORE
}

// A destructor that runs when the guard leaves.
// DECLINES: WW2|WW30[24567]|WW4
struct Stamp {
  float *p;
  __device__ ~Stamp() { *p = 5.0f; }
};
#pragma warpwright matmul tile(64, 64, 64)
__global__ void destructor_on_return(ARGS) {
  Stamp stamp{C + M * N + blockIdx.x};
  PLACE
  SUM
  STORE
}

// An operator+= that adds one more.
// DECLINES: WW2|WW30[24567]|WW4
struct Counting {
  float v;
  __device__ Counting &operator+=(float x) {
    v += x + 1.0f;
    return *this;
  }
};
#pragma warpwright matmul tile(64, 64, 64)
__global__ void own_accumulate_operator(ARGS) {
  PLACE
  Counting acc{0.0f};
  for (int k = 0; k < K; ++k)
    acc += TERM;
  C[row * N + col] = acc.v;
}

// An operator* that adds.
// DECLINES: WW2|WW30[24567]|WW4
struct Num {
  float v;
};
__device__ Num operator*(Num a, Num b) { return {a.v + b.v}; }
#pragma warpwright matmul tile(64, 64, 64)
__global__ void own_multiply_operator(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += (Num{__half2float(A[row * K + k])} * Num{__half2float(B[k * N + col])}).v;
  STORE
}

// A conversion operator with a side effect on itself.
// DECLINES: WW2|WW30[24567]|WW4
struct Once {
  float v;
  int used;
  __device__ operator float() { return used++ ? 0.0f : v; }
};
#pragma warpwright matmul tile(64, 64, 64)
__global__ void conversion_operator(ARGS) {
  PLACE
  SUM
  Once once{acc, 0};
  float a = once, b = once;
  C[row * N + col] = a + 2.0f * b;
}

// A member of the derived class hides that of the base.
// DECLINES: WW2|WW30[24567]|WW4
struct Holder {
  float v;
  __device__ float base() const { return v; }
};
struct Derived : Holder {
  float v;
};
#pragma warpwright matmul tile(64, 64, 64)
__global__ void hidden_member(ARGS) {
  PLACE
  Derived d;
  d.Holder::v = 2.0f;
  d.v = 3.0f;
  SUM
  C[row * N + col] = acc * d.Holder::v + d.v + d.base();
}

// Two bases of the same layout.
// DECLINES: WW2|WW30[24567]|WW4
struct Left {
  float x;
};
struct Right {
  float x;
};
struct Both : Left, Right {};
#pragma warpwright matmul tile(64, 64, 64)
__global__ void two_bases(ARGS) {
  PLACE
  SUM
  Both both;
  both.Left::x = 1.0f;
  both.Right::x = 2.0f;
  Right *right = &both;
  right->x += acc;
  C[row * N + col] = both.Left::x + 2.0f * both.Right::x;
}

// A virtual call that depends on the column.
// DECLINES: WW2|WW30[24567]|WW4
struct Shape {
  __device__ virtual float f(float x) = 0;
};
struct ShapeA : Shape {
  __device__ float f(float x) override { return x + 1.0f; }
};
struct ShapeB : Shape {
  __device__ float f(float x) override { return 2.0f * x; }
};
#pragma warpwright matmul tile(64, 64, 64)
__global__ void virtual_base_pointer(ARGS) {
  PLACE
  SUM
  ShapeA a;
  ShapeB b;
  Shape *s = col % 2 ? (Shape *)&a : (Shape *)&b;
  C[row * N + col] = s->f(acc);
}

// An object is built over the sum's own storage, and others in bytes.
// DECLINES: nothing, it is lifted
struct Fresh {
  float v;
  __device__ explicit Fresh(int n) : v(n + 0.5f) {}
  __device__ ~Fresh() { v = -1.0f; }
};
#pragma warpwright matmul tile(64, 64, 64)
__global__ void placement_new(ARGS) {
  PLACE
  SUM
  alignas(Fresh) unsigned char bytes[sizeof(Fresh)];
  Fresh *first = new (bytes) Fresh(row);
  float sum = acc + first->v;
  first->~Fresh();
  first = ::new (static_cast<void *>(bytes)) Fresh(7);
  float *both = new (&acc) float[1]{sum + first->v};
  sum = both[0];
  new (&acc) Fresh(col);
  C[row * N + col] = acc + sum;
}

// A union of a float and its bits.
// DECLINES: WW2|WW30[24567]|WW4
union Pun {
  float f;
  unsigned u;
};
#pragma warpwright matmul tile(64, 64, 64)
__global__ void union_pun(ARGS) {
  PLACE
  SUM
  Pun pun;
  pun.f = acc;
  pun.u ^= 0x80000000u;
  C[row * N + col] = pun.f + 1.0f;
}

// A union of an int and two shorts.
// DECLINES: WW2|WW30[24567]|WW4
union Words {
  int whole;
  short part[2];
};
#pragma warpwright matmul tile(64, 64, 64)
__global__ void union_halves(ARGS) {
  PLACE
  SUM
  Words w;
  w.whole = 0x00030002 + col;
  w.part[1] += 1;
  C[row * N + col] = acc + (w.whole >> 8);
}

// A call through a pointer chosen by a parameter.
// DECLINES: WW2|WW30[24567]|WW4
__device__ float plus_one(float x) { return x + 1.0f; }
__device__ float times_two(float x) { return x * 2.0f; }
#pragma warpwright matmul tile(64, 64, 64)
__global__ void function_pointer(ARGS, int mode) {
  PLACE
  SUM
  float (*f)(float) = mode ? &plus_one : &times_two;
  C[row * N + col] = f(acc);
}

// A pointer to a data member.
// DECLINES: WW2|WW30[24567]|WW4
struct Pair {
  float x, y;
};
#pragma warpwright matmul tile(64, 64, 64)
__global__ void member_pointer(ARGS, int mode) {
  PLACE
  SUM
  Pair pair{1.0f, 2.0f};
  float Pair::*m = mode ? &Pair::x : &Pair::y;
  C[row * N + col] = acc * (pair.*m);
}

// A member function that returns a reference to what it changes.
// DECLINES: WW2|WW30[24567]|WW4
struct Box {
  float v;
  __device__ float &get() { return v; }
};
#pragma warpwright matmul tile(64, 64, 64)
__global__ void member_by_reference(ARGS) {
  PLACE
  SUM
  Box box{acc};
  box.get() += 1.0f;
  box.get() = box.get() * 2.0f;
  C[row * N + col] = box.v;
}

// A copy constructor that adds one.
// DECLINES: WW2|WW30[24567]|WW4
struct NoisyCopy {
  float v;
  __device__ explicit NoisyCopy(float v) : v(v) {}
  __device__ NoisyCopy(const NoisyCopy &o) : v(o.v + 1.0f) {}
};
#pragma warpwright matmul tile(64, 64, 64)
__global__ void copy_constructor(ARGS) {
  PLACE
  SUM
  NoisyCopy a(acc);
  NoisyCopy b = a;
  NoisyCopy c(b);
  C[row * N + col] = c.v;
}

// Default member initialisers and a delegating constructor.
// DECLINES: WW2|WW30[24567]|WW4
struct Defaults {
  float v = 1.0f, scale = 2.0f, shift = v + 3.0f;
  __device__ Defaults() : v(5.0f) {}
  __device__ explicit Defaults(float x) : Defaults() { v += x; }
};
#pragma warpwright matmul tile(64, 64, 64)
__global__ void default_member(ARGS) {
  PLACE
  SUM
  Defaults d(acc);
  C[row * N + col] = d.v * d.scale + d.shift;
}

// A default argument that calls.
// DECLINES: WW2|WW30[24567]|WW4
__device__ int three() { return 3; }
__device__ float scaled(float x, int n = three()) { return x * n; }
#pragma warpwright matmul tile(64, 64, 64)
__global__ void default_argument(ARGS) {
  PLACE
  SUM
  C[row * N + col] = scaled(acc) + scaled(acc, 1);
}

// Constants of a class template and its specialisation.
// DECLINES: WW2|WW30[24567]|WW4
template <class T> struct Factor {
  static constexpr int value = 2;
};
template <> struct Factor<int> {
  static constexpr int value = -3;
};
#pragma warpwright matmul tile(64, 64, 64)
__global__ void static_member_constant(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc * Factor<float>::value + Factor<int>::value;
}

// A range-based for over a local array.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void range_for(ARGS) {
  PLACE
  SUM
  float bias = 0.0f;
  const float weights[] = {1.0f, -2.0f, 4.0f};
  for (const float &w : weights)
    bias = bias * 2.0f + w;
  C[row * N + col] = acc + bias;
}

// A structured binding by reference.
// DECLINES: WW2|WW30[24567]|WW4
struct Point {
  float a, b;
};
#pragma warpwright matmul tile(64, 64, 64)
__global__ void structured_binding(ARGS) {
  PLACE
  SUM
  Point q{acc, 2.0f};
  auto &[x, y] = q;
  x += y;
  C[row * N + col] = q.a - q.b;
}

int main() {
  Product p;
  destructor<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("destructor");
  virtual_call<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("virtual_call");
  reference_member<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("reference_member");
  mutable_lambda<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("mutable_lambda");
  lambda_called_twice<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("lambda_called_twice");
  lambda_by_reference<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("lambda_by_reference");
  temporary_destructor<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("temporary_destructor");
  destructor_order<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("destructor_order");
  destructor_on_return<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("destructor_on_return");
  own_accumulate_operator<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("own_accumulate_operator");
  own_multiply_operator<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("own_multiply_operator");
  conversion_operator<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("conversion_operator");
  hidden_member<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("hidden_member");
  two_bases<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("two_bases");
  virtual_base_pointer<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("virtual_base_pointer");
  placement_new<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("placement_new");
  union_pun<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("union_pun");
  union_halves<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("union_halves");
  function_pointer<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 0);
  p.show("function_pointer");
  member_pointer<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 0);
  p.show("member_pointer");
  member_by_reference<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("member_by_reference");
  copy_constructor<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("copy_constructor");
  default_member<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("default_member");
  default_argument<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("default_argument");
  static_member_constant<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("static_member_constant");
  range_for<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("range_for");
  structured_binding<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("structured_binding");
}
