//===- warpwright/rt/tensor_map.cuh - Tensor maps of arrays ----*- CUDA -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensor maps are encoded on the host by the driver's cuTensorMapEncodeTiled,
// which is found through the CUDA runtime: the program links nothing new.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_TENSOR_MAP_CUH
#define WARPWRIGHT_RT_TENSOR_MAP_CUH

#include <cuda.h>
#include <warpwright/rt/problem.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

using EncodeTiled = CUresult (*)(CUtensorMap *, CUtensorMapDataType, cuuint32_t,
                                 void *, const cuuint64_t *, const cuuint64_t *,
                                 const cuuint32_t *, const cuuint32_t *,
                                 CUtensorMapInterleave, CUtensorMapSwizzle,
                                 CUtensorMapL2promotion,
                                 CUtensorMapFloatOOBfill);

/// cuTensorMapEncodeTiled, or null where the driver has none.
inline EncodeTiled find_encode_tiled() {
  static void *cached = nullptr;
  void *function = __atomic_load_n(&cached, __ATOMIC_RELAXED);
  if (!function) {
    ErrorGuard guard;
    cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
#if CUDART_VERSION >= 12050
    cudaError_t error = cudaGetDriverEntryPointByVersion(
        "cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &found);
#else
    cudaError_t error = cudaGetDriverEntryPoint(
        "cuTensorMapEncodeTiled", &function, cudaEnableDefault, &found);
#endif
    if (error != cudaSuccess || found != cudaDriverEntryPointSuccess)
      return nullptr;
    __atomic_store_n(&cached, function, __ATOMIC_RELAXED);
  }
  return reinterpret_cast<EncodeTiled>(function);
}

/// The part of an array that one TMA copy moves: elements along the contiguous
/// direction and along the other one, and how shared memory swizzles them.
struct Box {
  int inner;
  int outer;
  CUtensorMapSwizzle swizzle;
};

/// Why TMA cannot read `array` where it lies, contiguous along `inner`, as a
/// format for its name; null if it can (CUDA driver API,
/// cuTensorMapEncodeTiled).
inline const char *why_unreadable(const Problem &problem, const Array &array,
                                  Axis inner, Axis outer) {
  const PerAxis extent = problem.extent_of(array);
  if (array.is_gathered())
    return "the numbers of four bits of %s are in another order";
  if (array.stride[inner] != 1 && extent[inner] > 1)
    return "%s is not contiguous";
  if (reinterpret_cast<uintptr_t>(array.origin()) % 16 != 0)
    return "%s does not start at a multiple of 16 bytes";
  for (Axis direction : {outer, Axis::b}) {
    const int64_t pitch = array.stride[direction] * size_of(array.type);
    if (extent[direction] == 1)
      continue; // a direction of one element is never stepped along
    if (pitch % 16 != 0)
      return "the rows of %s are not multiples of 16 bytes apart";
    if (pitch < 0 || pitch >= int64_t(1) << 40)
      return "the rows of %s are too far apart";
  }
  for (int i = 0; i < PerOuter::count; ++i)
    if (array.outer_stride.of[i] * size_of(array.type) % 16 != 0)
      return "the matrices of %s are not multiples of 16 bytes apart";
  return nullptr;
}

/// Encodes `array` as the 3-D tensor (inner, outer, batch) with the extents of
/// Problem::extent_of, so that copies past its ends read zeros and write
/// nothing. Null, or the reason why TMA cannot address the array. With
/// `neighbours_follow`, what lies beside a box is soon needed by another CTA;
/// with `rounded`, copies round floats to TF32.
inline const char *encode_tensor_map(CUtensorMap *map, Problem &problem,
                                     const Array &array, Axis inner, Axis outer,
                                     Box box, bool neighbours_follow = false,
                                     bool rounded = false) {
  if (const char *format = why_unreadable(problem, array, inner, outer))
    return problem.because(format, array.name);
  const int64_t size = size_of(array.type);
  const PerAxis extent = problem.extent_of(array);
  const cuuint64_t extents[3] = {static_cast<cuuint64_t>(extent[inner]),
                                 static_cast<cuuint64_t>(extent[outer]),
                                 static_cast<cuuint64_t>(extent.b)};
  // TMA wants a step of directions of one element, too.
  const auto pitch = [&](Axis direction) {
    return static_cast<cuuint64_t>(
        extent[direction] > 1 ? array.stride[direction] * size : 16);
  };
  const cuuint64_t pitches[2] = {pitch(outer), pitch(Axis::b)};

  const cuuint32_t boxes[3] = {static_cast<cuuint32_t>(box.inner),
                               static_cast<cuuint32_t>(box.outer), 1};
  const cuuint32_t every[3] = {1, 1, 1};
  const auto type =
      static_cast<CUtensorMapDataType>(tensor_map_type(array.type, rounded));
  // How much of a row L2 fetches at once. Where the rows of a box start in the
  // middle of such a piece, more is fetched than is needed
  // (docs/performance-log.md).
  constexpr cuuint64_t piece = 256;
  const bool whole_pieces =
      reinterpret_cast<uintptr_t>(array.origin()) % piece == 0 &&
      pitches[0] % piece == 0;
  const CUtensorMapL2promotion promotion =
      neighbours_follow && whole_pieces ? CU_TENSOR_MAP_L2_PROMOTION_L2_256B
                                        : CU_TENSOR_MAP_L2_PROMOTION_L2_128B;
  const EncodeTiled encode = find_encode_tiled();
  if (!encode)
    return "the driver has no cuTensorMapEncodeTiled";
  if (encode(map, type, 3, const_cast<char *>(array.origin()), extents, pitches,
             boxes, every, CU_TENSOR_MAP_INTERLEAVE_NONE, box.swizzle,
             promotion, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
    return problem.because("cuTensorMapEncodeTiled refuses %s", array.name);
  return nullptr;
}

/// Encodes an output for TMA stores. False where they cannot write it: stores
/// move whole 16-byte pieces, so rows must also end at a multiple of 16 bytes.
inline bool encode_store_map(CUtensorMap *map, Problem &problem,
                             const Array &array, Axis inner, Axis outer,
                             Box box) {
  return problem.extent[inner] * size_of(array.type) % 16 == 0 &&
         !encode_tensor_map(map, problem, array, inner, outer, box);
}

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_TENSOR_MAP_CUH
