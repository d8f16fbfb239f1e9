#pragma once
__device__ int noisy_calls;
__device__ inline float noisy(float x) {
  int c = atomicAdd(&noisy_calls, 1);
  return x > 1e30f ? (float)c : 0.0f;
}
__device__ inline float quiet(int n) { return noisy_calls > n ? 1.0f : 0.0f; }
