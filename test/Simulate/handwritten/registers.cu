// A GEMM for Hopper, written by hand over the runtime's primitives, that takes
// floats and multiplies them as fp16. TMA brings stages of floats. Columns (B)
// are rewritten in place, as K-major fp16, by a warpgroup of their own; rows
// (A) are taken by the consumers, which round them in registers, for the next
// stage while the tensor cores multiply this one.
//
// RUN: %warpwright sim --build-only --keep=%t.built %s
// RUN: %warpwright sim --run=%t.built --schedules=2 2>&1 | FileCheck %s
// CHECK: 200x260x100: right
// CHECK: 33x40x1: right
// CHECK: 130x136x264: right
// CHECK: PASS
//
// Mistakes with the registers, and in handing on stages that two sorts of
// threads read at different times. Each is found, at its line:
// RUN: python3 %inputs/status.py 3 env MISTAKE_ONE_FRAGMENT=1 %warpwright sim --run=%t.built --threads=1 > %t.one 2>&1
// RUN: FileCheck --check-prefix=ONE %s < %t.one
// RUN: python3 %inputs/status.py 3 env MISTAKE_NO_WGMMA_FENCE=1 %warpwright sim --run=%t.built --threads=1 > %t.order 2>&1
// RUN: FileCheck --check-prefix=ORDER %s < %t.order
// RUN: python3 %inputs/status.py 3 env MISTAKE_WAIT_FOR_ALL_BUT_ONE=1 %warpwright sim --run=%t.built --threads=1 > %t.wait 2>&1
// RUN: FileCheck --check-prefix=WAIT %s < %t.wait
// RUN: python3 %inputs/status.py 3 env MISTAKE_NOT_FULL=1 %warpwright sim --run=%t.built --threads=1 > %t.full 2>&1
// RUN: FileCheck --check-prefix=FULL %s < %t.full
// RUN: python3 %inputs/status.py 3 env MISTAKE_NOT_READY=1 %warpwright sim --run=%t.built --threads=1 > %t.ready 2>&1
// RUN: FileCheck --check-prefix=READY %s < %t.ready
// RUN: python3 %inputs/status.py 3 env MISTAKE_EARLY_RELEASE=1 %warpwright sim --run=%t.built --threads=1 > %t.early 2>&1
// RUN: FileCheck --check-prefix=EARLY %s < %t.early
// RUN: python3 %inputs/status.py 3 env MISTAKE_NO_PROXY_FENCE=1 %warpwright sim --run=%t.built --threads=1 > %t.proxy 2>&1
// RUN: FileCheck --check-prefix=PROXY %s < %t.proxy
//
// Rows by ldmatrix, for which the columns have k in another order, and the same
// mistakes with what it reads; also a stage that is read when it was given back:
// RUN: %warpwright sim --build-only --keep=%t.matrices -DMATRICES %s
// RUN: %warpwright sim --run=%t.matrices --schedules=2 2>&1 | FileCheck %s
// RUN: python3 %inputs/status.py 3 env MISTAKE_NOT_FULL=1 %warpwright sim --run=%t.matrices --threads=1 > %t.matrices.full 2>&1
// RUN: FileCheck --check-prefix=FULL %s < %t.matrices.full
// RUN: python3 %inputs/status.py 3 env MISTAKE_READ_AGAIN=1 %warpwright sim --run=%t.matrices --threads=1 > %t.matrices.again 2>&1
// RUN: FileCheck --check-prefix=FULL %s < %t.matrices.again
// RUN: python3 %inputs/status.py 3 env MISTAKE_ONE_FRAGMENT=1 %warpwright sim --run=%t.matrices --threads=1 > %t.matrices.one 2>&1
// RUN: FileCheck --check-prefix=MATRICES-ONE %s < %t.matrices.one
//
// And those that only the results show:
// RUN: %not env MISTAKE_HALVES_SWAPPED=1 %warpwright sim --run=%t.built --threads=1 2>&1 | FileCheck --check-prefix=SWAPPED %s
// RUN: %not env MISTAKE_K_IN_ORDER=1 %warpwright sim --run=%t.matrices --threads=1 2>&1 | FileCheck --check-prefix=SWAPPED %s
// SWAPPED: 200x260x100: {{[0-9]+}} WRONG

