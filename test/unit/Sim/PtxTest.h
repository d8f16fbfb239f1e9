//===- PtxTest.h - Inline PTX in tests of the simulator ---------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// asm statements as `warpwright sim` transforms them, and small operations for
/// the tests, each of which is one instruction.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_TEST_UNIT_SIM_PTXTEST_H
#define WARPWRIGHT_TEST_UNIT_SIM_PTXTEST_H

#include "SimTest.h"

#include <map>
#include <mutex>

namespace simtest {

/// Runs an asm text: ptx("mov.u32 %0, %1;", out("=r", x), in("r", y)).
template <class... Operands>
void ptx(const std::string &text, const Operands &...operands) {
  static std::mutex mutex;
  static std::map<std::string, AsmSite> sites;
  AsmSite *site;
  {
    const std::lock_guard<std::mutex> lock(mutex);
    const auto at = sites.emplace(text, AsmSite{nullptr, nullptr}).first;
    at->second.text = at->first.c_str();
    site = &at->second;
  }
  AsmOperand list[] = {operands..., AsmOperand{}};
  run_asm(*site, list, sizeof...(operands));
}
template <class T> AsmOperand out(const char *constraint, T &object) {
  return asm_output(constraint, nullptr, object);
}
template <class T> AsmOperand in(const char *constraint, const T &object) {
  return asm_input(constraint, nullptr, object);
}

inline char *shared_bytes() {
  return static_cast<char *>(dynamic_shared_memory(1024));
}
inline uint32_t shared_base() { return to_shared_address(shared_bytes()); }

inline void barrier_init(uint32_t barrier, uint32_t count) {
  ptx("mbarrier.init.shared::cta.b64 [%0], %1;", in("r", barrier),
      in("r", count));
}
inline void fence_init() { ptx("fence.mbarrier_init.release.cluster;"); }
inline void fence_async() { ptx("fence.proxy.async.shared::cta;"); }
inline void barrier_expect(uint32_t barrier, uint32_t bytes) {
  ptx("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;",
      in("r", barrier), in("r", bytes));
}
inline void barrier_arrive(uint32_t barrier) {
  ptx("mbarrier.arrive.shared::cta.b64 _, [%0];", in("r", barrier));
}
inline void barrier_arrive_remote(uint32_t barrier, uint32_t rank) {
  ptx("{ .reg .b32 remote;\n"
      "mapa.shared::cluster.u32 remote, %0, %1;\n"
      "mbarrier.arrive.shared::cluster.b64 _, [remote]; }",
      in("r", barrier), in("r", rank));
}
inline void barrier_wait(uint32_t barrier, uint32_t parity) {
  ptx("{ .reg .pred done;\n"
      "WAIT: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "@done bra DONE;\n"
      "bra WAIT;\n"
      "DONE: }",
      in("r", barrier), in("r", parity));
}
/// Announces and starts a one-dimensional copy to shared memory.
inline void bulk_load(uint32_t to, const void *from, uint32_t bytes,
                      uint32_t barrier) {
  ptx("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%0], [%1], %2, [%3];",
      in("r", to), in("l", from), in("r", bytes), in("r", barrier));
}
inline void bulk_store(const void *to, uint32_t from, uint32_t bytes) {
  ptx("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;",
      in("l", to), in("r", from), in("r", bytes));
}
inline void bulk_commit() { ptx("cp.async.bulk.commit_group;"); }
inline void bulk_wait_read() { ptx("cp.async.bulk.wait_group.read 0;"); }
inline void bulk_wait() { ptx("cp.async.bulk.wait_group 0;"); }
inline void cluster_sync() {
  ptx("barrier.cluster.arrive.release.aligned;\n"
      "barrier.cluster.wait.acquire.aligned;");
}
inline uint32_t cluster_rank() {
  uint32_t rank = 0;
  ptx("mov.u32 %0, %%cluster_ctarank;", out("=r", rank));
  return rank;
}
/// Plain accesses to shared memory, as the compiler's hooks see them.
inline void write_shared(uint32_t offset, int value) {
  store(reinterpret_cast<int *>(shared_bytes() + offset), value);
}
inline int read_shared(uint32_t offset) {
  return load(reinterpret_cast<const int *>(shared_bytes() + offset));
}

/// Tests whose kernels run in clusters and whose findings are compared.
class PtxTest : public SimTest {
protected:
  template <class Body>
  cudaError_t launch(Index3 grid, Index3 block, const Body &body,
                     size_t bytes = 0) {
    static const KernelSite site = {
        "kernel", __PRETTY_FUNCTION__, __FILE__, 1, 1024,
        1,        sizeof(Body),        nullptr,  {}};
    configure_launch(grid, block, bytes, nullptr);
    run_kernel(site, body);
    if (const cudaError_t error = cudaGetLastError())
      return error;
    return cudaDeviceSynchronize();
  }
  /// Launches `clusters` clusters of `size` blocks.
  template <class Body>
  cudaError_t launch_clusters(unsigned clusters, unsigned size,
                              unsigned threads, size_t bytes,
                              const Body &body) {
    static KernelSite sites[9];
    KernelSite &site = sites[size];
    site = {"kernel", __PRETTY_FUNCTION__, __FILE__, 1,           1024,
            1,        sizeof(Body),        nullptr,  {size, 1, 1}};
    configure_launch({clusters * size, 1, 1}, {threads, 1, 1}, bytes, nullptr);
    run_kernel(site, body);
    if (const cudaError_t error = cudaGetLastError())
      return error;
    return cudaDeviceSynchronize();
  }

