#define BM 128
#define BN 128
#define BK 8
#define TM 8
#define TN 8
#pragma warpwright matmul
template <typename F>
__global__ void dbl(int M, int N, int K, float alpha, const F *__restrict__ A, int lda, const F *__restrict__ B, int ldb, float beta,
                    F *__restrict__ C, int ldc) {
  const int PADDED = BK + 1;
  const int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  const int tid = ty * blockDim.x + tx;
  float out[TM][TN] = {0.0f};
  float4 la, lb;
  float fa[TM], fb[TN];
  __shared__ float As[2][BM][PADDED];
  __shared__ float Bs[2][PADDED][BN];
  int ar = tid / (BK / 4), ac = (tid % (BK / 4)) * 4;
  int br = tid / (BN / 4), bc = (tid % (BN / 4)) * 4;
  const F *pa = A + by * BM * lda;
  const F *pb = B + bx * BN;
  {
    if (by * BM + ar < M && 0 + ac < K) {
      la = reinterpret_cast<const float4 *>(pa + ar * lda + ac)[0];
    } else {
      la = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    }
    if (0 + br < K && bx * BN + bc < N) {
      lb = reinterpret_cast<const float4 *>(pb + br * ldb + bc)[0];
    } else {
      lb = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    }
    As[0][ar][ac + 0] = la.x;
    As[0][ar][ac + 1] = la.y;
    As[0][ar][ac + 2] = la.z;
    As[0][ar][ac + 3] = la.w;
    Bs[0][br][bc + 0] = lb.x;
    Bs[0][br][bc + 1] = lb.y;
    Bs[0][br][bc + 2] = lb.z;
    Bs[0][br][bc + 3] = lb.w;
    __syncthreads();
  }
  int put = 1, get = 0;
  for (int k = 0; k < K; k += BK) {
    int nk = k + BK;
    if (nk < K) {
      if (by * BM + ar < M && nk + ac < K) {
        la = reinterpret_cast<const float4 *>(pa + ar * lda + nk + ac)[0];
      } else {
        la = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
      }
      if (nk + br < K && bx * BN + bc < N) {
        lb = reinterpret_cast<const float4 *>(pb + (nk + br) * ldb + bc)[0];
      } else {
        lb = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
      }
    }
#pragma unroll
    for (int i = 0; i < BK; ++i) {
#pragma unroll
      for (int r = 0; r < TM; ++r)
        fa[r] = As[get][ty * TM + r][i];
#pragma unroll
      for (int c = 0; c < TN; ++c)
        fb[c] = Bs[get][i][tx * TN + c];
#pragma unroll
      for (int r = 0; r < TM; ++r)
#pragma unroll
        for (int c = 0; c < TN; ++c)
          out[r][c] += fa[r] * fb[c];
    }
    __syncthreads();
    if (nk < K) {
      As[put][ar][ac + 0] = la.x;
      As[put][ar][ac + 1] = la.y;
      As[put][ar][ac + 2] = la.z;
      As[put][ar][ac + 3] = la.w;
      Bs[put][br][bc + 0] = lb.x;
      Bs[put][br][bc + 1] = lb.y;
      Bs[put][br][bc + 2] = lb.z;
      Bs[put][br][bc + 3] = lb.w;
    }
    __syncthreads();
    get ^= 1;
    put ^= 1;
  }
#pragma unroll
  for (int r = 0; r < TM; ++r) {
    int gr = by * BM + ty * TM + r;
    if (gr < M) {
      F *pc = C + gr * ldc;
#pragma unroll
      for (int q = 0; q < TN / 4; ++q) {
        int gc = bx * BN + tx * TN + q * 4;
        if (gc + 3 < N) {
          float4 v;
          v.x = out[r][q * 4 + 0];
          v.y = out[r][q * 4 + 1];
          v.z = out[r][q * 4 + 2];
          v.w = out[r][q * 4 + 3];
          float4 *to = reinterpret_cast<float4 *>(pc + gc);
          if (beta != 0.0f) {
            float4 o = *to;
            o.x = alpha * v.x + beta * o.x;
            o.y = alpha * v.y + beta * o.y;
            o.z = alpha * v.z + beta * o.z;
            o.w = alpha * v.w + beta * o.w;
            *to = o;
          } else {
            v.x *= alpha;
            v.y *= alpha;
            v.z *= alpha;
            v.w *= alpha;
            *to = v;
          }
        } else {
#pragma unroll
          for (int c = 0; c < 4; ++c) {
            int g = gc + c;
            if (g < N) {
              int i = gr * ldc + g;
              float x = out[r][q * 4 + c];
              if (beta != 0.0f)
                C[i] = alpha * x + beta * C[i];
              else
                C[i] = alpha * x;
            }
          }
        }
      }
    }
  }
}
void run(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 block(16, 16), grid((N + BN - 1) / BN, (M + BM - 1) / BM);
  dbl<float><<<grid, block>>>(M, N, K, 1.5f, A, K, B, N, 0.5f, C, N);
}
