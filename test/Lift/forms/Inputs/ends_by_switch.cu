#include <cuda_runtime.h>
// The last elements of a row by a switch that falls through.
__device__ float4 row_end(const float *p, int left) {
  float4 v = make_float4(0, 0, 0, 0);
  switch (left) {
  default:
    v = *(const float4 *)p;
    break;
  case 3:
    v.z = p[2];
  case 2:
    v.y = p[1];
  case 1:
    v.x = p[0];
  }
  return v;
}
__device__ float4 row_end_of_four(const float *p, int left) {
  float4 v = make_float4(0, 0, 0, 0);
  switch (min(left, 4)) {
  case 4:
    v.w = p[3];
  case 3:
    v.z = p[2];
  case 2:
    v.y = p[1];
  case 1:
    v.x = p[0];
  }
  return v;
}
__device__ float4 row_end_with_break(const float *p, int left) {
  float4 v = make_float4(0, 0, 0, 0);
  switch (left) {
  default:
    v = *(const float4 *)p;
    break;
  case 3:
    v.z = p[2];
    break;
  case 2:
    v.y = p[1];
  case 1:
    v.x = p[0];
  }
  return v;
}
template <float4 (*Load)(const float *, int)>
__device__ void dots(const float *P, const float *Q, float *R, int m, int n,
                     int depth) {
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m || j >= n)
    return;
  float sum = 0;
  for (int k = 0; k < depth; k += 4) {
    float4 p = Load(P + i * depth + k, depth - k);
    float4 q = Load(Q + j * depth + k, depth - k);
    sum += p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
  }
  R[i * n + j] = sum;
}
#pragma warpwright matmul
__global__ void dots_by_switch(const float *P, const float *Q, float *R, int m,
                               int n, int depth) {
  dots<row_end>(P, Q, R, m, n, depth);
}
#pragma warpwright matmul
__global__ void dots_by_switch_wrong(const float *P, const float *Q, float *R,
                                     int m, int n, int depth) {
  dots<row_end_with_break>(P, Q, R, m, n, depth);
}
template <float4 (*Load)(const float *, int)>
__device__ void tiles(const float *P, const float *Q, float *R, int m, int n,
                      int depth) {
  __shared__ float Ps[16][16], Qs[16][16];
  const int r = threadIdx.x / 4, c = threadIdx.x % 4 * 4;
  const int i = blockIdx.y * 16 + r, j = blockIdx.x * 16 + c;
  float4 sum = make_float4(0, 0, 0, 0);
  for (int k0 = 0; k0 < depth; k0 += 16) {
    float4 p = make_float4(0, 0, 0, 0), q = p;
    if (i < m && k0 + c < depth)
      p = Load(P + i * depth + k0 + c, depth - k0 - c);
    if (k0 + r < depth && j < n)
      q = Load(Q + (k0 + r) * n + j, n - j);
    *(float4 *)&Ps[r][c] = p;
    *(float4 *)&Qs[r][c] = q;
    __syncthreads();
    for (int k = 0; k < 16; ++k) {
      const float x = Ps[r][k];
      sum.x += x * Qs[k][c];
      sum.y += x * Qs[k][c + 1];
      sum.z += x * Qs[k][c + 2];
      sum.w += x * Qs[k][c + 3];
    }
    __syncthreads();
  }
  if (i < m && j < n) {
    float *to = R + i * n + j;
    switch (n - j) {
    default:
      to[3] = sum.w;
    case 3:
      to[2] = sum.z;
    case 2:
      to[1] = sum.y;
    case 1:
      to[0] = sum.x;
    }
  }
}
#pragma warpwright matmul
__global__ void tiles_by_switch(const float *P, const float *Q, float *R, int m,
                                int n, int depth) {
  tiles<row_end>(P, Q, R, m, n, depth);
}
#pragma warpwright matmul
__global__ void tiles_by_switch_of_four(const float *P, const float *Q,
                                        float *R, int m, int n, int depth) {
  tiles<row_end_of_four>(P, Q, R, m, n, depth);
}
void run(const float *P, const float *Q, float *R, int m, int n, int depth) {
  dim3 grid((n + 15) / 16, (m + 15) / 16), block(16, 16);
  dots_by_switch<<<grid, block>>>(P, Q, R, m, n, depth);
  dots_by_switch_wrong<<<grid, block>>>(P, Q, R, m, n, depth);
  tiles_by_switch<<<grid, 64>>>(P, Q, R, m, n, depth);
  tiles_by_switch_of_four<<<grid, 64>>>(P, Q, R, m, n, depth);
}
