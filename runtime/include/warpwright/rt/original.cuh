//===- warpwright/rt/original.cuh - Launching the original ----*- CUDA -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_ORIGINAL_CUH
#define WARPWRIGHT_RT_ORIGINAL_CUH

#include <warpwright/rt/launch_plan.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

/// A type from which nothing is deduced.
template <class Type> struct as_given {
  typedef Type type;
};

/// rt::run() for launchers: the original is called with the launcher's own
/// arguments. Their types, not the name of the original, say which of several
/// overloads it is; they are taken by value because a reference would have
/// `__restrict__` in its type, which the original's type does not have.
template <class Plans, class Epilogue, class... Parameters>
static void
run_or_original(Problem &problem,
                typename as_given<void (*)(Parameters...)>::type original,
                std::initializer_list<Requirement> requirements,
                const Epilogue &epilogue, Parameters... arguments) {
  const Launch launch = problem.launch;
  run<Plans>(problem, original, requirements, epilogue, [&] {
    original<<<launch.grid, launch.block, launch.smem, launch.stream>>>(
        arguments...);
  });
}

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_ORIGINAL_CUH
