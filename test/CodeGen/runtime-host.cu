// The launcher's judgement, on a machine without a GPU: what is known of the
// device is put into the caches by hand.

// REQUIRES: nvcc
// RUN: %nvcc -std=c++17 -arch=sm_80 -Werror=all-warnings -I %runtime \
// RUN:   -Xcompiler=-Wall,-Wextra,-Werror,-Wno-comment -o %t %s
// RUN: %t

#include <warpwright/rt/warpwright.cuh>

namespace rt = warpwright::rt;

static int failures = 0;

static void expect(bool holds, int line) {
  if (holds)
    return;
  fprintf(stderr, "line %d: does not hold\n", line);
  ++failures;
}
#define EXPECT(...) expect((__VA_ARGS__), __LINE__)

static bool equal(rt::Range x, int64_t lo, int64_t hi) {
  return x.lo == lo && x.hi == hi;
}

static void ranges() {
  using R = rt::Range;
  EXPECT(equal(R::of_extent(4) * R(10) + R::of_extent(3), 0, 32));
  EXPECT(equal(R::of_extent(4) * R(-10) + R(5), -25, 5));
  EXPECT(equal(R(-3, 5) * R(-2, 7), -21, 35));
  EXPECT(equal(-R(1, 2) - R(3, 4), -6, -4));
  EXPECT(equal(rt::floor_div(R(-5, 9), R(4)), -2, 2));
  EXPECT(equal(rt::floor_mod(R(0, 3), R(4)), 0, 3));
  EXPECT(equal(rt::floor_mod(R(0, 4), R(4)), 0, 3));
  EXPECT(equal(rt::either(R(1, 2), R(5, 6)), 1, 6));
  EXPECT(equal(R(INT64_MAX) + R(1), INT64_MAX, INT64_MAX));
  EXPECT(equal(R(INT64_MIN, 2) * R(2), INT64_MIN, 4));
  EXPECT(rt::floor_div(-5, 4) == -2 && rt::floor_mod(-5, 4) == 3);
  EXPECT(rt::floor_div(5, 0) == 0);
  // What has left int64_t does not come back.
  EXPECT(equal(R(INT64_MAX) * R(2) + R(-5), INT64_MAX, INT64_MAX));
  EXPECT(
      equal(rt::floor_div(-(R(INT64_MAX) * R(2)), R(4)), INT64_MIN, INT64_MIN));
  EXPECT(equal(rt::floor_div(R(7), R(0, 3)), INT64_MIN, INT64_MAX));
  EXPECT(equal(R(UINT64_MAX) * R(0, 1), INT64_MIN, INT64_MAX));
  EXPECT(equal(R(rt::Integer(1 << 30) * (1 << 30) * 16), INT64_MIN, INT64_MAX));
}

static void integers() {
  using I = rt::Integer;
  const int m = 1 << 16, near = INT32_MAX;
  const unsigned full = UINT32_MAX;
  // Of 2^64 + 0 the low word is 0, and of 2^64 - 2^32 it is negative.
  EXPECT((I(m) * m * m).is_exact() && (I(m) * m * m).get() == int64_t(1) << 48);
  EXPECT(!(I(m) * m * m * m).is_exact());
  EXPECT((I(near) * near).get() == INT64_C(4611686014132420609));
  EXPECT(!(I(full) * full).is_exact());
  EXPECT((I(full) * near).get() == INT64_C(9223372030412324865));
  EXPECT(!(I(full) * near * 2).is_exact());
  EXPECT(!(I(INT64_MAX) + 1).is_exact() && !(I(INT64_MIN) - 1).is_exact());
  EXPECT(!(-I(INT64_MIN)).is_exact());
  EXPECT(!I(UINT64_MAX).is_exact() && !I(uint64_t(1) << 63).is_exact());
  EXPECT(I(uint64_t(INT64_MAX)).get() == INT64_MAX && I(-1).get() == -1);
  // Unknown stays unknown, also where it is taken off again.
  const I lost = I(m) * m * m * m;
  EXPECT(!(lost - lost).is_exact() && !(lost * 0).is_exact());
  EXPECT(!rt::min(lost, 5).is_exact() && !rt::floor_mod(lost, 4).is_exact());
  EXPECT(!rt::floor_div(I(7), 0).is_exact());
  EXPECT(!rt::floor_mod(I(7), -2).is_exact());
  EXPECT(rt::floor_div(I(-7), 2).get() == -4 && rt::max(I(3), m).get() == m);
  EXPECT(lost.get() == INT64_MAX);

  // A comparison with it neither holds nor fails, whatever is made of it.
  EXPECT(!(lost < 5).is_true() && !(!(lost < 5)).is_true());
  EXPECT(!(lost == 0).is_true() && !(lost != 0).is_true());
  EXPECT((lost < 5 || I(m) == 65536).is_true());
  EXPECT((lost < 5 && I(m) == 65535).is_false());
  EXPECT(!(lost < 5 && m == 65536).is_true());
  EXPECT((m == 65536 && I(m) > 5).is_true());
  EXPECT(!rt::choose(lost < 5, 1, 2).is_exact());
  EXPECT(rt::choose(I(m) < 5, 1, 2).get() == 2);
}

