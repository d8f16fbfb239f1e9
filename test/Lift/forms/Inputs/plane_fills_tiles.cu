// A block of 16 by 16 threads whose flat number fills the tiles and whose rows
// and columns multiply them, 4 by 4 outputs a thread. Only a block of that
// shape does.
#define BM 64
#define BN 64
#define BK 16
#define TM 4
#define TN 4

#define ARGS const float *a, const float *b, float *c, int m, int n, int k

#define KERNEL(Number, Rows, Row, Column)                                      \
  __shared__ float ta[BK][BM], tb[BK][BN];                                     \
  const int tx = threadIdx.x, ty = threadIdx.y, tid = Number;                  \
  const int m0 = blockIdx.y * BM, n0 = blockIdx.x * BN;                        \
  float sum[TM][TN] = {};                                                      \
  for (int k0 = 0; k0 < k; k0 += BK) {                                         \
    for (int o = 0; o < BM; o += Rows) {                                       \
      const int r = tid / BK + o, l = tid % BK;                                \
      ta[l][r] = m0 + r < m && k0 + l < k ? a[(m0 + r) * k + k0 + l] : 0.0f;   \
    }                                                                          \
    for (int i = 0; i < BK * BN / 256; ++i) {                                  \
      const int e = tid + i * 256, l = e / BN, j = e % BN;                     \
      tb[l][j] = k0 + l < k && n0 + j < n ? b[(k0 + l) * n + n0 + j] : 0.0f;   \
    }                                                                          \
    __syncthreads();                                                           \
    for (int l = 0; l < BK; ++l)                                               \
      for (int i = 0; i < TM; ++i)                                             \
        for (int j = 0; j < TN; ++j)                                           \
          sum[i][j] += ta[l][Row] * tb[l][Column];                             \
    __syncthreads();                                                           \
  }                                                                            \
  for (int i = 0; i < TM; ++i)                                                 \
    for (int j = 0; j < TN; ++j) {                                             \
      const int row = m0 + Row, column = n0 + Column;                          \
      if (row < m && column < n)                                               \
        c[row * n + column] = sum[i][j];                                       \
    }

#pragma warpwright matmul
__global__ void side_by_side(ARGS){
    KERNEL(ty * 16 + tx, 16, ty *TM + i, tx *TN + j)}

#pragma warpwright matmul
__global__ void apart(ARGS){KERNEL(ty * 16 + tx, 16, ty + i * 16, tx + j * 16)}

// Every other row of sixteen is not filled.
#pragma warpwright matmul
__global__
    void half_filled(ARGS){KERNEL(ty * 16 + tx, 32, ty *TM + i, tx *TN + j)}

// Two threads have one number, and the last numbers no thread.
#pragma warpwright matmul
__global__
    void numbered_twice(ARGS){KERNEL(ty * 15 + tx, 16, ty *TM + i, tx *TN + j)}

// A column of the next thread is read, and the first one is not.
#pragma warpwright matmul
__global__ void column_beyond(ARGS){
    KERNEL(ty * 16 + tx, 16, ty *TM + i, tx *TN + j + 1)}

// Threads of neighbouring rows store to the same row.
#pragma warpwright matmul
__global__
    void rows_overlap(ARGS){KERNEL(ty * 16 + tx, 16, ty * 3 + i, tx *TN + j)}

#define LAUNCH(Kernel)                                                         \
  Kernel<<<dim3((n + BN - 1) / BN, (m + BM - 1) / BM), dim3(16, 16)>>>(        \
      a, b, c, m, n, k)

void launches(ARGS) {
  LAUNCH(side_by_side);
  LAUNCH(apart);
  LAUNCH(half_filled);
  LAUNCH(numbered_twice);
  LAUNCH(column_beyond);
  LAUNCH(rows_overlap);
}
