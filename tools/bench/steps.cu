//===- steps.cu - What the steps of a float product take --------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///   steps [edge ...]         squares to measure (4096 8192)
///
/// The pipeline of float operands (docs/accuracy.md) with steps left out, to
/// see what each takes: loads alone; loads and a transform that moves what it
/// reads to where the parts belong, without making parts; loads and the
/// transform; loads and tensor-core products; all. With one part and with two,
/// for a B with contiguous columns (NT), which is split where it lies, and one
/// with contiguous rows (NN), which is transposed on the way.
///
/// It is the fast path of a generated kernel in a shorter form: squares only,
/// tiles of 128x128, no test of the flags of raw blocks (these data have none),
/// and results are stored without an epilogue. Times are medians of 5
/// interleaved rounds. "clocks" is SM clocks per stage (32 of k), read on the
/// SM. Rows with all steps are compared with float64 in 512 places; exit status
/// 1 if one is off. The output is a table of docs/performance-log.md; fill.py
/// puts it there.
///
///   nvcc -std=c++17 -O3 -gencode arch=compute_90a,code=sm_90a
///        -I$(warpwright --include-dir) steps.cu -o steps
///
//===----------------------------------------------------------------------===//

#include <warpwright/rt/warpwright.cuh>

#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace rt = ::warpwright::rt;

#define CHECK(call)                                                            \
  do {                                                                         \
    if (int status = static_cast<int>(call)) {                                 \
      std::fprintf(stderr, "%s:%d: %s: status %d\n", __FILE__, __LINE__,       \
                   #call, status);                                             \
      std::exit(1);                                                            \
    }                                                                          \
  } while (0)

enum class Steps { Loads, Move, Transform, Products, All };

__host__ __device__ constexpr bool transforms(Steps steps) {
  return steps != Steps::Loads && steps != Steps::Products;
}
__host__ __device__ constexpr bool multiplies(Steps steps) {
  return steps == Steps::Products || steps == Steps::All;
}

// One stage: 128 rows of A and 128 columns of B by 32 of k, 128 bytes each.
constexpr int stages = 6, window = 3, tile = 128;
constexpr int operand_bytes = tile * 128, stage_bytes = 2 * operand_bytes;
constexpr int block_bytes = 4096; ///< 32 rows, what one warp transforms
constexpr int scale_offset = stages * stage_bytes;
constexpr int flag_offset = scale_offset + stages * 256;
constexpr int barrier_offset = flag_offset + stages * 8;
constexpr int shared_bytes = barrier_offset + 3 * 8 * stages;
constexpr int threads = 640; ///< producer, two of transform, two consumers

/// Descriptor fields of the parts, which are K-major in rows of 128 bytes.
struct parts_operand {
  static constexpr int leading_bytes = 16, stride_bytes = 1024,
                       swizzle_bytes = 128;
};

#if WARPWRIGHT_HOPPER

WARPWRIGHT_DEVICE float4 load_4(uint32_t address) {
  float4 v;
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "r"(address));
  return v;
}
WARPWRIGHT_DEVICE float load_1(uint32_t address) {
  float v;
  asm volatile("ld.shared.f32 %0, [%1];" : "=f"(v) : "r"(address));
  return v;
}
WARPWRIGHT_DEVICE uint32_t load_byte(uint32_t address) {
  uint32_t v;
  asm volatile("ld.shared.u8 %0, [%1];" : "=r"(v) : "r"(address));
  return v;
}
WARPWRIGHT_DEVICE uint32_t load_pair(uint32_t address) {
  uint32_t v;
  asm volatile("ld.shared.u16 %0, [%1];" : "=r"(v) : "r"(address));
  return v;
}
WARPWRIGHT_DEVICE void store_4(uint32_t address, const uint32_t *v) {
  asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(address),
               "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3])
               : "memory");
}
WARPWRIGHT_DEVICE void store_byte(uint32_t address, uint32_t v) {
  asm volatile("st.shared.u8 [%0], %1;" ::"r"(address), "r"(v) : "memory");
}

