#include <cuda_runtime.h>
#pragma warpwright matmul
template <int EDGE, int HM = 4, int HN = 4>
__global__ void form_two_regs(const float *__restrict__ X, const float *__restrict__ Y, float *__restrict__ Z, int m, int k, int n) {
  constexpr int ACROSS = EDGE / HN;
  constexpr int DOWN = EDGE / HM;
  __shared__ float sx[2][EDGE][EDGE + 1];
  __shared__ float sy[2][EDGE][EDGE + 1];
  int gx = blockIdx.x;
  int gy = blockIdx.y;
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int tr = ty * HM;
  int tc = tx * HN;
  int r0 = gy * EDGE + tr;
  int c0 = gx * EDGE + tc;
  float acc[HM][HN] = {0.0f};
  int tiles = (k + EDGE - 1) / EDGE;
  int w = 0;
  for (int i = ty; i < EDGE; i += DOWN) {
    for (int j = tx; j < EDGE; j += ACROSS) {
      int gr = gy * EDGE + i;
      int gc = j;
      if (gr < m && gc < k) {
        sx[0][i][j] = X[gr * k + gc];
      } else {
        sx[0][i][j] = 0.0f;
      }
      int hr = i;
      int hc = gx * EDGE + j;
      if (hr < k && hc < n) {
        sy[0][i][j] = Y[hr * n + hc];
      } else {
        sy[0][i][j] = 0.0f;
      }
    }
  }
  __syncthreads();
  for (int t = 0; t < tiles; ++t) {
    int r = w;
    w = 1 - w;
    if (t + 1 < tiles) {
      int u = t + 1;
      for (int i = ty; i < EDGE; i += DOWN) {
        for (int j = tx; j < EDGE; j += ACROSS) {
          int gr = gy * EDGE + i;
          int gc = u * EDGE + j;
          if (gr < m && gc < k) {
            sx[w][i][j] = X[gr * k + gc];
          } else {
            sx[w][i][j] = 0.0f;
          }
          int hr = u * EDGE + i;
          int hc = gx * EDGE + j;
          if (hr < k && hc < n) {
            sy[w][i][j] = Y[hr * n + hc];
          } else {
            sy[w][i][j] = 0.0f;
          }
        }
      }
    }
#pragma unroll
    for (int d = 0; d < EDGE; ++d) {
      float fx[HM];
#pragma unroll
      for (int i = 0; i < HM; ++i) fx[i] = sx[r][tr + i][d];
      float fy[HN];
#pragma unroll
      for (int j = 0; j < HN; ++j) fy[j] = sy[r][d][tc + j];
#pragma unroll
      for (int i = 0; i < HM; ++i) {
#pragma unroll
        for (int j = 0; j < HN; ++j) acc[i][j] += fx[i] * fy[j];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < HM; ++i) {
#pragma unroll
    for (int j = 0; j < HN; ++j) {
      int gr = r0 + i;
      int gc = c0 + j;
      if (gr < m && gc < n) Z[gr * n + gc] = acc[i][j];
    }
  }
}
template <int EDGE = 64, int HM = 4, int HN = 4> void go(const float *A, const float *B, float *C, int M, int K, int N, cudaStream_t s = 0) {
  constexpr int TX = EDGE / HN;
  constexpr int TY = EDGE / HM;
  dim3 b(TX, TY);
  dim3 g((N + EDGE - 1) / EDGE, (M + EDGE - 1) / EDGE);
  form_two_regs<EDGE, HM, HN><<<g, b, 0, s>>>(A, B, C, M, K, N);
}
void run(const float *A, const float *B, float *C, int M, int K, int N) { go<>(A, B, C, M, K, N); }
