//===- Launch.cpp - From a kernel and a configuration to clusters ---------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launch.h"
#include "KernelQuery.h"
#include "Memory.h"
#include "Options.h"
#include "Scheduler.h"
#include "Stream.h"
#include "Trace.h"

#include <algorithm>
#include <condition_variable>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thread>

using namespace warpwright::sim;

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

namespace {
struct Kernels {
  std::mutex mutex;
  std::map<const KernelSite *, std::unique_ptr<KernelState>> states;
};
Kernels &kernels() {
  static Kernels *kernels = new Kernels;
  return *kernels;
}
} // namespace

KernelState &warpwright::sim::kernel_state(const KernelSite &site) {
  Kernels &k = kernels();
  std::lock_guard<std::mutex> lock(k.mutex);
  std::unique_ptr<KernelState> &state = k.states[&site];
  if (!state) {
    state = std::make_unique<KernelState>();
    state->site = &site;
  }
  return *state;
}

void warpwright::sim::reset_kernels() {
  Kernels &k = kernels();
  std::lock_guard<std::mutex> lock(k.mutex);
  for (auto &entry : k.states) {
    entry.second->max_dynamic_shared = entry.second->carveout = -1;
    entry.second->non_portable_cluster = false;
  }
}

static KernelQuery cached_query(const void *address) {
  static std::mutex mutex;
  static auto *known = new std::map<const void *, KernelQuery>;
  std::lock_guard<std::mutex> lock(mutex);
  const auto found = known->find(address);
  if (found != known->end())
    return found->second;
  return (*known)[address] = query_kernel(address);
}

const KernelSite *warpwright::sim::kernel_at(const void *address) {
  return cached_query(address).site;
}

// Compute capability 9.0, CUDA C++ Programming Guide, "Technical
// Specifications per Compute Capability".
static constexpr unsigned registers_of_multiprocessor = 65536;
static constexpr unsigned warps_of_multiprocessor = 64;
static constexpr unsigned blocks_of_multiprocessor = 32;
static constexpr size_t shared_of_multiprocessor = 228 * 1024;
static constexpr size_t shared_of_system = 1024;
static constexpr size_t default_shared_limit = 48 * 1024;
static constexpr size_t largest_shared_limit = 227 * 1024;

unsigned warpwright::sim::registers_per_thread(const KernelSite &site) {
  constexpr unsigned guess = 40, most = 255;
  if (site.max_threads <= 0 || site.min_blocks <= 0)
    return guess;
  const unsigned threads =
      (static_cast<unsigned>(site.max_threads) + 31) / 32 * 32;
  const unsigned share = registers_of_multiprocessor /
                         (threads * static_cast<unsigned>(site.min_blocks));
  return std::min(most, share / 8 * 8);
}

size_t warpwright::sim::dynamic_shared_limit(KernelState &kernel) {
  const size_t statics = kernel.static_bytes;
  if (kernel.max_dynamic_shared >= 0)
    return std::max<size_t>(static_cast<size_t>(kernel.max_dynamic_shared),
                            default_shared_limit -
                                std::min(statics, default_shared_limit));
  return default_shared_limit - std::min(statics, default_shared_limit);
}

unsigned warpwright::sim::blocks_per_multiprocessor(KernelState &kernel,
                                                    unsigned threads,
                                                    size_t dynamic_shared) {
  const unsigned warps = (threads + 31) / 32;
  if (!warps || threads > 1024 ||
      (kernel.site->max_threads > 0 &&
       threads > static_cast<unsigned>(kernel.site->max_threads)))
    return 0;
  const size_t shared =
      (kernel.static_bytes + dynamic_shared + 127) / 128 * 128;
  if (shared > largest_shared_limit)
    return 0;
  // Registers are handed out to warps in portions of 256.
  const unsigned registers =
      (registers_per_thread(*kernel.site) * 32 + 255) / 256 * 256;
  return std::min({blocks_of_multiprocessor, warps_of_multiprocessor / warps,
                   registers_of_multiprocessor / registers / warps,
                   static_cast<unsigned>(shared_of_multiprocessor /
                                         (shared + shared_of_system))});
}

