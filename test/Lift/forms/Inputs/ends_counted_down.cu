#include <cuda_runtime.h>
// The last elements of a row by a loop that counts down to none.
template <int Shift>
__device__ void dots(const float *P, const float *Q, float *R, int m, int n,
                     int depth) {
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m || j >= n)
    return;
  float sum = 0;
  for (int k = 0; k < depth; k += 4) {
    float p[4] = {0, 0, 0, 0}, q[4] = {0, 0, 0, 0};
    for (int rest = min(4, depth - k); rest > 0; --rest) {
      p[rest - 1] = P[i * depth + k + rest - 1];
      q[(rest - 1) ^ Shift] = Q[j * depth + k + rest - 1];
    }
    sum += p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3];
  }
  R[i * n + j] = sum;
}
#pragma warpwright matmul
__global__ void loads_counted_down(const float *P, const float *Q, float *R,
                                   int m, int n, int depth) {
  dots<0>(P, Q, R, m, n, depth);
}
#pragma warpwright matmul
__global__ void loads_exchanged(const float *P, const float *Q, float *R, int m,
                                int n, int depth) {
  dots<1>(P, Q, R, m, n, depth);
}
#define SUMS                                                                   \
  const int i = blockIdx.y * blockDim.y + threadIdx.y;                         \
  const int j = 4 * (blockIdx.x * blockDim.x + threadIdx.x);                   \
  if (i >= m || j >= n)                                                        \
    return;                                                                    \
  float sum[4] = {0, 0, 0, 0};                                                 \
  for (int k = 0; k < depth; ++k)                                              \
    for (int e = 0; e < 4; ++e)                                                \
      sum[e] += P[i * depth + k] * Q[k * pitch + j + e];
#pragma warpwright matmul
__global__ void stores_counted_down(const float *P, const float *Q, float *R,
                                    int m, int n, int depth, int pitch) {
  SUMS float *to = R + i * n + j;
  const float *from = sum;
  int left = n - j;
  if (left > 4)
    left = 4;
  while (left--)
    *to++ = *from++;
}
#pragma warpwright matmul
__global__ void rest_counted_down(const float *P, const float *Q, float *R,
                                  int m, int n, int depth, int pitch) {
  SUMS float *to = R + i * n + j;
  if (j + 4 <= n)
    *(float4 *)to = make_float4(sum[0], sum[1], sum[2], sum[3]);
  else
    for (int rest = n % 4; rest > 0; --rest)
      to[rest - 1] = sum[rest - 1];
}
#pragma warpwright matmul
__global__ void rest_counted_down_wrong(const float *P, const float *Q,
                                        float *R, int m, int n, int depth,
                                        int pitch) {
  SUMS float *to = R + i * n + j;
  if (j + 4 <= n)
    *(float4 *)to = make_float4(sum[0], sum[1], sum[2], sum[3]);
  else
    for (int rest = n % 4; rest > 1; --rest)
      to[rest - 1] = sum[rest - 1];
}
// Tiles that know how many terms are left.
__device__ void tiles(const float *P, const float *Q, float *R, int m, int n,
                      int depth) {
  __shared__ float Ps[16][16], Qs[16][16];
  const int x = threadIdx.x, y = threadIdx.y;
  const int i = blockIdx.y * 16 + y, j = blockIdx.x * 16 + x;
  const float *p = P + i * depth + x, *q = Q + y * n + j;
  float sum = 0;
  for (int left = depth; left > 0; left -= 16) {
    Ps[y][x] = i < m && x < left ? *p : 0;
    Qs[y][x] = j < n && y < left ? *q : 0;
    p += 16;
    q += 16 * n;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      sum += Ps[y][k] * Qs[k][x];
    __syncthreads();
  }
  if (i < m && j < n)
    R[i * n + j] = sum;
}
#pragma warpwright matmul
__global__ void tiles_counted_down(const float *P, const float *Q, float *R,
                                   int m, int n, int depth) {
  tiles(P, Q, R, m, n, depth);
}
void run(const float *P, const float *Q, float *R, int m, int n, int depth) {
  dim3 grid((n + 15) / 16, (m + 15) / 16), block(16, 16);
  loads_counted_down<<<grid, block>>>(P, Q, R, m, n, depth);
  loads_exchanged<<<grid, block>>>(P, Q, R, m, n, depth);
  stores_counted_down<<<grid, block>>>(P, Q, R, m, n, depth, n);
  rest_counted_down<<<grid, block>>>(P, Q, R, m, n, depth, n);
  rest_counted_down_wrong<<<grid, block>>>(P, Q, R, m, n, depth, n);
  tiles_counted_down<<<grid, block>>>(P, Q, R, m, n, depth);
}
