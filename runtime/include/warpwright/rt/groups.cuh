//===-- groups.cuh - Groups of an argument's size ---------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Scales and zero points belong to groups along k. A plan has the size of
/// groups, group_k, or only a number that divides it: then generated code has a
/// member group_size() that says how many of k a group has in this launch, and
/// the members that compute scales and zero points get the number of the group
/// in place of k.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_GROUPS_CUH
#define WARPWRIGHT_RT_GROUPS_CUH

#include <warpwright/rt/arch.cuh>

#include <type_traits>
#include <utility>

namespace warpwright {
namespace rt {
inline namespace v2 {

#ifdef WARPWRIGHT_HOPPER

template <class Epilogue, class = void>
struct has_group_size : std::false_type {};
template <class Epilogue>
struct has_group_size<Epilogue,
                      decltype(static_cast<void>(
                          std::declval<const Epilogue &>().group_size()))>
    : std::true_type {};

/// Whether consumers find out at run time where groups end. Slices take the
/// plan's groups in turns, so that the blocks of a larger one are not together.
/// Sets of consumers that take blocks in turn have few columns: counting costs
/// them more than sums that leave the tensor cores more often.
template <class Plan, class Epilogue>
WARPWRIGHT_DEVICE constexpr bool counts_groups() {
  return Plan::group_blocks > 0 && !Plan::sliced && Plan::k_sets == 1 &&
         has_group_size<Epilogue>::value;
}

/// What the members of \p epilogue get for the group that k is in.
template <class Epilogue>
WARPWRIGHT_DEVICE int group_or_k(const Epilogue &epilogue, int k) {
  if constexpr (has_group_size<Epilogue>::value)
    return static_cast<int>(static_cast<unsigned>(k) /
                            static_cast<unsigned>(epilogue.group_size()));
  else
    return k;
}

/// Blocks of k in a group.
template <class Plan, class Epilogue>
WARPWRIGHT_DEVICE int blocks_of_group(const Epilogue &epilogue) {
  if constexpr (counts_groups<Plan, Epilogue>())
    return static_cast<int>(static_cast<unsigned>(epilogue.group_size()) /
                            Plan::tile_k);
  else
    return Plan::group_blocks;
}

/// Where a block of k is among the `size` blocks of its group.
class block_in_group {
public:
  WARPWRIGHT_DEVICE explicit block_in_group(int size) : size(size) {}

  WARPWRIGHT_DEVICE int group() const { return number; }
  WARPWRIGHT_DEVICE bool is_first() const { return place == 0; }
  WARPWRIGHT_DEVICE bool is_last() const { return place + 1 == size; }
  WARPWRIGHT_DEVICE void advance() {
    const bool last = is_last();
    place = last ? 0 : place + 1;
    number += last;
  }

private:
  const int size;
  int number = 0, place = 0;
};

#endif // WARPWRIGHT_HOPPER

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_GROUPS_CUH
