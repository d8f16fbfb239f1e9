//===- SimTest.h - Kernels for tests of the simulator -----------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Programs as `warpwright sim` would transform them, written by hand: a kernel
/// is a lambda, and the hooks that the compiler would insert are called by
/// load() and store().
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_TEST_UNIT_SIM_SIMTEST_H
#define WARPWRIGHT_TEST_UNIT_SIM_SIMTEST_H

#include "Launch.h"
#include "Machine.h"
#include "Memory.h"
#include "Options.h"
#include "Report.h"
#include "Stream.h"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

extern "C" {
void __sanitizer_cov_load1(const void *address);
void __sanitizer_cov_load4(const void *address);
void __sanitizer_cov_load8(const void *address);
void __sanitizer_cov_store1(const void *address);
void __sanitizer_cov_store4(const void *address);
}

namespace simtest {

using namespace warpwright::sim;

inline float load(const float *address) {
  __sanitizer_cov_load4(address);
  return *address;
}
inline int load(const int *address) {
  __sanitizer_cov_load4(address);
  return *address;
}
template <class T> void store(T *address, T value) {
  static_assert(sizeof(T) == 4);
  __sanitizer_cov_store4(address);
  *address = value;
}

/// The findings of the simulator since the test began.
struct Found {
  Finding finding;
  bool is_error;
  std::string message;
  std::vector<Note> notes;
};
inline std::vector<Found> found;

/// The i-th coordinate of the thread in its block, and of the block.
inline unsigned thread_x() { return thread_index(0); }
inline unsigned block_x() { return thread_index(3); }

/// Each test starts with a fresh device and default options.
class SimTest : public ::testing::Test {
protected:
  void SetUp() override {
    options = run_options();
    run_options().host_threads = 2;
    found.clear();
    set_report_sink([](Finding finding, bool is_error,
                       const std::string &message,
                       const std::vector<Note> &notes) {
      found.push_back({finding, is_error, message, notes});
    });
  }
  void TearDown() override {
    set_report_sink(nullptr);
    run_options() = options;
    cudaDeviceReset();
  }

  /// Launches `body` as a kernel and waits. Returns the error of the launch or
  /// of the wait.
  template <class Body>
  cudaError_t launch(Index3 grid, Index3 block, const Body &body,
                     size_t shared_bytes = 0, void *stream = nullptr) {
    static const KernelSite site = {
        "kernel", __PRETTY_FUNCTION__, __FILE__, 1, 0,
        0,        sizeof(Body),        nullptr,  {}};
    configure_launch(grid, block, shared_bytes, stream);
    run_kernel(site, body);
    if (const cudaError_t error = cudaGetLastError())
      return error;
    return stream ? cudaSuccess : cudaDeviceSynchronize();
  }

  /// The message of the only finding, which must have this ID.
  std::string only(Finding finding) {
    if (found.size() != 1) {
      ADD_FAILURE() << found.size() << " findings";
      return "";
    }
    EXPECT_EQ(static_cast<int>(found[0].finding), static_cast<int>(finding));
    return found[0].message;
  }

  template <class T> T *device_array(size_t count) {
    void *pointer = nullptr;
    EXPECT_EQ(cudaMalloc(&pointer, count * sizeof(T)), cudaSuccess);
    return static_cast<T *>(pointer);
  }
  template <class T> std::vector<T> fetch(const T *from, size_t count) {
    std::vector<T> result(count);
    EXPECT_EQ(cudaMemcpy(result.data(), from, count * sizeof(T),
                         cudaMemcpyDeviceToHost),
              cudaSuccess);
    return result;
  }

private:
  RunOptions options;
};

} // namespace simtest

#endif // WARPWRIGHT_TEST_UNIT_SIM_SIMTEST_H