int warpwright::sim::check_launch(KernelState &kernel,
                                  const LaunchConfig &config) {
  // As seen on an H200 with CUDA 13.0.
  enum {
    invalid_value = 1,
    invalid_configuration = 9,
    cooperative_too_large = 720,
    invalid_cluster_size = 912
  };
  const Index3 &grid = config.grid, &block = config.block,
               &cluster = config.cluster;
  if (!grid.x || !grid.y || !grid.z || !block.x || !block.y || !block.z ||
      grid.x > 0x7fffffffu || grid.y > 65535 || grid.z > 65535 ||
      block.x > 1024 || block.y > 1024 || block.z > 64 ||
      uint64_t(block.x) * block.y * block.z > 1024)
    return invalid_value;
  const unsigned threads = block.x * block.y * block.z;
  const KernelSite &site = *kernel.site;
  if (site.max_threads > 0 && threads > static_cast<unsigned>(site.max_threads))
    return invalid_value;
  if (config.shared_bytes > dynamic_shared_limit(kernel) ||
      config.shared_bytes + kernel.static_bytes > largest_shared_limit)
    return invalid_value;
  constexpr size_t largest_parameters = 32764;
  if (site.parameter_bytes > largest_parameters)
    return invalid_value;
  if (!cluster.x || !cluster.y || !cluster.z)
    return invalid_configuration;
  const uint64_t ctas = uint64_t(cluster.x) * cluster.y * cluster.z;
  if (ctas > (kernel.non_portable_cluster ? 16u : 8u))
    return invalid_cluster_size;
  if (grid.x % cluster.x || grid.y % cluster.y || grid.z % cluster.z)
    return invalid_cluster_size;
  if (site.cluster[0] &&
      (cluster.x != site.cluster[0] || cluster.y != site.cluster[1] ||
       cluster.z != site.cluster[2]))
    return invalid_configuration;
  if (config.cooperative &&
      uint64_t(grid.x) * grid.y * grid.z >
          132u *
              blocks_per_multiprocessor(kernel, threads, config.shared_bytes))
    return cooperative_too_large;
  return 0;
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

BoundKernel::BoundKernel(const KernelSite &site, const KernelBody &body,
                         const void *from)
    : site(&site), body(body) {
  closure = engine_allocate(body.bytes);
  body.copy(closure, from);
}

BoundKernel::~BoundKernel() {
  if (!closure)
    return;
  body.destroy(closure);
  engine_deallocate(closure, body.bytes);
}

namespace {
/// Configurations pushed by <<<...>>> and not taken yet: the arguments of one
/// launch may launch other kernels.
thread_local std::vector<LaunchConfig> pending;
/// Set while a kernel is called for its parameters only.
thread_local std::unique_ptr<BoundKernel> *binding;
} // namespace

void warpwright::sim::configure_launch(Index3 grid, Index3 block, size_t smem,
                                       void *stream) {
  LaunchConfig config;
  config.grid = grid;
  config.block = block;
  config.shared_bytes = smem;
  config.stream = stream;
  pending.push_back(config);
}

void warpwright::sim::run_kernel_erased(const KernelSite &site,
                                        const KernelBody &body,
                                        const void *closure) {
  if (current_thread) {
    report(Finding::unsupported,
           "device code launches the kernel " + std::string(site.name) +
               ": launches from device code are not simulated");
    return;
  }
  if (binding) {
    *binding = std::make_unique<BoundKernel>(site, body, closure);
    return;
  }
  if (pending.empty()) {
    set_last_error(52); // cudaErrorMissingConfiguration
    return;
  }
  LaunchConfig config = pending.back();
  pending.pop_back();
  if (site.cluster[0])
    config.cluster = {site.cluster[0], site.cluster[1], site.cluster[2]};
  const BoundKernel kernel(site, body, closure);
  set_last_error(submit_kernel(kernel, config));
}

std::unique_ptr<BoundKernel>
warpwright::sim::bind_by_address(const void *address, void **arguments) {
  const KernelQuery query = cached_query(address);
  std::unique_ptr<BoundKernel> bound;
  if (!query.site)
    return bound;
  std::unique_ptr<BoundKernel> *outer = binding;
  binding = &bound;
  query.invoke(address, arguments);
  binding = outer;
  return bound;
}

int warpwright::sim::launch_by_address(const void *address, void **arguments,
                                       const LaunchConfig &config) {
  const std::unique_ptr<BoundKernel> bound =
      bind_by_address(address, arguments);
  return bound ? submit_kernel(*bound, config)
               : 98; // cudaErrorInvalidDeviceFunction
}

//===----------------------------------------------------------------------===//
// Host threads
//===----------------------------------------------------------------------===//

namespace {
/// Host threads that wait for work. They are never joined: the program may end
/// at any time.
class HostThreads {
public:
  void run(unsigned count, const std::function<void()> &work) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      while (threads + 1 < count) {
        std::thread([this] { serve(); }).detach();
        ++threads;
      }
      job = &work;
      to_start = count - 1;
      running = count - 1;
    }
    begin.notify_all();
    work();
    std::unique_lock<std::mutex> lock(mutex);
    end.wait(lock, [this] { return running == 0; });
    job = nullptr;
  }

private:
  void serve() {
    std::unique_lock<std::mutex> lock(mutex);
    for (;;) {
      begin.wait(lock, [this] { return to_start != 0; });
      --to_start;
      const std::function<void()> &work = *job;
      lock.unlock();
      work();
      lock.lock();
      if (--running == 0)
        end.notify_all();
    }
  }

  std::mutex mutex;
  std::condition_variable begin, end;
  const std::function<void()> *job = nullptr;
  unsigned threads = 0, to_start = 0, running = 0;
};
} // namespace

