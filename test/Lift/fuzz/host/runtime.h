// Runs original kernels and contractions over random launches, and compares.
#pragma once
#include "emulation.h"
#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>

// What the sanitizer finds: the launch is undefined, so that nothing follows.
static bool undefined;
#define FUZZ_HANDLER(name)                                                     \
  extern "C" void __ubsan_handle_##name##_minimal() { undefined = true; }
FUZZ_HANDLER(add_overflow)
FUZZ_HANDLER(sub_overflow)
FUZZ_HANDLER(mul_overflow)
FUZZ_HANDLER(negate_overflow)
FUZZ_HANDLER(divrem_overflow)
FUZZ_HANDLER(shift_out_of_bounds)
FUZZ_HANDLER(builtin_unreachable)
FUZZ_HANDLER(missing_return)
FUZZ_HANDLER(load_invalid_value)

static uint64_t random_state;
static uint32_t draw() {
  random_state ^= random_state << 13, random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return static_cast<uint32_t>(random_state >> 20);
}
static int draw(int low, int high) {
  return low + static_cast<int>(draw() % static_cast<uint32_t>(high - low + 1));
}
static bool chance(int percent) { return draw(1, 100) <= percent; }

// All arrays lie in one block of memory, with elements between them, so that an
// index that is a little too large reads the same for both.
enum {
  Regions = 8,
  RegionBytes = 8192 + 512,
  ArenaBytes = Regions * RegionBytes
};
static char *arena; // what both work on, at one address
static char start[ArenaBytes], first[ArenaBytes], second[ArenaBytes];

struct Case {
  dim3 grid, block;
  int count;          // parameters
  int64_t number[32]; // integers, and arena offsets of pointers; -1: null
  float real[32];
  int region[32];
  template <class T> T *pointer(int i) const {
    return number[i] < 0 ? nullptr : reinterpret_cast<T *>(arena + number[i]);
  }
};

// One parameter: how it is drawn, and the element type of an array.
struct Param {
  char kind;
  char type; // f float, h half, b bf16, i int
};

struct Kernel {
  const char *name;
  const char *shape; // how its launches look: see draw_launch
  int count;
  const Param *params;
  void (*original)(const Case &);
  // Null where the kernel was not lifted; gives a reason to run the original.
  const char *(*contraction)(const Case &);
};

static int size_of(char type) { return type == 'f' || type == 'i' ? 4 : 2; }

static void put(char *at, char type, int value) {
  const float x = static_cast<float>(value);
  if (type == 'f')
    memcpy(at, &x, 4);
  else if (type == 'i')
    memcpy(at, &value, 4);
  else if (type == 'h') {
    __half h(x);
    memcpy(at, &h, 2);
  } else {
    __nv_bfloat16 h(x);
    memcpy(at, &h, 2);
  }
}

static int64_t draw_integer(char kind) {
  static const int64_t special[] = {
      0,   1,   -1, 2,  3,   7,     8,     31,        32,       33,
      255, 256, -5, -8, 100, 65535, 70001, INT32_MAX, INT32_MIN};
  switch (kind) {
  case 's': // any int
    return chance(50) ? draw(-6, 24) : special[draw(0, 18)];
  case 'u': // any unsigned
    return static_cast<uint32_t>(chance(50) ? draw(0, 24)
                                            : special[draw(0, 18)]);
  case 'q': // any 64-bit integer
    return chance(50) ? draw(-6, 40)
                      : static_cast<int64_t>(draw(-3, 3)) * (INT64_C(1) << 32) +
                            draw(-3, 40);
  case 'c':
    return static_cast<signed char>(draw(-128, 127));
  case 'g': // a short
    return static_cast<int16_t>(chance(50) ? draw(-6, 24)
                                           : draw(-32768, 32767));
  case 'm':
    return draw(0, 6);
  case 'o':
    return draw(0, 12);
  case 'x': // a small bool
    return draw(0, 1);
  default:
    return 0;
  }
}

