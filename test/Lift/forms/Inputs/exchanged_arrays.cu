#include <cuda_runtime.h>
template <class T> __device__ __forceinline__ void exchange(T &a, T &b) { T c(a); a = b; b = c; }
constexpr int BS = 16;
#pragma warpwright matmul
__global__ void mm_exchange(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float As0[BS][BS], As1[BS][BS], Bs0[BS][BS], Bs1[BS][BS];
  float (*ar)[BS] = As0, (*aw)[BS] = As1, (*br)[BS] = Bs0, (*bw)[BS] = Bs1;
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * BS + ty, col = blockIdx.x * BS + tx;
  ar[ty][tx] = A[row * K + tx];
  br[ty][tx] = B[ty * N + col];
  __syncthreads();
  float acc = 0.0f;
  const int tiles = K / BS;
  for (int t = 1; t < tiles; ++t) {
    aw[ty][tx] = A[row * K + t * BS + tx];
    bw[ty][tx] = B[(t * BS + ty) * N + col];
    for (int k = 0; k < BS; ++k) acc += ar[ty][k] * br[k][tx];
    __syncthreads();
    exchange(ar, aw);
    exchange(br, bw);
  }
  for (int k = 0; k < BS; ++k) acc += ar[ty][k] * br[k][tx];
  C[row * N + col] = acc;
}
void run(const float *A, const float *B, float *C, int M, int N, int K) {
  mm_exchange<<<dim3(N / BS, M / BS), dim3(BS, BS)>>>(A, B, C, M, N, K);
}
