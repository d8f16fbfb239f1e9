constexpr int TMM = 8, TNN = 64, TKK = 16;
#pragma warpwright matmul
__global__ void warp64(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float ta[TMM][TKK];
  __shared__ float tb[TKK][TNN];
  const int lane = threadIdx.x, warp = threadIdx.y;
  const int row = blockIdx.y * TMM + warp;
  const int col0 = blockIdx.x * TNN + lane;
  const int col1 = col0 + 32;
  const int tid = warp * 32 + lane;
  float acc0 = 0.0f, acc1 = 0.0f;
  for (int k0 = 0; k0 < k; k0 += TKK) {
    if (tid < TMM * TKK) {
      const int r = tid / TKK, q = tid % TKK;
      const int gr = blockIdx.y * TMM + r, gk = k0 + q;
      ta[r][q] = (gr < m && gk < k) ? a[gr * k + gk] : 0.0f;
    }
    for (int i = tid; i < TKK * TNN; i += 256) {
      const int r = i / TNN, q = i % TNN;
      const int gk = k0 + r, gc = blockIdx.x * TNN + q;
      tb[r][q] = (gk < k && gc < n) ? b[gk * n + gc] : 0.0f;
    }
    __syncthreads();
    if (row < m) {
#pragma unroll
      for (int i = 0; i < TKK; ++i) {
        const float av = ta[warp][i];
        acc0 += av * tb[i][lane];
        acc1 += av * tb[i][lane + 32];
      }
    }
    __syncthreads();
  }
  if (row < m && col0 < n)
    c[row * n + col0] = acc0;
  if (row < m && col1 < n)
    c[row * n + col1] = acc1;
}
void run(const float *A, const float *B, float *C, int M, int N, int K) {
  warp64<<<dim3((N + 63) / 64, (M + 7) / 8), dim3(32, 8)>>>(A, B, C, M, N, K);
}
