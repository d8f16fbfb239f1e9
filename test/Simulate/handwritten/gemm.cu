// A GEMM for Hopper, written by hand over the runtime's primitives: one
// warpgroup, two stages that TMA fills while wgmma reads the other, and a TMA
// store of the result. C = A B^T in bfloat16; A is M by K, B is N by K, both
// row-major.
//
// RUN: %warpwright sim --schedules=3 %s 2>&1 | FileCheck %s
// CHECK: PASS
//
// The two mistakes that are most often published. Without the proxy fence the
// TMA store may read what was in the buffer before:
// RUN: python3 %inputs/status.py 3 %warpwright sim -DNO_FENCE %s > %t.fence 2>&1
// RUN: FileCheck --check-prefix=FENCE %s < %t.fence
//
// The thread that waits has no bulk groups of its own, so it does not wait:
// RUN: python3 %inputs/status.py 3 %warpwright sim -DWRONG_WAITER %s > %t.wait 2>&1
// RUN: FileCheck --check-prefix=WAIT %s < %t.wait

#include <cuda_bf16.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>
#include <warpwright/rt/warpwright.cuh>

namespace rt = warpwright::rt;

constexpr int tile = 64; // rows, columns and depth: a row of k is 128 bytes
constexpr int stages = 2;
constexpr int operand_bytes = tile * tile * 2;
constexpr int ctas = 3; // fewer than tiles, so that each computes several

/// K-major rows of 128 bytes, swizzled as TMA leaves them.
struct operand {
  static constexpr int leading_bytes = 16;
  static constexpr int stride_bytes = 1024;
  static constexpr int swizzle_bytes = 128;
};

struct shared_storage {
  __nv_bfloat16 a[stages][tile * tile];
  __nv_bfloat16 b[stages][tile * tile];
  __nv_bfloat16 staging[tile * tile];
  uint64_t full[stages];
};

#if WARPWRIGHT_HOPPER
/// One thread brings block `block` of the sum into its stage.
static __device__ void load(shared_storage &shared, const CUtensorMap &a,
                            const CUtensorMap &b, int stage, int block, int row,
                            int col) {
  rt::barrier_expect(&shared.full[stage], 2 * operand_bytes);
  rt::tma_load_2d(rt::shared_address(shared.a[stage]), &a, &shared.full[stage],
                  block * tile, row);
  rt::tma_load_2d(rt::shared_address(shared.b[stage]), &b, &shared.full[stage],
                  block * tile, col);
}
#endif

__global__ void __launch_bounds__(128)
    gemm(const __grid_constant__ CUtensorMap a,
         const __grid_constant__ CUtensorMap b,
         const __grid_constant__ CUtensorMap c, int m, int n, int k) {
#if WARPWRIGHT_HOPPER
  extern __shared__ __align__(1024) unsigned char memory[];
  shared_storage &shared = *reinterpret_cast<shared_storage *>(memory);
  const int thread = threadIdx.x;
  if (thread == 0) {
    for (int i = 0; i < stages; ++i)
      rt::barrier_init(&shared.full[i], 1);
    rt::fence_barrier_init();
  }
  __syncthreads();

  const int blocks = (k + tile - 1) / tile;
  const int cols = (n + tile - 1) / tile;
  const int tiles = (m + tile - 1) / tile * cols;
  rt::ring at;
  for (int index = blockIdx.x; index < tiles; index += gridDim.x) {
    const int row = index / cols * tile, col = index % cols * tile;
    if (thread == 0)
      load(shared, a, b, at.stage, 0, row, col);
    float acc[1][32];
    for (int block = 0; block < blocks; ++block) {
      const int stage = at.stage;
      rt::barrier_wait(&shared.full[stage], at.phase);
      at.advance<stages>();
      // The other stage was read by the wgmma that the last round waited for.
      if (thread == 0 && block + 1 < blocks)
        load(shared, a, b, at.stage, block + 1, row, col);
      const uint64_t rows =
          rt::operand_descriptor<operand>(rt::shared_address(shared.a[stage]));
      const uint64_t columns =
          rt::operand_descriptor<operand>(rt::shared_address(shared.b[stage]));
      rt::wgmma_fence();
      for (int step = 0; step < tile / 16; ++step)
        rt::wgmma_bf16<true, true>(
            acc[0], rows + rt::descriptor_step(32, step),
            columns + rt::descriptor_step(32, step), block > 0 || step > 0);
      rt::wgmma_commit();
      rt::wgmma_wait_all(acc);
      __syncthreads();
    }

    // The last store must have read the buffer before it is written again.
#ifdef WRONG_WAITER
    if (thread == 32)
#else
    if (thread == 0)
#endif
      rt::tma_store_wait_read<0>();
    __syncthreads();
    for (int i = 0; i < 32; i += 2) {
      const int r = thread / 32 * 16 + thread / 4 % 8 + i / 2 % 2 * 8;
      const int s = thread % 4 * 2 + i / 4 * 8;
      // WAIT: gemm.cu:[[#@LINE+2]]: error: this writes {{.*}} may still read [WW708]
      // WAIT: in kernel 'gemm'
      *reinterpret_cast<__nv_bfloat162 *>(&shared.staging[r * tile + s]) =
          __floats2bfloat162_rn(acc[0][i], acc[0][i + 1]);
    }
#ifndef NO_FENCE
    rt::fence_async_shared();
#endif
    __syncthreads();
    if (thread == 0) {
      // FENCE: gemm.cu:[[#@LINE+3]]: error: {{.*}} without a proxy fence {{.*}}[WW707]
      // FENCE: in kernel 'gemm'
      // WAIT: gemm.cu:[[#@LINE+1]]: note: {{.*}} was issued here
      rt::tma_store_2d(&c, rt::shared_address(shared.staging), col, row);
      rt::tma_store_commit();
    }
  }
  if (thread == 0)
    rt::tma_store_wait_read<0>();
#endif
}

