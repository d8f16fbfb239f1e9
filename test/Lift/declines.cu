// What cannot be proven is declined at the first fact that failed.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse 2>&1 | FileCheck %s --implicit-check-not=contraction

#include <cuda_fp16.h>

#define PLACE                                                                  \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row >= M || col >= N)                                                    \
    return;                                                                    \
  float acc = 0.0f;
#define ARGS const half *A, const half *B, half *C, int M, int N, int K
#define TERM __half2float(A[row * K + k]) * __half2float(B[k * N + col])
#define FINISH C[row * N + col] = __float2half(acc);

// CHECK: :[[#@LINE+6]]:22: warning: 'decays' is not rewritten: a value is handed from one iteration to the next, but not by adding to it [WW202]
#pragma warpwright matmul
// clang-format off
__global__ void decays(ARGS) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc = 0.9f * acc + TERM;
  FINISH
}

// CHECK: 'depends_on_running_sum' is not rewritten: a value adds something that depends on earlier iterations [WW202]
#pragma warpwright matmul
__global__ void depends_on_running_sum(ARGS) {
  PLACE
  float other = 0.0f;
  for (int k = 0; k < K; ++k) {
    other += acc;
    acc += TERM;
  }
  C[row * N + col] = __float2half(other);
}

// CHECK: 'maximum' is not rewritten: a value has 'fmaxf' applied to it in every iteration, which is not an addition in any order [WW202]
#pragma warpwright matmul
__global__ void maximum(ARGS) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc = fmaxf(acc, TERM);
  FINISH
}

// CHECK: 'int_sum' is not rewritten: a value is cut to 'int' after every addition, so that the result depends on the order of the additions [WW202]
#pragma warpwright matmul
__global__ void int_sum(const float *A, const float *B, int *C, int M, int N, int K) {
  PLACE
  int sum = 0;
  for (int k = 0; k < K; ++k)
    sum += A[row * K + k] * B[k * N + col];
  C[row * N + col] = sum;
}

// In memory it is no other.
// CHECK: 'int_element' is not rewritten: the stored value is cut to 'unsigned int' after every addition, so that the result depends on the order of the additions [WW202]
#pragma warpwright matmul
__global__ void int_element(const float *A, const float *B, unsigned *C, int M, int N, int K) {
  PLACE
  C[row * N + col] = 0;
  for (int k = 0; k < K; ++k)
    C[row * N + col] += A[row * K + k] * B[k * N + col];
}

// CHECK: 'rounded_products' is not rewritten: each product is multiplied by a number that may have many digits and rounded to f16 before it is added [WW217]
#pragma warpwright matmul
__global__ void rounded_products(ARGS) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += __half2float(__float2half(TERM * 0.3f));
  FINISH
}

// CHECK: 'rounded_by_root' is not rewritten: each product is multiplied by a number that may have many digits and rounded to f16 before it is added [WW217]
#pragma warpwright matmul
__global__ void rounded_by_root(ARGS) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += __half2float(__float2half(TERM * rsqrtf(float(K))));
  FINISH
}

// CHECK: 'thirds_in_half' is not rewritten: each product is multiplied by a number that may have many digits and rounded to f16 before it is added [WW217]
#pragma warpwright matmul
__global__ void thirds_in_half(ARGS) {
  PLACE
  half sum = 0;
  for (int k = 0; k < K; ++k)
    sum += __hmul(A[row * K + k] * B[k * N + col], __float2half(0.3f));
  C[row * N + col] = sum;
}

// The products of two bytes and 3 have more digits than a half.
// CHECK: 'thrice_bytes' is not rewritten: each product is multiplied by a number that may have many digits and rounded to f16 before it is added [WW217]
#pragma warpwright matmul
__global__ void thrice_bytes(const signed char *A, const signed char *B, float *C, int M, int N, int K) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += __half2float(__float2half(float(A[row * K + k]) * float(B[k * N + col]) * 3));
  C[row * N + col] = acc;
}

// CHECK: 'int_products' is not rewritten: each product is cut to 'int' before it is added [WW217]
#pragma warpwright matmul
__global__ void int_products(const float *A, const float *B, float *C, int M, int N, int K) {
  PLACE
  int sum = 0;
  for (int k = 0; k < K; ++k)
    sum += (int)(A[row * K + k] * B[k * N + col]);
  C[row * N + col] = sum;
}

