// An inner loop that keeps a pipeline full is taken apart: what it fetches ahead
// is fetched before the outer loop, and in each iteration it fetches once at most.
// Loops that do something else stay as they are.

// RUN: %warpwright rewrite --emit=ir %s -- %parse 2>%t.log | FileCheck %s

__device__ void fetch(float *C, int tile);
__device__ void use(float *C, int tile);

// CHECK-LABEL: @_Z9kept_fullPfi(
// CHECK: [[TILES:%.*]] = sdiv i32 %K, 16
// CHECK: [[F:%.*]] = phi i32 {{.*}}[ 0,
// CHECK-NEXT: [[ANY:%.*]] = icmp slt i32 [[F]], [[TILES]]
// CHECK-NEXT: [[ROOM:%.*]] = icmp slt i32 [[F]], 2
// CHECK-NEXT: [[BOTH:%.*]] = select i1 [[ANY]], i1 [[ROOM]], i1 false
// CHECK-NEXT: br i1 [[BOTH]], label %[[FETCH:.*]], label
// CHECK: {{^}}[[FETCH]]:
// CHECK-NEXT: call void @_Z5fetchPfi(ptr %C, i32 [[F]])
// CHECK: [[FILLED:%.*]] = phi i32 [ [[F]],
// CHECK: [[T:%.*]] = phi i32
// CHECK: [[NEXT:%.*]] = phi i32 [ [[FILLED]],
// CHECK: [[MORE:%.*]] = add nsw i32 [[T]], 3
// CHECK: icmp slt i32 [[NEXT]], [[MORE]]
// CHECK: call void @_Z5fetchPfi(ptr %C, i32 [[NEXT]])
// CHECK-NEXT: [[LAST:%.*]] = add nsw i32 [[NEXT]], 1
// CHECK: phi i32 [ [[NEXT]], {{.*}} ], [ [[LAST]],
// CHECK-NEXT: call void @_Z3usePfi(ptr %C, i32 [[T]])
#pragma warpwright matmul
__global__ void kept_full(float *C, int K) {
  const int tiles = K / 16;
  for (int t = 0, next = 0; t < tiles; ++t) {
    for (; next < tiles && next < t + 3; ++next)
      fetch(C, next);
    use(C, t);
  }
}

// The numbers may begin again at 0.
//
// CHECK-LABEL: @_Z5wrapsPfj(
// CHECK-NOT: fill:
#pragma warpwright matmul
__global__ void wraps(float *C, unsigned tiles) {
  for (unsigned t = 0, next = 0; t < tiles; ++t) {
    for (; next < tiles && next < t + 3; ++next)
      fetch(C, next);
    use(C, t);
  }
}

// The inner loop does not come first.
//
// CHECK-LABEL: @_Z5laterPfi(
// CHECK-NOT: fill:
#pragma warpwright matmul
__global__ void later(float *C, int tiles) {
  for (int t = 0, next = 0; t < tiles; ++t) {
    use(C, t);
    for (; next < tiles && next < t + 3; ++next)
      fetch(C, next);
  }
}

// It goes on where something else has left it.
//
// CHECK-LABEL: @_Z5stepsPfi(
// CHECK-NOT: fill:
#pragma warpwright matmul
__global__ void steps(float *C, int tiles) {
  for (int t = 0, next = 0; t < tiles; ++t, ++next) {
    for (; next < tiles && next < t + 3; ++next)
      fetch(C, next);
    use(C, t);
  }
}

// There may be a tile to fetch where the outer loop does not run.
//
// CHECK-LABEL: @_Z5otherPfii(
// CHECK-NOT: fill:
#pragma warpwright matmul
__global__ void other(float *C, int tiles, int used) {
  for (int t = 0, next = 0; t < used; ++t) {
    for (; next < tiles && next < t + 3; ++next)
      fetch(C, next);
    use(C, t);
  }
}