#include <cstdio>
#include <cstdlib>
#include <cuda_fp16.h>
#include <vector>
#include <warpwright/rt/warpwright.cuh>

namespace rt = warpwright::rt;

/// Whether a run is to make a mistake; so one build serves all of them.
#define MISTAKE(name) (std::getenv("MISTAKE_" #name) != nullptr)

constexpr int tile = 128;  // rows and columns
constexpr int tile_k = 32; // floats of a stage's row: 128 bytes
constexpr int stages = 3;
constexpr int ctas = 3; // fewer than tiles, so that each computes several
constexpr int threads = 512;
constexpr int operand_bytes = tile * tile_k * 4;
constexpr int stage_bytes = 2 * operand_bytes;
constexpr int block_bytes = 32 * 128; // what one warp rewrites

/// Columns: K-major rows of 128 bytes in the 128-byte swizzle, of which half is
/// used.
struct parts {
  static constexpr int leading_bytes = 16;
  static constexpr int stride_bytes = 1024;
  static constexpr int swizzle_bytes = 128;
};

struct shared_storage {
  unsigned char operands[stages][stage_bytes];
  uint64_t full[stages], ready[stages], empty[stages];
};

#if WARPWRIGHT_HOPPER
static __device__ float load_float(uint32_t at) {
  float v;
  asm volatile("ld.shared.f32 %0, [%1];" : "=f"(v) : "r"(at));
  return v;
}
static __device__ float2 load_float2(uint32_t at) {
  float2 v;
  asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];"
               : "=f"(v.x), "=f"(v.y)
               : "r"(at));
  return v;
}
/// Four matrices of 8 rows of 16 bytes: lane l gives the address of row l % 8 of
/// matrix l / 8, and lane 4 g + t gets word t of row g of each.
static __device__ float4 load_matrices(uint32_t at) {
  float4 v;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "r"(at));
  return v;
}
static __device__ void store_uint4(uint32_t at, const uint32_t *v) {
  asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(at), "r"(v[0]),
               "r"(v[1]), "r"(v[2]), "r"(v[3])
               : "memory");
}
static __device__ uint32_t pack(float low, float high) {
  uint32_t pair;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  return pair;
}

/// The k that lies in a slot of 16: what ldmatrix brings to the lane that has the
/// slot of the rows.
static __device__ int k_of(int slot) {
#ifdef MATRICES
  if (!MISTAKE(K_IN_ORDER))
    return slot / 8 * 8 + slot % 2 * 4 + slot % 8 / 2;
#endif
  return slot;
}

/// Rewrites the columns of every stage: a warp 32 of them, a lane one.
static __device__ void transform(shared_storage &shared, int blocks,
                                 const rt::tile_grid &grid) {
  const int warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
  const uint32_t swizzle = (lane & 7) << 4;
  rt::ring at;
  for (int index = blockIdx.x; index < grid.total(); index += gridDim.x)
    for (int block = 0; block < blocks; ++block) {
      rt::barrier_wait(&shared.full[at.stage], at.phase);
      const uint32_t columns = rt::shared_address(shared.operands[at.stage]) +
                               operand_bytes + warp * block_bytes;
      uint32_t half[tile_k / 2];
      for (int i = 0; i < tile_k / 2; ++i)
        half[i] =
            pack(load_float(columns + k_of(2 * i) * 128 + lane * 4),
                 load_float(columns + k_of(2 * i + 1) * 128 + lane * 4));
      __syncwarp();
      for (int chunk = 0; chunk < 4; ++chunk)
        // READY: registers.cu:{{[0-9]+}}: error: this writes {{.*}}, which wgmma.mma_async{{.*}} may still read [WW708]
        // READY: registers.cu:[[#@LINE+1]]: note: called from 'transform'
        store_uint4(columns + lane * 128 + (chunk * 16 ^ swizzle),
                    half + 4 * chunk);
      if (!MISTAKE(NO_PROXY_FENCE))
        rt::fence_async_shared();
      rt::barrier_arrive(&shared.ready[at.stage]);
      at.advance<stages>();
    }
}

