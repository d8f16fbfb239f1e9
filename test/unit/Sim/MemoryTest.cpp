//===- MemoryTest.cpp - The simulated address space -----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimTest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

using namespace simtest;

namespace {

class MemoryTest : public SimTest {
protected:
  void SetUp() override {
    SimTest::SetUp();
    // The engine's threads on the host do not exist after a fork.
    GTEST_FLAG_SET(death_test_style, "threadsafe");
  }
  /// Lets one thread load four bytes from there.
  cudaError_t look_at(const void *address) {
    return launch({}, {}, [=] { __sanitizer_cov_load4(address); });
  }
};

TEST_F(MemoryTest, is_aligned_and_full_of_nan) {
  for (const size_t bytes : {1, 255, 256, 257, 5000, 100000}) {
    void *pointer = nullptr;
    ASSERT_EQ(cudaMalloc(&pointer, bytes), cudaSuccess);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(pointer) % 256, 0u);
    for (const unsigned char byte :
         fetch(static_cast<unsigned char *>(pointer), bytes))
      ASSERT_EQ(byte, 0xff);
  }
}

TEST_F(MemoryTest, is_accessible_to_its_last_byte) {
  char *a = device_array<char>(1000);
  EXPECT_EQ(launch({}, {},
                   [=] {
                     for (int i = 0; i != 1000; ++i)
                       __sanitizer_cov_load1(a + i);
                     __sanitizer_cov_load4(a + 996);
                     __sanitizer_cov_load8(a + 124); // crosses a granule
                   }),
            cudaSuccess);
  EXPECT_TRUE(found.empty());
}

TEST_F(MemoryTest, ends_where_it_ends) {
  char *a = device_array<char>(1001);
  EXPECT_EQ(look_at(a + 998), cudaErrorIllegalAddress);
  EXPECT_EQ(only(Finding::global_bounds),
            "a load of 4 bytes at byte 998 of an allocation of 1001 bytes, "
            "beyond its end");
  EXPECT_EQ(found[0].notes.size(), 1u);
}

TEST_F(MemoryTest, has_forbidden_bytes_around_it) {
  device_array<char>(4096);
  char *a = device_array<char>(4096);
  device_array<char>(4096);
  EXPECT_EQ(look_at(a + 4096 + 8), cudaErrorIllegalAddress);
  EXPECT_EQ(only(Finding::global_bounds),
            "a load of 4 bytes 8 bytes after the end of an allocation of 4096 "
            "bytes");
  cudaDeviceReset();
  found.clear();
  a = device_array<char>(4096);
  EXPECT_EQ(look_at(a - 8), cudaErrorIllegalAddress);
  EXPECT_EQ(only(Finding::global_bounds),
            "a load of 4 bytes 8 bytes before the beginning of an allocation "
            "of 4096 bytes");
}

TEST_F(MemoryTest, stays_forbidden_once_freed) {
  char *a = device_array<char>(4096);
  EXPECT_EQ(cudaFree(a), cudaSuccess);
  device_array<char>(4096); // does not take its place
  EXPECT_EQ(look_at(a + 16), cudaErrorIllegalAddress);
  EXPECT_EQ(only(Finding::global_bounds),
            "a load of 4 bytes at byte 16 of an allocation of 4096 bytes that "
            "has been freed");
  EXPECT_EQ(found[0].notes.size(), 2u);
}

TEST_F(MemoryTest, is_not_at_null) {
  EXPECT_EQ(look_at(nullptr), cudaErrorIllegalAddress);
  EXPECT_NE(only(Finding::global_bounds).find("null pointer"),
            std::string::npos);
}

TEST_F(MemoryTest, of_the_host_is_forbidden_to_device_code) {
  const std::unique_ptr<int> heap(new int(1));
  EXPECT_EQ(look_at(heap.get()), cudaErrorIllegalAddress);
  only(Finding::memory_space);
  cudaDeviceReset();
  found.clear();
  const int local = 1;
  EXPECT_EQ(look_at(&local), cudaErrorIllegalAddress);
  only(Finding::memory_space);
}

int variable = 3;

TEST_F(MemoryTest, that_host_and_device_share_is_allowed) {
  void *managed = nullptr, *pinned = nullptr;
  ASSERT_EQ(cudaMallocManaged(&managed, 64), cudaSuccess);
  ASSERT_EQ(cudaMallocHost(&pinned, 64), cudaSuccess);
  memset(managed, 1, 64);
  memset(pinned, 1, 64);
  const std::unique_ptr<int[]> registered(new int[16]);
  ASSERT_EQ(cudaHostRegister(registered.get(), 64, 0), cudaSuccess);
  EXPECT_EQ(look_at(managed), cudaSuccess);
  EXPECT_EQ(look_at(pinned), cudaSuccess);
  EXPECT_EQ(look_at(registered.get()), cudaSuccess);
  EXPECT_EQ(look_at(&variable), cudaSuccess);
  EXPECT_TRUE(found.empty());
  EXPECT_EQ(look_at(static_cast<char *>(managed) + 64),
            cudaErrorIllegalAddress);
  only(Finding::global_bounds);
  EXPECT_EQ(cudaHostUnregister(registered.get()), cudaSuccess);
}

TEST_F(MemoryTest, of_another_thread_is_forbidden) {
  static const int *first;
  first = nullptr;
  EXPECT_EQ(launch({}, {2, 1, 1},
                   [] {
                     const int own = 1;
                     __sanitizer_cov_load4(&own);
                     if (!first)
                       first = &own;
                     else
                       __sanitizer_cov_load4(first);
                     sync_threads();
                   }),
            cudaErrorIllegalAddress);
  only(Finding::memory_space);
}

