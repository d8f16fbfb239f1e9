//===- TensorMapTest.cpp - What cuTensorMapEncodeTiled accepts ------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorMap.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace warpwright::sim;

namespace {

struct alignas(128) MapBytes {
  char bytes[128];
};

/// Arguments that the driver accepts; each test changes one of them.
struct Arguments {
  MapBytes map = {};
  uint64_t misalign = 0;
  unsigned type = 9; // bf16
  uint32_t rank = 3;
  uint64_t base = 0x10000;
  uint64_t extents[5] = {1000, 300, 7, 5, 3};
  uint64_t strides[4] = {2048, 614400, 4300800, 21504000};
  uint32_t box[5] = {64, 128, 1, 1, 1};
  uint32_t steps[5] = {1, 1, 1, 1, 1};
  unsigned interleave = 0, swizzle = 3, promotion = 2, fill = 0;

  const char *encode() {
    return encode_tiled(map.bytes + misalign, type, rank,
                        reinterpret_cast<void *>(base), extents, strides, box,
                        steps, interleave, swizzle, promotion, fill);
  }
};

template <class Spoil> void expect_refused(const char *part, Spoil spoil) {
  Arguments arguments;
  spoil(arguments);
  const char *reason = arguments.encode();
  ASSERT_NE(reason, nullptr) << part;
  EXPECT_NE(strstr(reason, part), nullptr) << reason;
}

TEST(TensorMapTest, good_maps) {
  for (uint32_t rank = 1; rank <= 5; ++rank) {
    Arguments arguments;
    arguments.rank = rank;
    EXPECT_EQ(arguments.encode(), nullptr);
    TensorMap map;
    memcpy(&map, arguments.map.bytes, sizeof(map));
    EXPECT_TRUE(map.is_valid());
    EXPECT_EQ(map.rank, rank);
    EXPECT_EQ(map.rows(), rank == 1 ? 1u : 128u);
    EXPECT_EQ(map.row_bytes(), 128u);
  }
  // The limits themselves are allowed.
  Arguments edge;
  edge.extents[1] = uint64_t(1) << 32;
  edge.strides[0] = (uint64_t(1) << 40) - 16;
  edge.box[1] = 256;
  edge.steps[1] = 8;
  EXPECT_EQ(edge.encode(), nullptr);
}

TEST(TensorMapTest, what_the_driver_refuses) {
  expect_refused("64 bytes", [](Arguments &a) { a.misalign = 32; });
  expect_refused("type", [](Arguments &a) { a.type = 13; });
  expect_refused("rank", [](Arguments &a) { a.rank = 0; });
  expect_refused("rank", [](Arguments &a) { a.rank = 6; });
  expect_refused("null", [](Arguments &a) { a.base = 0; });
  expect_refused("16 bytes", [](Arguments &a) { a.base += 8; });
  expect_refused("extent", [](Arguments &a) { a.extents[2] = 0; });
  expect_refused("extent",
                 [](Arguments &a) { a.extents[0] = (uint64_t(1) << 32) + 1; });
  expect_refused("multiple of 16", [](Arguments &a) { a.strides[1] += 8; });
  expect_refused("2^40",
                 [](Arguments &a) { a.strides[0] = uint64_t(1) << 40; });
  expect_refused("box", [](Arguments &a) { a.box[1] = 0; });
  expect_refused("box", [](Arguments &a) { a.box[1] = 257; });
  expect_refused("element stride", [](Arguments &a) { a.steps[1] = 0; });
  expect_refused("element stride", [](Arguments &a) { a.steps[1] = 9; });
  expect_refused("multiple of 16", [](Arguments &a) { a.box[0] = 60; });
  expect_refused("wider", [](Arguments &a) { a.box[0] = 72; });
  expect_refused("wider", [](Arguments &a) { a.swizzle = 2; });
  expect_refused("swizzle", [](Arguments &a) { a.swizzle = 4; });
  expect_refused("promotion", [](Arguments &a) { a.promotion = 4; });
  expect_refused("fill", [](Arguments &a) { a.fill = 2; });
  expect_refused("NaN", [](Arguments &a) { a.type = 1, a.fill = 1; });
  expect_refused("interleave", [](Arguments &a) { a.interleave = 3; });
  expect_refused("3 dimensions", [](Arguments &a) {
    a.interleave = 1;
    a.rank = 2;
  });
  expect_refused("32 bytes", [](Arguments &a) {
    a.interleave = 2;
    a.swizzle = 1;
    a.base += 16;
  });
  expect_refused("32 bytes", [](Arguments &a) {
    a.interleave = 2;
    a.swizzle = 1;
    a.strides[0] += 16;
  });
  expect_refused("interleave needs", [](Arguments &a) { a.interleave = 2; });
}

TEST(TensorMapTest, changed_bytes_are_no_map) {
  Arguments arguments;
  ASSERT_EQ(arguments.encode(), nullptr);
  for (size_t i = 0; i != sizeof(TensorMap); ++i) {
    TensorMap map;
    memcpy(&map, arguments.map.bytes, sizeof(map));
    reinterpret_cast<char *>(&map)[i] ^= 4;
    EXPECT_FALSE(map.is_valid()) << "byte " << i;
  }
}

} // namespace