// CHECK: 'rounds_down' is not rewritten: a value has '__fmaf_rd' applied to it in every iteration, which is not an addition in any order [WW202]
#pragma warpwright matmul
__global__ void rounds_down(const float *A, const float *B, float *C, int M, int N, int K) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc = __fmaf_rd(A[row * K + k], B[k * N + col], acc);
  C[row * N + col] = acc;
}

// CHECK: :[[#@LINE+4]]:3: warning: 'breaks' is not rewritten: how often the loop runs depends on data that it loads or computes [WW203]
#pragma warpwright matmul
__global__ void breaks(ARGS) {
  PLACE
  for (int k = 0; k < K; ++k) {
    if (acc > 10.0f)
      break;
    acc += TERM;
  }
  FINISH
}

// CHECK: 'returns_inside' is not rewritten: the loop is left early, so how many products are summed depends on the data or the thread [WW203]
#pragma warpwright matmul
__global__ void returns_inside(ARGS) {
  PLACE
  for (int k = 0; k < K; ++k) {
    if (acc > 10.0f)
      return;
    acc += TERM;
  }
  FINISH
}

// CHECK: 'counts_away' is not rewritten: the loop does not count toward its bound [WW203]
#pragma warpwright matmul
__global__ void counts_away(ARGS) {
  PLACE
  for (int k = 0; k < K; --k)
    acc += TERM;
  FINISH
}

// CHECK: 'gathers' is not rewritten: which element is meant depends on loaded data [WW204]
#pragma warpwright matmul
__global__ void gathers(ARGS, const int *index) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * K + index[k]]) * __half2float(B[k * N + col]);
  FINISH
}

// CHECK: 'squares_the_row' is not rewritten: the element of 'A' that is multiplied is not an affine function of rows, columns and the loop counter [WW204]
#pragma warpwright matmul
__global__ void squares_the_row(ARGS) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * row + k]) * __half2float(B[k * N + col]);
  FINISH
}

// CHECK: 'same_element' is not rewritten: several threads or iterations store to the same element [WW205]
#pragma warpwright matmul
__global__ void same_element(ARGS) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += TERM;
  C[row] = __float2half(acc);
}

// CHECK: 'stores_nothing' is not rewritten: it stores nothing through a pointer parameter [WW206]
#pragma warpwright matmul
__global__ void stores_nothing(ARGS) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += TERM;
}

// CHECK: 'copies' is not rewritten: what is stored here is not a sum over a loop [WW206]
#pragma warpwright matmul
__global__ void copies(ARGS) {
  PLACE
  C[row * N + col] = A[row * N + col];
}

// CHECK: 'in_place' is not rewritten: 'C' is both multiplied and stored to [WW208]
#pragma warpwright matmul
__global__ void in_place(half *C, const half *B, int M, int N, int K) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += __half2float(C[row * K + k]) * __half2float(B[k * N + col]);
  FINISH
}

// CHECK: 'no_barrier' is not rewritten: 'tile' is read here before a __syncthreads() that comes after the store of another thread [WW221]
#pragma warpwright matmul
__global__ void no_barrier(ARGS) {
  __shared__ half tile[16];
  PLACE
  if (threadIdx.y == 0)
    tile[threadIdx.x] = B[col];
  for (int k = 0; k < K; ++k)
    acc += TERM * __half2float(tile[15 - threadIdx.x]);
  FINISH
}

// CHECK: 'some_wait' is not rewritten: only some threads of a block may reach this barrier [WW222]
#pragma warpwright matmul
__global__ void some_wait(ARGS) {
  __shared__ half tile[16][16];
  PLACE
  if (A[row * K] == B[col])
    return;
  tile[threadIdx.y][threadIdx.x] = A[row * K];
  __syncthreads();
  for (int k = 0; k < K; ++k)
    acc += TERM;
  FINISH
}

// CHECK: 'not_filled' is not rewritten: 'tile' is read here at an element that no thread may have stored [WW223]
#pragma warpwright matmul
__global__ void not_filled(ARGS) {
  __shared__ half tile[16][16];
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  float acc = 0.0f;
  if (row < 3)
    tile[threadIdx.y][threadIdx.x] = A[row * K];
  __syncthreads();
  for (int k = 0; k < K; ++k)
    acc += TERM * __half2float(tile[threadIdx.x][threadIdx.y]);
  FINISH
}

