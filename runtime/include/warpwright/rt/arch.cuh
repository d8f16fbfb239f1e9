//===- warpwright/rt/arch.cuh - Which image is being compiled --*- CUDA -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A generated file compiles for every architecture list that the original
// did. Only the sm_90a image holds Hopper kernels; in every other image their
// bodies are empty and their launch bounds are 32 threads, by which the
// launcher tells the images apart (cudaFuncGetAttributes).
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_ARCH_CUH
#define WARPWRIGHT_RT_ARCH_CUH

#include <cuda.h>
#include <cuda_runtime.h>
#include <stdint.h>
#include <warpwright/rt/version.cuh>

/// 1 while the sm_90a image is being compiled, 0 in every other pass.
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define WARPWRIGHT_HOPPER 1
#else
#define WARPWRIGHT_HOPPER 0
#endif

/// Launch bounds of a Hopper kernel. The ",1" is not decoration: without a
/// stated number of blocks ptxas ignores setmaxnreg.
#if WARPWRIGHT_HOPPER
#define WARPWRIGHT_LAUNCH_BOUNDS(threads) __launch_bounds__(threads, 1)
#else
#define WARPWRIGHT_LAUNCH_BOUNDS(threads) __launch_bounds__(32)
#endif

#define WARPWRIGHT_DEVICE __device__ __forceinline__

namespace warpwright {
namespace rt {
inline namespace v2 {

/// Lets the next kernel of the stream start as soon as every block has come
/// here, if launch_kernel launches it. Without this it starts when all blocks
/// have ended.
WARPWRIGHT_DEVICE void let_next_kernel_start() {
#if WARPWRIGHT_HOPPER
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/// Waits until the kernel before this one has ended and its results are seen.
/// That kernel ended after those before it: it did not start before they had
/// ended, or it waited for them, as PTX demands of a kernel that starts early
/// (PTX ISA, "griddepcontrol").
WARPWRIGHT_DEVICE void wait_for_previous_kernel() {
#if WARPWRIGHT_HOPPER
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_ARCH_CUH
