// Pictures of every plan of every kernel and instance, and what they say.
// RUN: rm -rf %t
// RUN: python3 %inputs/status.py 2 %warpwright explain --svg=%t/new/folder %s >%t.out 2>%t.log
// RUN: FileCheck %s --input-file=%t.out --check-prefix=OUT
// RUN: FileCheck %s --input-file=%t.log --check-prefix=LOG
// OUT: kernel plain
// OUT: pictures: {{.*}}folder/index.html
// LOG: warning: 'strange' is not rewritten
// RUN: python3 %S/Inputs/check_pictures.py %t/new/folder | FileCheck %s --check-prefix=COUNT
// COUNT: 18 pictures
// RUN: FileCheck %s --input-file=%t/new/folder/index.html --check-prefix=INDEX

// The same each time, also over older pictures; strangers are left alone.
// RUN: mkdir -p %t/again && echo mine > %t/again/notes.txt
// RUN: python3 %inputs/status.py 2 %warpwright explain --svg %t/again %s >%t.out 2>%t.log
// RUN: python3 %inputs/status.py 2 %warpwright explain --svg=%t/again %s >%t.out 2>%t.log
// RUN: rm %t/again/notes.txt
// RUN: diff -r %t/new/folder %t/again

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

// INDEX: <h2 {{.*}}>plain</h2>
// INDEX: pictures.cu:[[#@LINE+8]]</p>
// INDEX-NEXT: <h3>plan tile</h3>
// INDEX-NEXT: tile 128 x 256 x 64 (m, n, k), 4 stages, 2 consumer warpgroups, cluster 2 x 1, 229440 bytes of shared memory
// INDEX: plain-tile-1-tiles.svg
// INDEX: plain-tile-2-loads.svg
// INDEX: plain-tile-3-memory.svg
// INDEX: plain-tile-6-epilogue.svg
#pragma warpwright matmul tile(128,256,64) stages(4) cluster(2,1) shapes(1000x1100x512)
__global__ void plain(const __nv_bfloat16 *A, const __nv_bfloat16 *B, __nv_bfloat16 *C, int M, int N, int K) {
  int m = blockIdx.y * blockDim.y + threadIdx.y, n = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= M || n >= N) return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += float(A[m * K + k]) * float(B[k * N + n]);
  C[m * N + n] = __float2bfloat16(acc);
}

// INDEX: <h2 {{.*}}>ns::typed&lt;__half, float&gt;</h2>
// INDEX: ns-typed-__half-float-tile-1-tiles.svg
// INDEX: <h2 {{.*}}>ns::typed&lt;__nv_bfloat16, float&gt;</h2>
// INDEX: ns-typed-__nv_bfloat16-float-tile-5-accumulators.svg
namespace ns {
#pragma warpwright matmul tile(32,64,64) stages(8)
template <class T, class O> __global__ void typed(const T *X, const T *W, O *Y, int M, int N, int K) {
  int m = blockIdx.y * blockDim.y + threadIdx.y, n = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= M || n >= N) return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += float(X[m * K + k]) * float(W[n * K + k]);
  Y[m * N + n] = acc;
}
} // namespace ns

// INDEX: <h2 {{.*}}>strange</h2>
// INDEX: left as it is; the reason is in explain
#pragma warpwright matmul
__global__ void strange(const float *A, const float *B, float *C, int K) {
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += A[k] / B[k];
  C[threadIdx.x] = acc;
}

int main() {
  plain<<<1, dim3(16, 16)>>>(nullptr, nullptr, nullptr, 0, 0, 0);
  ns::typed<__half, float><<<1, dim3(16, 16)>>>(nullptr, nullptr, nullptr, 0, 0, 0);
  ns::typed<__nv_bfloat16, float><<<1, dim3(16, 16)>>>(nullptr, nullptr, nullptr, 0, 0, 0);
  strange<<<1, 32>>>(nullptr, nullptr, nullptr, 0);
}

// 1000 x 1100 in cluster tiles of 256 x 256 is 4 x 5 tiles; 132 SMs are 66
// clusters of two.
// RUN: FileCheck %s --input-file=%t/again/plain-tile-1-tiles.svg --check-prefix=TILES
// TILES: <!-- drawn by warpwright explain -->
// TILES-NEXT: <svg xmlns="http://www.w3.org/2000/svg"
// TILES: kernel plain, plan tile: tile 128 x 256 x 64 (m, n, k), 4 stages, 2 consumer warpgroups, cluster 2 x 1</text>
// TILES: C is 1000 x 1100 here (from the pragma&apos;s shapes). 66 clusters run at a time
// TILES: >19</text>
// TILES-NOT: >20</text>
// TILES: 4 x 5 = 20 cluster tiles of 256 x 256. 8 of them along m make a band
// TILES: >CTA 0</text>
// TILES: >CTA 1</text>
// TILES: B in 2 shares
// TILES: wgmma m64n256k16, 4 of them

// RUN: FileCheck %s --input-file=%t/again/plain-tile-2-loads.svg --check-prefix=LOADS
// LOADS: A: 128 of m by 64 of k, contiguous along k
// LOADS: 1 box of 64 k by 128 m, 16384 bytes.
// LOADS: S&lt;3,4,3&gt; o 0 o ((8,16),(64,1)):((64,512),(1,0))
// LOADS: B: 256 of n by 64 of k, contiguous along n
// LOADS: 8 boxes of 64 n by 32 k, 4096 bytes each; 2
// LOADS: S&lt;3,4,3&gt; o 0 o ((64,4),(8,8)):((1,4096),(64,512))

// RUN: FileCheck %s --input-file=%t/again/plain-tile-3-memory.svg --check-prefix=MEMORY
// MEMORY: stage 0
// MEMORY: stage 3
// MEMORY: full: a consumer may read the stage after 1 arrival (the producer&apos;s) and 49152 bytes
// MEMORY: empty: the producer may fill it again after 16 arrivals

// RUN: FileCheck %s --input-file=%t/again/plain-tile-4-operands.svg --check-prefix=OPERANDS
// OPERANDS: byte 96</text>
// OPERANDS: byte 8192</text>
// OPERANDS: 0x4000004000010000</text>
// OPERANDS: byte 22528</text>
// OPERANDS: 0x4000004002000400</text>

// RUN: FileCheck %s --input-file=%t/again/plain-tile-6-epilogue.svg --check-prefix=EPILOGUE
// EPILOGUE: warp 0&apos;s first stmatrix.x4</text>
// EPILOGUE: This instruction takes 4 wavefronts for 512 bytes
// EPILOGUE: box of 64 n x 64 m</text>

// The swapped instances keep the user's names.
// RUN: FileCheck %s --input-file=%t/again/ns-typed-__half-float-tile-6-epilogue.svg --check-prefix=SWAPPED
// SWAPPED: How results reach Y</text>
// SWAPPED: kernel ns::typed&lt;__half, float&gt;, plan tile{{.*}}, operands swapped</text>
// SWAPPED: warp 0&apos;s first st.shared.f32</text>
