//===- warpwright/rt/launch_plan.cuh - Launching by a plan ------*- CUDA
//-*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The last step of a launcher: from a checked problem and a plan to the
// arguments of the generated kernel, and its launch.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_LAUNCH_PLAN_CUH
#define WARPWRIGHT_RT_LAUNCH_PLAN_CUH

#include <warpwright/rt/epilogue.cuh>
#include <warpwright/rt/scheduler.cuh>
#include <warpwright/rt/select.cuh>
#include <warpwright/rt/tensor_map.cuh>

namespace warpwright {
namespace rt {

/// The tensor map of an operand whose tiles are `tile` elements along `axis`
/// and `tile_k` along k. `shares` CTAs of the cluster load equal shares of a
/// tile, cut along the direction that is not contiguous.
inline const char *encode_operand_map(CUtensorMap *map, Problem &problem,
                                      const Array &array, Axis axis,
                                      bool k_major, int tile, int tile_k,
                                      int shares) {
  const int inner =
      128 / size_of(array.type); // one row of the 128-byte swizzle
  if (k_major)
    return encode_tensor_map(
        map, problem, array, Axis::k, axis,
        Box{inner, tile / shares, CU_TENSOR_MAP_SWIZZLE_128B});
  return encode_tensor_map(
      map, problem, array, axis, Axis::k,
      Box{inner, tile_k / shares, CU_TENSOR_MAP_SWIZZLE_128B});
}

/// Launches `kernel`, an instance for Plan, on the problem, whose first three
/// arrays are A, B and the first output. Null, or the reason why it was not
/// launched; then nothing has happened.
template <class Plan, class Element, class Epilogue>
static const char *launch_plan(Problem &problem,
                               void (*kernel)(CUtensorMap, CUtensorMap,
                                              CUtensorMap, tile_grid, extents,
                                              output_view<Element>, Epilogue),
                               const Epilogue &epilogue, DeviceCache &cache) {
  const void *const address = reinterpret_cast<const void *>(kernel);
  if (const char *reason = prepare_kernel(
          address, Plan::threads, Plan::shared_bytes, cache, problem.device.id))
    return reason;

  // With the operands exchanged, the tensor cores compute the transposed
  // product: n runs along the rows of the accumulator.
  const Axis row_axis = Plan::swap_ab ? Axis::n : Axis::m;
  const Axis col_axis = Plan::swap_ab ? Axis::m : Axis::n;
  const Array &rows = problem.arrays[Plan::swap_ab ? 1 : 0];
  const Array &cols = problem.arrays[Plan::swap_ab ? 0 : 1];
  const Array &output = problem.arrays[2];

  CUtensorMap rows_map, cols_map, out_map;
  if (const char *reason = encode_operand_map(
          &rows_map, problem, rows, row_axis, Plan::rows_k_major,
          Plan::tile_rows, Plan::tile_k, Plan::cluster_cols))
    return reason;
  if (const char *reason = encode_operand_map(
          &cols_map, problem, cols, col_axis, Plan::cols_k_major,
          Plan::tile_cols, Plan::tile_k, Plan::cluster_rows))
    return reason;

  using slab = slab_shape<Element, Plan::tile_cols, Plan::swap_ab>;
  const CUtensorMapSwizzle out_swizzle =
      slab::pitch == 128  ? CU_TENSOR_MAP_SWIZZLE_128B
      : slab::pitch == 64 ? CU_TENSOR_MAP_SWIZZLE_64B
                          : CU_TENSOR_MAP_SWIZZLE_32B;
  const bool use_tma =
      encode_store_map(&out_map, problem, output, Axis::n, Axis::m,
                       Box{slab::box_inner, slab::box_outer, out_swizzle});
  if (!use_tma)
    memset(&out_map, 0, sizeof(out_map));

  const int64_t row_tiles = ceil_div(
      problem.extent[row_axis], int64_t(Plan::tile_rows) * Plan::cluster_rows);
  const int64_t col_tiles = ceil_div(
      problem.extent[col_axis], int64_t(Plan::tile_cols) * Plan::cluster_cols);
  const int64_t tiles =
      (Range(row_tiles) * Range(col_tiles) * Range(problem.extent.b)).hi;
  if (tiles > INT32_MAX / 2)
    return "too many tiles";
  tile_grid grid = {static_cast<int>(row_tiles), static_cast<int>(col_tiles),
                    static_cast<int>(problem.extent.b), Plan::raster_group};
  extents extent = {
      static_cast<int>(problem.extent.m), static_cast<int>(problem.extent.n),
      static_cast<int>(problem.extent.k), static_cast<int>(problem.extent.b)};
  output_view<Element> out = {
      reinterpret_cast<Element *>(const_cast<char *>(output.origin())),
      output.stride.m,
      output.stride.b,
      extent.n,
      extent.m,
      use_tma};

  // Persistent: as many clusters as the device holds at once, or as there are
  // tiles for.
  const int64_t clusters =
      min(max(problem.device.multiprocessors / Plan::cluster_size, 1), tiles);
  const dim3 blocks(static_cast<unsigned>(clusters * Plan::cluster_size));
  void *arguments[] = {&rows_map,
                       &cols_map,
                       &out_map,
                       &grid,
                       &extent,
                       &out,
                       const_cast<Epilogue *>(&epilogue)};
  return launch_kernel(address, blocks, dim3(Plan::cluster_size), Plan::threads,
                       Plan::shared_bytes, problem.launch.stream, arguments,
                       cache, problem.device.id);
}

} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_LAUNCH_PLAN_CUH
