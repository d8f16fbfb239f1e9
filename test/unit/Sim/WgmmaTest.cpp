//===- WgmmaTest.cpp - wgmma of every type, shape and layout --------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PtxFloat.h"
#include "PtxTest.h"

#include <cstring>

using namespace simtest;

namespace {

class WgmmaTest : public PtxTest {};

constexpr size_t window = 40 * 1024;
constexpr uint32_t b_offset = 8 * 1024;

/// One operand tile in shared memory: `rows` along m or n, 32 bytes along k.
struct Tile {
  bool k_major = true;
  unsigned width = 128;  ///< of the swizzle, 16: none
  unsigned size = 2;     ///< of an element
  unsigned k_offset = 0; ///< bytes, of the k step within a K-major row
  unsigned rows = 64;

  unsigned leading() const {
    if (width == 16)
      return k_major ? 128 : (rows * size / 16) * 128;
    return k_major ? 16 : 2 * 8 * width;
  }
  unsigned stride() const {
    return width == 16 ? (k_major ? 256 : 128) : 8 * width;
  }
  /// The address of an element, by the canonical layouts of the PTX ISA; the
  /// row's number within its group of eight gives the XOR.
  uint32_t offset(unsigned row, unsigned k) const {
    const unsigned along = k_major ? k * size + k_offset : row * size;
    const unsigned across = k_major ? row : k;
    unsigned byte, chunk;
    if (width == 16) {
      byte = across % 8 * 16 + along % 16;
      if (k_major)
        return byte + across / 8 * stride() + along / 16 * leading();
      return byte + across / 8 * leading() + along / 16 * stride();
    }
    const unsigned log = width == 128 ? 3 : width == 64 ? 2 : 1;
    chunk = along % width / 16 ^ across % 8 >> (3 - log);
    byte = across / 8 * stride() + across % 8 * width + chunk * 16 + along % 16;
    return byte + (k_major ? 0 : along / width * leading());
  }
  uint64_t descriptor(uint32_t address) const {
    const uint64_t mode = width == 128  ? 1
                          : width == 64 ? 2
                          : width == 32 ? 3
                                        : 0;
    return ((address + (k_major ? k_offset : 0)) & 0x3ffff) >> 4 |
           uint64_t(leading() / 16) << 16 | uint64_t(stride() / 16) << 32 |
           mode << 62;
  }
};

struct Case {
  const char *a_type, *b_type, *d_type;
  unsigned n;
  Tile a, b;
  bool a_in_registers = false;
  int scale_a = 1, scale_b = 1;
};

PtxType type_of(const char *name) { return ptx_type(name); }

/// Small numbers: products and sums are exact in every type.
int a_value(unsigned i, unsigned k) { return int(i * 5 + k * 3) % 7 - 3; }
int b_value(unsigned k, unsigned j, bool is_unsigned) {
  const int value = int(k * 2 + j * 3) % 5 - 2;
  return is_unsigned && value < 0 ? -value : value;
}

uint64_t encode(int value, PtxType type) {
  if (type == PtxType::s8 || type == PtxType::u8)
    return uint64_t(value) & 255;
  return from_double(value, type == PtxType::tf32 ? PtxType::f32 : type);
}

void store_element(uint32_t address, uint64_t bits, unsigned size) {
  const char *names[] = {"", "u8", "u16", "", "u32"};
  ptx(std::string("st.shared.") + names[size] + " [%0], %1;", in("r", address),
      in("r", uint32_t(bits)));
}

void fill(const Tile &tile, uint32_t base, PtxType type, bool is_b,
          bool is_unsigned) {
  for (unsigned row = thread_x(); row < tile.rows; row += 128)
    for (unsigned k = 0; k != 32 / tile.size; ++k)
      store_element(
          base + tile.offset(row, k),
          encode(is_b ? b_value(k, row, is_unsigned) : a_value(row, k), type),
          tile.size);
}

void run_case(const Case &c) {
  const PtxType a_type = type_of(c.a_type), b_type = type_of(c.b_type);
  const unsigned size = c.a.size, depth = 32 / size, t = thread_x();
  const bool integer = a_type == PtxType::s8 || a_type == PtxType::u8;
  const bool halves = strcmp(c.d_type, "f16") == 0;
  const uint32_t base = shared_base();
  if (!c.a_in_registers)
    fill(c.a, base, a_type, false, false);
  fill(c.b, base + b_offset, b_type, true, b_type == PtxType::u8);
  fence_async();
  sync_threads();

  const unsigned registers = halves ? c.n / 4 : c.n / 2;
  uint32_t d[128];
  const auto row_of = [t](unsigned i) {
    return 16 * (t / 32) + t % 32 / 4 + 8 * (i >> 1 & 1);
  };
  const auto column_of = [t](unsigned i) {
    return 8 * (i >> 2) + 2 * (t % 4) + (i & 1);
  };
  const auto start = [&](unsigned i) {
    return int(row_of(i) % 4 + column_of(i) % 3);
  };
  for (unsigned r = 0; r != registers; ++r)
    d[r] = halves    ? uint32_t(encode(start(2 * r), PtxType::f16) |
                                encode(start(2 * r + 1), PtxType::f16) << 16)
           : integer ? uint32_t(start(r))
                     : uint32_t(encode(start(r), PtxType::f32));
  uint32_t a[4] = {};
  const unsigned per = 4 / size;
  for (unsigned r = 0; r != 4; ++r)
    for (unsigned e = 0; e != per; ++e)
      a[r] |= uint32_t(encode(a_value(16 * (t / 32) + t % 32 / 4 + 8 * (r & 1),
                                      per * (t % 4) + e + (r >> 1) * 4 * per),
                              a_type)
                       << 8 * size * e);

  // The operands: d, then a or its descriptor, b's descriptor, and scale-d.
  std::vector<AsmOperand> operands;
  std::string list;
  for (unsigned r = 0; r != registers; ++r) {
    operands.push_back(out(integer || halves ? "+r" : "+f", d[r]));
    list += (r ? ", %" : "%") + std::to_string(r);
  }
  const auto add = [&operands](const AsmOperand &operand) {
    operands.push_back(operand);
    return "%" + std::to_string(operands.size() - 1);
  };
  std::string a_text;
  if (c.a_in_registers) {
    for (const uint32_t value : a)
      a_text += (a_text.empty() ? "{" : ", ") + add(in("r", value));
    a_text += "}";
  } else {
    a_text = add(in("l", c.a.descriptor(base)));
  }
  const std::string b_text = add(in("l", c.b.descriptor(base + b_offset)));
  std::string text = "{ .reg .pred p; setp.ne.b32 p, 1, 0;\n"
                     "wgmma.mma_async.sync.aligned.m64n" +
                     std::to_string(c.n) + "k" + std::to_string(depth) + "." +
                     c.d_type + "." + c.a_type + "." + c.b_type + " {" + list +
                     "}, " + a_text + ", " + b_text + ", p";
  if (!integer)
    text += ", " + std::to_string(c.scale_a) + ", " + std::to_string(c.scale_b);
  if (size == 2 && !c.a_in_registers)
    text += c.a.k_major ? ", 0" : ", 1";
  if (size == 2)
    text += c.b.k_major ? ", 0" : ", 1";
  text += "; }";
  ptx("wgmma.fence.sync.aligned;");
  // All threads use one site for a text, in the table of ptx().
  static std::mutex mutex;
  static std::map<std::string, AsmSite> sites;
  AsmSite *site;
  {
    const std::lock_guard<std::mutex> lock(mutex);
    const auto at = sites.emplace(text, AsmSite{nullptr, nullptr}).first;
    at->second.text = at->first.c_str();
    site = &at->second;
  }
  run_asm(*site, operands.data(), operands.size());
  ptx("wgmma.commit_group.sync.aligned;");
  ptx("wgmma.wait_group.sync.aligned 0;");

  for (unsigned i = 0; i != c.n / 2; ++i) {
    int expected = start(i);
    for (unsigned k = 0; k != depth; ++k)
      expected += c.scale_a * c.scale_b * a_value(row_of(i), k) *
                  b_value(k, column_of(i), b_type == PtxType::u8);
    const uint32_t got = halves ? d[i / 2] >> 16 * (i & 1) & 0xffff : d[i];
    ASSERT_EQ(got, integer ? uint32_t(expected)
                           : uint32_t(encode(expected, halves ? PtxType::f16
                                                              : PtxType::f32)))
        << text.substr(0, 90) << " row " << row_of(i) << " column "
        << column_of(i);
  }
}

TEST_F(WgmmaTest, every_type_and_width_of_16_bits) {
  for (const char *type : {"bf16", "f16"})
    for (unsigned n = 8; n <= 256; n += 8) {
      Case c = {type, type, "f32", n, {}, {}};
      c.b.rows = n;
      start_run(n);
      launch({}, {128, 1, 1}, [&c] { run_case(c); }, window);
      for (const Found &what : found)
        FAIL() << what.message;
    }
}

TEST_F(WgmmaTest, every_width_of_16_bits_with_a_in_registers) {
  for (const char *type : {"bf16", "f16"})
    for (unsigned n = 8; n <= 256; n += 8) {
      Case c = {type, type, "f32", n, {}, {}, true};
      c.b.k_major = n % 16 == 0; // else the bit behind the scales is set
      c.b.width = n % 64 == 0 ? 128 : n % 32 == 0 ? 64 : c.b.k_major ? 32 : 16;
      c.b.rows = n;
      start_run(n);
      launch({}, {128, 1, 1}, [&c] { run_case(c); }, window);
      for (const Found &what : found)
        FAIL() << what.message;
    }
}

TEST_F(WgmmaTest, every_layout_of_16_bits) {
  for (const unsigned width : {16u, 32u, 64u, 128u})
    for (int majors = 0; majors != 4; ++majors)
      for (const unsigned n : {64u, 128u, 256u}) {
        Case c = {"bf16", "bf16", "f32", n, {}, {}};
        c.a.width = c.b.width = width;
        c.a.k_major = majors & 1;
        c.b.k_major = majors & 2;
        c.b.rows = n;
        start_run(n + width);
        launch({}, {128, 1, 1}, [&c] { run_case(c); }, window);
        for (const Found &what : found)
          FAIL() << what.message << " width " << width << " majors " << majors;
      }
}

TEST_F(WgmmaTest, steps_along_k_within_a_row) {
  for (unsigned step = 0; step != 128; step += 32) {
    Case c = {"f16", "f16", "f32", 32, {}, {}};
    c.a.k_offset = c.b.k_offset = step;
    c.b.rows = 32;
    start_run(step);
    launch({}, {128, 1, 1}, [&c] { run_case(c); }, window);
    for (const Found &what : found)
      FAIL() << what.message;
  }
}

TEST_F(WgmmaTest, other_types_registers_and_signs) {
  const Case cases[] = {
      {"tf32", "tf32", "f32", 48, {true, 128, 4}, {true, 128, 4}},
      {"tf32", "tf32", "f32", 16, {true, 32, 4}, {true, 16, 4}},
      {"e4m3", "e4m3", "f32", 40, {true, 128, 1}, {true, 64, 1}},
      {"e4m3", "e5m2", "f32", 8, {true, 128, 1}, {true, 128, 1}},
      {"e5m2", "e4m3", "f16", 24, {true, 64, 1}, {true, 128, 1}},
      {"f16", "f16", "f16", 64, {}, {}},
      {"s8", "s8", "s32", 96, {true, 128, 1}, {true, 128, 1}},
      {"s8", "u8", "s32", 32, {true, 128, 1}, {true, 32, 1}},
      {"bf16", "bf16", "f32", 72, {}, {}, true},
      {"f16", "f16", "f16", 16, {}, {false}, true},
      {"tf32", "tf32", "f32", 24, {true, 128, 4}, {true, 128, 4}, true},
      {"e5m2", "e5m2", "f32", 56, {true, 128, 1}, {true, 128, 1}, true},
      {"s8", "s8", "s32", 16, {true, 128, 1}, {true, 128, 1}, true},
      {"bf16", "bf16", "f32", 8, {}, {}, false, -1, 1},
      {"bf16", "bf16", "f32", 8, {}, {}, false, -1, -1},
      {"f16", "f16", "f32", 8, {}, {}, true, 1, -1},
  };
  for (Case c : cases) {
    c.b.rows = c.n;
    start_run(c.n);
    launch({}, {128, 1, 1}, [&c] { run_case(c); }, window);
    for (const Found &what : found)
      FAIL() << what.message;
  }
}

//===----------------------------------------------------------------------===//
// What goes wrong
//===----------------------------------------------------------------------===//

/// Two groups of m64n8k16 on one accumulator, of which tests leave one thing
/// out.
struct Steps {
  bool fence = true, commit = true, first_wait = true, last_wait = true;
  bool proxy_fence = true, touches = false, initialised = true;
  bool overwrites = false, half_the_warps = false, touches_between = false;
  uint32_t shift = 0; ///< of the descriptor, bytes

