// The stand-ins for the toolkit's headers hold what CUDA programs with matrix
// kernels use, on the host side and on the device side, with no warning.
// RUN: %clang -x cuda --cuda-path=/nonexistent %parse --cuda-gpu-arch=sm_90a \
// RUN:   -std=c++17 -Wall -Werror -fsyntax-only --cuda-device-only %s
// RUN: %clang -x cuda --cuda-path=/nonexistent %parse --cuda-gpu-arch=sm_90a \
// RUN:   -std=c++17 -Wall -Werror -fsyntax-only --cuda-host-only %s

// They agree with the toolkit where there is one: the same file, its headers.
// RUN: %if cuda-toolkit %{ %clang -x cuda --cuda-path=%cuda \
// RUN:   -Wno-unknown-cuda-version --cuda-gpu-arch=sm_90a -std=c++17 \
// RUN:   -fsyntax-only --cuda-device-only %s %}

#include <algorithm>
#include <atomic>
#include <chrono>
#include <complex>
#include <cstdio>
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

__constant__ float Table[16];

__device__ __forceinline__ float gelu(float X) {
  return 0.5f * X * (1.0f + erff(X * 0.70710678f)) + tanhf(X) + __expf(X) +
         fmaxf(X, 0.f) + rsqrtf(X) + sqrtf(X) + expf(X) + log1pf(X) +
         powf(X, 2.f) + fabsf(X) + fminf(X, 1.f) + __fdividef(X, 2.f);
}

__device__ __noinline__ float callee(float X) { return gelu(X) + 1.f; }

template <typename T, int Tile, bool Guard>
__global__ void __launch_bounds__(256, 1)
    tiled(const T *__restrict__ A, const T *B, T *C, int M, int N, size_t K) {
  __shared__ float As[Tile][Tile + 1];
  extern __shared__ float Dynamic[];
  int Row = blockIdx.y * blockDim.y + threadIdx.y;
  int Col = blockIdx.x * blockDim.x + threadIdx.x;
  dim3 Grid = gridDim;
  if (Guard && (Row >= M || Col >= N))
    return;
  float Sum = 0.f;
  for (size_t I = 0; I < K; ++I) {
    As[threadIdx.y][threadIdx.x] = (float)A[Row * K + I];
    __syncthreads();
    Sum = fmaf(As[threadIdx.y][threadIdx.x], float(__ldg(&B[I * N + Col])), Sum);
    Sum = __fmaf_rn(Sum, 1.f, 0.f) + __fadd_rn(Sum, 0.f) + __fmul_rn(Sum, 1.f);
    __syncthreads();
  }
  Dynamic[threadIdx.x] = __shfl_xor_sync(0xffffffffu, Sum, 1);
  __syncwarp();
  Sum += min(M, N) + max(Row, Col) + std::min(M, N) + Table[Grid.x & 15];
  C[(size_t)Row * N + Col] = T(callee(Sum));
}

__global__ void sixteenBit(const __half *H, const __nv_bfloat16 *B, half *OutH,
                           nv_bfloat16 *OutB, float *Out, int N) {
  int I = threadIdx.x;
  half Acc = __float2half(0.f);
  for (int K = 0; K < N; ++K) {
    Acc = __hadd(Acc, __hmul(H[K], H[I]));
    Acc = __hfma(H[K], H[I], Acc);
    Acc += H[K] * H[I];
  }
  float Wide = __bfloat162float(B[I]) * __half2float(H[I]) + (float)H[I] +
               static_cast<float>(B[I]);
  float2 Two = __half22float2(*reinterpret_cast<const half2 *>(H));
  float4 Four = *reinterpret_cast<const float4 *>(Out);
  atomicAdd(Out, Two.x + Four.w);
  OutH[I] = __float2half_rn(Wide);
  OutB[I] = __float2bfloat16(Wide);
  OutB[I] = __nv_bfloat16(Wide);
  OutB[I] = Wide;
  if (__hgt(Acc, OutH[I]) || Acc > H[I])
    printf("%f %d\n", Wide, warpSize);
}

#define CHECK(Call)                                                            \
  do {                                                                         \
    cudaError_t Error = (Call);                                                \
    if (Error != cudaSuccess)                                                  \
      printf("%s\n", cudaGetErrorString(Error));                               \
  } while (0)

int main() {
  std::vector<float> Host(1024);
  __half *A;
  float *F;
  CHECK(cudaMalloc(&A, 2048));
  CHECK(cudaMalloc((void **)&F, 2048));
  CHECK(cudaMemcpy(F, Host.data(), 2048, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyToSymbol(Table, Host.data(), sizeof Table));
  cudaStream_t Stream;
  CHECK(cudaStreamCreate(&Stream));
  cudaEvent_t Start;
  CHECK(cudaEventCreate(&Start));
  CHECK(cudaFuncSetAttribute(tiled<float, 16, true>,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             100000));
  tiled<float, 16, true><<<dim3(2, 2), dim3(16, 16), 1024, Stream>>>(
      F, F, F, 8, 8, 8);
  sixteenBit<<<1, 32>>>(A, nullptr, A, nullptr, F, 8);
  cudaDeviceProp Properties;
  CHECK(cudaGetDeviceProperties(&Properties, 0));
  cudaGraph_t Graph;
  CHECK(cudaStreamBeginCapture(Stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaStreamEndCapture(Stream, &Graph));
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  float X = __half2float(__float2half(1.f)) + float(__nv_bfloat16(1.f));
  return X > 0 && Properties.major == 9 && std::max(X, 1.f) > 2 ? 1 : 0;
}