/// Fills the arrays and draws the parameters and the shape of the launch.
static void draw_case(const Kernel &k, Case &c, int turn) {
  static const int extents[] = {1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 15, 16, 17};
  int m = extents[draw(0, 12)], n = extents[draw(0, 12)],
      d = extents[draw(0, 12)];
  if (turn == 1)
    d = 0;
  if (turn == 2)
    d = draw(-5, -1);
  if (turn == 3 && chance(50))
    m = draw(-2, 0);
  if (turn == 4 && chance(50))
    m = 16, n = 16, d = 16;
  static const int deep[] = {127, 128, 129, 200, 255, 256, 257, 300};
  if (turn == 5 && chance(60)) // deeper than a char counts
    m = draw(1, 4), n = draw(1, 4), d = deep[draw(0, 7)];
  for (int at = 0; at < ArenaBytes; at += 4) {
    const int x = draw(-2, 2);
    memcpy(start + at, &x, 4);
  }
  c.count = k.count;
  int next = 0, output = -1;
  for (int i = 0; i < k.count; ++i) {
    const Param &p = k.params[i];
    c.region[i] = -1;
    c.real[i] = 0;
    switch (p.kind) {
    case 'M':
      c.number[i] = m;
      break;
    case 'N':
      c.number[i] = n;
      break;
    case 'K':
      c.number[i] = d;
      break;
    case '1':
      c.number[i] = m + draw(0, 2) * draw(0, 1);
      break; // pitches
    case '2':
      c.number[i] = n + draw(0, 2) * draw(0, 1);
      break;
    case 'W': // a pitch that is negative, in int or as unsigned
      c.number[i] = chance(40)   ? n
                    : chance(50) ? -n
                                 : static_cast<uint32_t>(-n);
      break;
    case '3':
      c.number[i] = (d < 0 ? 0 : d) + draw(0, 2) * draw(0, 1);
      break;
    case 'f': {
      static const float values[] = {0, 1, -1, 2, 0.5f, -2, 3, 0.25f};
      c.real[i] = values[draw(0, 7)];
      break;
    }
    case 'A':
    case 'C':
    case 'D':
    case 'v':
    case 'r':
    case 'n': {
      const int region = next++;
      c.region[i] = region;
      c.number[i] = region * RegionBytes + 256;
      const int size = size_of(p.type);
      const bool small = p.type == 'i';
      for (int at = region * RegionBytes;
           at + size <= (region + 1) * RegionBytes; at += size)
        put(start + at, p.type, small ? draw(-1, 6) : draw(-3, 3));
      if (p.kind == 'C')
        output = i;
      if (p.kind == 'r' && output >= 0 && k.params[output].type == p.type &&
          chance(30))
        c.number[i] = c.number[output] + (chance(20) ? 4 : 0);
      if (p.kind == 'n' && chance(30))
        c.number[i] = -1;
      break;
    }
    default:
      c.number[i] = draw_integer(p.kind);
    }
  }
  // The launch: natural for the kernel's shape most of the time.
  const char shape = k.shape[0];
  const int rows = m > 0 ? m : 1, cols = n > 0 ? n : 1;
  auto cover = [](int extent, int block) {
    return (extent + block - 1) / block;
  };
  c.grid = dim3(), c.block = dim3();
  static const int sizes[] = {4, 8, 5, 16, 3, 2};
  const int x = sizes[draw(0, 5)], y = sizes[draw(0, 5)];
  if (shape == 'y') // rows along y
    c.block = {unsigned(x), unsigned(y)},
    c.grid = {unsigned(cover(cols, x)), unsigned(cover(rows, y))};
  else if (shape == 'x') // rows along x
    c.block = {unsigned(x), unsigned(y)},
    c.grid = {unsigned(cover(rows, x)), unsigned(cover(cols, y))};
  else if (shape == 'f') // flat
    c.block = {unsigned(x * 4)}, c.grid = {unsigned(cover(rows * cols, x * 4))};
  else // a block for each row
    c.block = {unsigned(x * 2)}, c.grid = {unsigned(rows)};
  if (k.shape[1] == 'z')
    c.grid.z = draw(1, 3);
  if (chance(15))
    c.grid.x = draw(1, 4);
  if (chance(10))
    c.grid.y = draw(1, 3);
  if (chance(3))
    c.grid.z += 1;
  if (chance(3))
    c.block.y += 1;
}

static sigjmp_buf back;
static void on_signal(int number) { siglongjmp(back, number); }

/// Runs all threads of the launch; false where a signal ended it.
static bool run_original(const Kernel &k, const Case &c, bool reversed) {
  itimerval limit = {{0, 0}, {0, 60000}}, none = {};
  memcpy(arena, start, ArenaBytes);
  undefined = false;
  if (sigsetjmp(back, 1)) {
    setitimer(ITIMER_VIRTUAL, &none, nullptr);
    return false;
  }
  setitimer(ITIMER_VIRTUAL, &limit, nullptr);
  gridDim = c.grid, blockDim = c.block;
  const unsigned blocks = c.grid.x * c.grid.y * c.grid.z;
  const unsigned threads = c.block.x * c.block.y * c.block.z;
  for (unsigned i = 0; i < blocks * threads && !undefined; ++i) {
    const unsigned at = reversed ? blocks * threads - 1 - i : i;
    const unsigned b = at / threads, t = at % threads;
    blockIdx = {b % c.grid.x, b / c.grid.x % c.grid.y, b / c.grid.x / c.grid.y};
    threadIdx = {t % c.block.x, t / c.block.x % c.block.y,
                 t / c.block.x / c.block.y};
    k.original(c);
  }
  setitimer(ITIMER_VIRTUAL, &none, nullptr);
  return !undefined;
}