__global__ void original() {}

/// A 64x32x16 product: A and B row-major in bf16, C in float.
struct Fixture {
  __align__(16) char memory[1 << 16];
  rt::Launch launch{dim3(1), dim3(16, 16)};
  rt::PerAxis extent{1, 64, 32, 16};
  rt::IndexType index = rt::IndexType::i32;
  void *A = memory, *B = memory + 2048, *C = memory + 4096, *D = memory + 32768;
  rt::Integer ldc = 32;
  int64_t shift = 0;
  rt::Truth required = true;
  bool int_epilogue = false;

  /// The reason, or "" when the Hopper kernel may run.
  const char *judge() {
    rt::Array arrays[] = {
        {"A", A, rt::Type::bf16, rt::Use::operand, 0, {0, 16, 0, 1}},
        {"B", B, rt::Type::bf16, rt::Use::operand, 0, {0, 0, 1, 32}},
        {"C", C, rt::Type::f32, rt::Use::output, 0, {0, ldc, 1, 0}},
        {"D", D, rt::Type::f32, rt::Use::input, shift, {0, ldc, 1, 0}},
        {"table", D, rt::Type::f32, rt::Use::input,
         rt::floor_div(rt::Range::of_extent(extent.n), 8)},
    };
    rt::Problem problem("fixture", launch, extent, arrays, index, int_epilogue);
    problem.device = {0, 90, 132};
    rt::DeviceCache cache = {};
    cache.set(0, 1024ull << 32);
    static char text[200];
    const char *reason = rt::check(problem, (const void *)original, cache,
                                   {{required, "a requirement"}});
    strcpy(text, reason ? reason : "");
    return text;
  }
};

static bool starts(const char *text, const char *start) {
  if (strncmp(text, start, strlen(start)) == 0)
    return true;
  fprintf(stderr, "got: %s\n", text);
  return false;
}

template <class Change> static const char *with(Change change) {
  Fixture *fixture = new Fixture();
  change(*fixture);
  const char *reason = fixture->judge();
  delete fixture;
  return reason;
}

