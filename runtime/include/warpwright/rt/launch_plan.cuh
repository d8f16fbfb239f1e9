//===- warpwright/rt/launch_plan.cuh - Launching by a plan -----*- CUDA -*-===//
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

#include <warpwright/rt/cut_scratch.cuh>
#include <warpwright/rt/groups.cuh>
#include <warpwright/rt/kernel.cuh>
#include <warpwright/rt/load_copied.cuh>
#include <warpwright/rt/partial.cuh>
#include <warpwright/rt/select.cuh>
#include <warpwright/rt/shifts.cuh>
#include <warpwright/rt/sum_slices.cuh>
#include <warpwright/rt/tensor_map.cuh>
#include <warpwright/rt/verify.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

/// TMA's name for a swizzle by the bytes of its span.
inline CUtensorMapSwizzle swizzle_of(int span) {
  return span == 128  ? CU_TENSOR_MAP_SWIZZLE_128B
         : span == 64 ? CU_TENSOR_MAP_SWIZZLE_64B
         : span == 32 ? CU_TENSOR_MAP_SWIZZLE_32B
                      : CU_TENSOR_MAP_SWIZZLE_NONE;
}

/// The tensor map of an operand that moves along `axis` of the output, in the
/// boxes of Operand, a plan's `rows` or `cols`. In a plan in slices other CTAs
/// load what follows a box along k at about the same time.
template <class Operand, bool sliced>
const char *encode_operand_map(CUtensorMap *map, Problem &problem,
                               const Array &array, Axis axis) {
  return encode_tensor_map(
      map, problem, array, Operand::k_major ? Axis::k : axis,
      Operand::k_major ? axis : Axis::k,
      Box{Operand::box_inner, rows_of_box<Operand>(problem.extent[axis]),
          swizzle_of(Operand::swizzle_bytes)},
      sliced, Operand::rounded_by_tma);
}

/// The tensor maps of the factors that take this operand's place, of which one
/// stands in every other entry of the problem's arrays from `first` on. That of
/// the first one takes the place of those that are not read.
template <class Operand, bool sliced>
const char *encode_operand_maps(CUtensorMap &map, Problem &problem, int first,
                                Axis axis) {
  return encode_operand_map<Operand, sliced>(&map, problem,
                                             problem.arrays[first], axis);
}
template <class Operand, bool sliced, int count>
const char *encode_operand_maps(tensor_maps<count> &maps, Problem &problem,
                                int first, Axis axis) {
  for (int i = 0; i < count; ++i) {
    const Array &array = problem.arrays[first + 2 * i];
    if (array.is_unused())
      maps.of[i] = maps.of[0];
    else if (const char *reason = encode_operand_map<Operand, sliced>(
                 &maps.of[i], problem, array, axis))
      return reason;
  }
  return nullptr;
}

/// The first of the arrays that the launch writes.
inline const Array &first_output(const Problem &problem) {
  int i = 0;
  while (problem.arrays[i].use != Use::output)
    ++i;
  return problem.arrays[i];
}

/// The tensor map of the first output in the boxes of the plan's slabs. False,
/// with an empty map, where the plan stores element by element or TMA cannot.
template <class Plan>
bool encode_output_map(CUtensorMap *map, Problem &problem,
                       const Array &output) {
  if constexpr (Plan::staged) {
    using slab = typename Plan::slab;
    if (encode_store_map(map, problem, output, Axis::n, Axis::m,
                         Box{slab::box_inner, slab::box_outer,
                             swizzle_of(slab::swizzle_bytes)}))
      return true;
  }
  memset(map, 0, sizeof(*map));
  return false;
}

/// What the kernel of a launch stores to: the view and the tensor map of an
/// array with n contiguous, if its plan stages elements.
template <class Element>
output_view<Element> view_of(const Problem &problem, const Array &output,
                             bool use_tma) {
  return {reinterpret_cast<Element *>(const_cast<char *>(output.origin())),
          output.stride.m,
          output.stride.b,
          static_cast<int>(problem.extent.n),
          static_cast<int>(problem.extent.m),
          use_tma};
}

