//===- CheckerTest.cpp - Each rule of the simulator, broken and kept ------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Every test runs the smallest program that breaks one rule, under several
// seeds, and a correct program next to it. A broken rule must be found on every
// schedule.
//===----------------------------------------------------------------------===//

#include "PtxTest.h"

using namespace simtest;

namespace {

constexpr unsigned block_threads = 64;
constexpr size_t bytes = 8192;
// Offsets in dynamic shared memory.
constexpr uint32_t full = 4096, empty = 4104, data = 0;

class CheckerTest : public PtxTest {};

/// Thread 0 initialises both barriers; all may use them afterwards.
void set_up(uint32_t full_count = 1, uint32_t empty_count = 1) {
  if (thread_x() == 0) {
    barrier_init(shared_base() + full, full_count);
    barrier_init(shared_base() + empty, empty_count);
    fence_init();
  }
  sync_threads();
}

TEST_F(CheckerTest, plain_accesses_need_a_barrier) {
  const auto program = [](bool correct) {
    return [=] {
      if (thread_x() == 0)
        write_shared(data, 1);
      if (correct)
        sync_threads();
      if (thread_x() == 32)
        read_shared(data);
    };
  };
  expect_clean(block_threads, bytes, program(true));
  // Depending on which thread runs first, it is a race or a read of memory that
  // was never written.
  start_run(1);
  launch({}, {block_threads, 1, 1}, program(false), bytes);
  ASSERT_FALSE(found.empty());
  EXPECT_TRUE(found[0].finding == Finding::shared_race ||
              found[0].finding == Finding::shared_uninitialised);
}

TEST_F(CheckerTest, writes_of_two_warps_need_a_barrier) {
  expect_found(Finding::shared_race, block_threads, bytes, [] {
    if (thread_x() % 32 == 0)
      write_shared(data, int(thread_x()));
  });
  // That all threads write the same value does no harm, and is common.
  expect_clean(block_threads, bytes, [] { write_shared(data, 1); });
  expect_clean(block_threads, bytes, [] {
    if (thread_x() % 32 == 0)
      write_shared(data + thread_x() / 8, 1); // 4 bytes each, one granule
  });
}

TEST_F(CheckerTest, a_barrier_before_the_next_write_too) {
  const auto program = [](bool correct) {
    return [=] {
      for (int round = 0; round != 3; ++round) {
        if (thread_x() < 32)
          write_shared(data + 4 * thread_x(), round);
        sync_threads();
        read_shared(data + 4 * (thread_x() % 32));
        if (correct)
          sync_threads();
      }
    };
  };
  expect_clean(block_threads, bytes, program(true));
  expect_found(Finding::shared_race, block_threads, bytes, program(false));
}

TEST_F(CheckerTest, lanes_of_a_warp_need_syncwarp) {
  const auto program = [](bool correct) {
    return [=] {
      write_shared(data + 4 * thread_x(), 1);
      if (correct)
        sync_warp(~0u);
      if (thread_x() == 31) // the thread whose turn comes last
        read_shared(data);
      if (correct)
        sync_warp(~0u);
      if (thread_x() == 0)
        read_shared(data + 124);
    };
  };
  expect_clean(32, bytes, program(true));
  start_run(1);
  launch({}, {32, 1, 1}, program(false), bytes);
  ASSERT_FALSE(found.empty());
  EXPECT_TRUE(found[0].finding == Finding::shared_race ||
              found[0].finding == Finding::shared_uninitialised);
}

TEST_F(CheckerTest, reads_of_what_nobody_wrote) {
  expect_found(Finding::shared_uninitialised, 32, bytes,
               [] { read_shared(data + 4 * thread_x()); });
}

TEST_F(CheckerTest, loaded_data_needs_a_wait) {
  const char *input = device_array<char>(256);
  const auto program = [=](int how) {
    return [=] {
      set_up();
      if (thread_x() == 0) {
        barrier_expect(shared_base() + full, 256);
        bulk_load(shared_base() + data, input, 256, shared_base() + full);
      }
      if (how == 1 || (how == 2 && thread_x() < 32))
        barrier_wait(shared_base() + full, 0);
      read_shared(data + 4 * (thread_x() % 32));
      barrier_wait(shared_base() + full, 0);
    };
  };
  expect_clean(block_threads, bytes, program(1));
  // A read before the copy was issued finds uninitialised bytes instead.
  for (int how : {0, 2}) {
    start_run(3);
    launch({}, {block_threads, 1, 1}, program(how), bytes);
    ASSERT_FALSE(found.empty());
    EXPECT_TRUE(found[0].finding == Finding::read_in_flight ||
                found[0].finding == Finding::shared_uninitialised)
        << found[0].message;
  }
}

TEST_F(CheckerTest, loaded_data_in_the_same_warp_needs_a_wait) {
  const char *input = device_array<char>(256);
  expect_found(Finding::read_in_flight, block_threads, bytes, [=] {
    set_up();
    if (thread_x() == 0) {
      barrier_expect(shared_base() + full, 256);
      bulk_load(shared_base() + data, input, 256, shared_base() + full);
      read_shared(data);
    }
  });
}

/// A producer thread fills one stage `rounds` times; a warp reads it.
struct Ring {
  const char *input;
  int rounds = 4;
  uint32_t expected_bytes = 256;
  uint32_t full_count = 1, empty_count = 1;
  bool waits_empty = true, releases = true, early_release = false;
  bool drains = true;
  int full_flip = 0, empty_flip = 0;

