//===- harness.cuh - Run, check and time kernels by hand --------*- CUDA
//-*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_TEST_GPU_KERNEL_HARNESS_CUH
#define WARPWRIGHT_TEST_GPU_KERNEL_HARNESS_CUH

#include "prototype.cuh"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define CHECK(call)                                                            \
  do {                                                                         \
    auto status_ = (call);                                                     \
    if (status_ != 0) {                                                        \
      printf("%s:%d: %s = %d\n", __FILE__, __LINE__, #call, (int)status_);     \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

namespace rt = warpwright::rt;

/// A plan as host code sees it.
struct plan_info {
  std::string name;
  const void *kernel;
  int tile_rows, tile_cols, cluster_rows, cluster_cols, threads, shared_bytes;
  bool rows_k_major, cols_k_major, swap_ab, rows_contiguous;
  int out_box_inner, out_box_outer, out_pitch, out_size;
};

template <class P> plan_info describe(const char *name) {
  using slab =
      rt::slab_shape<typename P::out_type, P::tile_cols, P::rows_contiguous>;
  CHECK(cudaFuncSetAttribute(gemm_hopper<P>,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             P::shared_bytes));
  return {name,
          reinterpret_cast<const void *>(&gemm_hopper<P>),
          P::tile_rows,
          P::tile_cols,
          P::cluster_rows,
          P::cluster_cols,
          P::threads,
          P::shared_bytes,
          P::rows_k_major,
          P::cols_k_major,
          P::swap_ab,
          P::rows_contiguous,
          slab::box_inner,
          slab::box_outer,
          slab::pitch,
          (int)sizeof(typename P::out_type)};
}

using encode_fn = CUresult (*)(CUtensorMap *, CUtensorMapDataType, cuuint32_t,
                               void *, const cuuint64_t *, const cuuint64_t *,
                               const cuuint32_t *, const cuuint32_t *,
                               CUtensorMapInterleave, CUtensorMapSwizzle,
                               CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

inline encode_fn encoder() {
  static encode_fn fn = [] {
    void *p = nullptr;
    cudaDriverEntryPointQueryResult q;
    CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &p, 12000,
                                           cudaEnableDefault, &q));
    return reinterpret_cast<encode_fn>(p);
  }();
  return fn;
}

inline CUtensorMapL2promotion &l2_promotion() {
  static CUtensorMapL2promotion p = CU_TENSOR_MAP_L2_PROMOTION_L2_128B;
  return p;
}

inline CUtensorMap make_map(CUtensorMapDataType type, int size, const void *p,
                            long long inner, long long outer, long long batch,
                            long long pitch, long long batch_stride,
                            int box_inner, int box_outer, int row_bytes) {
  CUtensorMap map;
  cuuint64_t dims[3] = {(cuuint64_t)inner, (cuuint64_t)outer,
                        (cuuint64_t)batch};
  cuuint64_t strides[2] = {(cuuint64_t)pitch * size,
                           (cuuint64_t)batch_stride * size};
  cuuint32_t box[3] = {(cuuint32_t)box_inner, (cuuint32_t)box_outer, 1};
  cuuint32_t steps[3] = {1, 1, 1};
  CUtensorMapSwizzle swizzle = row_bytes == 128  ? CU_TENSOR_MAP_SWIZZLE_128B
                               : row_bytes == 64 ? CU_TENSOR_MAP_SWIZZLE_64B
                                                 : CU_TENSOR_MAP_SWIZZLE_32B;
  CHECK(encoder()(&map, type, 3, const_cast<void *>(p), dims, strides, box,
                  steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, l2_promotion(),
                  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
  return map;
}

/// C[m][n] = A * B; 'N' A[m][k], B[k][n]; 'T' A[k][m], B[n][k]. C row-major or
/// (c_col) C[n][m]. Pitches and batch strides in elements.
struct problem {
  char a, b;
  int m, n, k, batch;
  bool c_col;
  long long lda, ldb, ldc, sa, sb, sc;
};

inline long long up8(long long x) { return (x + 7) / 8 * 8; }

inline problem make_problem(char a, char b, int m, int n, int k, int batch,
                            bool c_col = false, int c_pad = 0) {
  problem p{a, b, m, n, k, batch, c_col, 0, 0, 0, 0, 0, 0};
  p.lda = up8(a == 'N' ? k : m);
  p.ldb = up8(b == 'N' ? n : k);
  p.ldc = (c_col ? m : n) + c_pad;
  p.sa = p.lda * (a == 'N' ? m : k);
  p.sb = p.ldb * (b == 'N' ? k : n);
  p.sc = p.ldc * (c_col ? n : m);
  return p;
}

inline bool fits(const plan_info &i, const problem &p) {
  bool a_k = p.a == 'N', b_k = p.b == 'T';
  if (i.rows_k_major != (i.swap_ab ? b_k : a_k) ||
      i.cols_k_major != (i.swap_ab ? a_k : b_k))
    return false;
  // Rows are m unless swapped; C[m][n] is contiguous along n.
  return i.rows_contiguous == (i.swap_ab != p.c_col);
}

struct prepared {
  CUtensorMap rows, cols, out;
  rt::tile_grid grid;
  int k_blocks;
  struct {
    void *data;
    long long outer_stride, batch_stride;
    int inner_extent, outer_extent, use_tma;
  } view;
};

inline prepared prepare(const plan_info &i, const problem &p, const void *a,
                        const void *b, void *c, CUtensorMapDataType in,
                        CUtensorMapDataType out, int group) {
  prepared r;
  memset(&r, 0, sizeof r);
  auto operand = [&](const void *q, bool k_major, long long x, long long ld,
                     long long stride, int tile, int shares) {
    return k_major ? make_map(in, 2, q, p.k, x, p.batch, ld, stride, 64,
                              tile / shares, 128)
                   : make_map(in, 2, q, x, p.k, p.batch, ld, stride, 64,
                              64 / shares, 128);
  };
  const void *rp = i.swap_ab ? b : a, *cp = i.swap_ab ? a : b;
  long long rows = i.swap_ab ? p.n : p.m, cols = i.swap_ab ? p.m : p.n;
  r.rows = operand(rp, i.rows_k_major, rows, i.swap_ab ? p.ldb : p.lda,
                   i.swap_ab ? p.sb : p.sa, i.tile_rows, i.cluster_cols);
  r.cols = operand(cp, i.cols_k_major, cols, i.swap_ab ? p.lda : p.ldb,
                   i.swap_ab ? p.sa : p.sb, i.tile_cols, i.cluster_rows);
  long long inner = p.c_col ? p.m : p.n, outer = p.c_col ? p.n : p.m;
  bool tma = inner * i.out_size % 16 == 0 && p.ldc * i.out_size % 16 == 0 &&
             p.sc * i.out_size % 16 == 0 && (size_t)c % 16 == 0;
  if (tma)
    r.out = make_map(out, i.out_size, c, inner, outer, p.batch, p.ldc, p.sc,
                     i.out_box_inner, i.out_box_outer, i.out_pitch);
  auto tiles = [](long long x, int t) { return (int)((x + t - 1) / t); };
  r.grid = {tiles(rows, i.tile_rows * i.cluster_rows),
            tiles(cols, i.tile_cols * i.cluster_cols), p.batch,
            std::max(1, group / i.cluster_rows)};
  r.k_blocks = tiles(p.k, 64);
  r.view = {c, p.ldc, p.sc, (int)inner, (int)outer, tma};
  return r;
}

inline void launch(const plan_info &i, prepared &r, cudaStream_t stream = 0) {
  int size = i.cluster_rows * i.cluster_cols;
  // Larger clusters do not fill every GPC of the chip: ask below.
  int clusters = 132 / size;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(std::min(clusters, r.grid.total()) * size);
  config.blockDim = dim3(i.threads);
  config.dynamicSmemBytes = i.shared_bytes;
  config.stream = stream;
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = size;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  config.attrs = &attribute;
  config.numAttrs = size > 1 ? 1 : 0;
  if (size > 2) {
    config.gridDim = dim3(size);
    CHECK(cudaOccupancyMaxActiveClusters(&clusters, i.kernel, &config));
    config.gridDim = dim3(std::min(clusters, r.grid.total()) * size);
    static int said;
    if (said++ == 0)
      printf("%s: %d clusters of %d\n", i.name.c_str(), clusters, size);
  }
  void *args[] = {&r.rows, &r.cols, &r.out, &r.grid, &r.k_blocks, &r.view};
  CHECK(cudaLaunchKernelExC(&config, i.kernel, args));
}

// Data and references.

__host__ __device__ inline unsigned hash32(unsigned long long x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdULL;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53ULL;
  x ^= x >> 33;
  return (unsigned)x;
}
/// About N(0,1): a sum of uniforms.
__device__ inline float normal(unsigned long long i) {
  unsigned h = hash32(i * 4 + 1), g = hash32(i * 4 + 2), k = hash32(i * 4 + 3),
           l = hash32(i * 4 + 7);
  return ((h + 0.f) + (g + 0.f) + (k + 0.f) + (l + 0.f)) *
             (1.7320508f / 4294967296.f) -
         3.4641016f;
}
template <class T> __global__ void fill(T *p, size_t n, unsigned long long s) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x)
    p[i] = T(normal(i + s));
}

template <class T>
__device__ double dot(const problem &p, const T *a, const T *b, int m, int n,
                      int batch) {
  double sum = 0;
  for (int k = 0; k < p.k; ++k) {
    T x = a[batch * p.sa + (p.a == 'N' ? m * p.lda + k : k * p.lda + m)];
    T y = b[batch * p.sb + (p.b == 'N' ? k * p.ldb + n : n * p.ldb + k)];
    sum += (double)(float)x * (double)(float)y;
  }
  return sum;
}

/// sums[0] += (out - ref)^2, sums[1] += ref^2 over `samples` elements (all of
/// them when samples is 0).
template <class T, class O>
__global__ void compare(problem p, const T *a, const T *b, const O *c,
                        long long samples, double *sums) {
  long long total = (long long)p.m * p.n * p.batch;
  long long count = samples ? samples : total;
  double d = 0, r = 0;
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
       i < count; i += (long long)gridDim.x * blockDim.x) {
    long long e = samples ? (long long)(((unsigned long long)hash32(i) << 32 |
                                         hash32(i + 99)) %
                                        (unsigned long long)total)
                          : i;
    int n = e % p.n, m = e / p.n % p.m, batch = e / p.n / p.m;
    double ref = dot(p, a, b, m, n, batch);
    double out = (double)(float)
        c[batch * p.sc + (p.c_col ? n * p.ldc + m : m * p.ldc + n)];
    d += (out - ref) * (out - ref);
    r += ref * ref;
    if (!(out == out))
      d = 1e300;
  }
  atomicAdd(&sums[0], d);
  atomicAdd(&sums[1], r);
}

/// Counts bytes of C outside its elements that lost the poison 0xff.
__global__ void trespass(problem p, int size, const unsigned char *c,
                         long long bytes, long long guard, int *count) {
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
       i < bytes; i += (long long)gridDim.x * blockDim.x) {
    long long e = (i - guard) / size;
    bool inside =
        i >= guard && e < p.sc * p.batch && e % p.ldc < (p.c_col ? p.m : p.n);
    if (!inside && c[i] != 0xff)
      atomicAdd(count, 1);
  }
}

#endif // WARPWRIGHT_TEST_GPU_KERNEL_HARNESS_CUH
