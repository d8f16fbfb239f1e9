//===-- member.cuh - Members that cannot be named ---------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel's parameter may be an object whose members are private or inherited,
// such as the accessors of tensor libraries. A launch copies the bytes of the
// object to the device, and the kernel's code reads a member at its offset. The
// launcher and the epilogue do the same.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_MEMBER_CUH
#define WARPWRIGHT_RT_MEMBER_CUH

#include <stddef.h>
#include <string.h>

namespace warpwright {
namespace rt {
inline namespace v2 {

/// The member of type Type that lies `offset` bytes behind the start of an
/// object of `size` bytes.
template <class Type, size_t offset, size_t size, class Object>
__host__ __device__ __forceinline__ Type member(const Object &object) {
  static_assert(sizeof(Object) == size && offset + sizeof(Type) <= size,
                "a kernel's parameter has another layout than when the file "
                "was rewritten: rewrite it again");
  Type value;
  memcpy(&value, &reinterpret_cast<const char &>(object) + offset,
         sizeof(Type));
  return value;
}

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_MEMBER_CUH
