//===- LaunchTest.cpp - From a kernel and a configuration to clusters -----===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimTest.h"

#include <stdlib.h>

using namespace simtest;

namespace {

// Written as the transformation would write them.
WARPWRIGHT_SIM_KERNEL void scale(float *x, float factor, int n) {
  static const KernelSite site = {
      "scale", "void scale(float *, float, int)",      __FILE__, __LINE__, 256,
      2,       parameter_bytes<float *, float, int>(), nullptr,  {}};
  if (answer_query<float *, float, int>(site))
    return;
  run_kernel(site, [=]() mutable {
    const int i =
        static_cast<int>(thread_index(3) * thread_index(6) + thread_index(0));
    if (i < n)
      x[i] *= factor;
    x = nullptr; // parameters are the thread's own
  });
}

WARPWRIGHT_SIM_KERNEL void in_pairs(int *ranks) {
  static const KernelSite site = {
      "in_pairs", "void in_pairs(int *)", __FILE__, __LINE__, 0,
      0,          sizeof(int *),          nullptr,  {2, 1, 1}};
  if (answer_query<int *>(site))
    return;
  run_kernel(site, [=]() mutable {
    ranks[thread_index(3)] = static_cast<int>(self().cta->rank);
  });
}

const void *address_of(void (*kernel)(float *, float, int)) {
  return reinterpret_cast<const void *>(kernel);
}

class LaunchTest : public SimTest {
protected:
  cudaError_t launch_scale(dim3 grid, dim3 block, size_t shared = 0) {
    float factor = 2;
    int n = 100;
    void *arguments[] = {&x, &factor, &n};
    return cudaLaunchKernel(address_of(scale), grid, block, arguments, shared,
                            nullptr);
  }
  float *x = nullptr;
};

TEST_F(LaunchTest, finds_kernels_by_address) {
  x = device_array<float>(100);
  const std::vector<float> ones(100, 1.0f);
  cudaMemcpy(x, ones.data(), 400, cudaMemcpyHostToDevice);
  EXPECT_EQ(launch_scale(1, 128), cudaSuccess);
  EXPECT_EQ(launch_scale(4, 32), cudaSuccess);
  EXPECT_EQ(fetch(x, 100), std::vector<float>(100, 4.0f));
  void *arguments[] = {nullptr};
  EXPECT_EQ(cudaLaunchKernel(reinterpret_cast<const void *>(&exit), 1, 1,
                             arguments, 0, nullptr),
            cudaErrorInvalidDeviceFunction);
}

TEST_F(LaunchTest, refuses_invalid_configurations) {
  x = device_array<float>(100);
  EXPECT_EQ(launch_scale(dim3(5, 6), dim3(64, 64)), cudaErrorInvalidValue);
  EXPECT_EQ(launch_scale(dim3(5, 0), 16), cudaErrorInvalidValue);
  EXPECT_EQ(launch_scale(dim3(1, 65536), 16), cudaErrorInvalidValue);
  EXPECT_EQ(launch_scale(1, dim3(1, 1, 128)), cudaErrorInvalidValue);
  EXPECT_EQ(launch_scale(1, 16, 1 << 20), cudaErrorInvalidValue);
  EXPECT_EQ(launch_scale(1, 16, 48 * 1024 + 1), cudaErrorInvalidValue);
  EXPECT_EQ(launch_scale(1, 16, 48 * 1024), cudaSuccess);
  // Beyond its launch bounds of 256 threads.
  EXPECT_EQ(launch_scale(1, 257), cudaErrorInvalidValue);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(LaunchTest, gives_more_shared_memory_to_those_who_ask) {
  x = device_array<float>(100);
  const void *kernel = address_of(scale);
  EXPECT_EQ(cudaFuncSetAttribute(
                kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000),
            cudaSuccess);
  EXPECT_EQ(launch_scale(1, 16, 100000), cudaSuccess);
  EXPECT_EQ(launch_scale(1, 16, 100001), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetAttribute(kernel,
                                 cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 227 * 1024 + 1),
            cudaErrorInvalidValue);
  cudaFuncAttributes attributes;
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, kernel), cudaSuccess);
  EXPECT_EQ(attributes.maxDynamicSharedSizeBytes, 100000);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 256);
  EXPECT_EQ(attributes.numRegs, 128);
  EXPECT_EQ(attributes.binaryVersion, 90);
}