/// This lane's part of 64 rows, rounded: for each 16 of k four registers. `row`
/// is where the row begins whose addresses the lane has.
static __device__ void load_rows(uint32_t (&to)[2][4], uint32_t row,
                                 uint32_t swizzle) {
#ifdef MATRICES
  for (int step = 0; step < 2; ++step)
    for (int lower = 0; lower < 2; ++lower) {
      const int inner = step * 64 + threadIdx.x % 32 / 8 * 16;
      const float4 x = load_matrices(row + lower * 1024 + (inner ^ swizzle));
      // MATRICES-ONE: registers.cu:[[#@LINE+1]]: error: a register of A is written while a wgmma may still read it: {{.*}} [WW706]
      to[step][lower] = pack(x.x, x.y);
      to[step][lower + 2] = pack(x.z, x.w);
    }
#else
  for (int step = 0; step < 2; ++step)
    for (int i = 0; i < 4; ++i) {
      const bool swapped = MISTAKE(HALVES_SWAPPED);
      const int lower = swapped ? i / 2 : i % 2;
      const int further = swapped ? i % 2 : i / 2;
      const int inner = step * 64 + further * 32 + threadIdx.x % 4 * 8;
      const float2 x = load_float2(row + lower * 1024 + (inner ^ swizzle));
      // WAIT: registers.cu:[[#@LINE+2]]: error: a register of A is written while a wgmma may still read it: {{.*}} [WW706]
      // ONE: registers.cu:[[#@LINE+1]]: error: a register of A is written while a wgmma may still read it: {{.*}} [WW706]
      to[step][i] = pack(x.x, x.y);
    }
#endif
}

static __device__ void release(shared_storage &shared, int stage) {
  __syncwarp();
  if (threadIdx.x % 32 == 0)
    rt::barrier_arrive(&shared.empty[stage]);
}

