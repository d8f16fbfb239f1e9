#include <cuda_runtime.h>
// Blocks in groups of two by two, which two dimensions of the grid count.
template <int Columns>
__device__ void tiles(const float *P, const float *Q, float *R, int m, int n,
                      int depth) {
  __shared__ float Ps[16][16], Qs[16][16];
  const int x = threadIdx.x, y = threadIdx.y;
  const int down = 2 * blockIdx.z + blockIdx.x / 2;
  const int across = 2 * blockIdx.y + blockIdx.x % Columns;
  if (down * 16 >= m || across * 16 >= n)
    return;
  const int i = down * 16 + y, j = across * 16 + x;
  float sum = 0;
  for (int t = 0; t < (depth + 15) / 16; ++t) {
    Ps[y][x] = i < m && t * 16 + x < depth ? P[i * depth + t * 16 + x] : 0;
    Qs[y][x] = j < n && t * 16 + y < depth ? Q[(t * 16 + y) * n + j] : 0;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      sum += Ps[y][k] * Qs[k][x];
    __syncthreads();
  }
  if (i < m && j < n)
    R[i * n + j] = sum;
}
#pragma warpwright matmul
__global__ void blocks_of_quarters(const float *P, const float *Q, float *R,
                                   int m, int n, int depth) {
  tiles<2>(P, Q, R, m, n, depth);
}
#pragma warpwright matmul
__global__ void blocks_of_quarters_wrong(const float *P, const float *Q,
                                         float *R, int m, int n, int depth) {
  tiles<3>(P, Q, R, m, n, depth);
}
void run(const float *P, const float *Q, float *R, int m, int n, int depth) {
  dim3 grid(4, (n + 31) / 32, (m + 31) / 32), block(16, 16);
  blocks_of_quarters<<<grid, block>>>(P, Q, R, m, n, depth);
  blocks_of_quarters_wrong<<<grid, block>>>(P, Q, R, m, n, depth);
}