  void operator()() const {
    set_up(full_count, empty_count);
    const uint32_t base = shared_base();
    if (thread_x() == 0) {
      for (int round = 0; round != rounds; ++round) {
        if (waits_empty)
          barrier_wait(base + empty, (round & 1) ^ 1 ^ empty_flip);
        barrier_expect(base + full, expected_bytes);
        bulk_load(base + data, input, 256, base + full);
      }
    } else if (thread_x() >= 32) {
      for (int round = 0; round != rounds; ++round) {
        barrier_wait(base + full, (round & 1) ^ full_flip);
        if (early_release && thread_x() == 32)
          barrier_arrive(base + empty);
        read_shared(data + 4 * (thread_x() % 32));
        sync_warp(~0u);
        if (releases && !early_release && thread_x() == 32)
          barrier_arrive(base + empty);
      }
    }
  }
};

TEST_F(CheckerTest, a_ring_of_one_stage) {
  Ring ring;
  ring.input = device_array<char>(256);
  expect_clean(block_threads, bytes, ring);
}

TEST_F(CheckerTest, a_stage_must_be_released_after_its_last_read) {
  Ring ring;
  ring.input = device_array<char>(256);
  Ring early = ring;
  early.early_release = true;
  expect_found(Finding::stage_overwritten, block_threads, bytes, early);
  Ring never = ring;
  never.releases = false;
  expect_found(Finding::deadlock, block_threads, bytes, never);
}

TEST_F(CheckerTest, the_producer_must_wait_for_the_release) {
  Ring ring;
  ring.input = device_array<char>(256);
  ring.waits_empty = false;
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    start_run(seed);
    launch({}, {block_threads, 1, 1}, ring, bytes);
    ASSERT_FALSE(found.empty());
    EXPECT_TRUE(found[0].finding == Finding::stage_overwritten ||
                found[0].finding == Finding::phase_slip ||
                found[0].finding == Finding::arrival_count)
        << found[0].message;
  }
}

TEST_F(CheckerTest, byte_counts) {
  Ring ring;
  ring.input = device_array<char>(256);
  Ring fewer = ring, more = ring;
  fewer.expected_bytes = 240;
  more.expected_bytes = 272;
  expect_found(Finding::byte_count, block_threads, bytes, fewer);
  expect_found(Finding::byte_count, block_threads, bytes, more,
               "waits for 16 bytes");
}

