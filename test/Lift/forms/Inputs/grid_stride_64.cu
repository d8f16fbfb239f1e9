#include <cuda_fp16.h>
#include <cstdint>
#pragma warpwright matmul
template <typename T> __global__ void stride64(const T *A, const T *B, T *C, int64_t M, int64_t K, int64_t N) {
  int64_t g = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  int64_t step = static_cast<int64_t>(blockDim.x) * gridDim.x;
  int64_t total = M * N;
  for (int64_t i = g; i < total; i += step) {
    int64_t r = i / N;
    int64_t c = i % N;
    float s = 0.0f;
    for (int64_t k = 0; k < K; k++) {
      s += static_cast<float>(A[r * K + k]) * static_cast<float>(B[k * N + c]);
    }
    C[i] = static_cast<T>(s);
  }
}
void run(const float *A, const float *B, float *C, const half *D, const half *E, half *F, int64_t M, int64_t K, int64_t N) {
  int b = (M * N + 255) / 256;
  stride64<float><<<b, 256>>>(A, B, C, M, K, N);
  stride64<half><<<b, 256>>>(D, E, F, M, K, N);
}