inline extents extents_of(const Problem &problem) {
  return {
      static_cast<int>(problem.extent.m), static_cast<int>(problem.extent.n),
      static_cast<int>(problem.extent.k), static_cast<int>(problem.extent.b)};
}

/// Launches the kernel of the plan that D decides on the problem, whose arrays
/// begin with the factors of each product, A and B of the first one first. It
/// stores to `output`, whose batches are slices of k as `cut` says. Null, or
/// the reason why it was not launched.
template <class D, class Epilogue>
static const char *launch_tiles(Problem &problem, const Array &output,
                                slicing cut, const Epilogue &epilogue,
                                DeviceCache &cache) {
  using Plan = plan<D>;
  using RowsMaps = typename maps_of<D>::rows;
  using ColsMaps = typename maps_of<D>::cols;
  using Element = typename Plan::element;
  void (*const kernel)(RowsMaps, ColsMaps, CUtensorMap, tile_grid, extents,
                       output_view<Element>, Epilogue, cuts_of<Plan>) =
      hopper_kernel<D, Epilogue>;

  // With the operands exchanged, the tensor cores compute the transposed
  // product: n runs along the rows of the accumulator.
  const Axis row_axis = Plan::swap_ab ? Axis::n : Axis::m;
  const Axis col_axis = Plan::swap_ab ? Axis::m : Axis::n;
  RowsMaps rows_map;
  ColsMaps cols_map;
  CUtensorMap out_map;
  if (const char *reason =
          encode_operand_maps<typename Plan::rows, Plan::sliced>(
              rows_map, problem, Plan::swap_ab ? 1 : 0, row_axis))
    return reason;
  if (const char *reason =
          encode_operand_maps<typename Plan::cols, Plan::sliced>(
              cols_map, problem, Plan::swap_ab ? 0 : 1, col_axis))
    return reason;
  Problem stored = problem;
  stored.extent.b *= cut.slices;
  const bool use_tma = encode_output_map<Plan>(&out_map, stored, output);

  const int64_t row_tiles = ceil_div(
      problem.extent[row_axis], int64_t(Plan::tile_rows) * Plan::cluster_rows);
  const int64_t col_tiles = ceil_div(
      problem.extent[col_axis], int64_t(Plan::tile_cols) * Plan::cluster_cols);
  const int64_t tiles =
      (Range(row_tiles) * Range(col_tiles) * Range(stored.extent.b)).hi;
  if (tiles > INT32_MAX / 2)
    return "too many tiles";
  tile_grid grid(static_cast<int>(row_tiles), static_cast<int>(col_tiles),
                 static_cast<int>(stored.extent.b), Plan::raster_group,
                 static_cast<int>(cut.slices), static_cast<int>(cut.blocks));
  extents extent = extents_of(problem);
  output_view<Element> out = view_of<Element>(problem, output, use_tma);

  // Persistent: as many clusters as the device holds at once, or as there are
  // tiles or pieces for.
  CutTiles<D> cut_tiles(problem);
  int64_t clusters = 0;
  cuts_of<Plan> cuts = cut_tiles.divide(
      problem, tiles, ceil_div(problem.extent.k, Plan::tile_k), clusters);
  // Elements of tiles that are moved back are stored twice; slices of k store
  // to memory of their own.
  constexpr choice decided = choice_of<D>();
  if (!Plan::transforms && !are_cut(cuts) &&
      (Plan::sliced || !problem.reads_outputs)) {
    grid.last_row =
        decided.rows().last_corner(problem.extent[row_axis], Plan::tile_rows);
    grid.last_col =
        decided.cols().last_corner(problem.extent[col_axis], Plan::tile_cols);
  }
  const dim3 blocks(static_cast<unsigned>(clusters * Plan::cluster_size));
  void *arguments[] = {&rows_map,
                       &cols_map,
                       &out_map,
                       &grid,
                       &extent,
                       &out,
                       const_cast<Epilogue *>(&epilogue),
                       &cuts};
  return launch_kernel(reinterpret_cast<const void *>(kernel), blocks,
                       dim3(Plan::cluster_size), Plan::threads,
                       Plan::shared_bytes, problem.launch.stream, arguments,
                       cache, problem.device.id);
}