TEST_F(CheckerTest, arrival_counts) {
  Ring ring;
  ring.input = device_array<char>(256);
  Ring two = ring;
  two.full_count = 2;
  expect_found(Finding::deadlock, block_threads, bytes, two);
  Ring many = ring;
  many.empty_count = 2;
  expect_found(Finding::deadlock, block_threads, bytes, many);
  expect_found(Finding::arrival_count, block_threads, bytes, [=] {
    set_up();
    if (thread_x() == 0) {
      barrier_expect(shared_base() + full, 16);
      barrier_arrive(shared_base() + full);
    }
  });
}

TEST_F(CheckerTest, parities) {
  Ring ring;
  ring.input = device_array<char>(256);
  Ring flipped = ring;
  flipped.empty_flip = 1;
  expect_found(Finding::deadlock, block_threads, bytes, flipped);
  flipped.empty_flip = 0;
  flipped.full_flip = 1;
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    start_run(seed);
    launch({}, {block_threads, 1, 1}, flipped, bytes);
    ASSERT_FALSE(found.empty());
  }
}

TEST_F(CheckerTest, a_waiter_must_see_every_phase) {
  // Warp 0 completes phases without waiting for warp 1 to see them.
  const auto program = [](bool correct) {
    return [=] {
      set_up(1, 1);
      const uint32_t base = shared_base();
      for (int round = 0; round != 6; ++round) {
        if (thread_x() == 0) {
          barrier_arrive(base + full);
          if (correct)
            barrier_wait(base + empty, round & 1);
        }
        if (thread_x() == 32) {
          barrier_wait(base + full, round & 1);
          barrier_arrive(base + empty);
        }
      }
    };
  };
  expect_clean(block_threads, bytes, program(true));
  expect_found(Finding::phase_slip, block_threads, bytes, program(false));
}

TEST_F(CheckerTest, barriers_must_be_initialised_and_known) {
  expect_found(Finding::barrier_misuse, 32, bytes, [] {
    if (thread_x() == 0)
      barrier_arrive(shared_base() + full);
  });
  // Warp 1 may get there before warp 0 has initialised the barrier, or after.
  expect_found(Finding::barrier_misuse, block_threads, bytes, [] {
    if (thread_x() == 0)
      barrier_init(shared_base() + full, 1);
    if (thread_x() == 32)
      barrier_arrive(shared_base() + full);
  });
  // Twice.
  expect_found(Finding::barrier_misuse, 32, bytes, [] {
    if (thread_x() == 0) {
      barrier_init(shared_base() + full, 1);
      barrier_init(shared_base() + full, 1);
    }
  });
  // A store where it lies.
  expect_found(Finding::barrier_misuse, 32, bytes, [] {
    if (thread_x() == 0) {
      barrier_init(shared_base() + full, 1);
      write_shared(full, 0);
    }
  });
  expect_clean(32, bytes, [] {
    if (thread_x() == 0) {
      barrier_init(shared_base() + full, 1);
      ptx("mbarrier.inval.shared::cta.b64 [%0];",
          in("r", shared_base() + full));
      write_shared(full, 0);
      barrier_init(shared_base() + full, 1);
    }
  });
}

TEST_F(CheckerTest, copies_need_a_fence_after_the_initialisation) {
  const char *input = device_array<char>(256);
  const auto program = [=](bool correct) {
    return [=] {
      const uint32_t base = shared_base();
      if (thread_x() == 0) {
        barrier_init(base + full, 1);
        if (correct)
          fence_init();
      }
      sync_threads();
      if (thread_x() == 0) {
        barrier_expect(base + full, 256);
        bulk_load(base + data, input, 256, base + full);
      }
      barrier_wait(base + full, 0);
    };
  };
  expect_clean(block_threads, bytes, program(true));
  expect_found(Finding::barrier_misuse, block_threads, bytes, program(false),
               "without a fence");
}

