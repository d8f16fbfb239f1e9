#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>
using namespace nvcuda;
#define OFFSET(row, col, ld) ((row) * (ld) + (col))
#pragma warpwright matmul
__global__ void form_fragments_one_by_one(half *__restrict__ a,
                                          half *__restrict__ b,
                                          half *__restrict__ c, const int M,
                                          const int N, const int K) {
  const int BM = 128, BN = 256, BK = 32;
  int bx = blockIdx.z * gridDim.x + blockIdx.x, by = blockIdx.y,
      tid = threadIdx.x, wid = tid >> 5;
  if (bx >= N / BN || by >= M / BM)
    return;
  const int APAD = 8, BPAD = 8;
  extern __shared__ half smem[];
  half *s_a = smem, *s_b = smem + 2 * BM * (BK + APAD);
  int da = BM * (BK + APAD), db = BK * (BN + BPAD);
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa[2][4];
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb[2][4];
  wmma::fragment<wmma::accumulator, 16, 16, 16, half> fc[4][4];
#pragma unroll
  for (int i = 0; i < 4; i++)
#pragma unroll
    for (int j = 0; j < 4; j++)
      wmma::fill_fragment(fc[i][j], __float2half(0.0f));
  int am = (tid >> 2) << 1, ak = (tid & 3) << 3, bk = (tid >> 5) << 2,
      bn = (tid & 31) << 3;
  int pa = __cvta_generic_to_shared(s_a), pb = __cvta_generic_to_shared(s_b);
  int a0 = pa + OFFSET(am, ak, BK + APAD) * sizeof(half),
      a1 = a0 + (BK + APAD) * sizeof(half);
  int b0 = pb + OFFSET(bk, bn, BN + BPAD) * sizeof(half),
      b1 = b0 + (BN + BPAD) * sizeof(half),
      b2 = b0 + 2 * (BN + BPAD) * sizeof(half),
      b3 = b0 + 3 * (BN + BPAD) * sizeof(half);
  int gm = by * BM + am, gn = bx * BN + bn;
  int ga = OFFSET(gm, ak, K), gb = OFFSET(bk, gn, N);
  int cm = wid & 1, cn = wid >> 1;
#define CP(dst, src)                                                           \
  asm("cp.async.ca.shared.global [%0], [%1], 16;\n" : : "r"(dst), "l"(src))
  {
    CP(a0, &a[ga]);
    CP(a1, &a[ga + K]);
    CP(b0, &b[gb]);
    CP(b1, &b[gb + N]);
    CP(b2, &b[gb + 2 * N]);
    CP(b3, &b[gb + 3 * N]);
    asm("cp.async.commit_group;\n" ::);
    asm("cp.async.wait_group 0;\n" ::);
    __syncthreads();
  }
#define MM(sel)                                                                \
  wmma::load_matrix_sync(fa[0][0], &s_a[sel * da + (cm * 64) * (BK + APAD)],   \
                         BK + APAD);                                           \
  wmma::load_matrix_sync(                                                      \
      fa[0][1], &s_a[sel * da + (cm * 64 + 16) * (BK + APAD)], BK + APAD);     \
  wmma::load_matrix_sync(                                                      \
      fa[0][2], &s_a[sel * da + (cm * 64 + 32) * (BK + APAD)], BK + APAD);     \
  wmma::load_matrix_sync(                                                      \
      fa[0][3], &s_a[sel * da + (cm * 64 + 48) * (BK + APAD)], BK + APAD);     \
  wmma::load_matrix_sync(                                                      \
      fa[1][0], &s_a[sel * da + (cm * 64) * (BK + APAD) + 16], BK + APAD);     \
  wmma::load_matrix_sync(fa[1][1],                                             \
                         &s_a[sel * da + (cm * 64 + 16) * (BK + APAD) + 16],   \
                         BK + APAD);                                           \
  wmma::load_matrix_sync(fa[1][2],                                             \
                         &s_a[sel * da + (cm * 64 + 32) * (BK + APAD) + 16],   \
                         BK + APAD);                                           \
  wmma::load_matrix_sync(fa[1][3],                                             \
                         &s_a[sel * da + (cm * 64 + 48) * (BK + APAD) + 16],   \
                         BK + APAD);                                           \
  wmma::load_matrix_sync(fb[0][0], &s_b[sel * db + cn * 64], BN + BPAD);       \
  wmma::load_matrix_sync(fb[0][1], &s_b[sel * db + cn * 64 + 16], BN + BPAD);  \
  wmma::load_matrix_sync(fb[0][2], &s_b[sel * db + cn * 64 + 32], BN + BPAD);  \
  wmma::load_matrix_sync(fb[0][3], &s_b[sel * db + cn * 64 + 48], BN + BPAD);  \
  wmma::load_matrix_sync(                                                      \
      fb[1][0], &s_b[sel * db + 16 * (BN + BPAD) + cn * 64], BN + BPAD);       \
  wmma::load_matrix_sync(                                                      \
      fb[1][1], &s_b[sel * db + 16 * (BN + BPAD) + cn * 64 + 16], BN + BPAD);  \
  wmma::load_matrix_sync(                                                      \
      fb[1][2], &s_b[sel * db + 16 * (BN + BPAD) + cn * 64 + 32], BN + BPAD);  \
  wmma::load_matrix_sync(                                                      \
      fb[1][3], &s_b[sel * db + 16 * (BN + BPAD) + cn * 64 + 48], BN + BPAD);  \
  _Pragma("unroll") for (int i = 0; i < 4; i++)                                \
      _Pragma("unroll") for (int j = 0; j < 4; j++) {                          \
    wmma::mma_sync(fc[i][j], fa[0][i], fb[0][j], fc[i][j]);                    \
    wmma::mma_sync(fc[i][j], fa[1][i], fb[1][j], fc[i][j]);                    \
  }
#pragma unroll 32
  for (int k = 1; k < K / BK; k++) {
    int sel = (k & 1) ^ 1, next = ((k - 1) & 1) ^ 1;
    ga += BK;
    gb += BK * N;
    CP(a0 + next * da * (int)sizeof(half), &a[ga]);
    CP(a1 + next * da * (int)sizeof(half), &a[ga + K]);
    CP(b0 + next * db * (int)sizeof(half), &b[gb]);
    CP(b1 + next * db * (int)sizeof(half), &b[gb + N]);
    CP(b2 + next * db * (int)sizeof(half), &b[gb + 2 * N]);
    CP(b3 + next * db * (int)sizeof(half), &b[gb + 3 * N]);
    MM(sel)
    asm("cp.async.commit_group;\n" ::);
    asm("cp.async.wait_group 0;\n" ::);
    __syncthreads();
  }
  int sel = ((K / BK) & 1) ^ 1;
  MM(sel)
  int sm = by * BM + cm * 64, sn = bx * BN + cn * 64, at = OFFSET(sm, sn, N);
#pragma unroll
  for (int i = 0; i < 4; i++)
#pragma unroll
    for (int j = 0; j < 4; j++)
      wmma::store_matrix_sync(&c[at + i * 16 * N + j * 16], fc[i][j], N,
                              wmma::mem_row_major);
}
void run(half *a, half *b, half *c, int M, int N, int K) {
  form_fragments_one_by_one<<<dim3((N / 256 + 1) / 2, M / 128, 2), 256,
                              54272>>>(a, b, c, M, N, K);
}