static __device__ void consume(shared_storage &shared, float *c, int m, int n,
                               int ldc, int blocks, const rt::tile_grid &grid) {
  const int group = threadIdx.x / 128 - 2, thread = threadIdx.x % 128;
  const uint32_t operands = rt::shared_address(shared.operands);
  const uint64_t columns =
      rt::operand_descriptor<parts>(operands + operand_bytes);
  const int row = group * 64 + thread / 32 * 16 + thread % 32 / 4;
  const int col = thread % 4 * 2;
#ifdef MATRICES
  const int loads = group * 64 + thread / 32 * 16 + thread % 8;
#else
  const int loads = row;
#endif
  const uint32_t swizzle = (loads & 7) << 4;
  rt::ring at;
  for (int index = blockIdx.x; index < grid.total(); index += gridDim.x) {
    float acc[1][64];
    uint32_t rows[2][2][4]; // of this stage and of the next one, in turn
    rt::barrier_wait(&shared.full[at.stage], at.phase);
    load_rows(rows[0], operands + at.stage * stage_bytes + loads * 128,
              swizzle);
    for (int block = 0; block < blocks; ++block) {
      const bool one = MISTAKE(ONE_FRAGMENT);
      const int now = one ? 0 : block % 2, later = one ? 0 : 1 - now;
      if (!MISTAKE(NOT_READY))
        rt::barrier_wait(&shared.ready[at.stage], at.phase);
      if (MISTAKE(EARLY_RELEASE))
        release(shared, at.stage);
      if (block < 2 || !MISTAKE(NO_WGMMA_FENCE))
        rt::wgmma_fence();
      const uint64_t b = columns + rt::descriptor_step(stage_bytes, at.stage);
      for (int step = 0; step < 2; ++step)
        // ORDER: registers.cu:[[#@LINE+2]]: error: wgmma.mma_async{{.*}} takes registers of A that ordinary instructions have written since the last wgmma.fence: {{.*}} [WW718]
        // PROXY: registers.cu:[[#@LINE+1]]: error: wgmma.mma_async{{.*}} after a write by warp {{[4-7]}}, lane {{[0-9]+}} without a proxy fence {{.*}} [WW707]
        rt::wgmma_f16<true>(acc[0], rows[now][step], b + 2 * step,
                            block > 0 || step > 0);
      rt::wgmma_commit();
      rt::ring next = at;
      next.advance<stages>();
      if (block + 1 < blocks) {
        if (!MISTAKE(NOT_FULL))
          rt::barrier_wait(&shared.full[next.stage], next.phase);
        load_rows(rows[later], operands + next.stage * stage_bytes + loads * 128,
                  swizzle);
      }
      if (MISTAKE(WAIT_FOR_ALL_BUT_ONE))
        rt::wgmma_wait<1>();
      else
        rt::wgmma_wait_all(acc);
      if (!MISTAKE(EARLY_RELEASE))
        release(shared, at.stage);
      if (MISTAKE(READ_AGAIN))
        load_rows(rows[now], operands + at.stage * stage_bytes + loads * 128,
                  swizzle);
      at = next;
    }
    const rt::tile_position t = rt::tile_at(grid, index);
    for (int i = 0; i < 64; ++i) {
      const int r = t.row * tile + row + i / 2 % 2 * 8;
      const int s = t.col * tile + col + i / 4 * 8 + i % 2;
      if (r < m && s < n)
        c[size_t(r) * ldc + s] = acc[0][i];
    }
  }
}

static __device__ void load(shared_storage &shared, const CUtensorMap &a,
                            const CUtensorMap &b, int stage, int k,
                            rt::tile_position t) {
  const uint32_t to = rt::shared_address(shared.operands[stage]);
  rt::barrier_expect(&shared.full[stage], stage_bytes);
  // FULL: registers.cu:[[#@LINE+1]]: error: cp.async.bulk.tensor.2d{{.*}} writes {{.*}}, which a read by warp {{[89]|1[0-5]}}, lane {{[0-9]+}} reads, with no order between the two [WW708]
  rt::tma_load_2d(to, &a, &shared.full[stage], k, t.row * tile);
  for (int i = 0; i < 4; ++i)
    // EARLY: registers.cu:[[#@LINE+1]]: error: cp.async.bulk.tensor.2d{{.*}} writes {{.*}}, which wgmma.mma_async{{.*}} may still read [WW708]
    rt::tma_load_2d(to + operand_bytes + i * block_bytes, &b,
                    &shared.full[stage], t.col * tile + 32 * i, k);
}
#endif

/// C = A B, all row-major; A in boxes of 128 rows in the 128-byte swizzle, B
/// in boxes of 32 columns.
__global__ void WARPWRIGHT_LAUNCH_BOUNDS(threads)
    rounded_gemm(const __grid_constant__ CUtensorMap a,
                 const __grid_constant__ CUtensorMap b, float *c, int m, int n,
                 int ldc, int blocks, rt::tile_grid grid) {
#if WARPWRIGHT_HOPPER
  extern __shared__ __align__(1024) unsigned char memory[];
  shared_storage &shared = *reinterpret_cast<shared_storage *>(memory);
  if (threadIdx.x == 0) {
    for (int i = 0; i < stages; ++i) {
      rt::barrier_init(&shared.full[i], 1);
      rt::barrier_init(&shared.ready[i], 128);
      rt::barrier_init(&shared.empty[i], 8);
    }
    rt::fence_barrier_init();
  }
  __syncthreads();
  const int warpgroup = rt::warpgroup_index();
  if (warpgroup == 0) {
    rt::release_registers<24>();
    if (threadIdx.x != 0)
      return;
    rt::ring at;
    for (int index = blockIdx.x; index < grid.total(); index += gridDim.x)
      for (int block = 0; block < blocks; ++block) {
        rt::barrier_wait(&shared.empty[at.stage], at.phase ^ 1);
        load(shared, a, b, at.stage, block * tile_k, rt::tile_at(grid, index));
        at.advance<stages>();
      }
  } else if (warpgroup == 1) {
    rt::release_registers<72>();
    transform(shared, blocks, grid);
  } else {
    rt::claim_registers<208>();
    consume(shared, c, m, n, ldc, blocks, grid);
  }
#endif
}