/// All threads write and one issues the bulk store; the tests differ in the
/// place of the proxy fence.
enum class Fence { writers, none, leader, reader, after_barrier };

TEST_F(CheckerTest, bulk_stores_need_a_proxy_fence) {
  char *output = device_array<char>(256);
  const auto program = [=](Fence where) {
    return [=] {
      write_shared(data + 4 * thread_x(), 7);
      if (where == Fence::writers ||
          (where == Fence::leader && thread_x() == 0))
        fence_async();
      sync_threads();
      if (where == Fence::after_barrier && thread_x() != 0)
        fence_async();
      if (thread_x() == 0) {
        if (where == Fence::reader)
          fence_async();
        bulk_store(output, shared_base() + data, 256);
        bulk_commit();
        bulk_wait();
      }
    };
  };
  expect_clean(block_threads, bytes, program(Fence::writers));
  expect_clean(block_threads, bytes, program(Fence::reader));
  for (const Fence where : {Fence::none, Fence::leader, Fence::after_barrier})
    expect_found(Finding::proxy_fence, block_threads, bytes, program(where));
}

TEST_F(CheckerTest, bulk_stores_must_be_waited_for_by_their_thread) {
  char *output = device_array<char>(256);
  const auto program = [=](unsigned waiter) {
    return [=] {
      for (int round = 0; round != 2; ++round) {
        write_shared(data + 4 * thread_x(), round);
        fence_async();
        sync_threads();
        if (thread_x() == 0) {
          bulk_store(output, shared_base() + data, 256);
          bulk_commit();
        }
        if (thread_x() == waiter)
          bulk_wait_read();
        sync_threads();
      }
      if (thread_x() == 0)
        bulk_wait_read();
    };
  };
  expect_clean(block_threads, bytes, program(0));
  expect_found(Finding::stage_overwritten, block_threads, bytes, program(1));
}

TEST_F(CheckerTest, blocks_must_not_end_under_their_copies) {
  char *output = device_array<char>(256);
  const char *input = device_array<char>(256);
  const auto store = [=](bool correct) {
    return [=] {
      write_shared(data + 4 * thread_x(), 7);
      fence_async();
      sync_threads();
      if (thread_x() == 0) {
        bulk_store(output, shared_base() + data, 256);
        bulk_commit();
        if (correct)
          bulk_wait_read();
      }
    };
  };
  expect_clean(block_threads, bytes, store(true));
  expect_found(Finding::exit_pending, block_threads, bytes, store(false));
  const auto load = [=](bool correct) {
    return [=] {
      set_up();
      if (thread_x() == 0) {
        barrier_expect(shared_base() + full, 256);
        bulk_load(shared_base() + data, input, 256, shared_base() + full);
        if (correct)
          barrier_wait(shared_base() + full, 0);
      }
    };
  };
  expect_clean(block_threads, bytes, load(true));
  expect_found(Finding::exit_pending, block_threads, bytes, load(false));
}

TEST_F(CheckerTest, blocks_must_outlive_their_neighbours_signals) {
  const auto program = [](bool correct) {
    return [=] {
      if (thread_x() == 0) {
        barrier_init(shared_base() + full, 1);
        fence_init();
      }
      cluster_sync();
      if (thread_x() == 0)
        barrier_arrive_remote(shared_base() + full, cluster_rank() ^ 1);
      if (correct)
        cluster_sync();
    };
  };
  expect_clean_cluster(2, 32, bytes, program(true));
  expect_found_in_cluster(Finding::exit_pending, 2, 32, bytes, program(false));
}

TEST_F(CheckerTest, remote_barriers_need_a_cluster_wide_start) {
  const auto program = [](int how) {
    return [=] {
      if (thread_x() == 0) {
        barrier_init(shared_base() + full, 1);
        if (how != 1)
          fence_init();
      }
      if (how == 2)
        sync_threads();
      else
        cluster_sync();
      if (thread_x() == 0)
        barrier_arrive_remote(shared_base() + full, cluster_rank() ^ 1);
      cluster_sync();
    };
  };
  expect_clean_cluster(2, 32, bytes, program(0));
  expect_found_in_cluster(Finding::barrier_misuse, 2, 32, bytes, program(1));
  expect_found_in_cluster(Finding::barrier_misuse, 2, 32, bytes, program(2));
}

