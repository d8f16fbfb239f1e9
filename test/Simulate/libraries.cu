// Libraries of the GPU are declared by the toolkit's own headers, so that what
// only mentions them runs.
// REQUIRES: cuda-toolkit
// RUN: %warpwright sim --original %s -lcublas -lcurand 2>&1 | %FileCheck %s
// RUN: %not %warpwright sim --original %s -- call > %t.txt 2>&1
// RUN: %FileCheck %s --check-prefix=CALL --input-file=%t.txt
#include <cstdio>
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cufft.h>
#include <curand.h>
#include <cusparse.h>

__global__ void k(__nv_bfloat16 *p) { *p = __float2bfloat16(2.5f); }

static float compare(const float *A, const float *B, float *C, int n) {
  cublasHandle_t handle;
  const float one = 1, zero = 0;
  cublasCreate(&handle);
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, B, n, A, n,
              &zero, C, n);
  cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, B, CUDA_R_32F,
               n, A, CUDA_R_32F, n, &zero, C, CUDA_R_32F, n,
               CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  curandGenerator_t generator;
  curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
  return C[0];
}

int main(int argc, char **) {
  __nv_bfloat16 *p;
  cudaMallocManaged(&p, sizeof(*p));
  k<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  std::printf("result %g\n", __bfloat162float(*p));
  std::fflush(stdout);
  if (argc > 1)
    std::printf("%g\n", compare(nullptr, nullptr, nullptr, 4));
}

// CHECK: warning: nothing that was given defines 'cublasCreate_v2', 'cublas{{.*}}', 'curandCreateGenerator'; {{.*}} [WW605]
// CHECK: result 2.5
// CALL: libraries.cu:20: error: a call of 'cublasCreate_v2', {{.*}} [WW720]
