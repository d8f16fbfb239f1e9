// A loop that a break leaves behind stores has one exit: its own test, which
// also asks whether the break was reached. Loops that are left otherwise stay as
// they are.

// RUN: %warpwright rewrite --emit=ir %s -- %parse 2>%t.log | FileCheck %s

__device__ float use(float *C, int k);
__device__ void fetch(float *C, int k);

// The sum after the loop is the one at the break.
//
// CHECK-LABEL: @_Z10in_the_forPfi(
// CHECK: [[NEXT:%.*]] = phi float [ [[SUM:%.*]], %{{.*}} ], [ [[SUM]],
// CHECK-NEXT: phi i32 [ %{{.*}}, %{{.*}} ], [ poison,
// CHECK-NEXT: [[SET:%.*]] = phi i1 [ false, %{{.*}} ], [ true,
// CHECK: [[S:%.*]] = phi float [ 0.000000e+00, %{{.*}} ], [ [[NEXT]],
// CHECK: [[LEFT:%.*]] = phi i1 [ false, %{{.*}} ], [ [[SET]],
// CHECK: [[MORE:%.*]] = icmp slt i32
// CHECK-NEXT: [[STAYS:%.*]] = xor i1 [[LEFT]], true
// CHECK-NEXT: [[GOES:%.*]] = select i1 [[STAYS]], i1 [[MORE]], i1 false
// CHECK-NEXT: br i1 [[GOES]]
// CHECK: store float {{.*}}, ptr %C
#pragma warpwright matmul
__global__ void in_the_for(float *C, int K) {
  float s = 0;
  for (int k = 0; k < K; k += 16) {
    s += use(C, k);
    if (k + 16 >= K)
      break;
    fetch(C, k + 16);
  }
  *C = s;
}

// CHECK-LABEL: @_Z9in_the_doPfi(
// CHECK: [[MORE:%.*]] = phi i1 [ %{{.*}}, %{{.*}} ], [ poison,
// CHECK: [[LEFT:%.*]] = phi i1 [ false, %{{.*}} ], [ true,
// CHECK: [[STAYS:%.*]] = xor i1 [[LEFT]], true
// CHECK-NEXT: select i1 [[STAYS]], i1 [[MORE]], i1 false
#pragma warpwright matmul
__global__ void in_the_do(float *C, int K) {
  int k = 0;
  do {
    fetch(C, k);
    k += 16;
    if (k >= K)
      break;
    fetch(C, k);
  } while (k + 16 < 2 * K);
}

// The code after the loop reads two numbers, of which the break leaves another
// one than the test does.
//
// CHECK-LABEL: @_Z11two_numbersPfi(
// CHECK-NOT: phi i1
// CHECK: ret void
#pragma warpwright matmul
__global__ void two_numbers(float *C, int K) {
  int last = 1;
  for (int k = 0; k < K; k += 16) {
    use(C, k);
    if (k + 16 >= K) {
      last = 2;
      break;
    }
    fetch(C, k + 16);
  }
  *C = last;
}

// Nothing is done before the break.
//
// CHECK-LABEL: @_Z14nothing_beforePfii(
// CHECK-NOT: phi i1
// CHECK: ret void
#pragma warpwright matmul
__global__ void nothing_before(float *C, int K, int end) {
  for (int k = 0; k < K; k += 16) {
    if (k * k >= end * 3)
      break;
    fetch(C, k);
  }
}
