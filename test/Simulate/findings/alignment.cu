// Vectors at addresses that are not multiples of their alignment, on which the
// device faults.
// RUN: %warpwright sim --build-only --keep=%t %s
// RUN: %warpwright sim --run=%t -- fine 2>&1 | FileCheck %s --check-prefix=FINE
// RUN: python3 %inputs/status.py 3 %warpwright sim --run=%t -- load 2>&1 | FileCheck %s --check-prefix=LOAD
// RUN: python3 %inputs/status.py 3 %warpwright sim --run=%t -- store 2>&1 | FileCheck %s --check-prefix=STORE
// RUN: python3 %inputs/status.py 3 %warpwright sim --run=%t -- shared 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: python3 %inputs/status.py 3 %warpwright sim --run=%t -- member 2>&1 | FileCheck %s --check-prefix=MEMBER
// RUN: python3 %inputs/status.py 3 %warpwright sim --run=%t -- word 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: python3 %inputs/status.py 3 %warpwright sim --run=%t -- template 2>&1 | FileCheck %s --check-prefix=TEMPLATE
// RUN: python3 %inputs/status.py 3 %warpwright sim --run=%t -- ptx 2>&1 | FileCheck %s --check-prefix=PTX
// RUN: python3 %inputs/status.py 3 %warpwright sim --run=%t -- half 2>&1 | FileCheck %s --check-prefix=HALF
#include <cstdio>
#include <cstring>
#include <cuda_fp16.h>

enum Form { load, store, shared, member, word, templated, ptx, halves };

/// T is no vector here.
template <class T> __device__ T sum(const T *x, int n) {
  T total = T();
  for (int i = 0; i < n; ++i)
    total += x[i];
  return total;
}
struct __align__(16) Quad {
  float x[4];
};
template <class T> __device__ float first(const T *x) {
  // TEMPLATE: alignment.cu:[[#@LINE+1]]: error: an access to 16 bytes at {{.*}}, an address that is not a multiple of 16 [WW712]
  T all = x[1];
  return all.x[0];
}

__global__ void access(float *x, int shift, Form form) {
  __shared__ __align__(16) float tile[64];
  for (int i = 0; i < 64; ++i)
    tile[i] = x[i];
  __syncthreads();
  float total = sum(x, 4);
  const float4 *all = reinterpret_cast<const float4 *>(x + shift);
  const float4 *p = &all[2]; // no access
  switch (form) {
  case load: {
    // LOAD: alignment.cu:[[#@LINE+2]]: error: an access to 16 bytes at {{.*}}, an address that is not a multiple of 16 [WW712]
    // LOAD: alignment.cu:{{[0-9]+}}: note: in kernel 'access'
    const float4 v = *p;
    total += v.x + v.w;
    break;
  }
  case store:
    // STORE: alignment.cu:[[#@LINE+1]]: error: an access to 8 bytes at {{.*}}, an address that is not a multiple of 8 [WW712]
    *(float2 *)(x + shift) = make_float2(total, 1);
    break;
  case shared:
    // SHARED: alignment.cu:[[#@LINE+1]]: error: an access to 16 bytes at {{.*}}, an address that is not a multiple of 16 [WW712]
    total += reinterpret_cast<float4 *>(tile + shift)[2].y;
    break;
  case member:
    // MEMBER: alignment.cu:[[#@LINE+1]]: error: an access to 16 bytes at {{.*}}, an address that is not a multiple of 16 [WW712]
    total += p->z;
    break;
  case word:
    // WORD: alignment.cu:[[#@LINE+1]]: error: an access to 4 bytes at {{.*}}, an address that is not a multiple of 4 [WW712]
    total += *(unsigned *)((char *)x + shift * 2);
    break;
  case templated:
    total += first(reinterpret_cast<const Quad *>(x + shift));
    break;
  case ptx: {
    float4 v;
    // PTX: alignment.cu:[[#@LINE+1]]: error: ld of 16 bytes at shared address {{[0-9]+}}, which is not a multiple of that [WW712]
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "r"(unsigned(__cvta_generic_to_shared(tile + shift))));
    total += v.x;
    break;
  }
  case halves: {
    const half *h = reinterpret_cast<const half *>(x);
    total += __half2float(h[shift]); // each half is where it should be
    // HALF: alignment.cu:[[#@LINE+1]]: error: an access to 4 bytes at {{.*}}, an address that is not a multiple of 4 [WW712]
    const half2 pair = *reinterpret_cast<const half2 *>(&h[shift]);
    total += __low2float(pair);
    break;
  }
  }
  x[0] = total;
}

int main(int argc, char **argv) {
  const char *const names[] = {"load", "store",    "shared", "member",
                               "word", "template", "ptx",    "half"};
  float *x;
  cudaMallocManaged(&x, 256);
  memset(x, 0, 256);
  for (int form = 0; form < 8; ++form) {
    const bool wrong = argc > 1 && !strcmp(argv[1], names[form]);
    access<<<1, 1>>>(x, wrong ? 1 : form == store || form == halves ? 2 : 4,
                     Form(form));
    if (cudaDeviceSynchronize() != cudaSuccess)
      return 1;
  }
  // FINE: done
  printf("done\n");
  return 0;
}
