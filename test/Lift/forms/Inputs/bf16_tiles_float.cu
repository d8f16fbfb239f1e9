#include <cuda_bf16.h>
#include <cuda_runtime.h>
static constexpr int EDGE = 32;
#pragma warpwright matmul
__global__ void bf_tiles_float(__nv_bfloat16 *P, __nv_bfloat16 *Q, __nv_bfloat16 *R, int N) {
  __shared__ __nv_bfloat16 sp[EDGE][EDGE], sq[EDGE][EDGE];
  int tx = threadIdx.x, bx = blockIdx.x;
  int by = blockIdx.y, ty = threadIdx.y;
  int row = by * EDGE + ty;
  int col = bx * EDGE + tx;
  float s = 0.0f;
  for (int t = 0; t < (N + EDGE - 1) / EDGE; ++t) {
    sp[ty][tx] = P[row * N + t * EDGE + tx];
    sq[ty][tx] = Q[(t * EDGE + ty) * N + col];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < EDGE; ++k) s += __bfloat162float(sp[ty][k]) * __bfloat162float(sq[k][tx]);
    __syncthreads();
  }
  R[row * N + col] = __float2bfloat16(s);
}
void run(__nv_bfloat16 *A, __nv_bfloat16 *B, __nv_bfloat16 *C, int N) {
  dim3 b(EDGE, EDGE);
  dim3 g((N + EDGE - 1) / EDGE, (N + EDGE - 1) / EDGE);
  bf_tiles_float<<<g, b>>>(A, B, C, N);
}