TEST_F(MemoryTest, of_the_device_is_forbidden_to_the_host) {
  int *a = device_array<int>(4);
  set_report_sink(nullptr);
  // The hook finds it, and so does the memory itself: in memcpy() there is no
  // hook.
  EXPECT_EXIT(load(a), testing::ExitedWithCode(3),
              "WW723: a load of 4 bytes "
              "by host code");
  EXPECT_EXIT(
      {
        int copy = 0;
        memcpy(&copy, a + 1, sizeof(copy));
        exit(copy != 0);
      },
      testing::ExitedWithCode(3),
      "WW723: host code accesses the device's "
      "memory.*at byte 4 of an allocation");
}

TEST_F(MemoryTest, runs_out_like_the_device) {
  size_t free_bytes = 0, total = 0;
  ASSERT_EQ(cudaMemGetInfo(&free_bytes, &total), cudaSuccess);
  EXPECT_GT(total, size_t(139) << 30);
  EXPECT_LT(total, size_t(141) << 30);
  void *large = nullptr, *second = nullptr;
  EXPECT_EQ(cudaMalloc(&large, size_t(80) << 30), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&second, size_t(80) << 30), cudaErrorMemoryAllocation);
  EXPECT_EQ(second, nullptr);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  size_t left = 0;
  ASSERT_EQ(cudaMemGetInfo(&left, &total), cudaSuccess);
  EXPECT_EQ(left, free_bytes - (size_t(80) << 30));
  EXPECT_EQ(cudaFree(large), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&second, size_t(80) << 30), cudaSuccess);
}

TEST_F(MemoryTest, can_be_allocated_again_and_again) {
  // More memory than the region has addresses for.
  for (int i = 0; i != 5; ++i) {
    void *pointer = nullptr;
    ASSERT_EQ(cudaMalloc(&pointer, size_t(64) << 30), cudaSuccess) << i;
    ASSERT_EQ(cudaFree(pointer), cudaSuccess);
  }
}

TEST_F(MemoryTest, is_freed_once_and_by_its_address) {
  char *a = device_array<char>(64);
  EXPECT_EQ(cudaFree(a + 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(a), cudaSuccess);
  EXPECT_EQ(cudaFree(a), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

TEST_F(MemoryTest, shared_belongs_to_a_block) {
  static SharedSite site = {"s", 64 * sizeof(int), sizeof(int), 0};
  typedef int Array[64];
  int *results = device_array<int>(8 * 64);
  EXPECT_EQ(
      launch({8, 1, 1}, {64, 1, 1},
             [=] {
               Array &s = shared<Array &>(site);
               store(&s[63 - thread_x()], int(block_x() * 1000 + thread_x()));
               sync_threads();
               results[block_x() * 64 + thread_x()] = load(&s[thread_x()]);
             }),
      cudaSuccess);
  const std::vector<int> r = fetch(results, 8 * 64);
  for (int i = 0; i != 8 * 64; ++i)
    ASSERT_EQ(r[i], i / 64 * 1000 + 63 - i % 64);
  EXPECT_TRUE(found.empty());
}

TEST_F(MemoryTest, shared_addresses_are_arithmetic) {
  static SharedSite site = {"s", 100, 16, 0};
  EXPECT_EQ(launch(
                {}, {},
                [] {
                  char *s = static_cast<char *>(shared_variable(site));
                  const uint32_t address = to_shared_address(s);
                  EXPECT_EQ(address % 16, 0u);
                  EXPECT_GE(address, 1024u);
                  EXPECT_EQ(to_shared_address(s + 33), address + 33);
                  EXPECT_EQ(from_shared_address(address + 7), s + 7);
                  EXPECT_TRUE(is_shared(s));
                  EXPECT_FALSE(is_shared(&address));
                  char *dynamic =
                      static_cast<char *>(dynamic_shared_memory(128));
                  EXPECT_EQ(to_shared_address(dynamic) % 128, 0u);
                  EXPECT_TRUE(dynamic >= s + 100 || dynamic + 500 <= s);
                  EXPECT_TRUE(isnan(reinterpret_cast<float *>(dynamic)[3]));
                },
                500),
            cudaSuccess);
}

TEST_F(MemoryTest, shared_ends_where_it_ends) {
  EXPECT_EQ(launch(
                {}, {},
                [] {
                  char *s = static_cast<char *>(dynamic_shared_memory(4));
                  __sanitizer_cov_store4(s + 96);
                  __sanitizer_cov_store4(s + 100);
                },
                100),
            cudaErrorIllegalAddress);
  EXPECT_EQ(only(Finding::shared_bounds),
            "a store of 4 bytes at shared address 1124: the block has 100 "
            "bytes of shared memory, up to address 1124");
}

TEST_F(MemoryTest, static_variables_come_first_once_known) {
  static SharedSite site = {"s", 1000, 4, 0};
  static uint32_t addresses[2];
  for (int i = 0; i != 2; ++i)
    EXPECT_EQ(launch(
                  {2, 1, 1}, {},
                  [=] {
                    char *dynamic =
                        static_cast<char *>(dynamic_shared_memory(16));
                    EXPECT_NE(shared_variable(site), nullptr);
                    if (block_x() == 1)
                      addresses[i] = to_shared_address(dynamic);
                  },
                  64),
              cudaSuccess);
  EXPECT_EQ(addresses[1], 1024u + 1008);
}

TEST_F(MemoryTest, stacks_that_overflow_are_reported) {
  set_report_sink(nullptr);
  EXPECT_EXIT(launch({}, {},
                     [] {
                       volatile char *below =
                           static_cast<char *>(__builtin_frame_address(0)) -
                           (size_t(1) << 20);
                       *below = 1;
                     }),
              testing::ExitedWithCode(3),
              "WW720: the stack of a simulated thread");
}

} // namespace
