#include <cuda_pipeline.h>
#pragma warpwright matmul
template <int BM, int BN, int BK, int TX, int TY, int RY, int RX>
__global__ void pipe(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int M, int N, int K) {
  static_assert(TX * TY <= 1024 && BM == TY * RY && BN == TX * RX, "shape");
  extern __shared__ float pool[];
  float(*As)[BM][BK] = reinterpret_cast<float(*)[BM][BK]>(pool);
  float(*Bs)[BK][BN] = reinterpret_cast<float(*)[BK][BN]>(pool + 2u * BM * BK);
  const int threads = TX * TY;
  int tid = threadIdx.y * TX + threadIdx.x;
  int row0 = blockIdx.y * BM + threadIdx.y * RY;
  int col0 = blockIdx.x * BN + threadIdx.x * RX;
  float acc[RY][RX] = {};
  auto fetch = [&](int st, int kb) {
    constexpr int a4 = BM * BK / 4;
    for (int v = tid; v < a4; v += threads) {
      int r = v / (BK / 4), c = (v % (BK / 4)) * 4;
      int gr = blockIdx.y * BM + r, gc = kb + c;
      if (gr < M && gc + 3 < K && ((gr * K + gc) & 3) == 0)
        __pipeline_memcpy_async(&As[st][r][c], &A[gr * K + gc], 16);
      else
#pragma unroll
        for (int j = 0; j < 4; ++j)
          As[st][r][c + j] = (gr < M && gc + j < K) ? A[gr * K + gc + j] : 0.0f;
    }
    constexpr int b4 = BK * BN / 4;
    for (int v = tid; v < b4; v += threads) {
      int r = v / (BN / 4), c = (v % (BN / 4)) * 4;
      int gr = kb + r, gc = blockIdx.x * BN + c;
      if (gr < K && gc + 3 < N && ((gr * N + gc) & 3) == 0)
        __pipeline_memcpy_async(&Bs[st][r][c], &B[gr * N + gc], 16);
      else
#pragma unroll
        for (int j = 0; j < 4; ++j)
          Bs[st][r][c + j] = (gr < K && gc + j < N) ? B[gr * N + gc + j] : 0.0f;
    }
  };
  fetch(0, 0);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  int st = 0;
  for (int kb = 0; kb < K; kb += BK) {
    int cur = st, nxt = st ^ 1;
    if (kb + BK < K) {
      fetch(nxt, kb + BK);
      __pipeline_commit();
    }
#pragma unroll
    for (int k = 0; k < BK; ++k) {
      float a[RY], b[RX];
#pragma unroll
      for (int i = 0; i < RY; ++i)
        a[i] = As[cur][threadIdx.y * RY + i][k];
#pragma unroll
      for (int j = 0; j < RX; ++j)
        b[j] = Bs[cur][k][threadIdx.x * RX + j];
#pragma unroll
      for (int i = 0; i < RY; ++i)
#pragma unroll
        for (int j = 0; j < RX; ++j)
          acc[i][j] += a[i] * b[j];
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    st = nxt;
  }
#pragma unroll
  for (int i = 0; i < RY; ++i)
#pragma unroll
    for (int j = 0; j < RX; ++j) {
      int r = row0 + i, c = col0 + j;
      if (r < M && c < N)
        C[r * N + c] = acc[i][j];
    }
}
void run(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 block(16, 8), grid((N + 127) / 128, (M + 63) / 64);
  const size_t bytes = 2u * 64 * 16 * sizeof(float) + 2u * 16 * 128 * sizeof(float);
  pipe<64, 128, 16, 16, 8, 8, 8><<<grid, block, bytes>>>(A, B, C, M, N, K);
}