void warpwright::sim::run_on_host_threads(unsigned threads,
                                          const std::function<void()> &work) {
  if (threads <= 1) {
    work();
    return;
  }
  static HostThreads *pool = new HostThreads;
  pool->run(threads, work);
}

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

Cluster::~Cluster() {
  if (!ctas.empty())
    return_window_slot(window_slot);
}

namespace {
bool same(const Index3 &a, const Index3 &b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}
unsigned volume(const Index3 &i) { return i.x * i.y * i.z; }
Index3 at(const Index3 &extent, uint64_t linear) {
  Index3 i;
  i.x = static_cast<unsigned>(linear % extent.x);
  i.y = static_cast<unsigned>(linear / extent.x % extent.y);
  i.z = static_cast<unsigned>(linear / extent.x / extent.y);
  return i;
}

/// Clusters that a host thread does not use at the moment, all of one shape:
/// launches follow each other with the same configuration.
struct ClusterPool {
  Index3 shape, block;
  std::vector<std::unique_ptr<Cluster>> idle;
};
ClusterPool &cluster_pool() {
  static thread_local ClusterPool *pool = new ClusterPool;
  return *pool;
}

std::unique_ptr<Cluster> make_cluster(const Index3 &shape,
                                      const Index3 &block) {
  auto cluster = std::make_unique<Cluster>();
  cluster->shape = shape;
  cluster->block = block;
  cluster->window_slot = take_window_slot();
  const unsigned threads = volume(block);
  for (unsigned rank = 0; rank != volume(shape); ++rank) {
    auto cta = std::make_unique<Cta>();
    cta->cluster = cluster.get();
    cta->rank = rank;
    cta->window = reinterpret_cast<char *>(
        window_region + cluster->window_slot * cluster_window_bytes +
        uintptr_t(rank) * window_pitch);
    cta->warps.resize((threads + 31) / 32);
    for (unsigned i = 0; i != cta->warps.size(); ++i) {
      cta->warps[i].cta = cta.get();
      cta->warps[i].index = i;
    }
    for (unsigned i = 0; i != threads; ++i) {
      std::unique_ptr<Thread> thread(new Thread);
      thread->threadIdx = at(block, i);
      thread->blockDim = block;
      thread->cta = cta.get();
      thread->index = i;
      thread->lane = i % 32;
      thread->warp = &cta->warps[i / 32];
      thread->warp->lanes[i % 32] = thread.get();
      thread->warp->present |= 1u << (i % 32);
      cta->threads.push_back(std::move(thread));
    }
    cluster->ctas.push_back(std::move(cta));
  }
  return cluster;
}

std::unique_ptr<Cluster> take_cluster(const Index3 &shape,
                                      const Index3 &block) {
  ClusterPool &pool = cluster_pool();
  if (!same(pool.shape, shape) || !same(pool.block, block)) {
    pool.idle.clear();
    pool.shape = shape;
    pool.block = block;
  }
  if (pool.idle.empty())
    return make_cluster(shape, block);
  std::unique_ptr<Cluster> cluster = std::move(pool.idle.back());
  pool.idle.pop_back();
  return cluster;
}

/// The outermost function of every simulated thread.
void thread_main(void *argument) {
  Thread &thread = *static_cast<Thread *>(argument);
  const BoundKernel &kernel = *thread.cta->cluster->launch->bound;
  kernel.body.call(kernel.closure);
  end_thread(thread);
}

/// Static variables that the kernel is known to have, then the dynamic part.
void lay_out_window(Cta &cta, KernelState &kernel, size_t dynamic_bytes) {
  std::fill(cta.static_offsets.begin(), cta.static_offsets.end(), 0);
  uint32_t end = cta.static_begin;
  {
    std::lock_guard<std::mutex> lock(kernel.mutex);
    for (const SharedSite *site : kernel.statics) {
      const auto alignment = static_cast<uint32_t>(site->alignment);
      end = (end + alignment - 1) / alignment * alignment;
      const auto slot = static_cast<size_t>(site->slot);
      if (cta.static_offsets.size() <= slot)
        cta.static_offsets.resize(slot + 1);
      cta.static_offsets[slot] = end;
      end += static_cast<uint32_t>(site->bytes);
    }
  }
  cta.dynamic_begin = (end + 15) / 16 * 16;
  cta.window_end = static_cast<uint32_t>(
      dynamic_bytes ? cta.dynamic_begin + dynamic_bytes : end);
  // Reads of memory that was never written give NaN.
  memset(cta.window + cta.static_begin, 0xff,
         cta.window_end - cta.static_begin);
}

uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t z = a * 0x9e3779b97f4a7c15u ^ (b + 0x94d049bb133111ebu);
  z = (z ^ (z >> 32)) * 0xd6e8feb86659fd93u;
  return z ^ (z >> 32);
}

