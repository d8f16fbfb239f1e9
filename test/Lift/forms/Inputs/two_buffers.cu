#include <cuda_runtime.h>
#pragma warpwright matmul
template <int EDGE>
__global__ void form_two(const float *__restrict__ X, const float *__restrict__ Y, float *__restrict__ Z, int m, int k, int n) {
  __shared__ float sx[2][EDGE][EDGE + 1];
  __shared__ float sy[2][EDGE][EDGE + 1];
  int gx = blockIdx.x;
  int gy = blockIdx.y;
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int row = gy * EDGE + ty;
  int col = gx * EDGE + tx;
  float sum = 0.0f;
  int tiles = (k + EDGE - 1) / EDGE;
  int w = 0;
  int r = 0;
  {
    int xc = tx;
    if (row < m && xc < k) {
      sx[0][ty][tx] = X[row * k + xc];
    } else {
      sx[0][ty][tx] = 0.0f;
    }
    int yr = ty;
    if (yr < k && col < n) {
      sy[0][ty][tx] = Y[yr * n + col];
    } else {
      sy[0][ty][tx] = 0.0f;
    }
  }
  __syncthreads();
  for (int t = 0; t < tiles; ++t) {
    r = w;
    w = 1 - w;
    if (t + 1 < tiles) {
      int u = t + 1;
      int xc = u * EDGE + tx;
      if (row < m && xc < k) {
        sx[w][ty][tx] = X[row * k + xc];
      } else {
        sx[w][ty][tx] = 0.0f;
      }
      int yr = u * EDGE + ty;
      if (yr < k && col < n) {
        sy[w][ty][tx] = Y[yr * n + col];
      } else {
        sy[w][ty][tx] = 0.0f;
      }
    }
#pragma unroll
    for (int d = 0; d < EDGE; ++d) {
      sum += sx[r][ty][d] * sy[r][d][tx];
    }
    __syncthreads();
  }
  if (row < m && col < n) {
    Z[row * n + col] = sum;
  }
}
template <int EDGE = 32> void go(const float *A, const float *B, float *C, int M, int K, int N, cudaStream_t s = 0) {
  dim3 b(EDGE, EDGE);
  dim3 g((N + EDGE - 1) / EDGE, (M + EDGE - 1) / EDGE);
  form_two<EDGE><<<g, b, 0, s>>>(A, B, C, M, K, N);
}
void run(const float *A, const float *B, float *C, int M, int K, int N) { go<32>(A, B, C, M, K, N); }
