//===- cudnn.h - Not simulated ----------------------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#error "warpwright sim has no cuDNN: it simulates kernels and the CUDA runtime"