// Nothing comes between the first tile and its use in the first iteration.
// CHECK: 'first_unseen' is not rewritten: 'tile' is read here where it may still hold what an earlier iteration stored [WW223]
#pragma warpwright matmul
__global__ void first_unseen(ARGS) {
  __shared__ half tile[2][16][16];
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float acc = 0.0f;
  tile[0][threadIdx.y][threadIdx.x] = A[row * K + threadIdx.x];
  for (int t = 0; t < K / 16; ++t) {
    if (t + 1 < K / 16)
      tile[(t + 1) & 1][threadIdx.y][threadIdx.x] = A[row * K + (t + 1) * 16 + threadIdx.x];
    for (int k = 0; k < 16; ++k)
      acc += __half2float(tile[t & 1][threadIdx.y][k]) * __half2float(B[(t * 16 + k) * N + col]);
    __syncthreads();
  }
  FINISH
}

// CHECK: 'atomic' is not rewritten: several threads add to the same element, in an order that is not fixed: let one thread sum all that is added to it [WW210]
#pragma warpwright matmul
__global__ void atomic(ARGS, float *total) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += TERM;
  atomicAdd(total, acc);
}

__device__ float elsewhere(const half *p);

// CHECK: 'external_call' is not rewritten: 'elsewhere' is called, and its body is not in this file [WW211]
#pragma warpwright matmul
__global__ void external_call(ARGS) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += elsewhere(A + row * K + k) * __half2float(B[k * N + col]);
  FINISH
}

// As in Clang's headers, without what is done there.
namespace __cuda_tex {
struct fetch {
  static __device__ float run(unsigned long long texture, int x);
};
}

// CHECK: 'texture' is not rewritten: a texture or surface is accessed; only pointers are followed [WW211]
#pragma warpwright matmul
__global__ void texture(ARGS, unsigned long long T) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * K + k]) * __cuda_tex::fetch::run(T, k * N + col);
  FINISH
}

// CHECK: 'neighbour' is not rewritten: 'C' is read at another element than the one that is stored [WW212]
#pragma warpwright matmul
__global__ void neighbour(ARGS) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += TERM;
  C[row * N + col] = __float2half(acc + __half2float(C[row * N + col + 1]));
}

// CHECK: 'triangular' is not rewritten: the range of the sum differs from one output element to another [WW216]
#pragma warpwright matmul
__global__ void triangular(ARGS) {
  PLACE
  for (int k = 0; k <= row; ++k)
    acc += TERM;
  FINISH
}

// CHECK: 'lower_half' is not rewritten: the condition under which this element is stored does not bound one index at a time, but compares two with each other, as that of a triangle does; a kernel that stores zeros or -INFINITY elsewhere is rewritten [WW216]
#pragma warpwright matmul
__global__ void lower_half(ARGS) {
  PLACE
  if (col > row)
    return;
  for (int k = 0; k < K; ++k)
    acc += TERM;
  FINISH
}

// CHECK: 'masked' is not rewritten: whether this element is stored depends on loaded data [WW216]
#pragma warpwright matmul
__global__ void masked(ARGS, const float *mask) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += TERM;
  if (mask[row * N + col] > 0.0f)
    FINISH
}

// CHECK: 'band' is not rewritten: whether this element is stored depends on what 'abs' computes [WW216]
#pragma warpwright matmul
__global__ void band(ARGS) {
  PLACE
  if (abs(col - row) > 5)
    return;
  for (int k = 0; k < K; ++k)
    acc += TERM;
  FINISH
}

// CHECK: 'upper_rows' is not rewritten: whether this element is stored depends on a computation in floating point [WW216]
#pragma warpwright matmul
__global__ void upper_rows(ARGS) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += TERM;
  if (row * 0.3f < 7.0f)
    FINISH
}

// CHECK: 'power_of_rows' is not rewritten: whether this element is stored depends on a shift by an unknown amount [WW216]
#pragma warpwright matmul
__global__ void power_of_rows(ARGS) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += TERM;
  if (row < 1 << K)
    FINISH
}

// CHECK: 'power_of_columns' is not rewritten: which element is meant depends on a shift by an unknown amount [WW204]
#pragma warpwright matmul
__global__ void power_of_columns(ARGS) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += TERM;
  C[row * (1 << N) + col] = acc;
}

// CHECK: 'bits_reversed' is not rewritten: which element is meant depends on what '__brev' computes [WW204]
#pragma warpwright matmul
__global__ void bits_reversed(ARGS) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[(__brev(row) >> 22) * K + k]) * __half2float(B[k * N + col]);
  FINISH
}

// CHECK: 'difference' is not rewritten: {{.*}} [WW217]
#pragma warpwright matmul
__global__ void difference(ARGS) {
  PLACE
  for (int k = 0; k < K; ++k) {
    float d = __half2float(A[row * K + k]) - __half2float(B[k * N + col]);
    acc += d * d;
  }
  FINISH
}