  void operator()() const {
    Tile a, b;
    b.rows = 8;
    const uint32_t base = shared_base();
    fill(a, base, PtxType::bf16, false, false);
    fill(b, base + b_offset, PtxType::bf16, true, false);
    if (proxy_fence)
      fence_async();
    sync_threads();
    float d[4] = {0, 0, 0, 0};
    if (!initialised)
      memset(d, 0xff, sizeof(d));
    if (half_the_warps && thread_x() >= 64)
      return;
    if (fence)
      ptx("wgmma.fence.sync.aligned;");
    for (int round = 0; round != 2; ++round) {
      ptx("{ .reg .pred p; setp.ne.b32 p, 1, 0;\n"
          "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, "
          "%3}, %4, %5, p, 1, 1, 0, 0; }",
          out("+f", d[0]), out("+f", d[1]), out("+f", d[2]), out("+f", d[3]),
          in("l", a.descriptor(base + shift)),
          in("l", b.descriptor(base + b_offset)));
      if (commit)
        ptx("wgmma.commit_group.sync.aligned;");
      if (touches)
        check_private_access(&d[1], 4, false);
      if (first_wait && round == 0)
        ptx("wgmma.wait_group.sync.aligned 1;");
    }
    if (overwrites) {
      ptx("wgmma.wait_group.sync.aligned 1;");
      sync_threads();
      write_shared(4 * thread_x(), 0);
    }
    if (last_wait)
      ptx("wgmma.wait_group.sync.aligned 0;");
    if (touches_between) {
      check_private_access(&d[1], 4, true);
      ptx("{ .reg .pred p; setp.ne.b32 p, 1, 0;\n"
          "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, "
          "%3}, %4, %5, p, 1, 1, 0, 0; }",
          out("+f", d[0]), out("+f", d[1]), out("+f", d[2]), out("+f", d[3]),
          in("l", a.descriptor(base)), in("l", b.descriptor(base + b_offset)));
      return;
    }
    const unsigned t = thread_x();
    for (unsigned i = 0; last_wait && i != 4; ++i) {
      int expected = 0;
      for (unsigned k = 0; k != 16; ++k)
        expected += 2 * a_value(16 * (t / 32) + t % 32 / 4 + 8 * (i >> 1), k) *
                    b_value(k, 2 * (t % 4) + (i & 1), false);
      EXPECT_EQ(d[i], float(expected));
    }
  }
};

TEST_F(WgmmaTest, rules) {
  expect_clean(128, window, Steps{});
  Steps s;
  s.fence = false;
  expect_found(Finding::wgmma_fence, 128, window, s);
  s = {};
  s.touches_between = true;
  expect_found(Finding::wgmma_fence, 128, window, s, "touched");
  s = {};
  s.proxy_fence = false;
  expect_found(Finding::proxy_fence, 128, window, s);
  s = {};
  s.touches = true;
  expect_found(Finding::accumulator_in_flight, 128, window, s);
  s = {};
  s.initialised = false;
  expect_found(Finding::accumulator_uninitialised, 128, window, s);
  s = {};
  s.last_wait = false;
  expect_found(Finding::exit_pending, 128, window, s);
  s = {};
  s.overwrites = true;
  expect_found(Finding::stage_overwritten, 128, window, s);
  s = {};
  s.shift = 128;
  expect_found(Finding::alignment, 128, window, s);
  s = {};
  s.shift = 64 * 1024;
  expect_found(Finding::shared_bounds, 128, window, s);
  s = {};
  s.half_the_warps = true;
  expect_found(Finding::deadlock, 128, window, s, "");
}

/// Two groups of m64n8k16, each with A in registers of its own, which get the
/// next elements as early as they may.
struct Rounds {
  bool fence = true, waits = true, lives = true, sets = true;
  bool writes_first = false; ///< the next elements too early
  bool by_value = false;     ///< the operands are no variables

