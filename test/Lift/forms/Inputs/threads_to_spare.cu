// Tiles of 32 by 8 elements that are copied four at a time, by a loop over more
// threads than there are vectors: those beyond the tile copy none.
#define B 32
#define BK 8

#define ARGS const float *a, const float *b, float *c, int m, int n, int k

#define KERNEL(First, Row)                                                     \
  __shared__ float ta[BK][B], tb[BK][B];                                       \
  const int tid = threadIdx.x, m0 = blockIdx.y * B, n0 = blockIdx.x * B;       \
  float sum[2][2] = {};                                                        \
  for (int k0 = 0; k0 < k; k0 += BK) {                                         \
    for (int e = tid + First; e < BK * B / 4; e += 256) {                      \
      const int r = e / (BK / 4), l = e % (BK / 4) * 4;                        \
      const float4 v =                                                         \
          *reinterpret_cast<const float4 *>(&a[(m0 + r) * k + k0 + l]);        \
      ta[l][r] = v.x;                                                          \
      ta[l + 1][r] = v.y;                                                      \
      ta[l + 2][r] = v.z;                                                      \
      ta[l + 3][r] = v.w;                                                      \
    }                                                                          \
    for (int e = tid; e < BK * B / 4; e += 256) {                              \
      const int l = e / (B / 4), j = e % (B / 4) * 4;                          \
      *reinterpret_cast<float4 *>(&tb[l][j]) =                                 \
          *reinterpret_cast<const float4 *>(&b[(k0 + l) * n + n0 + j]);        \
    }                                                                          \
    __syncthreads();                                                           \
    for (int l = 0; l < BK; ++l)                                               \
      for (int i = 0; i < 2; ++i)                                              \
        for (int j = 0; j < 2; ++j)                                            \
          sum[i][j] += ta[l][Row] * tb[l][tid % 16 * 2 + j];                   \
    __syncthreads();                                                           \
  }                                                                            \
  for (int i = 0; i < 2; ++i)                                                  \
    for (int j = 0; j < 2; ++j)                                                \
      c[(m0 + Row) * n + n0 + tid % 16 * 2 + j] = sum[i][j];

#pragma warpwright matmul
__global__ void side_by_side(ARGS){KERNEL(0, tid / 16 * 2 + i)}

#pragma warpwright matmul
__global__ void apart(ARGS){KERNEL(0, tid / 16 + i * 16)}

// The first two rows are not filled.
#pragma warpwright matmul
__global__ void rows_missing(ARGS){KERNEL(4, tid / 16 * 2 + i)}

#define LAUNCH(Kernel) Kernel<<<dim3(n / B, m / B), 256>>>(a, b, c, m, n, k)

void launches(ARGS) {
  LAUNCH(side_by_side);
  LAUNCH(apart);
  LAUNCH(rows_missing);
}