WARPWRIGHT_DEVICE uint32_t pack(float first, float second) {
  const __half2 halves = __floats2half2_rn(first, second);
  return *reinterpret_cast<const uint32_t *>(&halves);
}
WARPWRIGHT_DEVICE float2 unpack(uint32_t halves) {
  return __half22float2(*reinterpret_cast<const __half2 *>(&halves));
}

/// The factor that undoes a scale, from the scale's byte.
WARPWRIGHT_DEVICE float undo_scale(uint32_t exponent) {
  return __uint_as_float(exponent << 23);
}

/// Writes the parts of a row of 32 floats. `exponent` is the row's scale byte;
/// a new scale is chosen if the parts would lose too much with the old one.
/// True if the warp's block has to stay raw.
template <int parts>
WARPWRIGHT_DEVICE bool split_row(const float (&x)[32], uint32_t row,
                                 uint32_t swizzle, uint32_t &exponent,
                                 bool opens_window) {
  uint32_t high[16];
  float scale = __uint_as_float((254 - exponent) << 23);
#pragma unroll
  for (int i = 0; i < 16; ++i)
    high[i] = pack(x[2 * i] * scale, x[2 * i + 1] * scale);
  // The bit patterns of positive halves are ordered as the halves are.
  uint32_t top = 0, bottom = 0x7fff7fff;
#pragma unroll
  for (int i = 0; i < 16; i += 2) {
    const uint32_t a = high[i] & 0x7fff7fff, b = high[i + 1] & 0x7fff7fff;
    top = __vimax3_u16x2(top, a, b);
    bottom = __vimin3_u16x2(bottom, a, b);
  }
  top = max(top & 0xffff, top >> 16);
  bottom = min(bottom & 0xffff, bottom >> 16);
  // All elements have to be within [2^-14, 2^15), and at the beginning of a
  // window some have to be 2^9 or more.
  const bool odd =
      bottom < 0x0400 || top >= 0x7800 || (opens_window && top < 0x6000);
  bool raw = false;
  if (__any_sync(~0u, odd)) {
    float largest = 0;
    uint32_t least = ~0u; // twice the bits, less 1: zeros become largest
#pragma unroll
    for (int i = 0; i < 32; ++i) {
      largest = fmaxf(largest, fabsf(x[i]));
      least = min(least, 2 * __float_as_uint(x[i]) - 1);
    }
    const uint32_t e = __float_as_uint(largest) >> 23;
    if (opens_window && largest > 0)
      exponent = max(1, static_cast<int>(e) - 12);
    raw = largest > 0 && (e > exponent + 14 || e < 47 || e > 207 ||
                          least < ((exponent - 14) << 24) - 1);
    raw = __any_sync(~0u, raw);
    scale = __uint_as_float((254 - exponent) << 23);
#pragma unroll
    for (int i = 0; i < 16; ++i)
      high[i] = pack(x[2 * i] * scale, x[2 * i + 1] * scale);
  }
  if (raw)
    return true;
#pragma unroll
  for (int chunk = 0; chunk < 4; ++chunk) {
    store_4(row + ((chunk << 4) ^ swizzle), &high[4 * chunk]);
    if constexpr (parts == 2) {
      uint32_t low[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const float2 f = unpack(high[4 * chunk + i]);
        const int at = 8 * chunk + 2 * i;
        low[i] = pack(fmaf(x[at], scale, -f.x) * 2048.0f,
                      fmaf(x[at + 1], scale, -f.y) * 2048.0f);
      }
      store_4(row + (((chunk + 4) << 4) ^ swizzle), low);
    }
  }
  return false;
}

/// Writes as many bytes back as split_row does, without arithmetic.
template <int parts>
WARPWRIGHT_DEVICE void move_row(const float (&x)[32], uint32_t row,
                                uint32_t swizzle) {
#pragma unroll
  for (int chunk = 0; chunk < 4 * parts; ++chunk) {
    uint32_t words[4];
#pragma unroll
    for (int i = 0; i < 4; ++i)
      words[i] = __float_as_uint(x[4 * chunk + i]);
    store_4(row + ((chunk << 4) ^ swizzle), words);
  }
}