static void require(cudaError_t status) {
  if (status == cudaSuccess)
    return;
  printf("%s\nFAIL\n", cudaGetErrorString(status));
  exit(1);
}

/// A row-major matrix in boxes of 64 by 64.
static CUtensorMap encode(void *data, int rows, int cols,
                          CUtensorMapSwizzle swizzle) {
  CUtensorMap map;
  const cuuint64_t extents[] = {cuuint64_t(cols), cuuint64_t(rows)};
  const cuuint64_t pitches[] = {cuuint64_t(cols) * 2};
  const cuuint32_t box[] = {tile, tile}, every[] = {1, 1};
  const rt::EncodeTiled encode_tiled = rt::find_encode_tiled();
  if (!encode_tiled ||
      encode_tiled(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, data, extents,
                   pitches, box, every, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                   CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
                   CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS) {
    printf("no tensor map\nFAIL\n");
    exit(1);
  }
  return map;
}

/// rows by cols small integers, whose sums a float holds exactly.
struct Matrix {
  int rows, cols;
  std::vector<__nv_bfloat16> values;
  void *device = nullptr;

  Matrix(int rows, int cols, unsigned seed)
      : rows(rows), cols(cols), values(size_t(rows) * cols) {
    for (__nv_bfloat16 &each : values) {
      seed = seed * 1664525u + 1013904223u;
      each = __float2bfloat16(float(int(seed >> 24) % 5 - 2));
    }
    require(cudaMalloc(&device, values.size() * 2));
    require(cudaMemcpy(device, values.data(), values.size() * 2,
                       cudaMemcpyHostToDevice));
  }
  ~Matrix() { cudaFree(device); }
};

static bool is_right(int m, int n, int k) {
  Matrix a(m, k, 1), b(n, k, 2), c(m, n, 3);
  const int bytes = sizeof(shared_storage);
  require(cudaFuncSetAttribute(
      gemm, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  gemm<<<ctas, 128, bytes>>>(
      encode(a.device, m, k, CU_TENSOR_MAP_SWIZZLE_128B),
      encode(b.device, n, k, CU_TENSOR_MAP_SWIZZLE_128B),
      encode(c.device, m, n, CU_TENSOR_MAP_SWIZZLE_NONE), m, n, k);
  require(cudaGetLastError());
  require(cudaDeviceSynchronize());
  require(cudaMemcpy(c.values.data(), c.device, c.values.size() * 2,
                     cudaMemcpyDeviceToHost));
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int l = 0; l < k; ++l)
        sum += __bfloat162float(a.values[size_t(i) * k + l]) *
               __bfloat162float(b.values[size_t(j) * k + l]);
      const __nv_bfloat16 want = __float2bfloat16(sum);
      if (memcmp(&want, &c.values[size_t(i) * n + j], 2)) {
        printf("%dx%dx%d: element (%d, %d) is %g, not %g\n", m, n, k, i, j,
               __bfloat162float(c.values[size_t(i) * n + j]), sum);
        return false;
      }
    }
  printf("%dx%dx%d: right\n", m, n, k);
  return true;
}

int main() {
  bool right = true;
  right &= is_right(128, 192, 256);
  right &= is_right(200, 136, 200);
  right &= is_right(40, 8, 8);
  printf(right ? "PASS\n" : "FAIL\n");
  return right ? 0 : 1;
}
