// FORM: register tiles: two buffers in shared memory and two of fragments, in
// a do-while loop over the tiles
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fragments of the next k are read while this one is multiplied; the last
// k of a tile is multiplied with the first fragments of the next tile already
// read into the other half.

#include "check.h"

#define VECTOR(element) (*reinterpret_cast<float4 *>(&(element)))

#pragma warpwright matmul
template <int BM, int BK, int BN, int TM, int TN>
__global__ void do_while_fragments(float *__restrict__ A, float *__restrict__ B,
                                   float *__restrict__ C, const int N,
                                   const int K) {
  const int across = BN / TN, threads = across * (BM / TM);
  const int tx = threadIdx.x, ty = threadIdx.y, tid = ty * across + tx;
  __shared__ float As[2][BK][BM], Bs[2][BK][BN];
  float acc[TM][TN] = {0};
  float a[2][TM], b[2][TN];
  float nextA[BM * BK / threads], nextB[BK * BN / threads];
  const int ar = tid / (BK / 4), ac = tid % (BK / 4) * 4;
  const int br = tid / (BN / 4), bc = tid % (BN / 4) * 4;
  const int aStep = threads / (BK / 4), bStep = threads / (BN / 4);
  A = &A[BM * blockIdx.y * K];
  B = &B[BN * blockIdx.x];
#pragma unroll
  for (int i = 0; i < BM; i += aStep) {
    const int at = i / aStep * 4;
    VECTOR(nextA[at]) = VECTOR(A[(ar + i) * K + ac]);
    As[0][ac][ar + i] = nextA[at];
    As[0][ac + 1][ar + i] = nextA[at + 1];
    As[0][ac + 2][ar + i] = nextA[at + 2];
    As[0][ac + 3][ar + i] = nextA[at + 3];
  }
#pragma unroll
  for (int i = 0; i < BK; i += bStep)
    VECTOR(Bs[0][br + i][bc]) = VECTOR(B[(br + i) * N + bc]);
  __syncthreads();
#pragma unroll
  for (int i = 0; i < TM; i += 4)
    VECTOR(a[0][i]) = VECTOR(As[0][0][TM * ty + i]);
#pragma unroll
  for (int j = 0; j < TN; j += 4)
    VECTOR(b[0][j]) = VECTOR(Bs[0][0][TN * tx + j]);
  int filled = 1, done = 0;
  do {
    done += BK;
    if (done < K) {
#pragma unroll
      for (int i = 0; i < BM; i += aStep)
        VECTOR(nextA[i / aStep * 4]) = VECTOR(A[(ar + i) * K + ac + done]);
#pragma unroll
      for (int i = 0; i < BK; i += bStep)
        VECTOR(nextB[i / bStep * 4]) = VECTOR(B[(done + br + i) * N + bc]);
    }
    const int now = filled ^ 1;
#pragma unroll
    for (int k = 0; k < BK - 1; ++k) {
#pragma unroll
      for (int i = 0; i < TM; i += 4)
        VECTOR(a[(k + 1) % 2][i]) = VECTOR(As[now][k + 1][TM * ty + i]);
#pragma unroll
      for (int j = 0; j < TN; j += 4)
        VECTOR(b[(k + 1) % 2][j]) = VECTOR(Bs[now][k + 1][TN * tx + j]);
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j)
          acc[i][j] += a[k % 2][i] * b[k % 2][j];
    }
    if (done < K) {
#pragma unroll
      for (int i = 0; i < BM; i += aStep) {
        const int at = i / aStep * 4;
        As[filled][ac][ar + i] = nextA[at];
        As[filled][ac + 1][ar + i] = nextA[at + 1];
        As[filled][ac + 2][ar + i] = nextA[at + 2];
        As[filled][ac + 3][ar + i] = nextA[at + 3];
      }
#pragma unroll
      for (int i = 0; i < BK; i += bStep)
        VECTOR(Bs[filled][br + i][bc]) = VECTOR(nextB[i / bStep * 4]);
      __syncthreads();
      filled ^= 1;
    }
#pragma unroll
    for (int i = 0; i < TM; i += 4)
      VECTOR(a[0][i]) = VECTOR(As[now ^ 1][0][TM * ty + i]);
#pragma unroll
    for (int j = 0; j < TN; j += 4)
      VECTOR(b[0][j]) = VECTOR(Bs[now ^ 1][0][TN * tx + j]);
#pragma unroll
    for (int i = 0; i < TM; ++i)
#pragma unroll
      for (int j = 0; j < TN; ++j)
        acc[i][j] += a[1][i] * b[1][j];
  } while (done < K);
#pragma unroll
  for (int i = 0; i < TM; ++i)
#pragma unroll
    for (int j = 0; j < TN; j += 4)
      VECTOR(C[(BM * blockIdx.y + ty * TM + i) * N + BN * blockIdx.x + tx * TN +
               j]) = VECTOR(acc[i][j]);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 128, 64}, check::Shape{128, 64, 104},
                         check::Shape{64, 64, 16}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    do_while_fragments<64, 8, 64, 8, 8>
        <<<dim3(s.n / 64, s.m / 64), dim3(8, 8)>>>(A.data(), B.data(), C.data(),
                                                   s.n, s.k);
    test.expect("do_while_fragments", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