/// The element type of the array that the arena's byte belongs to.
static char type_at(const Kernel &k, const Case &c, int at) {
  for (int i = 0; i < k.count; ++i)
    if (c.region[i] == at / RegionBytes)
      return k.params[i].type;
  return 'i';
}

/// The first byte at which the two differ; -1 for none. NaNs are equal, and so
/// are zeros of both signs.
static int difference(const Kernel &k, const Case &c, const char *x,
                      const char *y) {
  if (!memcmp(x, y, ArenaBytes))
    return -1;
  for (int at = 0; at < ArenaBytes;) {
    const char type = type_at(k, c, at);
    const int size = size_of(type);
    if (memcmp(x + at, y + at, size)) {
      float a = 0, b = 1;
      if (type == 'f')
        memcpy(&a, x + at, 4), memcpy(&b, y + at, 4);
      else if (type == 'h') {
        __half p, q;
        memcpy(&p, x + at, 2), memcpy(&q, y + at, 2);
        a = p, b = q;
      } else if (type == 'b') {
        __nv_bfloat16 p, q;
        memcpy(&p, x + at, 2), memcpy(&q, y + at, 2);
        a = p, b = q;
      }
      if (a != b && !(a != a && b != b))
        return at;
    }
    at += size;
  }
  return -1;
}

static float element(const Kernel &k, const Case &c, const char *from, int at) {
  const char type = type_at(k, c, at);
  __half h;
  __nv_bfloat16 b;
  float f;
  int i;
  memcpy(&h, from + at, 2), memcpy(&b, from + at, 2);
  memcpy(&f, from + at, 4), memcpy(&i, from + at, 4);
  return type == 'h'   ? float(h)
         : type == 'b' ? float(b)
         : type == 'f' ? f
                       : float(i);
}

/// Whether the original's sum itself depends on how numbers are rounded, and
/// the other one is close to it. Elements are small whole numbers, whose sums
/// are exact in any order; but a kernel that reads before its own array meets
/// the bits of another type. Sums in half round in each of up to 17 steps.
static bool isRounded(const Kernel &k, const Case &c, const char *x,
                      const char *y, int at) {
  const float a = element(k, c, x, at), b = element(k, c, y, at);
  const float close = size_of(type_at(k, c, at)) == 2 ? 1e-2f : 1e-3f;
  if (!(fabsf(a - b) <= close * fmaxf(fabsf(a), 1)))
    return false;
  fesetround(FE_UPWARD);
  const bool defined = run_original(k, c, false);
  fesetround(FE_TONEAREST);
  return !defined || difference(k, c, x, arena) != -1;
}

static void run(const Kernel &k, uint64_t seed, int turns) {
  int compared = 0, declined = 0, invalid = 0;
  const char *why = "";
  for (int turn = 0; turn < turns; ++turn) {
    random_state = seed * 1000003 + turn * 7919 + 88172645463325252ull;
    for (int i = 0; i < 4; ++i)
      draw();
    Case c;
    draw_case(k, c, turn);
    if (!run_original(k, c, false)) {
      ++invalid;
      continue;
    }
    memcpy(first, arena, ArenaBytes);
    memcpy(arena, start, ArenaBytes);
    const char *reason = nullptr;
    int at = -2; // the contraction ended by a signal
    itimerval limit = {{0, 0}, {2, 0}}, none = {};
    if (!sigsetjmp(back, 1)) {
      setitimer(ITIMER_VIRTUAL, &limit, nullptr);
      reason = k.contraction(c);
      at = -1;
    }
    setitimer(ITIMER_VIRTUAL, &none, nullptr);
    if (reason) {
      ++declined;
      why = reason;
      continue;
    }
    memcpy(second, arena, ArenaBytes);
    if (at == -1)
      at = difference(k, c, first, second);
    if (at != -1) {
      // Where the order of the threads matters, there is nothing to compare.
      if (!run_original(k, c, true) || difference(k, c, first, arena) != -1 ||
          (at >= 0 && isRounded(k, c, first, second, at))) {
        ++invalid;
        continue;
      }
      printf("%s DIFFERS turn %d grid %u,%u,%u block %u,%u,%u (", k.name, turn,
             c.grid.x, c.grid.y, c.grid.z, c.block.x, c.block.y, c.block.z);
      for (int i = 0; i < k.count; ++i)
        if (c.region[i] < 0)
          printf(" %g",
                 k.params[i].kind == 'f' ? c.real[i] : double(c.number[i]));
      if (at >= 0)
        printf(" ) byte %d of array %d: original %.9g, contraction %.9g\n",
               at % RegionBytes - 256, at / RegionBytes,
               element(k, c, first, at), element(k, c, second, at));
      else
        printf(" ) the contraction is ended by a signal\n");
      return;
    }
    ++compared;
  }
  printf("%s same %d original %d invalid %d %s\n", k.name, compared, declined,
         invalid, why);
}