/// One warpgroup of the transform, which rewrites all blocks of one operand.
template <int parts, Steps steps, bool k_major>
WARPWRIGHT_DEVICE void transform(uint32_t shared, int operand, uint64_t *full,
                                 uint64_t *ready, const rt::tile_grid &grid,
                                 int k_blocks) {
  const int warp = __shfl_sync(~0u, threadIdx.x / 32 % 4, 0);
  const int lane = threadIdx.x % 32;
  const uint32_t swizzle = (lane & 7) << 4;
  rt::ring at;
  for (int index = blockIdx.x; index < grid.total(); index += gridDim.x) {
    uint32_t exponent = 127;
    for (int k = 0; k < k_blocks; ++k) {
      rt::barrier_wait(&full[at.stage], at.phase);
      const uint32_t block = shared + at.stage * stage_bytes +
                             operand * operand_bytes + warp * block_bytes;
      const uint32_t row = block + lane * 128;
      float x[32];
      if (k_major) {
#pragma unroll
        for (int chunk = 0; chunk < 8; ++chunk) {
          const float4 v = load_4(row + ((chunk << 4) ^ swizzle));
          x[4 * chunk] = v.x;
          x[4 * chunk + 1] = v.y;
          x[4 * chunk + 2] = v.z;
          x[4 * chunk + 3] = v.w;
        }
      } else {
#pragma unroll
        for (int i = 0; i < 32; ++i)
          x[i] = load_1(block + i * 128 + lane * 4);
        __syncwarp();
      }
      bool raw = false;
      if (steps == Steps::Move)
        move_row<parts>(x, row, swizzle);
      else
        raw = split_row<parts>(x, row, swizzle, exponent, k % window == 0);
      store_byte(shared + scale_offset + at.stage * 256 + operand * 128 +
                     warp * 32 + lane,
                 exponent);
      if (lane == 0)
        store_byte(shared + flag_offset + at.stage * 8 + operand * 4 + warp,
                   raw);
      rt::fence_async_shared();
      __syncwarp();
      if (lane == 0)
        rt::barrier_arrive(&ready[at.stage]);
      at.advance<stages>();
    }
  }
}

/// Waits for the products before anything else accesses acc.
WARPWRIGHT_DEVICE void settle(float (&acc)[64]) {
  rt::wgmma_wait<0>();
#pragma unroll
  for (int i = 0; i < 64; ++i)
    asm volatile("" : "+f"(acc[i])::"memory");
}

