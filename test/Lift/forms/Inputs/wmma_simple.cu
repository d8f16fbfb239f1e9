#include <mma.h>
#define FM 16
#define FN 16
#define FK 16
using namespace nvcuda;
#pragma warpwright matmul
__global__ void form_simple(half *p, half *q, float *r, float *s, int m_ld, int n_ld, int k_ld,
                              float al, float be) {
  int ldp = k_ld;
  int ldq = k_ld;
  int ldr = n_ld;
  int wm = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
  int wn = (blockIdx.y * blockDim.y + threadIdx.y);
  wmma::fragment<wmma::matrix_a, FM, FN, FK, half, wmma::row_major> fp;
  wmma::fragment<wmma::matrix_b, FM, FN, FK, half, wmma::col_major> fq;
  wmma::fragment<wmma::accumulator, FM, FN, FK, float> acc;
  wmma::fragment<wmma::accumulator, FM, FN, FK, float> fr;
  wmma::fill_fragment(acc, 0.0f);
  for (int i = 0; i < k_ld; i += FK) {
    int pc = i;
    int pr = wm * FM;
    int qc = wn * FN;
    int qr = i;
    if (pr < m_ld && pc < k_ld && qr < k_ld && qc < n_ld) {
      wmma::load_matrix_sync(fp, p + pc + pr * ldp, ldp);
      wmma::load_matrix_sync(fq, q + qr + qc * ldq, ldq);
      wmma::mma_sync(acc, fp, fq, acc);
    }
  }
  int cc = wn * FN;
  int cr = wm * FM;
  if (cr < m_ld && cc < n_ld) {
    wmma::load_matrix_sync(fr, r + cc + cr * ldr, ldr, wmma::mem_row_major);
    for (int i = 0; i < fr.num_elements; i++) fr.x[i] = al * acc.x[i] + be * fr.x[i];
    wmma::store_matrix_sync(s + cc + cr * ldr, fr, ldr, wmma::mem_row_major);
  }
}
void run(half *P, half *Q, float *R, float *S, int m, int n, int k) {
  dim3 gridDim;
  dim3 blockDim;
  blockDim.x = 128;
  blockDim.y = 4;
  gridDim.x = (m + (FM * blockDim.x / 32 - 1)) / (FM * blockDim.x / 32);
  gridDim.y = (n + FN * blockDim.y - 1) / (FN * blockDim.y);
  form_simple<<<gridDim, blockDim>>>(P, Q, R, S, m, n, k, 1.1f, 1.2f);
}