/// How a plan cuts k for a problem.
template <class D> slicing cut_of(const Problem &problem) {
  constexpr choice decided = choice_of<D>();
  return cut_k(decided, cost_of(decided, derive(decided)), problem.extent.m,
               problem.extent.n, problem.extent.k, problem.extent.b,
               problem.device.speeds(), places_of(problem, decided).starts);
}

/// Launches a plan: copies of operands that it cannot read where they lie, sums
/// of their elements if the epilogue needs them, its kernel, and where it
/// computes slices the kernel that adds them. The first output is the first
/// array after the factors. Null, or the reason why not; then nothing has
/// happened that the program sees.
template <class D, class User>
static const char *launch_plan(Problem &problem, const User &user,
                               DeviceCache &cache) {
  using Epilogue = typename WholeSums<D, User>::Epilogue;
  using Kernel = typename std::conditional<D::sliced, partial_sums<Epilogue>,
                                           Epilogue>::type;
  using RowsMaps = typename maps_of<D>::rows;
  using ColsMaps = typename maps_of<D>::cols;
  void (*const kernel)(RowsMaps, ColsMaps, CUtensorMap, tile_grid, extents,
                       output_view<typename plan<D>::element>, Kernel,
                       cuts_of<plan<D>>) = hopper_kernel<D, Kernel>;
  if (const char *reason = prepare_kernel(
          reinterpret_cast<const void *>(kernel), plan<D>::threads,
          plan<D>::shared_bytes, cache, problem.device.id))
    return reason;
  OperandCopies copies(problem);
  if (const char *reason = copies.make(choice_of<D>()))
    return reason;
  WholeSums<D, User> sums_of_elements(problem);
  if (const char *reason = sums_of_elements.make())
    return reason;
  const Epilogue epilogue = sums_of_elements.epilogue(user);
  const Array &output = first_output(problem);
  const slicing cut = cut_of<D>(problem);
  if constexpr (!D::sliced)
    return launch_tiles<D>(problem, output, cut, epilogue, cache);
  else {
    // The kernel that adds slices numbers sums in 32 bits.
    const int64_t sums = (Range(problem.extent.m) * Range(problem.extent.n) *
                          Range(problem.extent.b))
                             .hi;
    if (sums > INT32_MAX)
      return "too many sums for slices of k";
    using Sum = typename plan<D>::sum;
    Slices<plan<D>::chosen.sum()> slices(problem);
    if (!slices.allocate(cut.slices))
      return "no memory for the sums of slices";
    if (const char *reason = launch_tiles<D>(problem, slices.array(), cut,
                                             Kernel(epilogue), cache))
      return reason;
    static DeviceCache sum_cache;
    using Element = typename D::c_element;
    slices_view<Sum> from = slices.template view<Sum>();
    extents extent = extents_of(problem);
    output_view<Element> out = view_of<Element>(problem, output, false);
    void *arguments[] = {&from, &extent, &out,
                         const_cast<Epilogue *>(&epilogue)};
    void (*const sum)(slices_view<Sum>, extents, output_view<Element>,
                      Epilogue) =
        sum_slices<D::staged, D::outputs, Sum, Element, Epilogue>;
    return launch_kernel(reinterpret_cast<const void *>(sum),
                         dim3(unsigned(ceil_div(sums, sum_threads))), dim3(1),
                         sum_threads, 0, problem.launch.stream, arguments,
                         sum_cache, problem.device.id);
  }
}

/// By how much a plan's sums may differ from those of the original, normwise:
/// in the order in which float adds; by operands that are rounded to 11 bits,
/// precision(tf32); or by instructions whose sums keep 14 bits, as those of
/// floats of 8 bits do, or 11, the more of which there are, the larger the
/// difference.
template <class D> constexpr double sum_tolerance() {
  using a = factor_type<typename D::a_element, typename D::a_factor>;
  using b = factor_type<typename D::b_element, typename D::b_factor>;
  if (D::half_sums)
    return 5e-2;
  if (numbers_of(choice_of<D>().multiplied()).promoted_k)
    return D::promoted_k ? 2e-3 : 1e-2;
  return D::rounded_by_tma ||
                 (std::is_same<a, float>::value && D::a_parts == 1) ||
                 (std::is_same<b, float>::value && D::b_parts == 1)
             ? 2e-3
             : 1e-4;
}