  void operator()() const {
    Tile b;
    b.rows = 8;
    const uint32_t base = shared_base();
    fill(b, base + b_offset, PtxType::f16, true, false);
    fence_async();
    sync_threads();
    float d[4] = {0, 0, 0, 0};
    uint32_t a[4];
    memset(a, 0xaa, sizeof(a));
    std::unique_ptr<Registers> registers;
    if (lives)
      registers = std::make_unique<Registers>(a, sizeof(a));
    const unsigned t = thread_x();
    const auto set = [&] {
      for (unsigned r = 0; r != 4; ++r) {
        check_private_access(&a[r], 4, true);
        const unsigned row = 16 * (t / 32) + t % 32 / 4 + 8 * (r & 1);
        const unsigned k = 2 * (t % 4) + 8 * (r >> 1);
        a[r] = uint32_t(encode(a_value(row, k), PtxType::f16) |
                        encode(a_value(row, k + 1), PtxType::f16) << 16);
      }
    };
    if (sets)
      set();
    ptx("wgmma.fence.sync.aligned;");
    for (int round = 0; round != 2; ++round) {
      if (round != 0) {
        if (!writes_first && waits)
          ptx("wgmma.wait_group.sync.aligned 0;");
        set();
        if (waits)
          ptx("wgmma.wait_group.sync.aligned 0;");
        if (fence)
          ptx("wgmma.fence.sync.aligned;");
      }
      const std::string text =
          "{ .reg .pred p; setp.ne.b32 p, 1, 0;\n"
          "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, "
          "{%4, %5, %6, %7}, %8, p, 1, 1, 0; }";
      const uint64_t descriptor = b.descriptor(base + b_offset);
      const auto operand = [this](uint32_t &value) {
        return by_value ? in("r", value) : out("r", value);
      };
      ptx(text, out("+f", d[0]), out("+f", d[1]), out("+f", d[2]),
          out("+f", d[3]), operand(a[0]), operand(a[1]), operand(a[2]),
          operand(a[3]), in("l", descriptor));
      ptx("wgmma.commit_group.sync.aligned;");
      // Reading is no harm.
      check_private_access(&a[2], 4, false);
    }
    if (!lives) // other variables may lie there
      check_private_access(&a[0], 16, true);
    registers.reset();
    check_private_access(&a[0], 16, true);
    ptx("wgmma.wait_group.sync.aligned 0;");
    for (unsigned i = 0; i != 4; ++i) {
      int expected = 0;
      for (unsigned k = 0; k != 16; ++k)
        expected += 2 * a_value(16 * (t / 32) + t % 32 / 4 + 8 * (i >> 1), k) *
                    b_value(k, 2 * (t % 4) + (i & 1), false);
      EXPECT_EQ(d[i], float(expected));
    }
  }
};

TEST_F(WgmmaTest, rules_for_a_in_registers) {
  expect_clean(128, window, Rounds{});
  Rounds r;
  r.writes_first = true;
  expect_found(Finding::accumulator_in_flight, 128, window, r,
               "register of A is written");
  // Nobody says that the variable still is the same.
  r.lives = false;
  expect_clean(128, window, r);
  r = {};
  r.writes_first = r.by_value = true;
  expect_clean(128, window, r);
  r = {};
  r.waits = false;
  expect_found(Finding::accumulator_in_flight, 128, window, r,
               "register of A is written");
  r = {};
  r.fence = false;
  expect_found(Finding::wgmma_fence, 128, window, r, "registers of A");
  r.lives = false;
  expect_clean(128, window, r);
  r = {};
  r.sets = false;
  expect_found(Finding::accumulator_uninitialised, 128, window, r,
               "registers of A");
}

} // namespace