/// Adds the products of a window to sum.
template <int parts, Steps steps>
WARPWRIGHT_DEVICE void multiply(uint32_t shared, uint64_t desc_a,
                                uint64_t desc_b, uint64_t *arrived, rt::ring at,
                                int count, int row, int col, float (&acc)[64],
                                float (&sum)[64]) {
  const rt::ring first = at;
  for (int i = 0; i < count; ++i) {
    rt::barrier_wait(&arrived[at.stage], at.phase);
    at.advance<stages>();
  }
  if constexpr (parts == 2) {
    at = first;
    for (int i = 0; i < count; ++i) {
      rt::wgmma_fence();
      const uint64_t a = desc_a + rt::descriptor_step(stage_bytes, at.stage);
      const uint64_t b = desc_b + rt::descriptor_step(stage_bytes, at.stage);
#pragma unroll
      for (int k = 0; k < 2; ++k) {
        rt::wgmma_f16<true, true>(acc, a + 2 * k, b + 4 + 2 * k, i + k > 0);
        rt::wgmma_f16<true, true>(acc, a + 4 + 2 * k, b + 2 * k, 1);
      }
      rt::wgmma_commit();
      at.advance<stages>();
    }
    settle(acc);
#pragma unroll
    for (int i = 0; i < 64; ++i)
      acc[i] *= 1.0f / 2048;
  }
  at = first;
  for (int i = 0; i < count; ++i) {
    rt::wgmma_fence();
    const uint64_t a = desc_a + rt::descriptor_step(stage_bytes, at.stage);
    const uint64_t b = desc_b + rt::descriptor_step(stage_bytes, at.stage);
#pragma unroll
    for (int k = 0; k < 2; ++k)
      rt::wgmma_f16<true, true>(acc, a + 2 * k, b + 2 * k,
                                parts == 2 || i + k > 0);
    rt::wgmma_commit();
    at.advance<stages>();
  }
  settle(acc);
  // Without a transform there are no scales.
  const uint32_t scales = shared + scale_offset + at.previous<stages>() * 256;
  constexpr bool scaled = steps == Steps::All;
  const float upper = scaled ? undo_scale(load_byte(scales + row)) : 1.0f;
  const float lower = scaled ? undo_scale(load_byte(scales + row + 8)) : 1.0f;
#pragma unroll
  for (int j = 0; j < 16; ++j) {
    const uint32_t pair = scaled ? load_pair(scales + 128 + col + 8 * j) : 0;
    const float left = scaled ? undo_scale(pair & 0xff) : 1.0f;
    const float right = scaled ? undo_scale(pair >> 8) : 1.0f;
    sum[4 * j] = fmaf(acc[4 * j] * upper, left, sum[4 * j]);
    sum[4 * j + 1] = fmaf(acc[4 * j + 1] * upper, right, sum[4 * j + 1]);
    sum[4 * j + 2] = fmaf(acc[4 * j + 2] * lower, left, sum[4 * j + 2]);
    sum[4 * j + 3] = fmaf(acc[4 * j + 3] * lower, right, sum[4 * j + 3]);
  }
}

#endif // WARPWRIGHT_HOPPER