// CHECK: 'uninitialised' is not rewritten: 'sum' is used without having been set [WW215]
#pragma warpwright matmul
__global__ void uninitialised(ARGS) {
  PLACE
  float sum;
  for (int k = 0; k < K; ++k)
    sum += TERM;
  C[row * N + col] = __float2half(sum);
}

// CHECK: 'assembly' is not rewritten: inline assembly cannot be analysed [WW201]
#pragma warpwright matmul
__global__ void assembly(ARGS) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += TERM;
  asm volatile("nanosleep.u32 100;");
  FINISH
}

// CHECK: 'two_stores' is not rewritten: 'C' is stored to in several places{{.*}} [WW201]
#pragma warpwright matmul
__global__ void two_stores(ARGS) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += TERM;
  FINISH
  C[row * N + col + 7] = __float2half(-acc);
}

// CHECK: 'four_outputs' is not rewritten: an index of the output moves neither operand [WW216]
#pragma warpwright matmul
__global__ void four_outputs(const float *A, const float *B, float *C, int M, int N, int K) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += A[row * K + k] * B[k * N + col];
  reinterpret_cast<float4 *>(C)[row * N + col] = make_float4(acc, acc, acc, acc);
}

// CHECK: 'bias_in_pairs' is not rewritten: 'bias' points to vectors, and is used for more than an operand of the product [WW207]
#pragma warpwright matmul
__global__ void bias_in_pairs(const float *A, const float *B, const int2 *bias, float *C, int M, int N, int K) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += A[row * K + k] * B[k * N + col];
  C[row * N + col] = acc + bias[col].x;
}

// CHECK: 'other_type' is not rewritten: a number is used as another type than it was stored as [WW207]
#pragma warpwright matmul
__global__ void other_type(ARGS) {
  PLACE
  for (int k = 0; k < K; k += 2) {
    float2 a = *reinterpret_cast<const float2 *>(A + row * K + k);
    acc += a.x * __half2float(B[k * N + col]);
  }
  FINISH
}

// CHECK: 'added_up_by_lanes' is not rewritten: '__shfl_xor_sync' gives what other threads computed [WW211]
#pragma warpwright matmul
__global__ void added_up_by_lanes(const float *A, const float *B, float *C, int M, int N, int K) {
  int row = blockIdx.y, col = blockIdx.x;
  float acc = 0;
  for (int k = threadIdx.x; k < K; k += 32)
    acc += A[row * K + k] * B[col * K + k];
  for (int offset = 16; offset > 0; offset /= 2)
    acc += __shfl_xor_sync(0xffffu, acc, offset);
  if (threadIdx.x == 0)
    C[row * N + col] = acc;
}

// CHECK: 'distance' is not rewritten: how often the loop runs is not understood: this pointer arithmetic is not understood [WW203]
#pragma warpwright matmul
__global__ void distance(const float *A, const float *B, float *C, int M, int N, int K) {
  PLACE
  const float4 *first = reinterpret_cast<const float4 *>(A), *last = reinterpret_cast<const float4 *>(A + K);
  for (int k = 0; k < last - first; ++k)
    acc += A[row * K + k] * B[k * N + col];
  C[row * N + col] = acc;
}

template <class F>
__device__ void product(ARGS, F f) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += TERM;
  C[row * N + col] = __float2half(f(acc));
}
// CHECK: 'with_functor{{.*}}' is not rewritten: its template argument names '(lambda at {{.*}})', which is declared in a function [WW406]
#pragma warpwright matmul
template <class F>
__global__ void with_functor(ARGS, F f) { product(A, B, C, M, N, K, f); }
void launch(const half *A, half *C) {
  with_functor<<<1, 1>>>(A, A, C, 1, 1, 1, [] __device__(float x) { return x; });
}

// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: warning: 'by_reference' is not rewritten: 'scale' is passed by reference, and the launcher passes values [WW207]
#pragma warpwright matmul
__global__ void by_reference(ARGS, const int &scale) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += TERM;
  FINISH
}

// Moved objects are passed to a launch, which copies nothing. A launcher does.
// CHECK: :[[#@LINE+7]]:{{[0-9]+}}: warning: 'by_move' is not rewritten: 'scale' is copied more often by a launcher than by a launch, and 'Moved' cannot be copied [WW207]
struct Moved {
  float factor;
  Moved(Moved &&) = default;
  Moved(const Moved &) = delete;
};
#pragma warpwright matmul
__global__ void by_move(ARGS, Moved scale) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += TERM * scale.factor;
  FINISH
}

