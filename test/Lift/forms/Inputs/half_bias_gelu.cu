#include <cuda_fp16.h>
__device__ __forceinline__ float gelu(float x) {
  const float c = 0.7978845608028654f;
  return 0.5f * x * (1.f + tanhf(c * (x + 0.044715f * x * x * x)));
}
#pragma warpwright matmul
__global__ void half_gelu(const __half *__restrict__ P, const __half *__restrict__ Q, const __half *__restrict__ bias,
                          __half *__restrict__ R, int M, int N, int K) {
  const int T = 16;
  __shared__ __half sp[T][T];
  __shared__ __half sq[T][T];
  int tm = blockIdx.y;
  int tn = blockIdx.x;
  int row = tm * T + threadIdx.y;
  int col = tn * T + threadIdx.x;
  float acc = 0.f;
  for (int k0 = 0; k0 < K; k0 += T) {
    sp[threadIdx.y][threadIdx.x] = P[row * K + (k0 + threadIdx.x)];
    sq[threadIdx.y][threadIdx.x] = Q[(k0 + threadIdx.y) * N + col];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < T; ++k) {
      float a = __half2float(sp[threadIdx.y][k]);
      float b = __half2float(sq[k][threadIdx.x]);
      acc = fmaf(a, b, acc);
    }
    __syncthreads();
  }
  float v = acc + (bias ? __half2float(bias[col]) : 0.f);
  v = gelu(v);
  R[row * N + col] = __float2half_rn(v);
}
void run(const __half *A, const __half *B, const __half *bias, __half *C, int M, int N, int K) {
  dim3 b(16, 16), g(N / 16, M / 16);
  half_gelu<<<g, b>>>(A, B, bias, C, M, N, K);
}