/// Tells an epilogue that asks for batch indices which one is the first of a
/// launch. Static, as all that is compiled for an epilogue: in another file
/// another kernel of the same name, with other parameters, may have one of that
/// name, and the linker would keep one of the two functions.
template <class Epilogue>
static auto begin_at(Epilogue &epilogue, int64_t batch, int)
    -> decltype(epilogue.first_batch, void()) {
  epilogue.first_batch = static_cast<int>(batch);
}
template <class Epilogue> static void begin_at(Epilogue &, int64_t, long) {}

/// Launches once for each value of the batch indices beyond b.
template <class Epilogue>
static const char *
launch_each(Problem &problem, const Epilogue &epilogue,
            const char *(*launch)(Problem &, const Epilogue &, DeviceCache &),
            DeviceCache &cache) {
  // A launch may put copies in the places of operands.
  const size_t bytes = sizeof(Array) * static_cast<size_t>(problem.array_count);
  void *const arrays = malloc(bytes);
  if (!arrays)
    return "no memory";
  memcpy(arrays, problem.arrays, bytes);
  const char *reason = nullptr;
  for (int64_t i = 0; i < problem.launches() && !reason; ++i) {
    problem.turn_to(i);
    Epilogue of_launch = epilogue;
    begin_at(of_launch, i * problem.extent.b, 0);
    reason = launch(problem, of_launch, cache);
    memcpy(static_cast<void *>(problem.arrays), arrays, bytes);
  }
  free(arrays);
  return reason;
}

/// The plans of a kernel, structs of decisions, of which a launch takes one by
/// its shape: the one with the fewest predicted clocks.
template <class... D> struct plans {
  static constexpr int count = sizeof...(D);

  /// Computes the problem by one of the plans. Null, or the reason why it was
  /// not launched. `original` runs the original, for WARPWRIGHT_VERIFY=1.
  template <class Epilogue, class Original>
  static const char *launch(Problem &problem, const Epilogue &epilogue,
                            Original original) {
    static constexpr PlanEntry entries[] = {
        {D::name, choice_of<D>(),
         cost_of(choice_of<D>(), derive(choice_of<D>()))}...};
    using Launcher =
        const char *(*)(Problem &, const Epilogue &, DeviceCache &);
    static const Launcher launchers[] = {launch_plan<D, Epilogue>...};
    static DeviceCache caches[count];
    for (const double tolerance : {sum_tolerance<D>()...})
      if (tolerance > problem.sum_tolerance)
        problem.sum_tolerance = tolerance;
    static thread_local RememberedChoices choices;
    problem.group_k = group_size_of(epilogue);
    const int index = remembered_plan(problem, entries, count, choices);
    if (index < 0)
      return only_plan() ? "the plan that was asked for cannot be taken"
             : environment().no_scratch
                 ? "all plans are in slices, and WARPWRIGHT_SCRATCH=off"
                 : "no plan takes groups of this size along k";
    Verify verify(problem); // does nothing unless WARPWRIGHT_VERIFY=1
    if (verify.wants_original()) {
      original();
      verify.keep_original();
    }
    const char *const reason =
        problem.launches() == 1
            ? launchers[index](problem, epilogue, caches[index])
            : launch_each(problem, epilogue, launchers[index], caches[index]);
    if (reason)
      return reason;
    log_hopper(problem.kernel, entries[index].name);
    verify.compare();
    return nullptr;
  }
};

/// Computes the problem by one of the plans where that computes the same as
/// `original`, the kernel that was annotated, and otherwise by calling
/// `run_original`.
template <class Plans, class Kernel, class Epilogue, class Original>
static void run(Problem &problem, Kernel *original,
                std::initializer_list<Requirement> requirements,
                const Epilogue &epilogue, Original run_original) {
  static DeviceCache original_cache;
  const char *reason = check(problem, reinterpret_cast<const void *>(original),
                             original_cache, requirements);
  if (!reason)
    reason = Plans::launch(problem, epilogue, run_original);
  if (reason) {
    log_original(problem.kernel, reason);
    run_original();
  }
}

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_LAUNCH_PLAN_CUH