TEST_F(CheckerTest, alignment) {
  const char *input = device_array<char>(256);
  expect_found(Finding::alignment, 32, bytes, [] {
    if (thread_x() == 0)
      barrier_init(shared_base() + full + 4, 1);
  });
  for (const int wrong : {0, 1, 2})
    expect_found(Finding::alignment, block_threads, bytes, [=] {
      set_up();
      if (thread_x() == 0)
        bulk_load(shared_base() + data + (wrong == 0 ? 8 : 0),
                  input + (wrong == 1 ? 4 : 0), wrong == 2 ? 40 : 32,
                  shared_base() + full);
    });
  expect_found(Finding::alignment, 32, bytes, [] {
    uint32_t value;
    ptx("ld.shared.u32 %0, [%1];", out("=r", value),
        in("r", shared_base() + 2));
  });
}

TEST_F(CheckerTest, bounds) {
  const char *input = device_array<char>(256);
  expect_found(Finding::shared_bounds, 32, bytes, [] {
    uint32_t value;
    ptx("ld.shared.u32 %0, [%1];", out("=r", value),
        in("r", shared_base() + uint32_t(bytes)));
  });
  expect_found(Finding::global_bounds, block_threads, bytes, [=] {
    set_up();
    if (thread_x() == 0)
      bulk_load(shared_base() + data, input, 1 << 12, shared_base() + full);
  });
}

TEST_F(CheckerTest, named_barriers) {
  const auto sync = [](uint32_t id, uint32_t count) {
    ptx("bar.sync %0, %1;", in("r", id), in("r", count));
  };
  const auto arrive = [](uint32_t id, uint32_t count) {
    ptx("bar.arrive %0, %1;", in("r", id), in("r", count));
  };
  expect_clean(block_threads, bytes, [=] {
    sync(1, 64);
    if (thread_x() < 32)
      arrive(2, 64);
    else
      sync(2, 64);
  });
  expect_found(Finding::barrier_misuse, block_threads, bytes,
               [=] { sync(16, 64); });
  expect_found(Finding::barrier_misuse, block_threads, bytes,
               [=] { sync(1, 48); });
  expect_found(Finding::barrier_misuse, block_threads, bytes,
               [=] { sync(1, thread_x() < 32 ? 64 : 96); });
  expect_found(Finding::barrier_misuse, block_threads, bytes, [=] {
    if (thread_x() < 32) {
      arrive(1, 64);
      arrive(1, 64);
    }
  });
  expect_found(Finding::deadlock, block_threads, bytes, [=] { sync(1, 96); });
  // To arrive does not order what other threads read.
  expect_found(Finding::shared_race, block_threads, bytes, [=] {
    if (thread_x() == 0)
      write_shared(data, 1);
    if (thread_x() < 32)
      arrive(1, 64);
    else
      sync(1, 64);
    if (thread_x() == 32)
      write_shared(data, 2);
    if (thread_x() == 0)
      write_shared(data, 3);
  });
}

TEST_F(CheckerTest, aligned_instructions_of_divergent_lanes) {
  expect_found(Finding::divergence, 128, bytes, [] {
    if (thread_x() % 32 < 16)
      ptx("wgmma.fence.sync.aligned;");
  });
  expect_found(Finding::divergence, 32, bytes, [] {
    if (thread_x() < 16)
      ptx("bar.sync 1, 32;");
    else
      ptx("bar.sync 1, 32; // at another place");
  });
}