static void checks() {
  using F = Fixture;
  EXPECT(starts(with([](F &) {}), "") && !*with([](F &) {}));
  EXPECT(starts(with([](F &f) { f.extent.k = 0; }),
                "nothing to compute: batch 1, M 64, N 32, K 0"));
  EXPECT(starts(with([](F &f) { f.extent.m = -1; }), "nothing to compute"));
  EXPECT(starts(with([](F &f) { f.extent.b = (1 << 30) + 1; }), "an extent"));
  EXPECT(starts(with([](F &f) { f.required = false; }), "a requirement"));
  EXPECT(starts(with([](F &f) { f.A = nullptr; }), "A is null"));
  EXPECT(starts(with([](F &f) { f.A = static_cast<char *>(f.A) + 1; }),
                "A does not start at a multiple of 2 bytes"));
  EXPECT(starts(with([](F &f) { f.C = static_cast<char *>(f.C) + 2; }),
                "C does not start at a multiple of 4 bytes"));
  // An input may be null: the epilogue asks before it reads.
  EXPECT(!*with([](F &f) { f.D = nullptr; }));

  // One extent, stride or requirement that is not known is enough.
  const rt::Integer beyond = rt::Integer(1 << 30) * (1 << 30) * 16;
  EXPECT(starts(with([&](F &f) { f.extent = {1, beyond, 32, 16}; }),
                "an extent is beyond 64 bits"));
  EXPECT(starts(with([&](F &f) { f.ldc = beyond, f.extent.m = 1; }),
                "C: an index"));
  EXPECT(starts(with([&](F &f) { f.required = beyond > 0; }), "a requirement"));
  EXPECT(
      starts(with([&](F &f) { f.required = !(beyond > 0); }), "a requirement"));

  // Threads along one axis that an int cannot count.
  EXPECT(!*with([](F &f) { f.launch.grid.x = (1u << 31) / 16 - 1; }));
  EXPECT(starts(with([](F &f) { f.launch.grid.x = (1u << 31) / 16; }),
                "more than 2^31 - 1 threads along x"));
  EXPECT(starts(with([](F &f) { f.launch.grid.x = INT32_MAX; }),
                "more than 2^31 - 1 threads along x"));

  // Launches that CUDA refuses.
  EXPECT(starts(with([](F &f) { f.launch.block.x = 0; }), "the launch is not"));
  EXPECT(starts(with([](F &f) { f.launch.block = dim3(64, 32); }),
                "the launch is not"));
  EXPECT(
      starts(with([](F &f) { f.launch.grid.y = 65536; }), "the launch is not"));

  // Offsets that the original's integers do not hold.
  EXPECT(starts(with([](F &f) { f.ldc = int64_t(1) << 26; }), "C: an index"));
  EXPECT(starts(with([](F &f) {
                  f.ldc = int64_t(1) << 26;
                  f.index = rt::IndexType::u32;
                }),
                "C overlaps D"));
  EXPECT(starts(with([](F &f) { f.ldc = -32, f.index = rt::IndexType::u32; }),
                "C: an index"));

  // In range by itself, but not if its parts are added up in another order.
  EXPECT(starts(with([](F &f) { f.shift = INT32_MIN + 2000; }), "D: an index"));
  EXPECT(!*with([](F &f) {
    f.shift = INT32_MIN + 2000;
    f.index = rt::IndexType::i64;
    f.D = nullptr;
  }));

  // An epilogue that counts in int where the original does not.
  EXPECT(starts(with([](F &f) {
                  f.ldc = int64_t(1) << 26;
                  f.index = rt::IndexType::i64;
                  f.int_epilogue = true;
                }),
                "C has more elements"));

  // C takes 8 KiB from 4096 on, A and B 2 KiB and 1 KiB.
  EXPECT(
      starts(with([](F &f) { f.A = (char *)f.C + 8192 - 2; }), "C overlaps A"));
  EXPECT(!*with([](F &f) { f.A = (char *)f.C + 8192; }));
  EXPECT(starts(with([](F &f) { f.B = (char *)f.C - 1022; }), "C overlaps B"));
  // The same elements may be read and written, shifted ones may not; the
  // second, scattered input reads the first elements of D.
  EXPECT(starts(with([](F &f) { f.D = f.C; }), "C overlaps table"));
  EXPECT(starts(with([](F &f) { f.D = (char *)f.C + 4; }), "C overlaps D"));
  EXPECT(starts(with([](F &f) { f.D = (char *)f.C - 4, f.shift = 1; }),
                "C overlaps D"));
}