// The integers of a contraction, and what a launcher checks before it takes
// one.
static inline int64_t floor_div(int64_t x, int64_t y) {
  return y <= 0 ? 0 : x / y - (x % y < 0);
}
static inline int64_t floor_mod(int64_t x, int64_t y) {
  return y <= 0 ? 0 : x % y + (x % y < 0 ? y : 0);
}
static inline int64_t smaller(int64_t x, int64_t y) { return y < x ? y : x; }
static inline int64_t larger(int64_t x, int64_t y) { return x < y ? y : x; }

/// The elements of one array that a contraction reads or writes.
struct Touched {
  const char *name;
  const void *data;
  int size;
  char use; // operand, input, output
  bool affine;
  int64_t at[5];             // offset at the origin, and steps along b, m, n, k
  __int128 low, high, reach; // offsets reached
  void add(int64_t offset) {
    low = offset < low ? offset : low, high = offset > high ? offset : high;
  }
};

static const char *check(Touched *arrays, int count, const int64_t (&extent)[4],
                         int bits, bool is_signed, bool loads_after_stores) {
  for (int64_t e : extent)
    if (e <= 0 || e > 1 << 30)
      return "extent";
  for (int i = 0; i < count; ++i) {
    Touched &a = arrays[i];
    if (!a.data && a.use == 'i')
      continue;
    if (!a.data)
      return "null";
    if (a.affine) {
      a.low = a.high = a.at[0], a.reach = a.at[0] < 0 ? -a.low : a.low;
      for (int j = 0; j < 4; ++j) {
        const __int128 step =
            static_cast<__int128>(a.at[j + 1]) * (extent[j] - 1);
        (step < 0 ? a.low : a.high) += step;
        a.reach += step < 0 ? -step : step;
      }
    }
    const __int128 least = bits > 32   ? -(static_cast<__int128>(1) << 62)
                           : is_signed ? INT32_MIN
                                       : 0,
                   most = bits > 32   ? INT64_MAX / 16
                          : is_signed ? INT32_MAX
                                      : UINT32_MAX;
    if (a.low < least || a.high > most ||
        (bits <= 32 && is_signed && a.reach > most))
      return "range";
  }
  for (int o = 0; o < count; ++o)
    for (int i = 0; i < count; ++i) {
      const Touched &out = arrays[o], &other = arrays[i];
      if (out.use != 'o' || i == o || !other.data ||
          (other.use == 'o' && i < o))
        continue;
      auto start = [](const Touched &a) {
        return reinterpret_cast<intptr_t>(a.data);
      };
      if (start(other) + (other.high + 1) * other.size <=
              start(out) + out.low * out.size ||
          start(out) + (out.high + 1) * out.size <=
              start(other) + other.low * other.size)
        continue;
      if (other.use == 'i' && out.affine && other.affine &&
          out.data == other.data && out.size == other.size &&
          !memcmp(out.at, other.at, 4 * sizeof(int64_t)) &&
          (!loads_after_stores || !strcmp(out.name, other.name)))
        continue;
      return "overlap";
    }
  return nullptr;
}

static void prepare() {
  // Wild indices end in memory that is not there.
  const size_t beyond = size_t(1) << 36;
  char *all = static_cast<char *>(
      mmap(nullptr, 2 * beyond, PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  arena = all + beyond;
  if (all == MAP_FAILED ||
      mprotect(arena, (ArenaBytes + 4095) & ~4095, PROT_READ | PROT_WRITE)) {
    perror("no memory for the arrays");
    exit(1);
  }
  static char stack[1 << 16];
  stack_t alternative = {};
  alternative.ss_sp = stack, alternative.ss_size = sizeof(stack);
  sigaltstack(&alternative, nullptr);
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGVTALRM};
  for (int number : numbers)
    sigaction(number, &action, nullptr);
}
