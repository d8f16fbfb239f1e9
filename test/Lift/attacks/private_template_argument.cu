// A private class as the template argument of a kernel, which Clang takes and
// nvcc does not.

#include "attack.h"

// A template argument that is a private class.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
template <class Q>
__global__ void private_argument(ARGS) {
  PLACE
  SUM
  C[row * N + col] = Q::s * acc;
}
class Owner {
  struct Scale {
    static constexpr float s = 3.0f;
  };

public:
  static void go(const Product &p) {
    private_argument<Scale>
        <<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  }
};

int main() {
  Product p;
  Owner::go(p);
  p.show("private_argument");
}
