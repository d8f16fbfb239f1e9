#include <mma.h>
#include <cuda/pipeline>
#define LANES 32
#define M 16
#define N 16
#define K 16
#define MT 256
#define NT 256
#define KT 256
#define MG (M * MT)
#define NG (N * NT)
#define KG (K * KT)
#define ROWMAJ wmma::mem_row_major
#define WARPS 8
#define THREADS (LANES * WARPS)
#define STEP 4
#define LINE_BYTES (STEP * K * sizeof(half))
#define COPY_BYTES (LANES * sizeof(int4))
#define LINES_WARP (COPY_BYTES / LINE_BYTES)
#define LINE_LANES (LANES / LINES_WARP)
#define BRW 2
#define BCW 4
#define WRT 4
#define WCT 2
#define BRT (WRT * BRW)
#define BCT (WCT * BCW)
#define GSTRIDE NG
#define SSTRIDE (N * BRT)
#define SOFFSET (N * WRT)
#define SKEW 16
using namespace nvcuda;
#pragma warpwright matmul
__global__ void form_wmma_async(const half *P, const half *Q, const float *R, float *S, float al, float be) {
  extern __shared__ half pool[][STEP * K + SKEW];
  const unsigned int warp = threadIdx.x / LANES;
  const unsigned int lane = threadIdx.x % LANES;
  const size_t qOff = BCT * M;
  float *tilePtr = (float *)&pool[0][0] + (warp / 2) * SSTRIDE * K * 2 + (warp % 2) * SOFFSET;
  float *streamPtr = (float *)&pool[0][0] + warp * SSTRIDE * K;
  be /= al;
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  const auto four = cuda::aligned_size_t<alignof(int4)>(sizeof(int4));
  for (unsigned int pos = blockIdx.x;; pos += gridDim.x) {
    const unsigned int ti = ((pos * BRT) / NT) * (BCT);
    const unsigned int tj = (pos * BCT) % NT;
    if (ti >= MT) {
      break;
    }
    const size_t at = (ti + warp) * M * GSTRIDE + tj * N;
    const float *src = &R[at];
#pragma unroll
    for (int i = 0; i < K; i++) {
      pipe.producer_acquire();
      cuda::memcpy_async((int4 *)(streamPtr + SSTRIDE * i) + lane, (const int4 *)(src + GSTRIDE * i) + lane, four, pipe);
      pipe.producer_commit();
    }
    cuda::pipeline_consumer_wait_prior<0>(pipe);
    __syncthreads();
    wmma::fragment<wmma::accumulator, M, N, K, float> c[WCT][WRT];
#pragma unroll
    for (int i = 0; i < WCT; i++) {
#pragma unroll
      for (int j = 0; j < WRT; j++) {
        const float *p = tilePtr + i * SSTRIDE * K + j * N;
        wmma::load_matrix_sync(c[i][j], p, SSTRIDE, ROWMAJ);
      }
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < WCT; i++) {
#pragma unroll
      for (int j = 0; j < WRT; j++) {
#pragma unroll
        for (int t = 0; t < c[i][j].num_elements; t++) c[i][j].x[t] *= be;
      }
    }
    const half *wp = (warp < 4) ? (&P[ti * M * KG] + M * KG * (warp % 4) * 2)
                                : (&Q[tj * N * KG] + N * KG * (warp % 4) * 2);
#pragma unroll
    for (int tk = 0; tk < KT; tk += STEP) {
      size_t si = warp < (WARPS / 2) ? (M * (warp % (WARPS / 2)) * 2)
                                     : (N * (warp % (WARPS / 2)) * 2 + qOff);
      int4 *lp = (int4 *)(wp + tk * K + (lane / LINE_LANES) * KG) + (lane % LINE_LANES);
      si += lane / LINE_LANES;
#pragma unroll
      for (int i = 0; i < ((LANES / 2) / LINES_WARP) * 2; i++) {
        pipe.producer_acquire();
        cuda::memcpy_async((int4 *)&pool[si][0] + (lane % LINE_LANES), lp, four, pipe);
        pipe.producer_commit();
        lp = (int4 *)((half *)lp + KG * LINES_WARP);
        si += LINES_WARP;
      }
      cuda::pipeline_consumer_wait_prior<0>(pipe);
      __syncthreads();
#pragma unroll
      for (int ks = 0; ks < STEP; ks++) {
        wmma::fragment<wmma::matrix_a, M, N, K, half, wmma::row_major> a[WCT];
        wmma::fragment<wmma::matrix_b, M, N, K, half, wmma::col_major> b[WRT];
#pragma unroll
        for (int i = 0; i < WCT; i++) {
          size_t sa = (warp / 2) * M * 2 + (i * M);
          const half *p = &pool[sa][ks * K];
          wmma::load_matrix_sync(a[i], p, K * STEP + SKEW);
#pragma unroll
          for (int j = 0; j < WRT; j++) {
            if (i == 0) {
              size_t sb = qOff + (WRT * N) * (warp % 2) + (j * N);
              const half *q = &pool[sb][ks * K];
              wmma::load_matrix_sync(b[j], q, K * STEP + SKEW);
            }
            wmma::mma_sync(c[i][j], a[i], b[j], c[i][j]);
          }
        }
      }
      __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < WCT; i++) {
#pragma unroll
      for (int j = 0; j < WRT; j++) {
#pragma unroll
        for (int t = 0; t < c[i][j].num_elements; t++) c[i][j].x[t] *= al;
        float *p = tilePtr + i * SSTRIDE * K + j * N;
        wmma::store_matrix_sync(p, c[i][j], SSTRIDE, ROWMAJ);
      }
    }
    __syncthreads();
    float *dst = &S[at];
#pragma unroll
    for (int i = 0; i < K; i++)
      *((int4 *)(dst + GSTRIDE * i) + lane) = *((int4 *)(streamPtr + SSTRIDE * i) + lane);
    __syncthreads();
  }
}
void run(half *P, half *Q, float *R, float *S, int sms) {
  enum { BYTES = 65536 };
  cudaFuncSetAttribute(form_wmma_async, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES);
  (form_wmma_async<<<sms, THREADS, BYTES>>>(P, Q, R, S, 1.1f, 1.2f));
}
