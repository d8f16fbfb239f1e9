//===- SchedulerTest.cpp - Whose turn it is -------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scheduler.h"
#include "SimTest.h"

#include <algorithm>
#include <atomic>
#include <mutex>

using namespace simtest;

namespace {

class SchedulerTest : public SimTest {};

TEST_F(SchedulerTest, runs_every_thread_of_every_block_once) {
  int *counts = device_array<int>(24 * 70);
  cudaMemset(counts, 0, 24 * 70 * sizeof(int));
  EXPECT_EQ(launch({4, 3, 2}, {7, 5, 2},
                   [=] {
                     const ThreadView &t = *current_thread;
                     const unsigned block =
                         (t.blockIdx.z * 3 + t.blockIdx.y) * 4 + t.blockIdx.x;
                     const unsigned thread =
                         (t.threadIdx.z * 5 + t.threadIdx.y) * 7 +
                         t.threadIdx.x;
                     ++counts[block * 70 + thread];
                   }),
            cudaSuccess);
  for (const int count : fetch(counts, 24 * 70))
    ASSERT_EQ(count, 1);
}

/// The order in which the threads of four blocks of 64 get their turns.
std::vector<std::vector<unsigned>> order_of_turns(uint64_t seed,
                                                  unsigned host_threads) {
  run_options().seed = seed;
  run_options().host_threads = host_threads;
  static std::vector<std::vector<unsigned>> turns;
  turns.assign(4, {});
  static const KernelSite site = {"turns", "", "", 1, 0, 0, 0, nullptr, {}};
  Launch launch;
  BoundKernel kernel(site,
                     {1, 1, [](void *, const void *) {}, [](void *) {},
                      [](const void *) {
                        for (int i = 0; i != 5; ++i) {
                          turns[block_x()].push_back(thread_x());
                          reschedule();
                          sync_warp(~0u);
                        }
                      }},
                     "");
  LaunchConfig config;
  config.grid.x = 4;
  config.block.x = 64;
  launch_number() = 0;
  EXPECT_EQ(run_launch(kernel, config), 0);
  return turns;
}

TEST_F(SchedulerTest, repeats_a_run_for_equal_seeds_on_any_number_of_hosts) {
  const auto turns = order_of_turns(7, 1);
  ASSERT_EQ(turns[3].size(), 64u * 5);
  EXPECT_EQ(order_of_turns(7, 1), turns);
  EXPECT_EQ(order_of_turns(7, 2), turns);
  EXPECT_EQ(order_of_turns(7, 3), turns);
  EXPECT_NE(order_of_turns(8, 2), turns);
  EXPECT_NE(turns[0], turns[1]);
}

TEST_F(SchedulerTest, delivers_events_late_and_in_random_order) {
  static std::vector<int> order;
  order.clear();
  EXPECT_EQ(launch({}, {},
                   [] {
                     Cluster &cluster = *self().cta->cluster;
                     for (int i = 0; i != 20; ++i)
                       cluster.post([i] { order.push_back(i); }, 100);
                     EXPECT_TRUE(order.empty());
                   }),
            cudaSuccess);
  ASSERT_EQ(order.size(), 20u);
  EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
}

TEST_F(SchedulerTest, blocks_until_woken) {
  static Thread *sleeper;
  static bool flag;
  sleeper = nullptr;
  flag = false;
  EXPECT_EQ(launch({}, {64, 1, 1},
                   [] {
                     if (thread_x() == 3) {
                       sleeper = &self();
                       while (!flag)
                         block([] { return std::string("the flag"); });
                     } else if (thread_x() == 60) {
                       while (!sleeper)
                         yield();
                       flag = true;
                       wake(*sleeper);
                     }
                   }),
            cudaSuccess);
  EXPECT_TRUE(flag);
  EXPECT_TRUE(found.empty());
}

TEST_F(SchedulerTest, reports_a_deadlock_with_who_waits_for_what) {
  EXPECT_EQ(launch({}, {40, 1, 1},
                   [] {
                     if (thread_x() == 5 || thread_x() == 6 || thread_x() == 35)
                       block([] { return std::string("godot"); });
                   }),
            cudaErrorLaunchTimeout);
  EXPECT_NE(only(Finding::deadlock).find("3 threads"), std::string::npos);
  ASSERT_EQ(found[0].notes.size(), 2u);
  EXPECT_EQ(found[0].notes[0].text,
            "CTA (0,0,0) warp 0 lanes 5-6: waits for godot");
  EXPECT_EQ(found[0].notes[1].text,
            "CTA (0,0,0) warp 1 lanes 3: waits for godot");
  EXPECT_FALSE(found[0].notes[0].stack.frames.empty());
}

TEST_F(SchedulerTest, ends_loops_that_wait_for_nobody) {
  int *flag = device_array<int>(1);
  cudaMemset(flag, 0, sizeof(int));
  EXPECT_EQ(launch({}, {2, 1, 1},
                   [=] {
                     while (load(flag) == 0)
                       ;
                   }),
            cudaErrorLaunchTimeout);
  only(Finding::step_limit);
}

TEST_F(SchedulerTest, lets_blocks_wait_for_blocks_that_start_later) {
  int *arrived = device_array<int>(1);
  cudaMemset(arrived, 0, sizeof(int));
  constexpr int blocks = 50;
  // A barrier of the whole grid, as persistent kernels implement it.
  EXPECT_EQ(launch({blocks, 1, 1}, {33, 1, 1},
                   [=] {
                     if (thread_x() == 0) {
                       __atomic_fetch_add(arrived, 1, __ATOMIC_SEQ_CST);
                       while (__atomic_load_n(arrived, __ATOMIC_SEQ_CST) <
                              blocks)
                         nanosleep(20);
                     }
                     sync_threads();
                   }),
            cudaSuccess);
  EXPECT_EQ(fetch(arrived, 1)[0], blocks);
  EXPECT_TRUE(found.empty());
}

//===----------------------------------------------------------------------===//
// Meeting
//===----------------------------------------------------------------------===//

TEST_F(SchedulerTest, exchanges_values_in_a_warp) {
  int *results = device_array<int>(8 * 32);
  EXPECT_EQ(launch({}, {32, 1, 1},
                   [=] {
                     const unsigned lane = thread_x();
                     const auto put = [=](int row, uint64_t value) {
                       results[row * 32 + lane] = static_cast<int>(value);
                     };
                     put(0, shuffle(Shuffle::index, ~0u, lane * 10, 5, 32));
                     put(1, shuffle(Shuffle::up, ~0u, lane, 3, 16));
                     put(2, shuffle(Shuffle::down, ~0u, lane, 3, 8));
                     put(3, shuffle(Shuffle::exclusive, ~0u, lane, 5, 32));
                     put(4, vote(Vote::ballot, ~0u, lane % 3 == 0));
                     put(5, reduce(Reduce::add, ~0u, lane));
                     put(6, match(~0u, lane / 4, nullptr));
                     put(7, reduce(Reduce::min_s, ~0u, 5 - lane));
                   }),
            cudaSuccess);
  const std::vector<int> r = fetch(results, 8 * 32);
  for (int lane = 0; lane != 32; ++lane) {
    EXPECT_EQ(r[lane], 50);
    EXPECT_EQ(r[32 + lane], lane % 16 >= 3 ? lane - 3 : lane);
    EXPECT_EQ(r[64 + lane], lane % 8 < 5 ? lane + 3 : lane);
    EXPECT_EQ(r[96 + lane], lane ^ 5);
    EXPECT_EQ(static_cast<unsigned>(r[128 + lane]), 0x49249249u);
    EXPECT_EQ(r[160 + lane], 31 * 32 / 2);
    EXPECT_EQ(static_cast<unsigned>(r[192 + lane]), 0xfu << lane / 4 * 4);
    EXPECT_EQ(r[224 + lane], 5 - 31);
  }
}

TEST_F(SchedulerTest, lets_parts_of_a_warp_meet_on_their_own) {
  int *results = device_array<int>(32);
  EXPECT_EQ(launch({}, {32, 1, 1},
                   [=] {
                     const unsigned lane = thread_x();
                     const unsigned mask = lane < 10 ? 0x3ffu : ~0x3ffu;
                     results[lane] =
                         static_cast<int>(reduce(Reduce::max_u, mask, lane));
                   }),
            cudaSuccess);
  const std::vector<int> r = fetch(results, 32);
  EXPECT_EQ(r[4], 9);
  EXPECT_EQ(r[20], 31);
}

TEST_F(SchedulerTest, does_not_wait_for_lanes_that_returned) {
  int *results = device_array<int>(40);
  EXPECT_EQ(launch({}, {40, 1, 1},
                   [=] {
                     const unsigned lane = thread_x() % 32;
                     // Lanes 12 and up return, some of them after others have
                     // arrived.
                     if (lane >= 12) {
                       for (unsigned i = 0; i != lane; ++i)
                         yield();
                       return;
                     }
                     results[thread_x()] =
                         static_cast<int>(reduce(Reduce::add, ~0u, 1));
                   }),
            cudaSuccess);
  const std::vector<int> r = fetch(results, 40);
  EXPECT_EQ(r[3], 12);
  EXPECT_EQ(r[35], 8);
}

TEST_F(SchedulerTest, finds_lanes_that_must_not_be_missing) {
  EXPECT_EQ(launch({}, {32, 1, 1},
                   [] {
                     if (thread_x() == 30)
                       return;
                     const auto nothing = [](Warp &, void *const *) {};
                     meet(~0u, "here", "a wgmma", nullptr, nothing);
                   }),
            cudaErrorLaunchFailure);
  only(Finding::divergence);
}

TEST_F(SchedulerTest, finds_lanes_at_different_collectives) {
  EXPECT_EQ(launch({}, {32, 1, 1},
                   [] {
                     if (thread_x() % 2)
                       vote(Vote::any, ~0u, 1);
                     else
                       sync_warp(~0u);
                   }),
            cudaErrorLaunchFailure);
  EXPECT_NE(only(Finding::divergence).find("same mask"), std::string::npos);
}

TEST_F(SchedulerTest, finds_a_lane_outside_of_its_mask) {
  EXPECT_EQ(launch({}, {32, 1, 1}, [] { sync_warp(0xffff); }),
            cudaErrorLaunchFailure);
  EXPECT_NE(only(Finding::divergence).find("not in the mask"),
            std::string::npos);
}

TEST_F(SchedulerTest, tells_which_lanes_are_together) {
  int *results = device_array<int>(32);
  EXPECT_EQ(launch({}, {32, 1, 1},
                   [=] {
                     const unsigned lane = thread_x();
                     unsigned mask = 0;
                     if (lane % 4 == 1)
                       mask = active_mask();
                     else
                       mask = active_mask() + 0;
                     results[lane] = static_cast<int>(mask);
                   }),
            cudaSuccess);
  const std::vector<int> r = fetch(results, 32);
  EXPECT_EQ(static_cast<unsigned>(r[5]) | static_cast<unsigned>(r[0]), ~0u);
}

TEST_F(SchedulerTest, counts_and_votes_at_block_barriers) {
  int *results = device_array<int>(3 * 100);
  EXPECT_EQ(launch({}, {100, 1, 1},
                   [=] {
                     const unsigned t = thread_x();
                     results[t] = sync_threads_vote(Vote::count, t % 7 == 0);
                     results[100 + t] = sync_threads_vote(Vote::all, t < 99);
                     for (int i = 0; i != 10; ++i)
                       results[200 + t] =
                           sync_threads_vote(Vote::any, int(t) == i);
                   }),
            cudaSuccess);
  const std::vector<int> r = fetch(results, 300);
  for (int t = 0; t != 100; ++t) {
    EXPECT_EQ(r[t], 15);
    EXPECT_EQ(r[100 + t], 0);
    EXPECT_EQ(r[200 + t], 1);
  }
}

TEST_F(SchedulerTest, has_a_clock_that_runs) {
  EXPECT_EQ(launch({}, {2, 1, 1},
                   [] {
                     const int64_t start = clock64();
                     while (clock64() - start < 100000)
                       ;
                     nanosleep(1000);
                     EXPECT_GE(clock64() - start, 102000);
                   }),
            cudaSuccess);
}

} // namespace
