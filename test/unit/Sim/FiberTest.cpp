//===- FiberTest.cpp - Stacks that take turns -----------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fiber.h"

#include <gtest/gtest.h>
#include <math.h>
#include <memory>
#include <stdint.h>
#include <string.h>
#include <string>

using warpwright::sim::Fiber;

namespace {

struct Counter {
  Fiber fiber;
  std::string *log;
  char name;
  int rounds;
  double sum = 0;
};

void count(void *argument) {
  Counter &counter = *static_cast<Counter *>(argument);
  double x = counter.name;
  for (int i = 0; i != counter.rounds; ++i) {
    counter.log->push_back(counter.name);
    // Values in registers must survive the switch.
    x = sqrt(x) + i;
    counter.fiber.suspend();
  }
  counter.sum = x;
}

TEST(FiberTest, takes_turns_and_keeps_its_values) {
  std::string log;
  Counter a{{}, &log, 'a', 3}, b{{}, &log, 'b', 2};
  a.fiber.prepare(count, &a);
  b.fiber.prepare(count, &b);
  bool runs_a = true, runs_b = true;
  while (runs_a || runs_b) {
    runs_a = runs_a && a.fiber.resume();
    runs_b = runs_b && b.fiber.resume();
  }
  EXPECT_EQ(log, "ababa");
  double expected = 'a';
  for (int i = 0; i != 3; ++i)
    expected = sqrt(expected) + i;
  EXPECT_EQ(a.sum, expected);
}

TEST(FiberTest, uses_one_stack_for_many_that_never_wait) {
  Fiber first, second;
  static const void *seen;
  const auto look = [](void *) { seen = __builtin_frame_address(0); };
  first.prepare(look, nullptr);
  EXPECT_FALSE(first.resume());
  const void *stack_of_first = seen;
  second.prepare(look, nullptr);
  EXPECT_FALSE(second.resume());
  EXPECT_EQ(seen, stack_of_first);
  EXPECT_EQ(second.stack_low(), nullptr);
}

TEST(FiberTest, begins_with_an_aligned_stack) {
  Fiber fiber;
  static uintptr_t rest;
  fiber.prepare(
      [](void *) {
        alignas(16) volatile char local[16] = {};
        rest = reinterpret_cast<uintptr_t>(&local) % 16;
      },
      nullptr);
  rest = 1;
  fiber.resume();
  EXPECT_EQ(rest, 0u);
}

TEST(FiberTest, holds_thousands_that_wait) {
  constexpr int many = 4000;
  static int ended;
  ended = 0;
  auto fibers = std::make_unique<Fiber[]>(many);
  for (int i = 0; i != many; ++i) {
    fibers[i].prepare(
        [](void *fiber) {
          char large[4000];
          memset(large, 1, sizeof(large));
          static_cast<Fiber *>(fiber)->suspend();
          ended += large[17];
        },
        &fibers[i]);
    EXPECT_TRUE(fibers[i].resume());
  }
  for (int i = many; i-- > 0;)
    EXPECT_FALSE(fibers[i].resume());
  EXPECT_EQ(ended, many);
}

__attribute__((noinline)) void wait_deep_down(Fiber *fiber, int depth) {
  if (depth)
    wait_deep_down(fiber, depth - 1);
  else
    fiber->suspend();
  asm volatile("" ::: "memory"); // not a tail call
}

TEST(FiberTest, shows_where_a_suspended_one_is) {
  Fiber shallow, deep;
  shallow.prepare(
      [](void *fiber) { wait_deep_down(static_cast<Fiber *>(fiber), 1); },
      &shallow);
  deep.prepare(
      [](void *fiber) { wait_deep_down(static_cast<Fiber *>(fiber), 9); },
      &deep);
  shallow.resume();
  deep.resume();
  std::vector<const void *> few, many;
  shallow.trace(few);
  deep.trace(many);
  EXPECT_GE(few.size(), 3u);
  // Compilers may merge some of the frames, not all.
  EXPECT_GT(many.size(), few.size());
  shallow.release();
  deep.release();
  EXPECT_EQ(shallow.stack_low(), nullptr);
}

} // namespace
