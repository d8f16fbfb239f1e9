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
/// in place of k. Plans with several such numbers may stand side by side; a
/// launch takes one whose number divides its groups.
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

template <class Epilogue, class = void>
struct has_group_size : std::false_type {};
template <class Epilogue>
struct has_group_size<Epilogue,
                      decltype(static_cast<void>(
                          std::declval<const Epilogue &>().group_size()))>
    : std::true_type {};

/// What group_size() says, or 0 where there is none.
template <class Epilogue>
typename std::enable_if<has_group_size<Epilogue>::value, int>::type
group_size_of(const Epilogue &epilogue) {
  return epilogue.group_size();
}
template <class Epilogue>
typename std::enable_if<!has_group_size<Epilogue>::value, int>::type
group_size_of(const Epilogue &) {
  return 0;
}

#ifdef WARPWRIGHT_HOPPER

/// Whether consumers find out at run time where groups end: where a plan knows
/// no more than that each of its blocks lies in one. Slices take the plan's
/// groups in turns, so that the blocks of a larger one are not together. Sets
/// of consumers that take blocks in turn have few columns: counting costs them
/// more than sums that leave the tensor cores more often.
template <class Plan, class Epilogue>
WARPWRIGHT_DEVICE constexpr bool counts_groups() {
  return Plan::group_blocks == 1 && !Plan::sliced && Plan::k_sets == 1 &&
         has_group_size<Epilogue>::value;
}

/// What the members of an epilogue get for the group that k is in: its number,
/// where the size is an argument, and otherwise k.
template <class Epilogue, bool = has_group_size<Epilogue>::value>
class group_or_k {
public:
  WARPWRIGHT_DEVICE explicit group_or_k(const Epilogue &) {}
  WARPWRIGHT_DEVICE int operator()(int k) const { return k; }
};

/// A quotient is a multiplication by 2^32 / size, rounded up: below 2^30 that
/// is right, or 1 too large.
template <class Epilogue> class group_or_k<Epilogue, true> {
public:
  WARPWRIGHT_DEVICE explicit group_or_k(const Epilogue &epilogue)
      : size(static_cast<unsigned>(epilogue.group_size())),
        factor(0xffffffffu / size + 1) {}
  WARPWRIGHT_DEVICE int operator()(int k) const {
    const unsigned quotient = __umulhi(static_cast<unsigned>(k), factor);
    return static_cast<int>(quotient -
                            (quotient * size > static_cast<unsigned>(k)));
  }

private:
  const unsigned size; ///< at least 2
  const unsigned factor;
};

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