TEST_F(CheckerTest, cluster_barriers) {
  expect_found(Finding::barrier_misuse, 32, bytes,
               [] { ptx("barrier.cluster.wait.acquire.aligned;"); });
  expect_found(Finding::barrier_misuse, 32, bytes, [] {
    ptx("barrier.cluster.arrive.relaxed.aligned;");
    ptx("barrier.cluster.arrive.aligned;");
  });
  // A relaxed arrival makes nothing visible.
  const auto program = [](const char *arrive) {
    return [=] {
      if (cluster_rank() == 0 && thread_x() == 0)
        write_shared(data, 5);
      ptx(arrive);
      ptx("barrier.cluster.wait.acquire.aligned;");
      if (cluster_rank() == 1 && thread_x() == 0) {
        int value = 0;
        ptx("{ .reg .b32 at; mapa.shared::cluster.u32 at, %1, 0;\n"
            "ld.shared::cluster.u32 %0, [at]; }",
            out("=r", value), in("r", shared_base() + data));
        EXPECT_EQ(value, 5);
      }
      cluster_sync();
    };
  };
  expect_clean_cluster(2, 32, bytes,
                       program("barrier.cluster.arrive.release.aligned;"));
  expect_found_in_cluster(Finding::shared_race, 2, 32, bytes,
                          program("barrier.cluster.arrive.relaxed.aligned;"));
}

TEST_F(CheckerTest, register_budgets) {
  // 256 threads launch with up to 256 registers each.
  const auto dec = [](int count) {
    ptx("setmaxnreg.dec.sync.aligned.u32 %0;", in("n", count));
  };
  const auto inc = [](int count) {
    ptx("setmaxnreg.inc.sync.aligned.u32 %0;", in("n", count));
  };
  expect_clean(384, bytes, [=] {
    if (thread_x() < 128)
      dec(40);
    else
      inc(232);
  });
  for (const int count : {36, 16, 264})
    expect_found(Finding::setmaxnreg, 384, bytes, [=] {
      if (thread_x() < 128)
        dec(count);
    });
  expect_found(Finding::setmaxnreg, 384, bytes, [=] {
    dec(40);
    inc(32);
  });
  expect_found(Finding::setmaxnreg, 384, bytes, [=] {
    if (thread_x() < 32)
      dec(40);
  });
  // To increase the registers releases none.
  expect_found(Finding::setmaxnreg, 384, bytes,
               [=] { inc(thread_x() < 128 ? 40 : 232); });
  // Two warpgroups with 240 registers do not fit.
  expect_found(Finding::setmaxnreg, 384, bytes, [=] {
    if (thread_x() < 128)
      dec(40);
    else
      inc(240);
  });
}

TEST_F(CheckerTest, unknown_instructions) {
  expect_found(
      Finding::unsupported, 32, bytes,
      [] { ptx("tcgen05.fence::before_thread_sync;"); },
      "tcgen05.fence::before_thread_sync");
}

TEST_F(CheckerTest, atomics_do_not_race) {
  expect_clean(block_threads, bytes, [] {
    if (thread_x() == 0)
      write_shared(data, 0);
    sync_threads();
    ptx("red.shared.add.u32 [%0], 1;", in("r", shared_base() + data));
    sync_threads();
    EXPECT_EQ(read_shared(data), int(block_threads));
  });
}

TEST_F(CheckerTest, cp_async_must_be_waited_for) {
  const int *input = device_array<int>(64);
  const auto program = [=](bool waits, bool syncs) {
    return [=] {
      ptx("cp.async.ca.shared.global [%0], [%1], 4;",
          in("r", shared_base() + data + 4 * thread_x()),
          in("l", input + thread_x()));
      ptx("cp.async.commit_group;");
      if (waits)
        ptx("cp.async.wait_group 0;");
      if (syncs)
        sync_threads();
      read_shared(data + 4 * (63 - thread_x()));
    };
  };
  expect_clean(block_threads, bytes, program(true, true));
  expect_found(Finding::read_in_flight, block_threads, bytes,
               program(false, true));
}

} // namespace