/// The reason for a launch with two outputs, of the first `width` of 32 columns
/// and of the others, and an input beside the second one from `from` on.
static const char *of_ranges(void *Q, void *K, int64_t width,
                             const void *old = nullptr, int64_t from = 0) {
  static Fixture f;
  rt::Array arrays[] = {
      {"A", f.A, rt::Type::bf16, rt::Use::operand, 0, {0, 16, 0, 1}},
      {"B", f.B, rt::Type::bf16, rt::Use::operand, 0, {0, 0, 1, 32}},
      rt::Array{"Q", Q, rt::Type::f32, rt::Use::output, 0, {0, width, 1, 0}}
          .when(rt::Axis::n, 0, width),
      rt::Array{
          "K", K, rt::Type::f32, rt::Use::output, -width, {0, 32 - width, 1, 0}}
          .when(rt::Axis::n, width),
      rt::Array{"old",
                old,
                rt::Type::f32,
                rt::Use::input,
                -width,
                {0, 32 - width, 1, 0}}
          .when(rt::Axis::n, from),
  };
  rt::Problem problem("ranges", f.launch, f.extent, arrays, rt::IndexType::i32);
  problem.device = {0, 90, 132};
  rt::DeviceCache cache = {};
  cache.set(0, 1024ull << 32);
  static char text[200];
  const char *reason = rt::check(problem, (const void *)original, cache);
  strcpy(text, reason ? reason : "");
  return text;
}

static void output_ranges() {
  static float memory[64 * 32 + 1];
  // Each output takes what its columns need and no more.
  EXPECT(!*of_ranges(memory, memory + 64 * 8, 8));
  EXPECT(!*of_ranges(memory + 64 * 24, memory, 8));
  EXPECT(starts(of_ranges(memory, memory + 64 * 8 - 1, 8), "Q overlaps K"));
  EXPECT(starts(of_ranges(memory + 1, memory + 64 * 8, 8), "Q overlaps K"));
  // One that has no columns need not exist.
  EXPECT(!*of_ranges(nullptr, memory, 0));
  EXPECT(!*of_ranges(nullptr, memory, -3));
  EXPECT(!*of_ranges(memory, nullptr, 32));
  EXPECT(!*of_ranges(memory, nullptr, 40));
  EXPECT(starts(of_ranges(memory, nullptr, 31), "K is null"));
  EXPECT(starts(of_ranges(nullptr, memory, 1), "Q is null"));
  // Elements that are read are those that are written, in the same range.
  float *const K = memory + 64 * 8;
  EXPECT(!*of_ranges(memory, K, 8, K, 8));
  EXPECT(starts(of_ranges(memory, K, 8, K, 9), "K overlaps old"));
  EXPECT(starts(of_ranges(memory, K, 8, K + 1, 8), "K overlaps old"));
}

static void tensor_maps() {
  static Fixture f;
  rt::Launch &launch = f.launch;
  auto encode = [&](char *data, int64_t base, rt::PerAxis stride,
                    rt::PerAxis extent) {
    rt::Array arrays[] = {
        {"A", data, rt::Type::bf16, rt::Use::operand, base, stride}};
    rt::Problem problem("map", launch, extent, arrays, rt::IndexType::i64);
    CUtensorMap map;
    static char text[200];
    const char *reason = rt::encode_tensor_map(
        &map, problem, arrays[0], rt::Axis::k, rt::Axis::m,
        rt::Box{64, 64, CU_TENSOR_MAP_SWIZZLE_128B});
    strcpy(text, reason ? reason : "");
    return text;
  };
  const rt::PerAxis some = {2, 8, 8, 8};
  // As far as it gets without a driver.
  const char *all_right = "the driver has no";
  EXPECT(starts(encode(f.memory, 0, {64, 8, 0, 1}, some), all_right));
  EXPECT(starts(encode(f.memory, 8, {0, 8, 0, 1}, some), all_right));
  EXPECT(starts(encode(f.memory, 4, {64, 8, 0, 1}, some), "A does not start"));
  EXPECT(starts(encode(f.memory, 0, {64, 9, 0, 1}, some), "the rows of A are"));
  EXPECT(starts(encode(f.memory, 0, {60, 8, 0, 1}, some), "the rows of A are"));
  EXPECT(starts(encode(f.memory, 0, {64, 8, 0, 2}, some), "A is not contig"));
  EXPECT(
      starts(encode(f.memory, 0, {64, -8, 0, 1}, some), "the rows of A are"));
  // Along a direction of one element no step is taken.
  EXPECT(starts(encode(f.memory, 0, {7, 9, 0, 3}, {1, 1, 8, 1}), all_right));
}