  /// Forgets the accesses of earlier launches, but keeps the device's memory.
  void start_run(uint64_t seed) {
    run_options().seed = seed;
    found.clear();
    clear_errors();
  }

  /// Runs one block under several seeds and expects no findings.
  template <class Body>
  void expect_clean(unsigned threads, size_t bytes, const Body &body) {
    for (uint64_t seed = 1; seed <= 8; ++seed) {
      start_run(seed);
      EXPECT_EQ(launch({}, {threads, 1, 1}, body, bytes), cudaSuccess);
      for (const Found &what : found)
        ADD_FAILURE() << "WW" << static_cast<int>(what.finding) << ": "
                      << what.message;
      if (!found.empty())
        return;
    }
  }

  /// Runs one block under several seeds and expects that `finding` comes first
  /// each time.
  template <class Body>
  void expect_found(Finding finding, unsigned threads, size_t bytes,
                    const Body &body, const char *part = "") {
    for (uint64_t seed = 1; seed <= 8; ++seed) {
      start_run(seed);
      launch({}, {threads, 1, 1}, body, bytes);
      if (!check_found(finding, part, seed))
        return;
    }
  }
  template <class Body>
  void expect_found_in_cluster(Finding finding, unsigned size, unsigned threads,
                               size_t bytes, const Body &body,
                               const char *part = "") {
    for (uint64_t seed = 1; seed <= 8; ++seed) {
      start_run(seed);
      launch_clusters(1, size, threads, bytes, body);
      if (!check_found(finding, part, seed))
        return;
    }
  }
  template <class Body>
  void expect_clean_cluster(unsigned size, unsigned threads, size_t bytes,
                            const Body &body) {
    for (uint64_t seed = 1; seed <= 8; ++seed) {
      start_run(seed);
      EXPECT_EQ(launch_clusters(1, size, threads, bytes, body), cudaSuccess);
      for (const Found &what : found)
        ADD_FAILURE() << "WW" << static_cast<int>(what.finding) << ": "
                      << what.message;
      if (!found.empty())
        return;
    }
  }

private:
  bool check_found(Finding finding, const char *part, uint64_t seed) {
    if (found.empty()) {
      ADD_FAILURE() << "nothing found with seed " << seed;
      return false;
    }
    EXPECT_EQ(static_cast<int>(found[0].finding), static_cast<int>(finding))
        << found[0].message << " (seed " << seed << ")";
    EXPECT_NE(found[0].message.find(part), std::string::npos)
        << found[0].message;
    return found[0].finding == finding;
  }
};

} // namespace simtest

#endif // WARPWRIGHT_TEST_UNIT_SIM_PTXTEST_H