std::unique_ptr<Cluster> start_cluster(Launch &launch, uint64_t turn) {
  const LaunchConfig &config = launch.config;
  // Seed 1 starts the clusters in order. Other seeds start with a cluster and
  // continue with a stride that follow from the seed.
  uint64_t index = turn;
  if (run_options().seed != 1 && launch.cluster_count > 1) {
    uint64_t stride = launch.seed % launch.cluster_count | 1;
    const auto gcd = [](uint64_t a, uint64_t b) {
      while (b)
        std::swap(a %= b, b);
      return a;
    };
    while (gcd(stride, launch.cluster_count) != 1)
      stride += 2;
    index = static_cast<uint64_t>(
        (static_cast<unsigned __int128>(turn) * stride + launch.seed) %
        launch.cluster_count);
  }
  std::unique_ptr<Cluster> owned = take_cluster(config.cluster, config.block);
  Cluster &cluster = *owned;
  cluster.site = launch.kernel->site;
  cluster.launch = &launch;
  cluster.index = index;
  cluster.grid = config.grid;
  cluster.starts_early = config.starts_early;
  cluster.options = run_options();
  cluster.clock_components = 0;
  cluster.output.clear();
  const Index3 first = at(launch.clusters, index);
  const unsigned registers = registers_per_thread(*cluster.site);
  for (std::unique_ptr<Cta> &cta : cluster.ctas) {
    const Index3 in_cluster = at(config.cluster, cta->rank);
    cta->block.x = first.x * config.cluster.x + in_cluster.x;
    cta->block.y = first.y * config.cluster.y + in_cluster.y;
    cta->block.z = first.z * config.cluster.z + in_cluster.z;
    for (std::unique_ptr<Thread> &thread : cta->threads) {
      thread->blockIdx = cta->block;
      thread->gridDim = config.grid;
    }
    for (Warp &warp : cta->warps) {
      warp.clock_index = cluster.new_clock_component();
      warp.registers = registers;
    }
    lay_out_window(*cta, *launch.kernel, config.shared_bytes);
  }
  start_threads(cluster, mix(launch.seed, index), thread_main);
  start_async(cluster);
  return owned;
}

/// After the cluster's threads have ended, or will not run on.
void finish_cluster(Launch &launch, std::unique_ptr<Cluster> owned) {
  Cluster &cluster = *owned;
  if (cluster.scheduler->aborted || launch.error.load())
    abandon_threads(cluster);
  if (!cluster.output.empty()) {
    std::lock_guard<std::mutex> lock(launch.output_mutex);
    launch.output[cluster.index] = std::move(cluster.output);
    cluster.output.clear();
  }
  write_trace(cluster);
  for (std::unique_ptr<Cta> &cta : cluster.ctas) {
    for (std::unique_ptr<Thread> &thread : cta->threads)
      thread->async.reset();
    cta->async.reset();
  }
  cluster.async.reset();
  cluster.launch = nullptr;
  cluster_pool().idle.push_back(std::move(owned));
}

