#define BM 128
#define BN 128
#define BK 8
#define TM 8
#define TN 8
__device__ __forceinline__ void loadA(const float *A, float As[][BK][BM], int buf, int br, int t, int tid, int M, int K) {
  const int each = 4;
  for (int i = 0; i < each; ++i) {
    int e = tid * each + i;
    int r = e / BK, c = e % BK;
    int gr = br * BM + r, gc = t * BK + c;
    float v = (gr < M && gc < K) ? A[gr * K + gc] : 0.0f;
    As[buf][c][r] = v;
  }
}
__device__ __forceinline__ void loadB(const float *B, float Bs[][BK][BN], int buf, int bc, int t, int tid, int K, int N) {
  int e = tid;
  int r = e / (BN / 4), c = (e % (BN / 4)) * 4;
  int gr = t * BK + r, gc = bc * BN + c;
  if (gr < K && gc + 3 < N) {
    float4 v = reinterpret_cast<const float4 *>(&B[gr * N + gc])[0];
    Bs[buf][r][c] = v.x;
    Bs[buf][r][c + 1] = v.y;
    Bs[buf][r][c + 2] = v.z;
    Bs[buf][r][c + 3] = v.w;
  } else {
    for (int j = 0; j < 4; ++j) {
      int col = gc + j;
      Bs[buf][r][c + j] = (gr < K && col < N) ? B[gr * N + col] : 0.0f;
    }
  }
}
__device__ __forceinline__ void multiply(float As[][BK][BM], float Bs[][BK][BN], int buf, int tr, int tc, float acc[TM][TN]) {
  float a[TM], b[TN];
  for (int k = 0; k < BK; ++k) {
    for (int i = 0; i < TM; ++i)
      a[i] = As[buf][k][tr * TM + i];
    for (int j = 0; j < TN; ++j)
      b[j] = Bs[buf][k][tc * TN + j];
    for (int i = 0; i < TM; ++i)
      for (int j = 0; j < TN; ++j)
        acc[i][j] += a[i] * b[j];
  }
}
#pragma warpwright matmul
__global__ void helpers(int M, int N, int K, const float *A, const float *B, float *C) {
  __shared__ float As[2][BK][BM];
  __shared__ float Bs[2][BK][BN];
  const int br = blockIdx.y, bc = blockIdx.x, tid = threadIdx.x;
  const int tr = tid / (BN / TN), tc = tid % (BN / TN);
  const int r0 = br * BM + tr * TM, c0 = bc * BN + tc * TN;
  float acc[TM][TN] = {{0.0f}};
  const int tiles = (K + BK - 1) / BK;
  loadA(A, As, 0, br, 0, tid, M, K);
  loadB(B, Bs, 0, bc, 0, tid, K, N);
  __syncthreads();
  for (int t = 0; t < tiles - 1; ++t) {
    int cur = t & 1, nxt = 1 - cur;
    loadA(A, As, nxt, br, t + 1, tid, M, K);
    loadB(B, Bs, nxt, bc, t + 1, tid, K, N);
    multiply(As, Bs, cur, tr, tc, acc);
    __syncthreads();
  }
  multiply(As, Bs, (tiles - 1) & 1, tr, tc, acc);
  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; ++j) {
      int r = r0 + i, c = c0 + j;
      if (r < M && c < N)
        C[r * N + c] = acc[i][j];
    }
}
void run(const float *A, const float *B, float *C, int M, int N, int K) {
  helpers<<<dim3((N + BN - 1) / BN, (M + BM - 1) / BM), 256>>>(M, N, K, A, B, C);
}
