//===- TmaTest.cpp - Bulk and tensor copies -------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PtxTest.h"
#include "TensorMap.h"

#include <cstring>
#include <random>

using namespace simtest;

namespace {

class TmaTest : public PtxTest {};

constexpr size_t window = 40 * 1024;
constexpr uint32_t full = 39 * 1024; // of the mbarrier

struct alignas(128) MapBytes {
  char bytes[128];
};

/// A tensor of 16-bit numbers, in which element i of memory holds i, and a box
/// of it.
struct Problem {
  unsigned rank = 2;
  uint64_t extents[5] = {1, 1, 1, 1, 1};
  uint64_t strides[4] = {0, 0, 0, 0}; ///< bytes
  uint32_t box[5] = {1, 1, 1, 1, 1};
  uint32_t steps[5] = {1, 1, 1, 1, 1};
  unsigned swizzle = 0;
  bool nan = false;
  int32_t at[5] = {};
  MapBytes map;
  uint16_t *memory = nullptr;
  size_t elements = 0;

  uint32_t count(unsigned d) const {
    return d == 0 ? box[0] : (box[d] + steps[d] - 1) / steps[d];
  }
  uint32_t box_elements() const {
    uint32_t result = 1;
    for (unsigned d = 0; d != rank; ++d)
      result *= count(d);
    return result;
  }
  /// The element of memory from which box element i comes, -1 outside of the
  /// tensor.
  int64_t source(uint32_t i) const {
    int64_t result = 0;
    for (unsigned d = 0; d != rank; ++d) {
      const int64_t index =
          at[d] + int64_t(i % count(d)) * (d == 0 ? 1 : steps[d]);
      i /= count(d);
      if (index < 0 || index >= int64_t(extents[d]))
        return -1;
      result += index * (d == 0 ? 1 : int64_t(strides[d - 1] / 2));
    }
    return result;
  }
  /// The place of box element i: within lines of 128 bytes, 16-byte chunks are
  /// exchanged.
  uint32_t place(uint32_t i) const {
    const uint32_t byte = 2 * i, line = byte / 128;
    const uint32_t mask = (1u << swizzle) - 1;
    const uint32_t chunk = byte / 16 % 8 ^ (line & mask);
    return line * 128 + chunk * 16 + byte % 16;
  }
  std::string coordinates() const {
    std::string list;
    for (unsigned d = 0; d != rank; ++d)
      list += (d ? ", %" : "%") + std::to_string(3 + d);
    return "{" + list + "}";
  }
};

Problem random_problem(std::mt19937 &generator) {
  const auto draw = [&](unsigned low, unsigned high) {
    return low + generator() % (high - low + 1);
  };
  Problem p;
  p.rank = draw(1, 5);
  p.swizzle = draw(0, 3);
  const unsigned widest = p.swizzle == 0 ? 128u : 8u << p.swizzle;
  p.box[0] = 8 * draw(1, widest / 8);
  p.extents[0] = draw(1, 150);
  uint64_t pitch = (p.extents[0] * 2 + 15) / 16 * 16 + 16 * draw(0, 2);
  uint32_t total = p.box[0];
  for (unsigned d = 1; d != p.rank; ++d) {
    p.extents[d] = draw(1, 12);
    p.box[d] = draw(1, d == 1 ? 20 : 4);
    p.steps[d] = draw(0, 2) == 0 ? draw(1, 3) : 1;
    if (total * p.count(d) > 16000)
      p.box[d] = 1;
    total *= p.count(d);
    p.strides[d - 1] = pitch;
    pitch *= p.extents[d];
  }
  for (unsigned d = 0; d != p.rank; ++d)
    p.at[d] = int32_t(draw(0, unsigned(p.extents[d]) + 8)) - 4;
  p.nan = draw(0, 3) == 0;
  p.elements = pitch / 2 + 8;
  return p;
}

void encode(Problem &p) {
  ASSERT_EQ(encode_tiled(p.map.bytes, /*f16*/ 6, p.rank, p.memory, p.extents,
                         p.strides, p.box, p.steps, 0, p.swizzle, 0, p.nan),
            nullptr);
}

void issue(const std::string &head, const std::string &operands,
           const Problem &p, uint32_t shared, uint32_t barrier) {
  ptx(head + "." + operands, in("r", shared), in("l", &p.map), in("r", barrier),
      in("r", p.at[0]), in("r", p.at[1]), in("r", p.at[2]), in("r", p.at[3]),
      in("r", p.at[4]));
}

void tensor_load(const Problem &p, uint32_t shared, uint32_t barrier) {
  issue("cp.async.bulk.tensor." + std::to_string(p.rank) + "d",
        "shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, " +
            p.coordinates() + "], [%2];",
        p, shared, barrier);
}

void set_up() {
  if (thread_x() == 0) {
    barrier_init(shared_base() + full, 1);
    fence_init();
  }
  sync_threads();
}

TEST_F(TmaTest, loads_of_random_boxes) {
  std::mt19937 generator(5);
  for (int i = 0; i != 300; ++i) {
    Problem p = random_problem(generator);
    start_run(uint64_t(i));
    p.memory = device_array<uint16_t>(p.elements);
    encode(p);
    EXPECT_EQ(launch(
                  {}, {32, 1, 1},
                  [&p] {
                    set_up();
                    if (thread_x() != 0)
                      return;
                    for (size_t e = 0; e != p.elements; ++e)
                      p.memory[e] = uint16_t(e + 1);
                    const uint32_t base = shared_base();
                    barrier_expect(base + full, 2 * p.box_elements());
                    tensor_load(p, base, base + full);
                    barrier_wait(base + full, 0);
                    for (uint32_t e = 0; e != p.box_elements(); ++e) {
                      uint16_t value;
                      memcpy(&value, shared_bytes() + p.place(e), 2);
                      const int64_t from = p.source(e);
                      ASSERT_EQ(value, from >= 0 ? uint16_t(from + 1)
                                       : p.nan   ? 0x7fffu
                                                 : 0u)
                          << "element " << e;
                    }
                  },
                  window),
              cudaSuccess);
    for (const Found &what : found)
      FAIL() << what.message;
    cudaFree(p.memory);
  }
}

/// Maps of the type TFLOAT32: to 11 bits, to the nearest, ties to even.
TEST_F(TmaTest, loads_round_to_tf32) {
  static const uint32_t pairs[][2] = {
      {0x3f800000, 0x3f800000}, {0x3f800fff, 0x3f800000},
      {0x3f801000, 0x3f800000}, {0x3f801001, 0x3f802000},
      {0x3f803000, 0x3f804000}, {0xbf803000, 0xbf804000},
      {0x3fffffff, 0x40000000}, {0x00001000, 0x00000000},
      {0x00003000, 0x00004000}, {0x80000000, 0x80000000},
      {0x7f7fffff, 0x7f800000}, {0x7f800000, 0x7f800000},
      {0xff800000, 0xff800000}, {0x7f800001, 0x7fc00000},
      {0xffc00000, 0xffc00000}, {0x7fffffff, 0x7fffe000}};
  constexpr unsigned count = std::size(pairs);
  Problem p;
  p.extents[0] = p.box[0] = count;
  p.strides[0] = 4 * count;
  p.elements = 2 * count;
  p.memory = device_array<uint16_t>(p.elements);
  ASSERT_EQ(encode_tiled(p.map.bytes, /*tf32*/ 11, p.rank, p.memory, p.extents,
                         p.strides, p.box, p.steps, 0, p.swizzle, 0, p.nan),
            nullptr);
  expect_clean(32, window, [&p] {
    set_up();
    if (thread_x() != 0)
      return;
    for (unsigned i = 0; i != count; ++i) {
      p.memory[2 * i] = uint16_t(pairs[i][0]);
      p.memory[2 * i + 1] = uint16_t(pairs[i][0] >> 16);
    }
    const uint32_t base = shared_base();
    barrier_expect(base + full, 4 * count);
    tensor_load(p, base, base + full);
    barrier_wait(base + full, 0);
    for (unsigned i = 0; i != count; ++i) {
      uint32_t bits;
      memcpy(&bits, shared_bytes() + 4 * i, 4);
      EXPECT_EQ(bits, pairs[i][1]) << std::hex << pairs[i][0];
    }
  });
  cudaFree(p.memory);
}

TEST_F(TmaTest, stores_of_random_boxes) {
  std::mt19937 generator(6);
  for (int i = 0; i != 300; ++i) {
    Problem p = random_problem(generator);
    p.extents[0] = (p.extents[0] + 7) / 8 * 8; // whole chunks
    p.at[0] &= ~7;
    const bool reduces = i % 3 == 0;
    start_run(uint64_t(i));
    p.memory = device_array<uint16_t>(p.elements);
    encode(p);
    launch(
        {}, {32, 1, 1},
        [&p, reduces] {
          if (thread_x() != 0)
            return;
          for (size_t e = 0; e != p.elements; ++e)
            p.memory[e] = 0x3c00; // 1 in half precision
          const uint32_t base = shared_base();
          for (uint32_t e = 0; e != p.box_elements(); ++e) {
            const uint16_t value = uint16_t(0x4000 + e % 512);
            ptx("st.shared.u16 [%0], %1;", in("r", base + p.place(e)),
                in("h", value));
          }
          fence_async();
          issue((reduces ? "cp.reduce.async.bulk.tensor."
                         : "cp.async.bulk.tensor.") +
                    std::to_string(p.rank) + "d",
                std::string("global.shared::cta") + (reduces ? ".add" : "") +
                    ".tile.bulk_group [%1, " + p.coordinates() + "], [%0];",
                p, base, 0);
          bulk_commit();
          bulk_wait();
          std::vector<uint16_t> expected(p.elements, 0x3c00);
          for (uint32_t e = 0; e != p.box_elements(); ++e) {
            const int64_t to = p.source(e);
            if (to < 0)
              continue;
            // 2 + e / 512 (in units of 2^-9), plus 1, to nearest even.
            const uint32_t sum = 512 * 3 + e % 512 - 1024;
            expected[size_t(to)] = uint16_t(0x4000 + e % 512);
            if (reduces)
              expected[size_t(to)] = uint16_t(0x4000 + sum);
          }
          for (size_t e = 0; e != p.elements; ++e)
            ASSERT_EQ(p.memory[e], expected[e]) << "element " << e;
        },
        window);
    for (const Found &what : found)
      FAIL() << what.message;
    cudaFree(p.memory);
  }
}

TEST_F(TmaTest, multicast_reaches_every_block_and_its_barrier) {
  Problem p;
  p.rank = 2;
  p.extents[0] = p.box[0] = 64;
  p.extents[1] = 100;
  p.box[1] = 16;
  p.strides[0] = 128;
  p.swizzle = 3;
  p.elements = 6400;
  p.memory = device_array<uint16_t>(p.elements);
  encode(p);
  // Each block loads its own half into both blocks.
  const auto program = [&p](int how) {
    return [&p, how] {
      if (thread_x() == 0) {
        barrier_init(shared_base() + full, 1);
        fence_init();
        if (cluster_rank() == 0)
          for (size_t e = 0; e != p.elements; ++e)
            p.memory[e] = uint16_t(e);
      }
      cluster_sync();
      const uint32_t base = shared_base(), rank = cluster_rank();
      if (thread_x() == 0) {
        barrier_expect(base + full, how == 2 ? 3072 : 4096);
        const uint16_t mask = how == 1 ? 4 : 3;
        ptx("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::"
            "complete_tx::bytes.multicast::cluster.L2::cache_hint [%0], [%1, "
            "{%3, %4}], [%2], %5, %6;",
            in("r", base + 2048 * rank), in("l", &p.map), in("r", base + full),
            in("r", 0), in("r", int(40 + 16 * rank)), in("h", mask),
            in("l", uint64_t(0x1000000000000000)));
      }
      barrier_wait(base + full, 0);
      for (uint32_t e = thread_x(); how == 0 && e < 2048; e += 32) {
        uint16_t value;
        memcpy(&value, shared_bytes() + p.place(e), 2);
        EXPECT_EQ(value, uint16_t(40 * 64 + e));
      }
      cluster_sync();
    };
  };
  expect_clean_cluster(2, 32, window, program(0));
  expect_found_in_cluster(Finding::tensor_map, 2, 32, window, program(1));
  expect_found_in_cluster(Finding::byte_count, 2, 32, window, program(2));
}

TEST_F(TmaTest, what_a_tensor_copy_refuses) {
  Problem p;
  p.extents[0] = p.extents[1] = 64;
  p.box[0] = 64;
  p.box[1] = 8;
  p.strides[0] = 128;
  p.memory = device_array<uint16_t>(64 * 64);
  encode(p);
  const auto load = [](const Problem &problem, uint32_t offset) {
    return [&problem, offset] {
      set_up();
      if (thread_x() == 0) {
        barrier_expect(shared_base() + full, 1024);
        tensor_load(problem, shared_base() + offset, shared_base() + full);
      }
      barrier_wait(shared_base() + full, 0);
    };
  };
  expect_clean(32, window, load(p, 0));
  expect_found(Finding::alignment, 32, window, load(p, 64));
  Problem garbage = p;
  garbage.map.bytes[20] ^= 1;
  expect_found(Finding::tensor_map, 32, window, load(garbage, 0));
  Problem other = p;
  other.rank = 3;
  expect_found(Finding::tensor_map, 32, window, load(other, 0), "rank 2");
  Problem beyond = p;
  beyond.extents[1] = 4096; // more than was allocated
  beyond.at[1] = 4000;
  encode(beyond);
  expect_found(Finding::global_bounds, 32, window, load(beyond, 0));
}

TEST_F(TmaTest, bulk_copies) {
  char *memory = device_array<char>(4096);
  expect_clean(32, window, [=] {
    set_up();
    if (thread_x() != 0)
      return;
    for (int i = 0; i != 2048; ++i)
      memory[i] = char(i * 7);
    const uint32_t base = shared_base();
    barrier_expect(base + full, 1040);
    bulk_load(base, memory + 16, 1040, base + full);
    barrier_wait(base + full, 0);
    EXPECT_EQ(memcmp(shared_bytes(), memory + 16, 1040), 0);
    bulk_store(memory + 2048, base + 32, 512);
    bulk_commit();
    bulk_wait();
    EXPECT_EQ(memcmp(memory + 2048, memory + 48, 512), 0);
    for (uint32_t i = 0; i != 64; i += 4)
      write_shared(i, int(i));
    fence_async();
    for (int round = 0; round != 2; ++round) {
      ptx("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 [%0], "
          "[%1], 64;",
          in("l", memory + 3072), in("r", base));
      bulk_commit();
    }
    int before = 0, after = 0;
    memcpy(&before, memory + 3072 + 8, 4);
    bulk_wait();
    memcpy(&after, memory + 3072 + 8, 4);
    EXPECT_EQ((after - before) % 8, 0);
  });
}

TEST_F(TmaTest, copies_between_the_blocks_of_a_cluster) {
  expect_clean_cluster(2, 32, window, [] {
    const uint32_t base = shared_base(), rank = cluster_rank();
    if (thread_x() == 0) {
      barrier_init(base + full, 1);
      fence_init();
    }
    write_shared(4 * thread_x(), int(100 * rank + thread_x()));
    fence_async();
    cluster_sync();
    if (thread_x() == 0) {
      barrier_expect(base + full, 128);
      ptx("{ .reg .b32 to, bar;\n"
          "mapa.shared::cluster.u32 to, %0, %3;\n"
          "mapa.shared::cluster.u32 bar, %2, %3;\n"
          "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::"
          "bytes [to], [%1], 128, [bar]; }",
          in("r", base + 1024), in("r", base), in("r", base + full),
          in("r", rank ^ 1));
    }
    barrier_wait(base + full, 0);
    EXPECT_EQ(read_shared(1024 + 4 * thread_x()),
              int(100 * (rank ^ 1) + thread_x()));
    cluster_sync();
  });
}

TEST_F(TmaTest, stores_to_another_block_that_its_mbarrier_counts) {
  expect_clean_cluster(2, 32, window, [] {
    const uint32_t base = shared_base(), rank = cluster_rank();
    if (thread_x() == 0) {
      barrier_init(base + full, 1);
      fence_init();
    }
    cluster_sync();
    if (thread_x() == 0)
      barrier_expect(base + full, 32 * 8);
    ptx("{ .reg .b32 to, bar;\n"
        "mapa.shared::cluster.u32 to, %0, %3;\n"
        "mapa.shared::cluster.u32 bar, %1, %3;\n"
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 "
        "[to], {%2, 5}, [bar]; }",
        in("r", base + 8 * thread_x()), in("r", base + full),
        in("r", 100 * rank + thread_x()), in("r", rank ^ 1));
    barrier_wait(base + full, 0);
    EXPECT_EQ(read_shared(8 * thread_x()), int(100 * (rank ^ 1) + thread_x()));
    EXPECT_EQ(read_shared(8 * thread_x() + 4), 5);
    cluster_sync();
  });
}

} // namespace