// CHECK: 'by_move_of_member' is not rewritten: 'scale' is copied more often by a launcher than by a launch, and 'MovedToo' cannot be copied [WW207]
struct MovedToo {
  float factor;
  MovedToo(MovedToo &&) = default;
};
struct AroundMoved {
  int number;
  MovedToo inner[2];
};
#pragma warpwright matmul
__global__ void by_move_of_member(ARGS, AroundMoved scale) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += TERM * scale.inner[1].factor;
  FINISH
}

// CHECK: 'by_bits' is not rewritten: 'flags.transposed' is a bit-field, which is not supported inside of a parameter [WW207]
struct Flags {
  unsigned transposed : 1;
};
#pragma warpwright matmul
__global__ void by_bits(ARGS, Flags flags) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[flags.transposed ? k * M + row : row * K + k]) *
           __half2float(B[k * N + col]);
  FINISH
}

// CHECK: 'of_two_bases' is not rewritten: 'limits.size' may be a member of more than one of the classes that the parameter's class inherits from [WW207]
struct Rows {
  int size;
};
struct Columns {
  int size;
};
struct Limits : Rows, Columns {};
#pragma warpwright matmul
__global__ void of_two_bases(ARGS, Limits limits) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += TERM;
  if (limits.Rows::size > row)
    FINISH
}

// A function that sets only some elements of an array that it returns.
struct Three {
  float Elements[3];
};
__device__ Three firstOf(const float *P) {
  Three T;
  T.Elements[0] = P[0], T.Elements[1] = P[1];
  return T;
}
// CHECK: [[@LINE-2]]:{{.*}}'element_not_set' is not rewritten: a value is used without having been set [WW215]
#pragma warpwright matmul
__global__ void element_not_set(const float *A, const float *B, float *C, int M,
                                int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  float acc = 0;
  for (int k = 0; k < K; k += 3) {
    const Three a = firstOf(A + row * K + k), b = firstOf(B + col * K + k);
    acc += a.Elements[0] * b.Elements[0];
    acc += a.Elements[1] * b.Elements[1];
    acc += a.Elements[2] * b.Elements[2];
  }
  C[row * N + col] = acc;
}

// A variable that starts at zero again, but not in every iteration.
//
// CHECK: 'sometimes_from_zero' is not rewritten: the stored value adds something that depends on earlier iterations [WW202]
#pragma warpwright matmul
__global__ void sometimes_from_zero(const half *A, const half *B, float *C, int M, int N, int K) {
  PLACE
  for (int k = 0; k < K; ++k) {
    acc += TERM;
    C[row * N + col] += acc;
    if (k % 2)
      acc = 0.0f;
  }
}

// A loop that runs once, whatever its condition is.
//
// CHECK: 'begins_at_its_end' is not rewritten: no launch can meet what this needs: a do loop would run no iteration [WW216]
#pragma warpwright matmul
__global__ void begins_at_its_end(ARGS) {
  PLACE
  int k = 8;
  do {
    acc += TERM;
    ++k;
  } while (k < 4);
  FINISH
}

// Two stores of an element, neither of which is made in all iterations. Both
// ranges of k are summed, and one k is left out.
//
// CHECK: 'leaves_one_out' is not rewritten: which products are summed depends on more than the range of the loop: on a condition with 'hole' [WW216]
#pragma warpwright matmul
__global__ void leaves_one_out(const half *A, const half *B, float *C, int M, int N, int K, int hole) {
  PLACE
  C[row * N + col] = acc;
  for (int k = 0; k < K; ++k)
    if (k < hole)
      C[row * N + col] += TERM;
    else if (k > hole)
      C[row * N + col] += TERM;
}

// The condition of the first store is a part of the second one's. Where the
// second store is not made, the first one need not be made either.
//
// CHECK: 'adds_more_of_some' is not rewritten: the stored value is handed from one iteration to the next, but not by adding to it [WW202]
#pragma warpwright matmul
__global__ void adds_more_of_some(const half *A, const half *B, float *C, int M, int N, int K, int most, int more) {
  PLACE
  C[row * N + col] = acc;
  for (int k = 0; k < K; ++k)
    if (k < most) {
      C[row * N + col] += TERM;
      if (k < more)
        C[row * N + col] += 2.0f * TERM;
    }
}