static void require(cudaError_t status) {
  if (status == cudaSuccess)
    return;
  printf("%s\nFAIL\n", cudaGetErrorString(status));
  exit(1);
}

static unsigned state = 1;

struct Matrix {
  int rows, cols, pitch; // TMA wants rows to begin at multiples of 16 bytes
  std::vector<float> values;
  float *device = nullptr;

  /// Numbers that fp16 represents, whose sums of products floats do.
  Matrix(int rows, int cols)
      : rows(rows), cols(cols), pitch((cols + 3) / 4 * 4),
        values(size_t(rows) * pitch) {
    for (float &x : values) {
      state = state * 1664525u + 1013904223u;
      x = (int(state >> 24) - 128) / 64.0f;
    }
    require(cudaMalloc(&device, values.size() * 4));
    require(cudaMemcpy(device, values.data(), values.size() * 4,
                       cudaMemcpyHostToDevice));
  }
  ~Matrix() { cudaFree(device); }
  float at(int row, int col) const { return values[size_t(row) * pitch + col]; }

  CUtensorMap encode(int box_cols, int box_rows, CUtensorMapSwizzle swizzle) {
    CUtensorMap map;
    const cuuint64_t extents[] = {cuuint64_t(cols), cuuint64_t(rows)};
    const cuuint64_t pitches[] = {cuuint64_t(pitch) * 4};
    const cuuint32_t box[] = {cuuint32_t(box_cols), cuuint32_t(box_rows)};
    const cuuint32_t every[] = {1, 1};
    const rt::EncodeTiled encode_tiled = rt::find_encode_tiled();
    if (!encode_tiled ||
        encode_tiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, device, extents,
                     pitches, box, every, CU_TENSOR_MAP_INTERLEAVE_NONE,
                     swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
                     CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS) {
      printf("no tensor map\nFAIL\n");
      exit(1);
    }
    return map;
  }
};

static bool is_right(int m, int n, int k) {
  Matrix a(m, k), b(k, n), c(m, n);
  require(cudaFuncSetAttribute(rounded_gemm,
                               cudaFuncAttributeMaxDynamicSharedMemorySize,
                               sizeof(shared_storage)));
  const rt::tile_grid grid = {(m + tile - 1) / tile, (n + tile - 1) / tile, 1,
                              16};
  rounded_gemm<<<ctas, threads, sizeof(shared_storage)>>>(
      a.encode(tile_k, tile, CU_TENSOR_MAP_SWIZZLE_128B),
      b.encode(32, tile_k, CU_TENSOR_MAP_SWIZZLE_NONE), c.device, m, n, c.pitch,
      (k + tile_k - 1) / tile_k, grid);
  require(cudaGetLastError());
  require(cudaDeviceSynchronize());
  require(cudaMemcpy(c.values.data(), c.device, c.values.size() * 4,
                     cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int l = 0; l < k; ++l)
        sum += double(a.at(i, l)) * b.at(l, j);
      wrong += c.at(i, j) != sum;
    }
  printf("%dx%dx%d: ", m, n, k);
  printf(wrong ? "%d WRONG\n" : "right\n", wrong);
  return wrong == 0;
}

int main() {
  bool right = is_right(200, 260, 100);
  right &= is_right(33, 40, 1);
  right &= is_right(130, 136, 264);
  printf(right ? "PASS\n" : "FAIL\n");
  return right ? 0 : 1;
}