static void elements() {
  const uint16_t half = 0xc100, bfloat = 0x3fc0, infinite = 0x7c00;
  const int8_t small = -3;
  const double large = 1e300;
  auto value = [](rt::Type type, const void *element) {
    return rt::element_value(type, static_cast<const char *>(element));
  };
  EXPECT(value(rt::Type::f16, &half) == -2.5);
  EXPECT(value(rt::Type::f16, &infinite) == INFINITY);
  EXPECT(value(rt::Type::bf16, &bfloat) == 1.5);
  EXPECT(value(rt::Type::i8, &small) == -3);
  EXPECT(value(rt::Type::u8, &small) == 253);
  EXPECT(value(rt::Type::f64, &large) == 1e300);
}

static void selection() {
  rt::PlanEntry plans[3] = {};
  auto set = [&](int i, const char *name, int tile_m, int tile_n, int cluster,
                 rt::plan_cost cost) {
    plans[i].name = name;
    plans[i].decided.tile_m = tile_m;
    plans[i].decided.tile_n = tile_n;
    plans[i].decided.tile_k = 64;
    plans[i].decided.cluster_m = cluster;
    plans[i].cost = cost;
  };
  set(0, "large", 128, 256, 2, {1024, 2000, 1000, 32768});
  set(1, "small", 64, 64, 1, {300, 100, 500, 16384});
  set(2, "other", 64, 64, 1, {280, 1, 1, 1});
  Fixture *f = new Fixture();
  rt::RememberedChoices *choices = nullptr;
  auto pick = [&](int64_t m, int64_t n, int64_t pitch, int count) {
    rt::Array arrays[] = {
        {"A", f->A, rt::Type::bf16, rt::Use::operand, 0, {0, pitch, 0, 1}}};
    rt::Problem problem("pick", f->launch, {1, m, n, 4096}, arrays,
                        rt::IndexType::i64);
    problem.device = {0, 90, 132};
    return choices ? rt::remembered_plan(problem, plans, count, *choices)
                   : rt::select_plan(problem, plans, count);
  };
  EXPECT(pick(64, 64, 4096, 2) == 1);
  EXPECT(pick(8192, 8192, 4096, 2) == 0);
  EXPECT(pick(64, 64, 4096, 3) == 2);
  // The last plan reads A in another order, and would have to copy it.
  plans[2].decided.a.k_major = false;
  EXPECT(pick(64, 64, 4096, 3) == 1);
  // With an odd pitch, all of them copy.
  EXPECT(pick(64, 64, 4097, 3) == 2);
  rt::only_plan() = "none";
  EXPECT(pick(64, 64, 4096, 3) == -1);
  rt::only_plan() = nullptr;

  // What is remembered is what was chosen, for the same extents and places.
  plans[2].decided.a.k_major = true;
  rt::RememberedChoices remembered = {};
  choices = &remembered;
  for (int times = 0; times < 2; ++times) {
    EXPECT(pick(64, 64, 4096, 2) == 1);
    EXPECT(pick(8192, 8192, 4096, 2) == 0);
  }
  plans[0].cost.clocks_once = plans[1].cost.clocks_once = 1 << 30;
  EXPECT(pick(64, 64, 4096, 3) == 1);
  EXPECT(pick(64, 128, 4096, 3) == 2);
  rt::only_plan() = "large";
  EXPECT(pick(64, 64, 4096, 3) == 0);
  rt::only_plan() = nullptr;
  EXPECT(pick(64, 64, 4096, 3) == 1);
  EXPECT(pick(64, 64, 4097, 3) == 2); // copied
  // Now the last plan would have to copy A.
  plans[0].cost.clocks_once = plans[1].cost.clocks_once = 0;
  plans[2].decided.a.k_major = false;
  EXPECT(pick(64, 64, 4096, 3) == 1);
  delete f;
}

int main() {
  ranges();
  integers();
  checks();
  output_ranges();
  tensor_maps();
  elements();
  selection();
  return failures ? 1 : 0;
}
