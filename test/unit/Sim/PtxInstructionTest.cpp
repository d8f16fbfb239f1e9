//===- PtxInstructionTest.cpp - Inline PTX, instruction by instruction ----===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ptx.h"
#include "PtxFloat.h"
#include "PtxTest.h"
#include "WgmmaMath.h"

#include <cmath>
#include <cstring>

using namespace simtest;

namespace {

class PtxInstructionTest : public PtxTest {};

std::string error_of(const char *text, size_t operands = 0) {
  std::vector<AsmOperand> list(operands);
  return compile_asm(text, list.data(), operands)->error;
}

TEST_F(PtxInstructionTest, texts_that_do_nothing) {
  for (const char *text : {"", "  \n\t", "// nothing", "/* nothing */ ;", "{ }",
                           "{ .reg .b32 a, b; .reg .pred %%p<4>; }"})
    EXPECT_EQ(error_of(text), "") << text;
}

TEST_F(PtxInstructionTest, texts_that_cannot_be_run) {
  const struct {
    const char *text, *part;
    size_t operands;
  } rows[] = {
      {"frobnicate.b32 %0, %1;", "frobnicate.b32", 2},
      {"mov.u32 %0, %2;", "operand %2 of 2", 2},
      {"mov.u32 %0, %%bogus;", "special register %bogus", 1},
      {"mov.u32 %0, x;", "'x'", 1},
      {"bra NOWHERE;", "NOWHERE", 0},
      {"{ mov.u32 %0, 1;", "missing", 1},
      {"mov.u32 %0, 1; }", "'}'", 1},
      {"wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.bf16.bf16 {%0}, %1, %2, "
       "%3;",
       "wgmma.mma_async.sp", 4},
      {"ld.shared.v4.u32 %0, [%1];", "ld.shared.v4.u32", 2},
      {"mov.u32 %0, %[name];", "[name]", 1},
      {"@%0 mov.u32 %0, 1;", "guard", 1},
  };
  for (const auto &row : rows)
    EXPECT_NE(error_of(row.text, row.operands).find(row.part),
              std::string::npos)
        << row.text << ": " << error_of(row.text, row.operands);
}

// Forms of instructions that published Hopper kernels use.
TEST_F(PtxInstructionTest, texts_in_use) {
  static const char *const texts[] = {
      "mbarrier.init.shared::cta.b64 [%1], %0; \n",
      "{\n\t.reg .pred       P1;\n\tLAB_WAIT: \n\t"
      "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1, %2; \n\t"
      "@P1 bra DONE; \n\tbra     LAB_WAIT; \n\tDONE: \n\t}",
      "{\n\t.reg .pred P1; \n\tmbarrier.test_wait.parity.shared::cta.b64 P1, "
      "[%1], %2; \n\tselp.b32 %0, 1, 0, P1; \n\t}",
      "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 _, [%0], %1;",
      "{\n\t.reg .pred p;\n\t.reg .b32 remAddr32;\n\tsetp.eq.u32 p, %2, 1;\n\t"
      "@p mapa.shared::cluster.u32  remAddr32, %0, %1;\n\t@p "
      "mbarrier.arrive.expect_tx.shared::cluster.b64  _, [remAddr32], %3;\n\t}",
      "mbarrier.arrive.release.cta.shared::cta.b64 _, [%0], %1;\n",
      "mbarrier.complete_tx.shared::cluster.relaxed.cluster.b64   [%1], %0;",
      "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];",
      "fence.proxy.async;",
      "fence.acq_rel.gpu; fence.sc.cluster; membar.gl;",
      "fence.proxy.tensormap::generic.acquire.gpu [%0], 128;",
      "barrier.cluster.arrive.relaxed.aligned;\n",
      "barrier.cluster.wait;",
      "barrier.sync %0, %1;",
      "bar.sync 0;",
      "{\n.reg .b32 %%rx;\n.reg .pred %%px;\n     elect.sync %%rx|%%px, %2;\n"
      "@%%px mov.s32 %1, 1;\n     mov.s32 %0, %%rx;\n}\n",
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::"
      "bytes.multicast::cluster.L2::cache_hint [%0], [%1, {%4, %5}], [%2], %3, "
      "%6;",
      "cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_"
      "tx::bytes [%0], [%1, {%3, %4, %5, %6, %7}], [%2];",
      "cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%0, {%2}], [%1];",
      "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group "
      "[%0, {%2, %3}], [%1];",
      "cp.async.bulk.prefetch.tensor.2d.L2.global [%0, {%1, %2}];",
      "cp.async.bulk.prefetch.L2.global [%0], %1;",
      "prefetch.tensormap [%0];",
      "prefetch.global.L2 [%0];",
      "cp.async.cg.shared.global.L2::128B [%0], [%1], %2;\n",
      "{\n  .reg .pred p;\n  setp.ne.b32 p, %0, 0;\n"
      "  @p cp.async.ca.shared.global [%1], [%2], 16, %3;\n}\n",
      "cp.async.wait_all;",
      "createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %0, 1.0;",
      "griddepcontrol.launch_dependents; griddepcontrol.wait;",
      "{\n .reg .pred p;\n setp.ne.b32 p, %5, 0;\n mov.b32 %0, %6;\n"
      " @p ld.global.L1::no_allocate.L2::128B.v4.u32 {%0, %1, %2, %3}, "
      "[%4];\n}\n",
      "ld.relaxed.gpu.global.L1::no_allocate.b32 %0, [%1];",
      "ld.acquire.gpu.global.b32 %0, [%1 + 4];",
      "st.release.gpu.global.u32 [%0], %1;",
      "red.release.gpu.global.add.s32 [%0], %1;\n",
      "red.global.add.v2.f32 [%0], {%1, %2};",
      "atom.add.noftz.f16x2 %0, [%1], %2;",
      "atom.acq_rel.gpu.global.cas.b32 %0, [%1], %2, %3;",
      "{.reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t;}",
      "ldmatrix.sync.aligned.x4.trans.m8n8.shared.b16 {%0, %1, %2, %3}, [%4];",
      "stmatrix.sync.aligned.x2.m8n8.shared::cta.b16 [%0], {%1, %2};",
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, "
      "{%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n",
      "{ .reg .pred p; wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8."
      "satfinite {%0, %1, %2, %3}, %4, %5, p; }",
      "ex2.approx.ftz.f32 %0, %1; rcp.approx.ftz.f32 %0, %1; "
      "tanh.approx.f32 %0, %1; rsqrt.approx.ftz.f32 %0, %1;",
      "fma.rn.ftz.f32 %0, %1, %2, %3; fma.rn.bf16x2 %0, %1, %2, %3;",
      "cvt.rn.bf16x2.f32 %0, %1, %2; cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;",
      "mov.b32 {%0, %1}, %2; mov.b64 %0, {%1, %2};",
      "prmt.b32 %0, %1, %2, 0x5410; lop3.b32 %0, %1, %2, %3, %4;",
      "mov.u32 %0, %%clusterid.x; mov.u32 %0, %%nclusterid.y; "
      "mov.u32 %0, %%dynamic_smem_size; mov.u32 %0, %%cluster_nctarank;",
      "activemask.b32 %0;",
      "setmaxnreg.inc.sync.aligned.u32 232;",
      "nanosleep.u32 %0;",
      "vote.sync.any.pred p, q, 0xffffffff;",
  };
  for (const char *text : texts) {
    const std::string error = error_of(text, 12);
    if (std::string(text).compare(0, 4, "vote") == 0)
      EXPECT_NE(error, ""); // p was not declared
    else
      EXPECT_EQ(error, "") << text;
  }
}

/// One instruction "d, a, b, c" on 64-bit registers.
uint64_t compute(const std::string &name, uint64_t a, uint64_t b = 0,
                 uint64_t c = 0) {
  uint64_t result = 0;
  unsigned sources = 1;
  for (const char *with_two : {"add.", "sub.", "mul", "min", "max", "and", "or",
                               "xor", "sh", "div", "rem", "slct", "copysign"})
    if (name.compare(0, strlen(with_two), with_two) == 0)
      sources = 2;
  for (const char *with_three : {"mad", "fma", "bfe", "prmt", "shf", "sad"})
    if (name.compare(0, strlen(with_three), with_three) == 0)
      sources = 3;
  if (sources == 1)
    ptx(name + " %0, %1;", out("=l", result), in("l", a));
  else if (sources == 2)
    ptx(name + " %0, %1, %2;", out("=l", result), in("l", a), in("l", b));
  else
    ptx(name + " %0, %1, %2, %3;", out("=l", result), in("l", a), in("l", b),
        in("l", c));
  return result;
}

uint64_t bits(float value) {
  uint32_t low;
  memcpy(&low, &value, 4);
  return low;
}

TEST_F(PtxInstructionTest, arithmetic) {
  struct Row {
    const char *name;
    uint64_t a, b, c, expected;
  };
  static const std::vector<Row> rows = {
      {"add.u32", 0xffffffff, 2, 0, 1},
      {"add.s64", 5, ~uint64_t(0), 0, 4},
      {"add.sat.s32", 0x7fffffff, 1, 0, 0x7fffffff},
      {"sub.u16", 1, 2, 0, 0xffff},
      {"mul.lo.s32", 0xffffffff, 3, 0, 0xfffffffd},
      {"mul.hi.u32", 0x80000000, 4, 0, 2},
      {"mul.hi.s32", 0xffffffff, 4, 0, 0xffffffff},
      {"mul.wide.u32", 0xffffffff, 2, 0, 0x1fffffffe},
      {"mul.wide.s32", 0xffffffff, 2, 0, 0xfffffffffffffffe},
      {"mul.wide.s16", 0xffff, 2, 0, 0xfffffffe},
      {"mul.hi.u64", uint64_t(1) << 63, 4, 0, 2},
      {"mad.lo.u32", 3, 4, 5, 17},
      {"mad.wide.u32", 0xffffffff, 2, 5, 0x200000003},
      {"div.s32", 0xfffffff9, 2, 0, 0xfffffffd},
      {"div.u32", 7, 2, 0, 3},
      {"rem.s32", 0xfffffff9, 2, 0, 0xffffffff},
      {"min.s32", 0xffffffff, 1, 0, 0xffffffff},
      {"min.u32", 0xffffffff, 1, 0, 1},
      {"max.s16", 0xffff, 1, 0, 1},
      {"neg.s32", 5, 0, 0, 0xfffffffb},
      {"abs.s32", 0xfffffffb, 0, 0, 5},
      {"and.b32", 12, 10, 0, 8},
      {"or.b32", 12, 10, 0, 14},
      {"xor.b64", 12, 10, 0, 6},
      {"not.b32", 0, 0, 0, 0xffffffff},
      {"shl.b32", 1, 31, 0, 0x80000000},
      {"shl.b32", 1, 32, 0, 0},
      {"shr.u32", 0x80000000, 31, 0, 1},
      {"shr.s32", 0x80000000, 40, 0, 0xffffffff},
      {"shr.u64", uint64_t(1) << 40, 40, 0, 1},
      {"bfe.u32", 0xabcd, 4, 8, 0xbc},
      {"bfe.s32", 0xabcd, 4, 8, 0xffffffbc},
      {"brev.b32", 1, 0, 0, 0x80000000},
      {"popc.b64", ~uint64_t(0), 0, 0, 64},
      {"clz.b32", 1, 0, 0, 31},
      {"clz.b64", 0, 0, 0, 64},
      {"bfind.u32", 0x100, 0, 0, 8},
      {"bfind.u32", 0, 0, 0, 0xffffffff},
      {"prmt.b32", 0x33221100, 0x77665544, 0x7531, 0x77553311},
      {"shf.l.wrap.b32", 0x80000000, 1, 4, 0x18},
      {"shf.r.clamp.b32", 0x80000000, 1, 31, 3},
      {"sad.u32", 3, 10, 1, 8},
      {"mov.b32", 7, 0, 0, 7},
      {"add.f32", bits(1.5f), bits(2.25f), 0, bits(3.75f)},
      {"sub.rn.f32", bits(1.0f), bits(1e-10f), 0, bits(1.0f)},
      {"sub.rz.f32", bits(1.0f), bits(1e-10f), 0, 0x3f7fffff},
      {"mul.f32", bits(3.0f), bits(-2.0f), 0, bits(-6.0f)},
      {"fma.rn.f32", bits(3.0f), bits(2.0f), bits(1.0f), bits(7.0f)},
      {"mul.sat.f32", bits(3.0f), bits(2.0f), 0, bits(1.0f)},
      {"max.f32", 0x7fffffff, bits(2.0f), 0, bits(2.0f)},
      {"max.NaN.f32", 0x7fffffff, bits(2.0f), 0, 0x7fffffff},
      {"neg.f32", bits(0.0f), 0, 0, 0x80000000},
      {"rcp.rn.f32", bits(4.0f), 0, 0, bits(0.25f)},
      {"sqrt.rn.f32", bits(9.0f), 0, 0, bits(3.0f)},
      {"ex2.approx.f32", bits(3.0f), 0, 0, bits(8.0f)},
      {"lg2.approx.f32", bits(8.0f), 0, 0, bits(3.0f)},
      {"add.rn.bf16x2", 0x3f804000, 0x40003f80, 0, 0x40404040},
      {"fma.rn.f16x2", 0x3c004000, 0x40003c00, 0x3c003c00, 0x42004200},
      {"add.f16", 0x3c00, 0x3c00, 0, 0x4000},
      {"cvt.rn.f32.s32", 0xffffffff, 0, 0, bits(-1.0f)},
      {"cvt.rzi.s32.f32", bits(-1.75f), 0, 0, 0xffffffff},
      {"cvt.rni.s32.f32", bits(2.5f), 0, 0, 2},
      {"cvt.rpi.u32.f32", bits(2.25f), 0, 0, 3},
      {"cvt.rzi.u8.f32", bits(300.0f), 0, 0, 255},
      {"cvt.rzi.s32.f32", bits(1e20f), 0, 0, 0x7fffffff},
      {"cvt.u64.u32", 0xffffffff, 0, 0, 0xffffffff},
      {"cvt.s64.s32", 0xffffffff, 0, 0, ~uint64_t(0)},
      {"cvt.sat.u8.s32", 0xfffffff0, 0, 0, 0},
      {"cvt.f32.f16", 0x3c01, 0, 0, bits(1.0009765625f)},
      {"cvt.rn.f16.f32", bits(1.00048828125f), 0, 0, 0x3c00},
      {"cvt.rn.bf16.f32", bits(1.00390625f), 0, 0, 0x3f80},
      {"cvt.rz.bf16.f32", bits(1.0078124f), 0, 0, 0x3f80},
      {"cvt.rna.tf32.f32", 0x3f801000, 0, 0, 0x3f802000},
      {"cvt.rn.relu.f16.f32", bits(-3.0f), 0, 0, 0},
      {"cvt.rn.f16x2.e4m3x2", 0x3840, 0, 0, 0x3c004000},
  };
  expect_clean(1, 0, [] {
    for (const Row &row : rows)
      EXPECT_EQ(compute(row.name, row.a, row.b, row.c), row.expected)
          << row.name;
    uint32_t pair = 0;
    ptx("cvt.rn.f16x2.f32 %0, %1, %2;", out("=r", pair), in("f", 1.0f),
        in("f", 2.0f));
    EXPECT_EQ(pair, 0x3c004000u);
    uint16_t narrow = 0;
    ptx("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;", out("=h", narrow),
        in("f", 1000.0f), in("f", -1.0f));
    EXPECT_EQ(narrow, 0x7eb8u);
    uint32_t merged = 0;
    ptx("lop3.b32 %0, %1, %2, %3, 0xca;", out("=r", merged), in("r", 0xff00u),
        in("r", 0x1234u), in("r", 0x5678u));
    EXPECT_EQ(merged, 0x1278u);
    ptx("bfi.b32 %0, %1, %2, 8, 4;", out("=r", merged), in("r", 5u),
        in("r", 0xffffffffu));
    EXPECT_EQ(merged, 0xfffff5ffu);
    ptx("dp4a.s32.u32 %0, %1, %2, %3;", out("=r", merged), in("r", 0xff020304u),
        in("r", 0xff000102u), in("r", 10));
    EXPECT_EQ(merged, uint32_t(10 - 255 + 3 + 8));
    ptx("dp2a.lo.s32.s32 %0, %1, %2, 0;", out("=r", merged),
        in("r", 0xfffe0003u), in("r", 0x7f7f0502u));
    EXPECT_EQ(merged, uint32_t(-10 + 6));
    uint64_t low = 0, high = 0;
    ptx("add.cc.u64 %0, %2, %3; addc.u64 %1, 0, 0;", out("=l", low),
        out("=l", high), in("l", ~uint64_t(0)), in("l", uint64_t(2)));
    EXPECT_EQ(low, 1u);
    EXPECT_EQ(high, 1u);
    ptx("sub.cc.u64 %0, %2, %3; subc.u64 %1, 5, 0;", out("=l", low),
        out("=l", high), in("l", uint64_t(1)), in("l", uint64_t(2)));
    EXPECT_EQ(high, 4u);
  });
}

TEST_F(PtxInstructionTest, halves) {
  expect_clean(1, 0, [] {
    // Every half is unchanged after a round trip, also when pairs are unpacked.
    for (uint32_t h = 0; h < 0x10000; h += 2) {
      float low = 0, high = 0;
      const uint32_t both = h | (h + 1) << 16;
      ptx("{ .reg .b16 l, h; mov.b32 {l, h}, %2; cvt.f32.f16 %0, l;"
          " cvt.f32.f16 %1, h; }",
          out("=f", low), out("=f", high), in("r", both));
      uint32_t again = 0;
      ptx("cvt.rn.f16x2.f32 %0, %1, %2;", out("=r", again), in("f", high),
          in("f", low));
      if (!std::isnan(low) && !std::isnan(high)) {
        ASSERT_EQ(again, both);
      }
      if ((h & 0x7fff) >= 0x7bfe)
        continue;
      // Between neighbours, the midpoint is rounded to the even one, other
      // numbers to the nearer one.
      const float middle = (low + high) / 2;
      const float toward = std::nextafter(middle, high);
      ptx("cvt.rn.f16x2.f32 %0, %1, %2;", out("=r", again), in("f", toward),
          in("f", middle));
      ASSERT_EQ(again, both) << h; // h is even
    }
    const struct {
      float value;
      uint32_t half;
    } edges[] = {{65504, 0x7bff},
                 {std::nextafter(65520.0f, 0.0f), 0x7bff},
                 {65520, 0x7c00},
                 {-1e30f, 0xfc00},
                 {std::ldexp(1.0f, -25), 0},
                 {std::ldexp(1.5f, -25), 1},
                 {std::ldexp(-1.0f, -26), 0x8000},
                 {1e-45f, 0},
                 {INFINITY, 0x7c00}};
    for (const auto &edge : edges) {
      uint32_t pair = 0;
      ptx("cvt.rn.f16x2.f32 %0, %1, %2;", out("=r", pair), in("f", edge.value),
          in("f", 1.0f));
      EXPECT_EQ(pair, edge.half << 16 | 0x3c00) << edge.value;
    }
  });
}

TEST_F(PtxInstructionTest, predicates_branches_scopes_and_names) {
  expect_clean(1, 0, [] {
    int sum = 0;
    AsmOperand operands[] = {asm_output("=r", "sum", sum),
                             asm_input("r", "count", 10)};
    static AsmSite site = {"{\n"
                           ".reg .b32 i, s;\n"
                           ".reg .pred %%p<2>;\n"
                           "mov.u32 i, 0; mov.u32 s, 0;\n"
                           "LOOP_%=:\n"
                           "setp.ge.s32 %%p0, i, %[count];\n"
                           "@%%p0 bra END_%=;\n"
                           "add.s32 s, s, i;\n"
                           "add.s32 i, i, 1;\n"
                           "bra.uni LOOP_%=;\n"
                           "END_%=: mov.u32 %[sum], s;\n"
                           "}",
                           nullptr};
    run_asm(site, operands, 2);
    EXPECT_EQ(sum, 45);
    unsigned which = 0;
    ptx("{ .reg .pred p, q, r;\n"
        "setp.lt.and.s32 p|q, %1, %2, 1;\n"
        "not.pred r, p;\n"
        "and.pred r, r, q;\n"
        "selp.u32 %0, 7, 9, p;\n"
        "@!q add.u32 %0, %0, 100;\n"
        "@r add.u32 %0, %0, 1000; }",
        out("+r", which), in("r", -1), in("r", 1));
    EXPECT_EQ(which, 107u);
    uint32_t high = 0, low = 0;
    ptx("{ .reg .b64 d; mov.b64 d, {%2, %3}; add.u64 d, d, 1;\n"
        "mov.b64 {%0, %1}, d; }",
        out("=r", low), out("=r", high), in("r", 0xffffffffu), in("r", 4u));
    EXPECT_EQ(low, 0u);
    EXPECT_EQ(high, 5u);
    float value = 0;
    ptx("mov.f32 %0, 0f40490FDB;", out("=f", value));
    EXPECT_FLOAT_EQ(value, 3.14159274f);
    ptx("add.f32 %0, %0, 1.5;", out("+f", value));
    EXPECT_FLOAT_EQ(value, 4.64159274f);
    int nan_is = 0;
    ptx("{ .reg .pred p; setp.ltu.f32 p, %1, 0f7fffffff;\n"
        "selp.s32 %0, 1, 0, p; }",
        out("=r", nan_is), in("f", 1.0f));
    EXPECT_EQ(nan_is, 1);
  });
}

TEST_F(PtxInstructionTest, special_registers) {
  const auto body = [] {
    const ThreadView &view = *current_thread;
    const auto read = [](const char *name) {
      uint32_t value = 0;
      ptx(std::string("mov.u32 %0, %%") + name + ";", out("=r", value));
      return value;
    };
    EXPECT_EQ(read("tid.x"), view.threadIdx.x);
    EXPECT_EQ(read("tid.y"), view.threadIdx.y);
    EXPECT_EQ(read("ntid.y"), 5u);
    EXPECT_EQ(read("ctaid.x"), view.blockIdx.x);
    EXPECT_EQ(read("nctaid.x"), 2u);
    const uint32_t linear = view.threadIdx.x + 16 * view.threadIdx.y;
    EXPECT_EQ(read("laneid"), linear % 32);
    EXPECT_EQ(read("warpid"), linear / 32);
    EXPECT_EQ(read("lanemask_lt"), (1u << linear % 32) - 1);
    EXPECT_EQ(read("cluster_nctarank"), 1u);
    EXPECT_LT(read("smid"), read("nsmid"));
    uint64_t first = 0, second = 0;
    ptx("mov.u64 %0, %%clock64;", out("=l", first));
    ptx("mov.u64 %0, %%globaltimer;", out("=l", second));
    EXPECT_GT(second, 0u);
  };
  launch({2, 1, 1}, {16, 5, 1}, body);
  EXPECT_TRUE(found.empty());
}

TEST_F(PtxInstructionTest, loads_and_stores) {
  uint32_t *memory = device_array<uint32_t>(64);
  expect_clean(32, 1024, [=] {
    const uint32_t lane = thread_x();
    const uint32_t at = shared_base() + 16 * lane;
    ptx("st.shared.v4.b32 [%0], {%1, %2, %3, %4};", in("r", at), in("r", lane),
        in("r", lane + 1), in("r", lane + 2), in("r", lane + 3));
    uint64_t a = 0, b = 0;
    ptx("ld.shared::cta.v2.u64 {%0, %1}, [%2];", out("=l", a), out("=l", b),
        in("r", at));
    EXPECT_EQ(a, lane | uint64_t(lane + 1) << 32);
    EXPECT_EQ(b, (lane + 2) | uint64_t(lane + 3) << 32);
    uint32_t c = 0;
    ptx("ld.shared.u8 %0, [%1 + 4];", out("=r", c), in("r", at));
    EXPECT_EQ(c, (lane + 1) & 255);
    ptx("st.shared.s8 [%0+-0], %1;", in("r", at), in("r", -3));
    ptx("ld.shared.s8 %0, [%1];", out("=r", c), in("r", at));
    EXPECT_EQ(c, uint32_t(-3));
    ptx("st.volatile.global.u32 [%0], %1;", in("l", memory + lane),
        in("r", lane * 3));
    ptx("ld.global.nc.L1::no_allocate.L2::128B.u32 %0, [%1];", out("=r", c),
        in("l", memory + lane));
    EXPECT_EQ(c, lane * 3);
    uint64_t generic = 0;
    ptx("cvta.shared.u64 %0, %1;", out("=l", generic), in("l", uint64_t(at)));
    ptx("ld.u32 %0, [%1+8];", out("=r", c), in("l", generic));
    EXPECT_EQ(c, lane + 2);
    uint32_t back = 0, is_shared = 0;
    ptx("{ .reg .u64 a; cvta.to.shared.u64 a, %1; cvt.u32.u64 %0, a; }",
        out("=r", back), in("l", generic));
    EXPECT_EQ(back, at);
    ptx("{ .reg .pred p; isspacep.shared p, %1; selp.u32 %0, 1, 0, p; }",
        out("=r", is_shared), in("l", generic));
    EXPECT_EQ(is_shared, 1u);
  });
}

TEST_F(PtxInstructionTest, atomics) {
  uint32_t *memory = device_array<uint32_t>(8);
  float *sums = device_array<float>(4);
  expect_clean(64, 1024, [=] {
    const uint32_t t = thread_x();
    if (t == 0)
      for (int i = 0; i != 8; ++i)
        memory[i] = i == 2 ? 1000 : 0;
    if (t == 0)
      sums[0] = 0;
    if (t == 0)
      ptx("st.shared.u32 [%0], 0;", in("r", shared_base()));
    sync_threads();
    uint32_t old = 0;
    ptx("atom.global.add.u32 %0, [%1], 1;", out("=r", old), in("l", memory));
    EXPECT_LT(old, 64u);
    ptx("red.global.max.u32 [%0], %1;", in("l", memory + 1), in("r", t));
    ptx("red.global.min.u32 [%0], %1;", in("l", memory + 2), in("r", t + 5));
    ptx("red.global.or.b32 [%0], %1;", in("l", memory + 3),
        in("r", 1u << t % 32));
    ptx("atom.global.inc.u32 %0, [%1], 9;", out("=r", old),
        in("l", memory + 4));
    ptx("atom.global.cas.b32 %0, [%1], 0, %2;", out("=r", old),
        in("l", memory + 5), in("r", t + 1));
    ptx("red.global.add.f32 [%0], %1;", in("l", sums), in("f", 0.5f));
    ptx("atom.shared.add.u32 %0, [%1], 2;", out("=r", old),
        in("r", shared_base()));
    ptx("red.global.add.noftz.bf16x2 [%0], %1;", in("l", memory + 6),
        in("r", 0x3f803f80u));
    sync_threads();
    ptx("ld.shared.u32 %0, [%1];", out("=r", old), in("r", shared_base()));
    EXPECT_EQ(old, 128u);
    if (t != 0)
      return;
    EXPECT_EQ(memory[0], 64u);
    EXPECT_EQ(memory[1], 63u);
    EXPECT_EQ(memory[2], 5u);
    EXPECT_EQ(memory[3], 0xffffffffu);
    EXPECT_EQ(memory[4], 4u);
    EXPECT_NE(memory[5], 0u);
    EXPECT_EQ(memory[6], 0x42804280u);
    EXPECT_EQ(sums[0], 32.0f);
  });
}

TEST_F(PtxInstructionTest, warps) {
  expect_clean(32, 0, [] {
    const uint32_t lane = thread_x();
    uint32_t value = 0, elected = 0;
    ptx("{ .reg .pred p; elect.sync _|p, 0xffffffff;\n"
        "selp.b32 %0, 1, 0, p; }",
        out("=r", elected));
    EXPECT_EQ(elected, lane == 0);
    ptx("{ .reg .pred p; setp.lt.u32 p, %1, 5;\n"
        "vote.sync.ballot.b32 %0, p, 0xffffffff; }",
        out("=r", value), in("r", lane));
    EXPECT_EQ(value, 31u);
    ptx("shfl.sync.bfly.b32 %0, %1, 3, 0x1f, 0xffffffff;", out("=r", value),
        in("r", lane));
    EXPECT_EQ(value, lane ^ 3);
    ptx("shfl.sync.idx.b32 %0, %1, 2, 0x181f, 0xffffffff;", out("=r", value),
        in("r", lane));
    EXPECT_EQ(value, (lane & ~7u) + 2);
    uint32_t inside = 0;
    ptx("{ .reg .pred p; shfl.sync.up.b32 %0|p, %2, 2, 0, 0xffffffff;\n"
        "selp.u32 %1, 1, 0, p; }",
        out("=r", value), out("=r", inside), in("r", lane));
    EXPECT_EQ(value, lane < 2 ? lane : lane - 2);
    EXPECT_EQ(inside, lane >= 2);
    ptx("redux.sync.add.s32 %0, %1, 0xffffffff;", out("=r", value),
        in("r", lane));
    EXPECT_EQ(value, 496u);
    ptx("match.any.sync.b32 %0, %1, 0xffffffff;", out("=r", value),
        in("r", lane / 4));
    EXPECT_EQ(value, 15u << lane / 4 * 4);
  });
}

TEST_F(PtxInstructionTest, matrices_in_shared_memory) {
  for (const bool turned : {false, true})
    expect_clean(32, 4096, [=] {
      const uint32_t lane = thread_x();
      const std::string trans = turned ? ".trans" : "";
      // Element (i, j) of matrix r is 1000 r + 10 i + j.
      uint32_t v[4];
      for (uint32_t r = 0; r != 4; ++r) {
        const uint32_t i = lane / 4, j = 2 * (lane % 4);
        v[r] = (1000 * r + 10 * i + j) | (1000 * r + 10 * i + j + 1) << 16;
      }
      const uint32_t at = shared_base() + 16 * lane;
      ptx("stmatrix.sync.aligned.m8n8.x4" + trans +
              ".shared.b16 [%0], {%1, %2, %3, %4};",
          in("r", at), in("r", v[0]), in("r", v[1]), in("r", v[2]),
          in("r", v[3]));
      sync_warp(~0u);
      const uint16_t *stored =
          reinterpret_cast<const uint16_t *>(shared_bytes());
      for (uint32_t r = 0; r != 4; ++r)
        for (uint32_t i = 0; i != 8; ++i)
          for (uint32_t j = 0; j != 8; ++j)
            EXPECT_EQ(stored[64 * r + 8 * i + j],
                      turned ? 1000 * r + 10 * j + i : 1000 * r + 10 * i + j);
      uint32_t w[2];
      ptx("ldmatrix.sync.aligned.m8n8.x2" + trans +
              ".shared.b16 {%0, %1}, [%2];",
          out("=r", w[0]), out("=r", w[1]), in("r", at));
      EXPECT_EQ(w[0], v[0]);
      EXPECT_EQ(w[1], v[1]);
    });
}

/// mma.sync on small integers, of which all sums are exact.
template <class Load>
void check_mma(const std::string &type, unsigned k, unsigned size, Load load,
               bool integer) {
  const unsigned lane = thread_x(), per = 4 / size;
  const unsigned a_count = k * size / 8;
  const auto a_of = [](unsigned i, unsigned x) {
    return int(i * 3 + x * 5) % 7 - 3;
  };
  const auto b_of = [](unsigned x, unsigned j) {
    return int(x * 2 + j * 3) % 5 - 2;
  };
  uint32_t a[4] = {}, b[2] = {};
  for (unsigned r = 0; r != a_count; ++r)
    for (unsigned e = 0; e != per; ++e)
      a[r] |= load(a_of(lane / 4 + 8 * (r & 1),
                        per * (lane % 4) + e + (r >> 1) * 4 * per))
              << 8 * size * e;
  for (unsigned r = 0; r != a_count / 2; ++r)
    for (unsigned e = 0; e != per; ++e)
      b[r] |= load(b_of(per * (lane % 4) + e + r * 4 * per, lane / 4))
              << 8 * size * e;
  uint32_t d[4];
  for (unsigned i = 0; i != 4; ++i)
    d[i] = integer ? i : uint32_t(bits(float(i)));
  const std::string acc = integer ? "s32" : "f32";
  ptx("mma.sync.aligned.m16n8k" + std::to_string(k) + ".row.col." + acc + "." +
          type + "." + type + "." + acc + " {%0, %1, %2, %3}, " +
          (a_count == 4 ? "{%4, %5, %6, %7}, {%8, %9}" : "{%4, %5}, {%8}") +
          ", {%0, %1, %2, %3};",
      out("+r", d[0]), out("+r", d[1]), out("+r", d[2]), out("+r", d[3]),
      in("r", a[0]), in("r", a[1]), in("r", a[2]), in("r", a[3]), in("r", b[0]),
      in("r", b[1]));
  for (unsigned i = 0; i != 4; ++i) {
    int expected = int(i);
    for (unsigned x = 0; x != k; ++x)
      expected +=
          a_of(lane / 4 + 8 * (i >> 1), x) * b_of(x, 2 * (lane % 4) + (i & 1));
    EXPECT_EQ(d[i],
              integer ? uint32_t(expected) : uint32_t(bits(float(expected))))
        << type << " k" << k;
  }
}

TEST_F(PtxInstructionTest, mma) {
  const auto with = [](PtxType type) {
    return [type](int value) {
      return static_cast<uint32_t>(from_double(value, type));
    };
  };
  expect_clean(32, 0, [=] {
    check_mma("f16", 16, 2, with(PtxType::f16), false);
    check_mma("f16", 8, 2, with(PtxType::f16), false);
    check_mma("bf16", 16, 2, with(PtxType::bf16), false);
    check_mma("tf32", 8, 4, with(PtxType::f32), false);
    check_mma("tf32", 4, 4, with(PtxType::f32), false);
    check_mma("e4m3", 32, 1, with(PtxType::e4m3), false);
    check_mma("s8", 32, 1, [](int v) { return uint32_t(v) & 255; }, true);
  });
}

/// mma.sync of doubles, whose elements are chains of fused multiply-adds in the
/// order of k: of numbers for which any other rounding gives another result.
void check_mma_of_doubles(unsigned m, unsigned k) {
  const unsigned lane = thread_x();
  const auto a_of = [](unsigned i, unsigned x) {
    return 1 + double(i * 3 + x * 5 + 1) / 7;
  };
  const auto b_of = [](unsigned x, unsigned j) {
    return (x % 2 ? 1 : -1) * (1 + double(x * 2 + j * 3 + 1) / 11);
  };
  double a[8] = {}, b[4] = {}, d[4] = {};
  for (unsigned r = 0; r != m * k / 32; ++r)
    a[r] = a_of(lane / 4 + 8 * (r % (m / 8)), lane % 4 + 4 * (r / (m / 8)));
  for (unsigned r = 0; r != k / 4; ++r)
    b[r] = b_of(lane % 4 + 4 * r, lane / 4);
  for (unsigned i = 0; i != m / 4; ++i)
    d[i] = double(i) / 3;
  // As many registers as the shape has, numbered one after the other: those of
  // the result, which are the accumulators', then those of a and b.
  const auto vector = [](unsigned from, unsigned count) {
    std::string text = "{";
    for (unsigned i = 0; i != count; ++i)
      text += (i ? ", %" : "%") + std::to_string(from + i);
    return text + "}";
  };
  ptx("mma.sync.aligned.m" + std::to_string(m) + "n8k" + std::to_string(k) +
          ".row.col.f64.f64.f64.f64 " + vector(0, m / 4) + ", " +
          vector(4, m * k / 32) + ", " + vector(12, k / 4) + ", " +
          vector(0, m / 4) + ";",
      out("+d", d[0]), out("+d", d[1]), out("+d", d[2]), out("+d", d[3]),
      in("d", a[0]), in("d", a[1]), in("d", a[2]), in("d", a[3]), in("d", a[4]),
      in("d", a[5]), in("d", a[6]), in("d", a[7]), in("d", b[0]), in("d", b[1]),
      in("d", b[2]), in("d", b[3]));
  for (unsigned i = 0; i != m / 4; ++i) {
    double expected = double(i) / 3;
    for (unsigned x = 0; x != k; ++x)
      expected = std::fma(a_of(lane / 4 + 8 * (i / 2), x),
                          b_of(x, 2 * (lane % 4) + i % 2), expected);
    EXPECT_EQ(d[i], expected) << "m" << m << " k" << k;
  }
}

TEST_F(PtxInstructionTest, mma_of_doubles) {
  expect_clean(32, 0, [] {
    check_mma_of_doubles(8, 4);
    check_mma_of_doubles(16, 4);
    check_mma_of_doubles(16, 8);
    check_mma_of_doubles(16, 16);
  });
}

TEST_F(PtxInstructionTest, rounding_to_every_type) {
  // Every half and every fp8 number is unchanged; midpoints are rounded to
  // even.
  for (uint32_t i = 0; i != 0x10000; ++i) {
    const double value = to_double(i, PtxType::f16);
    if (!std::isnan(value)) {
      ASSERT_EQ(from_double(value, PtxType::f16), i);
      ASSERT_EQ(double_to_half(value), i);
    }
  }
  for (uint32_t i = 0; i != 0x100; ++i)
    for (const PtxType type : {PtxType::e4m3, PtxType::e5m2}) {
      const double value = to_double(i, type);
      if (std::isfinite(value)) {
        ASSERT_EQ(from_double(value, type), i);
      }
    }
  EXPECT_EQ(from_double(464, PtxType::e4m3), 0x7eu);
  EXPECT_EQ(from_double(65519, PtxType::f16), 0x7bffu);
  EXPECT_EQ(from_double(65520, PtxType::f16), 0x7c00u);
  EXPECT_EQ(from_double(0x1p-149, PtxType::f32), 1u);
  EXPECT_EQ(from_double(0x1p-150, PtxType::f32), 0u);
  EXPECT_EQ(from_double(0x1.8p-150, PtxType::f32), 1u);
}

TEST_F(PtxInstructionTest, mbarrier_states_and_counts) {
  expect_clean(64, 1024, [] {
    const uint32_t barrier = shared_base();
    if (thread_x() == 0)
      barrier_init(barrier, 64);
    sync_threads();
    for (int round = 0; round != 3; ++round) {
      uint64_t state = 0;
      ptx("mbarrier.arrive.release.cta.shared::cta.b64 %0, [%1];",
          out("=l", state), in("r", barrier));
      uint32_t pending = 0;
      ptx("mbarrier.pending_count.b64 %0, %1;", out("=r", pending),
          in("l", state));
      EXPECT_GE(pending, 1u);
      ptx("{ .reg .pred p;\n"
          "AGAIN: mbarrier.test_wait.shared.b64 p, [%0], %1;\n"
          "@!p bra AGAIN; }",
          in("r", barrier), in("l", state));
    }
    sync_threads();
    if (thread_x() == 0) {
      uint64_t state = 0;
      ptx("mbarrier.arrive.noComplete.shared.b64 %0, [%1], 60;",
          out("=l", state), in("r", barrier));
      ptx("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], 32;",
          in("r", barrier));
      ptx("mbarrier.arrive_drop.shared.b64 _, [%0], 4;", in("r", barrier));
      int done = 1;
      const char *test = "{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 "
                         "p, [%1], 1; selp.s32 %0, 1, 0, p; }";
      ptx(test, out("=r", done), in("r", barrier));
      EXPECT_EQ(done, 0);
      ptx("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 32;",
          in("r", barrier));
      ptx(test, out("=r", done), in("r", barrier));
      EXPECT_EQ(done, 1);
      ptx("mbarrier.arrive.shared.b64 _, [%0], 60;", in("r", barrier));
      barrier_wait(barrier, 0);
      ptx("mbarrier.inval.shared.b64 [%0];", in("r", barrier));
    }
  });
}

TEST_F(PtxInstructionTest, barriers_that_reduce) {
  expect_clean(64, 0, [] {
    uint32_t count = 0, any = 0;
    ptx("{ .reg .pred p, q; setp.lt.u32 p, %2, 40;\n"
        "barrier.cta.red.popc.aligned.u32 %0, 1, p;\n"
        "barrier.red.or.pred q, 2, 64, p;\n"
        "selp.u32 %1, 1, 0, q; }",
        out("=r", count), out("=r", any), in("r", thread_x()));
    EXPECT_EQ(count, 40u);
    EXPECT_EQ(any, 1u);
  });
}

} // namespace