/// Detects that a launch makes no progress any more. Elapsed time is no
/// measure, since a host thread may be waiting for a processor. Instead, every
/// host thread must have seen all its clusters wait, many times, since any
/// cluster last made progress.
class Stillness {
public:
  explicit Stillness(unsigned host_threads) : members(host_threads) {}
  /// Changes whenever a cluster makes progress.
  uint64_t age() const { return changes.load(); }
  void disturb() {
    std::lock_guard<std::mutex> lock(mutex);
    changes.fetch_add(1);
    still = 0;
  }
  /// A host thread has no clusters left.
  void leave() {
    disturb();
    std::lock_guard<std::mutex> lock(mutex);
    --members;
  }
  /// A host thread saw no progress since `age`. Returns true for the last of
  /// them to say so.
  bool agree(uint64_t age) {
    std::lock_guard<std::mutex> lock(mutex);
    return changes.load() == age && ++still == members;
  }

private:
  std::mutex mutex;
  std::atomic<uint64_t> changes{0};
  unsigned members; ///< host threads that have clusters
  unsigned still = 0;
};

/// One host thread's share of a launch.
void work_on(Launch &launch, Stillness &stillness) {
  watch_signals();
  std::vector<std::unique_ptr<Cluster>> live;
  // More CTAs than a device runs at once, but fewer than there are windows.
  const size_t most_live = 6144 / run_options().host_threads + 1;
  constexpr unsigned patience = 20;
  unsigned stalls = 0;
  uint64_t age = stillness.age();
  while (!launch.error.load(std::memory_order_relaxed)) {
    bool gets_on = false;
    if (live.size() < most_live) {
      const uint64_t turn = launch.next.fetch_add(1);
      if (turn < launch.cluster_count) {
        live.push_back(start_cluster(launch, turn));
        gets_on = true;
      }
    }
    if (live.empty())
      break;
    // The newest comes first: the others had stalled when they last ran.
    for (size_t i = live.size(); i-- > 0;) {
      const bool ended = live[i]->run_until_stalled();
      gets_on |= live[i]->got_on();
      if (ended) {
        finish_cluster(launch, std::move(live[i]));
        live.erase(live.begin() + static_cast<std::ptrdiff_t>(i));
        launch.finished.fetch_add(1);
        gets_on = true;
      }
    }
    if (gets_on)
      stillness.disturb();
    if (const uint64_t now = stillness.age(); now != age) {
      age = now;
      stalls = 0;
      continue;
    }
    sched_yield();
    if (++stalls == patience && stillness.agree(age))
      report_stall(*live.front());
  }
  for (std::unique_ptr<Cluster> &cluster : live)
    finish_cluster(launch, std::move(cluster));
  stillness.leave();
}
} // namespace

void Launch::write_output() {
  std::lock_guard<std::mutex> lock(output_mutex);
  for (const auto &entry : output)
    fwrite(entry.second.data(), 1, entry.second.size(), stdout);
  output.clear();
}

void warpwright::sim::abort_cluster(Cluster &cluster, int error) {
  if (cluster.launch) {
    int none = 0;
    cluster.launch->error.compare_exchange_strong(none, error);
  }
  cluster.scheduler->aborted = true;
}

void warpwright::sim::abort_launch(int error) {
  Thread &thread = self();
  abort_cluster(*thread.cta->cluster, error);
  // The scheduler resumes nobody any more.
  for (;;)
    thread.fiber.suspend();
}

uint64_t &warpwright::sim::launch_number() {
  static uint64_t number = 0;
  return number;
}

int warpwright::sim::run_launch(const BoundKernel &bound,
                                const LaunchConfig &config) {
  KernelState &kernel = kernel_state(*bound.site);
  if (const int error = check_launch(kernel, config))
    return error;
  static std::mutex one_at_a_time;
  std::lock_guard<std::mutex> lock(one_at_a_time);
  const DeviceAccess access;

  Launch launch;
  launch.kernel = &kernel;
  launch.bound = &bound;
  launch.config = config;
  launch.clusters.x = config.grid.x / config.cluster.x;
  launch.clusters.y = config.grid.y / config.cluster.y;
  launch.clusters.z = config.grid.z / config.cluster.z;
  launch.cluster_count =
      uint64_t(launch.clusters.x) * launch.clusters.y * launch.clusters.z;
  launch.seed = mix(run_options().seed, launch_number()++);
  const unsigned threads = static_cast<unsigned>(
      std::min<uint64_t>(run_options().host_threads, launch.cluster_count));
  Stillness stillness(threads);
  run_on_host_threads(threads, [&] { work_on(launch, stillness); });
  launch.write_output();
  if (const int error = launch.error.load())
    set_sticky_error(error);
  return 0;
}