/// C = A B for matrices whose edges are multiples of 128. A and C are
/// row-major; B is column-major if b_k_major.
template <int parts, Steps steps, bool b_k_major>
__global__ void WARPWRIGHT_LAUNCH_BOUNDS(threads)
    multiply_kernel(const __grid_constant__ CUtensorMap map_a,
                    const __grid_constant__ CUtensorMap map_b, float *C, int N,
                    int k_blocks, rt::tile_grid grid, long long *clocks) {
#if WARPWRIGHT_HOPPER
  extern __shared__ __align__(1024) unsigned char smem[];
  const uint32_t shared = rt::shared_address(smem);
  uint64_t *full = reinterpret_cast<uint64_t *>(smem + barrier_offset);
  uint64_t *ready = full + stages, *empty = ready + stages;
  if (threadIdx.x == 0) {
    for (int i = 0; i < stages; ++i) {
      rt::barrier_init(&full[i], 1);
      rt::barrier_init(&ready[i], 8);
      rt::barrier_init(&empty[i], 8);
    }
    rt::fence_barrier_init();
  }
  __syncthreads();
  const int warpgroup = rt::warpgroup_index();
  if (warpgroup == 0) {
    rt::release_registers<24>();
    rt::ring put;
    for (int index = blockIdx.x; index < grid.total() && threadIdx.x == 0;
         index += gridDim.x) {
      const rt::tile_position p = rt::tile_at(grid, index);
      for (int k = 0; k < k_blocks; ++k) {
        rt::barrier_wait(&empty[put.stage], put.phase ^ 1);
        rt::barrier_expect(&full[put.stage], stage_bytes);
        const uint32_t a = shared + put.stage * stage_bytes;
        const uint32_t b = a + operand_bytes;
        rt::tma_load_2d(a, &map_a, &full[put.stage], k * 32, p.row * tile);
        if (b_k_major)
          rt::tma_load_2d(b, &map_b, &full[put.stage], k * 32, p.col * tile);
        else
          for (int i = 0; i < 4; ++i)
            rt::tma_load_2d(b + i * block_bytes, &map_b, &full[put.stage],
                            p.col * tile + 32 * i, k * 32);
        put.advance<stages>();
      }
    }
  } else if (warpgroup < 3) {
    rt::release_registers<80>();
    if (!transforms(steps)) {
      // Nothing to do.
    } else if (warpgroup == 1)
      transform<parts, steps, true>(shared, 0, full, ready, grid, k_blocks);
    else
      transform<parts, steps, b_k_major>(shared, 1, full, ready, grid,
                                         k_blocks);
  } else {
    rt::claim_registers<144>();
    const int group = warpgroup - 3, thread = threadIdx.x % 128;
    const uint64_t desc_a =
        rt::operand_descriptor<parts_operand>(shared + group * 8192);
    const uint64_t desc_b =
        rt::operand_descriptor<parts_operand>(shared + operand_bytes);
    const int row = group * 64 + thread / 32 * 16 + thread % 32 / 4;
    const int col = thread % 4 * 2;
    uint64_t *arrived = transforms(steps) ? ready : full;
    if (thread == 0 && group == 0)
      clocks[blockIdx.x] = clock64();
    rt::ring at;
    for (int index = blockIdx.x; index < grid.total(); index += gridDim.x) {
      float acc[64], sum[64];
#pragma unroll
      for (int i = 0; i < 64; ++i)
        sum[i] = 0;
      for (int k = 0; k < k_blocks; k += window) {
        const int count = min(window, k_blocks - k);
        if constexpr (multiplies(steps))
          multiply<parts, steps>(shared, desc_a, desc_b, arrived, at, count,
                                 row, col, acc, sum);
        __syncwarp();
        for (int i = 0; i < count; ++i) {
          if (!multiplies(steps))
            rt::barrier_wait(&arrived[at.stage], at.phase);
          if (thread % 32 == 0)
            rt::barrier_arrive(&empty[at.stage]);
          at.advance<stages>();
        }
      }
      const rt::tile_position p = rt::tile_at(grid, index);
      float *to = C + size_t(p.row * tile + row) * N + p.col * tile + col;
#pragma unroll
      for (int j = 0; j < 16; ++j) {
        *reinterpret_cast<float2 *>(to + 8 * j) = {sum[4 * j], sum[4 * j + 1]};
        *reinterpret_cast<float2 *>(to + size_t(8) * N +
                                    8 * j) = {sum[4 * j + 2], sum[4 * j + 3]};
      }
    }
    if (thread == 0 && group == 0)
      clocks[blockIdx.x] = clock64() - clocks[blockIdx.x];
  }
#endif
}

//===----------------------------------------------------------------------===//
// Host
//===----------------------------------------------------------------------===//

__device__ float normal(size_t index, unsigned seed) {
  auto bits = [&](unsigned long long z) {
    z += 0x9e3779b97f4a7c15ull * (index + 1) + seed * 0xabcdef12345ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  };
  const float u = ((bits(1) >> 40) + 0.5f) / 16777216.f;
  return sqrtf(-2 * logf(u)) * cospif(2 * ((bits(2) >> 40) / 16777216.f));
}

/// Normal floats, or pairs of normal halves if wgmma multiplies what is loaded:
/// the power that the card draws depends on the bits, which should be those of
/// real parts.
__global__ void fill(float *data, size_t count, unsigned seed, bool halves) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count;
       i += size_t(gridDim.x) * blockDim.x) {
    if (halves)
      reinterpret_cast<__half2 *>(data)[i] =
          __floats2half2_rn(normal(2 * i, seed), normal(2 * i + 1, seed));
    else
      data[i] = normal(i, seed);
  }
}

struct Sums {
  double difference, norm;
};

