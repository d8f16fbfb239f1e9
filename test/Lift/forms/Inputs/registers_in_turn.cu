typedef unsigned int uint;
template <int BM, int BN, int BK, int TM, int TN, int NT> __device__ __forceinline__ void tileA(const float *A, float *As, uint tid, int K) {
#pragma unroll
  for (uint i = tid; i < BM * BK / 4; i += NT) {
    uint r = i / (BK / 4), c = (i % (BK / 4)) * 4;
    float4 v = reinterpret_cast<const float4 *>(&A[r * K + c])[0];
    As[(c + 0) * BM + r] = v.x;
    As[(c + 1) * BM + r] = v.y;
    As[(c + 2) * BM + r] = v.z;
    As[(c + 3) * BM + r] = v.w;
  }
}
template <int BM, int BN, int BK, int TM, int TN, int NT> __device__ __forceinline__ void tileB(const float *B, float *Bs, uint tid, int N) {
#pragma unroll
  for (uint i = tid; i < BK * BN / 4; i += NT) {
    uint r = i / (BN / 4), c = (i % (BN / 4)) * 4;
    reinterpret_cast<float4 *>(&Bs[r * BN + c])[0] = reinterpret_cast<const float4 *>(&B[r * N + c])[0];
  }
}
template <int BM, int BN, int BK, int TM, int TN>
__device__ __forceinline__ void frag(const float *As, const float *Bs, float *rm, float *rn, uint k, uint ty, uint tx) {
#pragma unroll
  for (int i = 0; i < TM; i += 4)
    reinterpret_cast<float4 *>(&rm[i])[0] = reinterpret_cast<const float4 *>(&As[k * BM + ty * TM + i])[0];
#pragma unroll
  for (int j = 0; j < TN; j += 4)
    reinterpret_cast<float4 *>(&rn[j])[0] = reinterpret_cast<const float4 *>(&Bs[k * BN + tx * TN + j])[0];
}
template <int BM, int BN, int BK, int TM, int TN>
__device__ __forceinline__ void tile(const float *As, const float *Bs, float rm[2][TM], float rn[2][TN], float *out, uint ty, uint tx) {
#pragma unroll
  for (int k = 0; k < BK; ++k) {
    if (k < BK - 1)
      frag<BM, BN, BK, TM, TN>(As, Bs, rm[(k + 1) % 2], rn[(k + 1) % 2], k + 1, ty, tx);
#pragma unroll
    for (int i = 0; i < TM; ++i)
#pragma unroll
      for (int j = 0; j < TN; ++j)
        out[i * TN + j] += rm[k % 2][i] * rn[k % 2][j];
  }
}
template <int TM, int TN>
__device__ __forceinline__ void put(float *C, const float *out, uint r0, uint c0, int M, int N, float alpha, float beta) {
#pragma unroll
  for (int i = 0; i < TM; ++i)
#pragma unroll
    for (int j = 0; j < TN; j += 4) {
      uint row = r0 + i, col = c0 + j;
      if (row < M && col < N) {
        float4 v;
        v.x = alpha * out[i * TN + j];
        v.y = alpha * out[i * TN + j + 1];
        v.z = alpha * out[i * TN + j + 2];
        v.w = alpha * out[i * TN + j + 3];
        if (beta != 0.0f) {
          float4 o = reinterpret_cast<float4 *>(&C[row * N + col])[0];
          v.x += beta * o.x;
          v.y += beta * o.y;
          v.z += beta * o.z;
          v.w += beta * o.w;
        }
        reinterpret_cast<float4 *>(&C[row * N + col])[0] = v;
      }
    }
}
#pragma warpwright matmul
template <int BM, int BN, int BK, int TM, int TN>
__global__ void smemreg(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C) {
  constexpr int NT = (BM / TM) * (BN / TN);
  __shared__ float As[2][BK * BM];
  __shared__ float Bs[2][BK * BN];
  uint tid = threadIdx.x;
  uint tx = tid % (BN / TN), ty = tid / (BN / TN);
  uint c0 = blockIdx.x * BN + tx * TN, r0 = blockIdx.y * BM + ty * TM;
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  float out[TM * TN] = {0.0f};
  float rm[2][TM];
  float rn[2][TN];
  uint tiles = K / BK;
  tileA<BM, BN, BK, TM, TN, NT>(A, As[0], tid, K);
  tileB<BM, BN, BK, TM, TN, NT>(B, Bs[0], tid, N);
  __syncthreads();
  A += BK;
  B += BK * N;
  frag<BM, BN, BK, TM, TN>(As[0], Bs[0], rm[0], rn[0], 0, ty, tx);
  uint w = 1, r = 0;
  for (uint t = 1; t < tiles; ++t) {
    tileA<BM, BN, BK, TM, TN, NT>(A, As[w], tid, K);
    tileB<BM, BN, BK, TM, TN, NT>(B, Bs[w], tid, N);
    A += BK;
    B += BK * N;
    tile<BM, BN, BK, TM, TN>(As[r], Bs[r], rm, rn, out, ty, tx);
    __syncthreads();
    w = 1 - w;
    r = 1 - r;
    frag<BM, BN, BK, TM, TN>(As[r], Bs[r], rm[0], rn[0], 0, ty, tx);
  }
  tile<BM, BN, BK, TM, TN>(As[r], Bs[r], rm, rn, out, ty, tx);
  put<TM, TN>(C, out, r0, c0, M, N, alpha, beta);
}
void run(const float *A, const float *B, float *C, int M, int N, int K) {
  smemreg<128, 128, 8, 8, 8><<<dim3(N / 128, M / 128), 256>>>(M, N, K, 1.5f, A, B, 0.5f, C);
}