TEST_F(LaunchTest, makes_clusters) {
  int *ranks = device_array<int>(8);
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 4;
  attribute.val.clusterDim.y = 1;
  attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = 8;
  config.blockDim = 1;
  void *arguments[] = {&ranks};
  const auto kernel = reinterpret_cast<const void *>(&in_pairs);
  ASSERT_EQ(cudaLaunchKernelExC(&config, kernel, arguments), cudaSuccess);
  EXPECT_EQ(fetch(ranks, 8), (std::vector<int>{0, 1, 0, 1, 0, 1, 0, 1}));
  // The kernel's own cluster dimensions cannot be changed; others can be set.
  config.attrs = &attribute;
  config.numAttrs = 1;
  EXPECT_EQ(cudaLaunchKernelExC(&config, kernel, arguments),
            cudaErrorInvalidConfiguration);
  float factor = 1;
  int n = 0;
  void *of_scale[] = {&x, &factor, &n};
  EXPECT_EQ(cudaLaunchKernelExC(&config, address_of(scale), of_scale),
            cudaSuccess);
  config.gridDim = 9;
  EXPECT_EQ(cudaLaunchKernelExC(&config, address_of(scale), of_scale),
            cudaErrorInvalidClusterSize);
  config.gridDim = 16;
  attribute.val.clusterDim.x = 16;
  EXPECT_EQ(cudaLaunchKernelExC(&config, address_of(scale), of_scale),
            cudaErrorInvalidClusterSize);
  cudaFuncSetAttribute(address_of(scale),
                       cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  EXPECT_EQ(cudaLaunchKernelExC(&config, address_of(scale), of_scale),
            cudaSuccess);
}

TEST_F(LaunchTest, needs_a_configuration) {
  scale(x, 1, 0);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMissingConfiguration);
}

TEST_F(LaunchTest, prints_in_the_order_of_blocks) {
  testing::internal::CaptureStdout();
  EXPECT_EQ(launch({40, 1, 1}, {2, 1, 1},
                   [] { device_printf("%u.%u ", block_x(), thread_x()); }),
            cudaSuccess);
  fflush(stdout);
  std::string expected;
  for (int block = 0; block != 40; ++block)
    expected += std::to_string(block) + ".0 " + std::to_string(block) + ".1 ";
  EXPECT_EQ(testing::internal::GetCapturedStdout(), expected);
}

TEST_F(LaunchTest, leaves_a_sticky_error_behind_a_trap) {
  static const KernelSite site = {"t", "", "", 1, 0, 0, 0, nullptr, {}};
  configure_launch({3, 1, 1}, {64, 1, 1}, 0, nullptr);
  run_kernel(site, [] {
    if (thread_x() == 40)
      trap();
    sync_threads();
  });
  // As on a device, the launch itself succeeds.
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
  EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchFailure);
  EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchFailure);
  void *pointer = nullptr;
  EXPECT_EQ(cudaMalloc(&pointer, 16), cudaErrorLaunchFailure);
  EXPECT_TRUE(found.empty());
  cudaDeviceReset();
  EXPECT_EQ(cudaMalloc(&pointer, 16), cudaSuccess);
}

TEST_F(LaunchTest, says_which_thread_failed_an_assertion) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(launch({2, 1, 1}, {4, 1, 1},
                   [] {
                     if (block_x() == 1 && thread_x() == 3)
                       assert_failed("x > 0", "a.cu", 7, "void f()");
                   }),
            cudaErrorAssert);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "a.cu:7: void f(): block: [1,0,0], thread: [3,0,0] Assertion `x > "
            "0` failed.\n");
}

WARPWRIGHT_SIM_KERNEL void in_turns(int *sums) {
  static const KernelSite site = {
      "in_turns", "void in_turns(int *)", __FILE__, __LINE__, 0,
      0,          sizeof(int *),          nullptr,  {}};
  if (answer_query<int *>(site))
    return;
  run_kernel(site, [=]() mutable {
    for (int turn = 0; turn != 3; ++turn) {
      if (thread_index(0) == 0)
        __atomic_fetch_add(&sums[turn], 1, __ATOMIC_SEQ_CST);
      if (!sync_grid())
        trap();
      // All have added before any thread reads.
      if (sums[turn] != int(thread_index(9)))
        __atomic_fetch_add(&sums[3], 1, __ATOMIC_SEQ_CST);
    }
  });
}

TEST_F(LaunchTest, has_a_barrier_of_the_grid_in_cooperative_launches) {
  int *sums = device_array<int>(4);
  cudaMemset(sums, 0, 16);
  void *arguments[] = {&sums};
  const auto kernel = reinterpret_cast<const void *>(&in_turns);
  EXPECT_EQ(cudaLaunchCooperativeKernel(kernel, 100, 40, arguments, 0, nullptr),
            cudaSuccess);
  EXPECT_EQ(fetch(sums, 4), (std::vector<int>{100, 100, 100, 0}));
  EXPECT_EQ(cudaLaunchCooperativeKernel(kernel, 132 * 2 + 1, 1024, arguments, 0,
                                        nullptr),
            cudaErrorCooperativeLaunchTooLarge);
  EXPECT_EQ(cudaLaunchKernel(kernel, 4, 32, arguments, 0, nullptr),
            cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
}

TEST_F(LaunchTest, knows_its_occupancy) {
  int blocks = 0;
  const void *kernel = address_of(scale);
  EXPECT_EQ(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 256, 0),
      cudaSuccess);
  EXPECT_EQ(blocks, 2); // its launch bounds' 128 registers
  const auto pairs = reinterpret_cast<const void *>(&in_pairs);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, pairs, 32, 0);
  EXPECT_EQ(blocks, 32);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, pairs, 32, 48 * 1024);
  EXPECT_EQ(blocks, 4);
  cudaLaunchConfig_t config = {};
  config.gridDim = 8;
  config.blockDim = 1024;
  int clusters = 0;
  EXPECT_EQ(cudaOccupancyMaxActiveClusters(&clusters, pairs, &config),
            cudaSuccess);
  EXPECT_EQ(clusters, 66);
}

} // namespace
