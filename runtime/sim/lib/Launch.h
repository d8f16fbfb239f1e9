//===- Launch.h - From a kernel and a configuration to clusters -*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_LIB_LAUNCH_H
#define WARPWRIGHT_SIM_LIB_LAUNCH_H

#include "Machine.h"

#include <atomic>
#include <map>
#include <mutex>

namespace warpwright {
namespace sim {

struct LaunchConfig {
  Index3 grid, block;
  size_t shared_bytes = 0;
  void *stream = nullptr; ///< a cudaStream_t
  Index3 cluster;         ///< CTAs of a cluster
  bool cooperative = false;
  /// It may start before the kernel before it in its stream has ended
  /// (programmatic stream serialization).
  bool starts_early = false;
};

/// The attributes of a kernel that the host may set, and what is known of it
/// from its launches.
struct KernelState {
  const KernelSite *site = nullptr;
  int max_dynamic_shared = -1; ///< -1: not set
  int carveout = -1;
  bool non_portable_cluster = false;

  /// The static shared variables that its threads have used so far, in the
  /// order of their addresses.
  std::mutex mutex;
  std::vector<SharedSite *> statics;
  uint32_t static_bytes = 0; ///< including padding
};
KernelState &kernel_state(const KernelSite &site);
/// Resets the attributes of all kernels (cudaDeviceReset).
void reset_kernels();

/// An estimate of what ptxas would choose: as many registers as the launch
/// bounds allow, or a guess if there are none.
unsigned registers_per_thread(const KernelSite &site);
/// The most dynamic shared memory that a launch may have, by the attributes of
/// the kernel.
size_t dynamic_shared_limit(KernelState &kernel);
/// CTAs of a kernel that fit on one multiprocessor.
unsigned blocks_per_multiprocessor(KernelState &kernel, unsigned threads,
                                   size_t dynamic_shared);

/// The cudaError_t with which a launch would fail; 0: it would run.
int check_launch(KernelState &kernel, const LaunchConfig &config);

/// A kernel with a copy of its arguments in memory that device code may read.
class BoundKernel {
public:
  BoundKernel() = default;
  BoundKernel(const KernelSite &site, const KernelBody &body,
              const void *closure);
  BoundKernel(const BoundKernel &other)
      : BoundKernel(*other.site, other.body, other.closure) {}
  BoundKernel &operator=(const BoundKernel &) = delete;
  ~BoundKernel();

  const KernelSite *site = nullptr;
  KernelBody body{};
  void *closure = nullptr;
};

/// A launch that is running.
struct Launch {
  KernelState *kernel = nullptr;
  const BoundKernel *bound = nullptr;
  LaunchConfig config;
  Index3 clusters; ///< of the grid
  uint64_t cluster_count = 0;
  uint64_t seed = 0;
  std::atomic<uint64_t> next{0};     ///< cluster to start
  std::atomic<uint64_t> finished{0}; ///< clusters
  std::atomic<int> error{0};         ///< cudaError_t that ended it

  /// The barrier of the grid: CTAs that have arrived, and how often all had.
  std::atomic<uint64_t> grid_arrived{0}, grid_turns{0};

  /// What clusters printed, until it is written in their order.
  std::mutex output_mutex;
  std::map<uint64_t, std::string> output;
  void write_output();
};

/// Runs to the end. The cudaError_t of an invalid configuration, or 0; what
/// goes wrong in device code becomes the device's sticky error (Stream.h).
int run_launch(const BoundKernel &kernel, const LaunchConfig &config);

/// The number of launches so far. The seed of a launch depends on it.
uint64_t &launch_number();

/// Ends the launch of a cluster with a CUDA error, from outside its threads.
void abort_cluster(Cluster &cluster, int error);

/// Launches the kernel at `address` with the arguments that `arguments` points
/// at, or records it under stream capture. A cudaError_t.
int launch_by_address(const void *address, void **arguments,
                      const LaunchConfig &config);
/// The kernel and arguments of such a launch, without launching it: for nodes
/// of graphs. Null if there is no kernel at the address.
std::unique_ptr<BoundKernel> bind_by_address(const void *address,
                                             void **arguments);
/// The site of the kernel at `address`; null: no kernel.
const KernelSite *kernel_at(const void *address);

/// Runs `work` on `threads` host threads, of which the caller is one.
void run_on_host_threads(unsigned threads, const std::function<void()> &work);

} // namespace sim
} // namespace warpwright

#endif // WARPWRIGHT_SIM_LIB_LAUNCH_H