/// Compares some elements with float64, one for each warp.
__global__ void compare(const float *A, const float *B, const float *C,
                        int edge, bool b_k_major, Sums *sums) {
  const int sample = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int m = static_cast<int>(sample * 2654435761u % edge);
  const int n = static_cast<int>((sample * 40503u + 12345u) % edge);
  double sum = 0;
  for (int k = threadIdx.x % 32; k < edge; k += 32)
    sum += double(A[size_t(m) * edge + k]) *
           B[b_k_major ? size_t(n) * edge + k : size_t(k) * edge + n];
  for (int lane = 16; lane; lane /= 2)
    sum += __shfl_down_sync(~0u, sum, lane);
  if (threadIdx.x % 32 == 0) {
    const double difference = C[size_t(m) * edge + n] - sum;
    atomicAdd(&sums->difference, difference * difference);
    atomicAdd(&sums->norm, sum * sum);
  }
}

static CUtensorMap encode(float *data, int edge, int box_rows, bool swizzled) {
  CUtensorMap map;
  const cuuint64_t extents[2] = {cuuint64_t(edge), cuuint64_t(edge)};
  const cuuint64_t strides[1] = {cuuint64_t(edge) * 4};
  const cuuint32_t box[2] = {32, cuuint32_t(box_rows)}, steps[2] = {1, 1};
  auto function = rt::find_encode_tiled();
  if (!function)
    std::exit((std::fprintf(stderr, "no cuTensorMapEncodeTiled\n"), 1));
  CHECK(function(
      &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, data, extents, strides, box,
      steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
      swizzled ? CU_TENSOR_MAP_SWIZZLE_128B : CU_TENSOR_MAP_SWIZZLE_NONE,
      CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
  return map;
}

struct Buffers {
  int edge;
  float *A, *B, *C;
  long long *clocks;
};

using Kernel = void (*)(CUtensorMap, CUtensorMap, float *, int, int,
                        rt::tile_grid, long long *);

struct Variant {
  const char *layout, *steps;
  int parts;
  Steps which;
  bool b_k_major;
  Kernel kernel;
  std::vector<double> milliseconds;
  std::vector<long long> clocks;
  double error;
};

template <int parts, Steps steps, bool b_k_major>
Variant variant(const char *name) {
  Kernel kernel = multiply_kernel<parts, steps, b_k_major>;
  CHECK(cudaFuncSetAttribute(reinterpret_cast<const void *>(kernel),
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             shared_bytes));
  return {b_k_major ? "NT" : "NN",
          name,
          parts,
          steps,
          b_k_major,
          kernel,
          {},
          {},
          -1};
}

template <int parts, bool b_k_major>
void addVariants(std::vector<Variant> &to) {
  to.push_back(variant<parts, Steps::Loads, b_k_major>("loads"));
  to.push_back(variant<parts, Steps::Move, b_k_major>("loads, moves"));
  to.push_back(variant<parts, Steps::Transform, b_k_major>("loads, transform"));
  to.push_back(variant<parts, Steps::Products, b_k_major>("loads, products"));
  to.push_back(variant<parts, Steps::All, b_k_major>("all"));
}

static void launch(const Variant &v, const Buffers &buffers, int processors) {
  const int edge = buffers.edge, tiles = edge / tile;
  const CUtensorMap a = encode(buffers.A, edge, tile, true);
  const CUtensorMap b = v.b_k_major ? encode(buffers.B, edge, tile, true)
                                    : encode(buffers.B, edge, 32, false);
  const rt::tile_grid grid = {tiles, tiles, 1, 16};
  v.kernel<<<std::min(processors, grid.total()), threads, shared_bytes>>>(
      a, b, buffers.C, edge, edge / 32, grid, buffers.clocks);
  CHECK(cudaGetLastError());
}

static double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

static bool measure(int edge, int processors) {
  const size_t count = size_t(edge) * edge;
  // Pairs of halves for runs with products alone, in buffers of their own.
  Buffers floats = {edge}, halves = {edge};
  Sums *sums;
  CHECK(cudaMalloc(&sums, sizeof(Sums)));
  CHECK(cudaMalloc(&floats.clocks, processors * sizeof(long long)));
  CHECK(cudaMalloc(&floats.C, count * 4));
  halves.clocks = floats.clocks;
  halves.C = floats.C;
  for (Buffers *each : {&floats, &halves}) {
    CHECK(cudaMalloc(&each->A, count * 4));
    CHECK(cudaMalloc(&each->B, count * 4));
    fill<<<1024, 256>>>(each->A, count, 1, each == &halves);
    fill<<<1024, 256>>>(each->B, count, 2, each == &halves);
    CHECK(cudaGetLastError());
  }
  std::vector<Variant> variants;
  addVariants<1, true>(variants);
  addVariants<2, true>(variants);
  addVariants<1, false>(variants);
  addVariants<2, false>(variants);
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  for (int round = 0; round < 6; ++round)
    for (Variant &v : variants) {
      const Buffers &data = v.which == Steps::Products ? halves : floats;
      const int repeats = edge > 4096 ? 2 : 8;
      CHECK(cudaEventRecord(begin));
      for (int i = 0; i < repeats; ++i)
        launch(v, data, processors);
      CHECK(cudaEventRecord(end));
      CHECK(cudaEventSynchronize(end));
      if (round == 0 && v.which == Steps::All) {
        CHECK(cudaMemset(sums, 0, sizeof(Sums)));
        compare<<<64, 256>>>(data.A, data.B, data.C, edge, v.b_k_major, sums);
        Sums host;
        CHECK(cudaMemcpy(&host, sums, sizeof(Sums), cudaMemcpyDeviceToHost));
        v.error = std::sqrt(host.difference / host.norm);
      }
      if (round == 0)
        continue;
      float elapsed;
      CHECK(cudaEventElapsedTime(&elapsed, begin, end));
      v.milliseconds.push_back(elapsed / repeats);
      std::vector<long long> clocks(processors);
      CHECK(cudaMemcpy(clocks.data(), data.clocks,
                       processors * sizeof(long long), cudaMemcpyDeviceToHost));
      // The first CTAs have the most tiles.
      const long long tiles =
          (size_t(edge / tile) * (edge / tile) + processors - 1) / processors;
      v.clocks.push_back(clocks[0] / (tiles * (edge / 32)));
    }
  bool good = true;
  for (Variant &v : variants) {
    const double ms = median(v.milliseconds);
    std::sort(v.clocks.begin(), v.clocks.end());
    std::printf("| %d | %s | %d | %s | %.1f | %lld | ", edge, v.layout, v.parts,
                v.steps, ms * 1e3, v.clocks[v.clocks.size() / 2]);
    if (v.error >= 0) {
      const bool ok = v.error <= (v.parts == 2 ? 1e-6 : 1e-3);
      good &= ok;
      std::printf("%.1f | %.1e%s |\n", 2e-9 * count * edge / ms, v.error,
                  ok ? "" : " WRONG");
    } else {
      std::printf(" | |\n");
    }
  }
  for (float *each : {floats.A, floats.B, halves.A, halves.B, floats.C})
    CHECK(cudaFree(each));
  CHECK(cudaFree(floats.clocks));
  CHECK(cudaFree(sums));
  return good;
}

int main(int argc, char **argv) {
  std::vector<int> edges;
  for (int i = 1; i < argc; ++i)
    edges.push_back(std::atoi(argv[i]));
  if (edges.empty())
    edges = {4096, 8192};
  for (int edge : edges)
    if (edge < tile || edge % tile || edge > 32768) {
      std::fprintf(stderr, "usage: steps [edge ...], multiples of %d\n", tile);
      return 1;
    }
  int processors;
  CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
  std::printf("<!-- steps -->\n"
              "| edge | layout | parts | steps | us | clocks | TFLOP/s | error "
              "|\n|---|---|---|---|---|---|---|---|\n");
  bool good = true;
  for (int edge : edges)
    good &= measure(edge, processors);
  std::printf("<!-- end -->\n%s\n", good ? "PASS" : "FAIL");
  return good ? 0 : 1;
}
