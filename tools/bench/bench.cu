//===- bench.cu - Rewritten kernels against cuBLASLt ------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///   bench check shapes.csv             every row once, against float64
///   bench time shapes.csv --checked LOG    the table
///   bench plans shapes.csv --plans a,b     microseconds of each of these
///   plans,
///                                          of cuBLASLt and of the chosen plan
///
/// Options: --regime a,b and --type a,b pick rows; --rounds n (5) and --ms x
/// (15, how long one contestant runs in a round); --unchecked compares nothing
/// with float64 in `plans`, which takes longer than timing many plans.
///
/// Rules: both contestants in one process, in interleaved rounds, on random
/// normal data in buffers that rotate past L2; the median over the rounds;
/// cuBLASLt is the best of its first 8 heuristics with 64 MiB of workspace.
/// For f32 rows that is in full float32 (CUBLAS_COMPUTE_32F), and cublasSgemm
/// is a contestant as well: the faster counts; for f64 rows the same in double
/// (CUBLAS_COMPUTE_64F, cublasDgemm), and for c32 rows in complex numbers
/// (cublasCgemm, cublasCgemm3m). For tf32 rows it is in
/// CUBLAS_COMPUTE_32F_FAST_TF32, against kernels with precision(tf32). For fp8
/// rows, e4m3 to bfloat16, both promote their sums; int8 rows are exact sums
/// (CUBLAS_COMPUTE_32I). Ratio is the rival's time
/// over ours, and the column before says which of its algorithms won. LOG is
/// what check printed, with WARPWRIGHT_LOG=1 and stderr merged in: the path and
/// plan are read from it.
///
//===----------------------------------------------------------------------===//

#include "bench.h"

#if __has_include(<warpwright/rt/warpwright.cuh>)
#include <warpwright/rt/warpwright.cuh>
#endif

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

// The kernels that pack.sh packed: a line X(bf16_NN) for each.
#define X(name)                                                                \
  void launch_##name(const void *A, const void *B, void *C, int M, int N,      \
                     int K, int batch, cudaStream_t stream);
#include "kernels.def"
#undef X

namespace bench {
namespace {

using Launch = void (*)(const void *, const void *, void *, int, int, int, int,
                        cudaStream_t);

/// The launch function for the row; null if there is no kernel for it.
Launch findLaunch(const Row &row) {
  static const std::map<std::string, Launch> launches = {
#define X(name) {#name, launch_##name},
#include "kernels.def"
#undef X
  };
  auto found = launches.find(row.type + "_" + row.layout +
                             (row.batch > 1 ? "_batched" : ""));
  return found == launches.end() ? nullptr : found->second;
}

struct Options {
  std::string mode, shapes, checked;
  std::vector<std::string> regimes, types, plans;
  int rounds = 5;
  double milliseconds = 15;
  bool unchecked = false;
};

std::vector<std::string> split(const std::string &text, char separator) {
  std::vector<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);)
    parts.push_back(part);
  return parts;
}

bool contains(const std::vector<std::string> &list, const std::string &item) {
  return list.empty() ||
         std::find(list.begin(), list.end(), item) != list.end();
}

std::vector<Row> readShapes(const Options &options) {
  std::ifstream file(options.shapes);
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.back() == '\r')
      line.pop_back();
    std::vector<std::string> cells = split(line, ',');
    if (line.empty() || line[0] == '#' || cells.size() < 7 ||
        cells[0] == "regime")
      continue;
    Row row;
    row.regime = cells[0];
    row.type = cells[1];
    row.layout = cells[2];
    row.m = std::atoi(cells[3].c_str());
    row.n = std::atoi(cells[4].c_str());
    row.k = std::atoi(cells[5].c_str());
    row.batch = std::atoi(cells[6].c_str());
    row.target = cells.size() > 7 ? std::atof(cells[7].c_str()) : 0;
    if (contains(options.regimes, row.regime) &&
        contains(options.types, row.type))
      rows.push_back(row);
  }
  if (rows.empty())
    std::fprintf(stderr, "no rows in %s\n", options.shapes.c_str());
  return rows;
}

/// Operands and outputs of one row. Small ones have several copies, so that
/// successive runs do not find their data in L2.
class Buffers {
public:
  explicit Buffers(const Row &row) : row(row) {
    const size_t total = size(0) + size(1) + size(2);
    const size_t past = 256 << 20;
    count = total > past ? 2 : int(std::min<size_t>(64, past / total + 1));
    for (int which = 0; which < 5; ++which) {
      // 256-byte alignment for every copy, as cudaMalloc gives the first.
      stride[which] = (size(which) + 255) / 256 * 256;
      BENCH_CHECK(cudaMalloc(&base[which], stride[which] * count + guard));
      BENCH_CHECK(cudaMemset(base[which], 0xff, stride[which] * count + guard));
    }
    for (int i = 0; i < count; ++i) {
      fillNormal(rivalType(row.type), A(i), row.sizeA(), 2 * i);
      if (hasWideB())
        fillBytes(B(i), wideB(i), row.sizeB(), 2 * i + 1);
      else
        fillNormal(row.type, B(i), row.sizeB(), 2 * i + 1);
    }
    BENCH_CHECK(cudaDeviceSynchronize());
  }
  ~Buffers() {
    for (char *each : base)
      cudaFree(each);
  }

  void *A(int i) const { return at(0, i); }
  void *B(int i) const { return at(1, i); }
  /// B for the rival, where it takes another type.
  void *wideB(int i) const { return at(hasWideB() ? 4 : 1, i); }
  /// Our output, and the rival's.
  void *C(int i) const { return at(2, i); }
  void *D(int i) const { return at(3, i); }

  /// Whether nothing was written beyond the end of the first C.
  bool isGuardIntact() const {
    const size_t begin = size(2);
    const size_t end =
        count > 1 ? std::min(begin + guard, 2 * stride[2]) : begin + guard;
    std::vector<unsigned char> tail(end - begin);
    BENCH_CHECK(cudaMemcpy(tail.data(), base[2] + begin, tail.size(),
                           cudaMemcpyDeviceToHost));
    return std::all_of(tail.begin(), tail.end(),
                       [](unsigned char byte) { return byte == 0xff; });
  }

private:
  static constexpr size_t guard = 4096;

  bool hasWideB() const { return rivalType(row.type) != row.type; }

  /// In bytes.
  size_t size(int which) const {
    return which == 0   ? row.sizeA() * sizeOfA(row.type)
           : which == 1 ? row.sizeB() * sizeOfB(row.type)
           : which == 4 ? hasWideB() * row.sizeB() * sizeOfA(row.type)
                        : row.sizeC() * resultSize(row.type);
  }
  void *at(int which, int i) const {
    return base[which] + stride[which] * (i % count);
  }

  const Row &row;
  char *base[5];
  size_t stride[5];
  int count;
};

/// Runs every row once. The launcher's log line on stderr appears between the
/// two lines that this prints for a row.
int check(const std::vector<Row> &rows) {
  bool good = true;
  for (size_t i = 0; i < rows.size(); ++i) {
    const Row &row = rows[i];
    Launch launch = findLaunch(row);
    if (!launch)
      continue;
    Buffers buffers(row);
    std::fprintf(stderr, "bench-row %zu\n", i);
    launch(buffers.A(0), buffers.B(0), buffers.C(0), row.m, row.n, row.k,
           row.batch, nullptr);
    BENCH_CHECK(cudaGetLastError());
    BENCH_CHECK(cudaDeviceSynchronize());
    Verdict verdict = compare(row, buffers.A(0), buffers.B(0), buffers.C(0));
    bool ok = verdict.error <= errorBound(row.type) && !verdict.unwritten &&
              buffers.isGuardIntact();
    good &= ok;
    std::fprintf(stderr, "bench-error %zu %.3e %s %s\n", i, verdict.error,
                 verdict.full ? "full" : "sampled", ok ? "ok" : "WRONG");
  }
  return good ? 0 : 1;
}

/// The result of `check` for a row.
struct Checked {
  std::string path = "not checked", error = "-", verdict;
};

std::map<size_t, Checked> readChecked(const std::string &path) {
  std::map<size_t, Checked> found;
  std::ifstream file(path);
  size_t current = ~size_t(0);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string first;
    words >> first;
    if (first == "bench-row") {
      words >> current;
      found[current].path = "no launcher";
    } else if (first == "warpwright:" && found.count(current)) {
      std::string kernel;
      words >> kernel >> std::ws;
      std::getline(words, found[current].path);
    } else if (first == "bench-error") {
      std::string coverage;
      words >> current;
      words >> found[current].error >> coverage >> found[current].verdict;
    }
  }
  return found;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Milliseconds per call of \p run over \p repeats calls.
double timeCalls(int repeats, const std::function<void(int)> &run) {
  static cudaEvent_t begin = nullptr, end = nullptr;
  if (!begin) {
    BENCH_CHECK(cudaEventCreate(&begin));
    BENCH_CHECK(cudaEventCreate(&end));
  }
  BENCH_CHECK(cudaEventRecord(begin));
  for (int i = 0; i < repeats; ++i)
    run(i);
  BENCH_CHECK(cudaEventRecord(end));
  BENCH_CHECK(cudaEventSynchronize(end));
  BENCH_CHECK(cudaGetLastError());
  float elapsed = 0;
  BENCH_CHECK(cudaEventElapsedTime(&elapsed, begin, end));
  return elapsed / repeats;
}

/// Medians in microseconds.
struct Times {
  double ours = 0, rival = 0;
  std::string rivalName = "-";
  bool rivalAgrees = true;
};

Times timeRow(const Row &row, const Options &options) {
  Buffers buffers(row);
  Rival rival(row);
  Launch launch = findLaunch(row);
  std::vector<std::function<void(int)>> contestants;
  contestants.push_back([&](int i) {
    launch(buffers.A(i), buffers.B(i), buffers.C(i), row.m, row.n, row.k,
           row.batch, nullptr);
  });
  for (int a = 0; a < rival.algorithms(); ++a)
    contestants.push_back([&, a](int i) {
      rival.run(a, buffers.A(i), buffers.wideB(i), buffers.D(i));
    });

  std::vector<int> repeats;
  int rounds = options.rounds;
  for (auto &run : contestants) {
    double once = timeCalls(1, run);
    if (once < 50)
      once = timeCalls(3, run);
    else
      rounds = once > 300 ? 1 : rounds;
    repeats.push_back(std::max(
        once < 50 ? 3 : 1,
        std::min(400, int(options.milliseconds / std::max(once, 0.002)))));
  }
  std::vector<std::vector<double>> times(contestants.size());
  for (int round = 0; round < rounds; ++round)
    for (size_t c = 0; c < contestants.size(); ++c)
      times[c].push_back(timeCalls(repeats[c], contestants[c]));

  Times result;
  result.ours = median(times[0]) * 1e3;
  for (size_t c = 1; c < times.size(); ++c) {
    double each = median(times[c]) * 1e3;
    if (c > 1 && each >= result.rival)
      continue;
    result.rival = each;
    result.rivalName = rival.name(int(c) - 1);
  }
  // The rival must have computed the same product.
  if (rival.algorithms() && row.work() <= double(1ull << 36)) {
    contestants[1](0);
    result.rivalAgrees =
        compare(row, buffers.A(0), buffers.B(0), buffers.D(0)).error <=
        rivalBound(row.type);
  }
  return result;
}

int timeAll(const std::vector<Row> &rows, const Options &options) {
  std::map<size_t, Checked> checked = readChecked(options.checked);
  std::printf("%-8s %-5s %-3s %6s %6s %6s %5s %10s %10s %-6s %6s %6s %9s  %s\n",
              "regime", "type", "ly", "m", "n", "k", "batch", "ours_us",
              "cublas_us", "rival", "ratio", "target", "error", "path");
  std::map<std::string, std::pair<double, int>> regimes;
  bool good = true;
  for (size_t i = 0; i < rows.size(); ++i) {
    const Row &row = rows[i];
    std::printf("%-8s %-5s %-3s %6d %6d %6d %5d ", row.regime.c_str(),
                row.type.c_str(), row.layout.c_str(), row.m, row.n, row.k,
                row.batch);
    if (!findLaunch(row)) {
      std::printf(
          "%10s %10s %-6s %6s %6.2f %9s  %s\n", "-", "-", "-", "-", row.target,
          "-", isSupported(row.type) ? "not packed" : "type not supported yet");
      continue;
    }
    std::fflush(stdout);
    Times times = timeRow(row, options);
    const Checked &seen = checked[i];
    double ratio = times.ours > 0 ? times.rival / times.ours : 0;
    bool wrong = seen.verdict != "ok" || !times.rivalAgrees;
    good &= !wrong;
    std::printf("%10.2f %10.2f %-6s %6.3f %6.2f %9s  %s%s%s%s\n", times.ours,
                times.rival, times.rivalName.c_str(), ratio, row.target,
                seen.error.c_str(), seen.path.c_str(),
                ratio >= row.target ? "" : ", below target",
                seen.verdict == "ok" ? "" : ", WRONG",
                times.rivalAgrees ? "" : ", RIVAL WRONG");
    std::fflush(stdout);
    if (ratio > 0) {
      regimes[row.regime].first += std::log(ratio);
      ++regimes[row.regime].second;
    }
  }
  std::printf("geometric mean of ratios:");
  for (const auto &[name, sum] : regimes)
    std::printf(" %s %.3f", name.c_str(), std::exp(sum.first / sum.second));
  std::printf("\n");
  return good ? 0 : 1;
}

/// Makes launchers take the plan of that name, or the original; null: any plan.
void choosePlan(const char *name) {
#ifdef WARPWRIGHT_RT_WARPWRIGHT_CUH
  ::warpwright::rt::only_plan() = name;
#else
  (void)name;
#endif
}

/// The plan that the launcher takes; empty if it would run the original.
std::string takenPlan(const std::function<void(int)> &run) {
  static std::string taken;
  taken.clear();
#ifdef WARPWRIGHT_RT_WARPWRIGHT_CUH
  ::warpwright::rt::launch_listener() = [](const char *, const char *path,
                                           const char *detail) {
    if (!std::strcmp(path, "hopper"))
      taken = detail;
  };
  run(0);
  ::warpwright::rt::launch_listener() = nullptr;
#endif
  return taken;
}

/// Times each plan by itself and cuBLASLt's best of 8, in interleaved rounds;
/// "!" after a time means that the result is wrong. Last is the plan that the
/// launcher chooses.
int timePlans(const std::vector<Row> &rows, const Options &options) {
  std::printf("%-5s %-3s %6s %6s %6s %5s %9s", "type", "ly", "m", "n", "k",
              "batch", "cublas");
  for (const std::string &plan : options.plans)
    std::printf(" %*s", std::max<int>(10, plan.size() + 1), plan.c_str());
  std::printf("  chosen\n");
  bool good = true;
  for (const Row &row : rows) {
    Launch launch = findLaunch(row);
    if (!launch)
      continue;
    Buffers buffers(row);
    Rival rival(row);
    auto run = [&](int i) {
      launch(buffers.A(i), buffers.B(i), buffers.C(i), row.m, row.n, row.k,
             row.batch, nullptr);
    };
    const std::string chosen = takenPlan(run);
    const size_t plans = options.plans.size();
    const size_t count = plans + rival.algorithms();
    std::vector<int> repeats(count);
    std::vector<bool> wrong(count);
    std::vector<std::vector<double>> times(count);
    for (int round = -1; round < options.rounds; ++round)
      for (size_t c = 0; c < count; ++c) {
        const bool ours = c < plans;
        std::function<void(int)> call = run;
        if (ours)
          choosePlan(options.plans[c].c_str());
        else
          call = [&, c](int i) {
            rival.run(int(c - plans), buffers.A(i), buffers.wideB(i),
                      buffers.D(i));
          };
        if (round >= 0) {
          if (repeats[c])
            times[c].push_back(timeCalls(repeats[c], call));
          continue;
        }
        if (ours && takenPlan(run).empty())
          continue;
        if (ours && !options.unchecked)
          wrong[c] =
              compare(row, buffers.A(0), buffers.B(0), buffers.C(0)).error >
              errorBound(row.type);
        good &= !wrong[c];
        timeCalls(1, call);
        repeats[c] = std::max(
            1, std::min(400, int(options.milliseconds / timeCalls(2, call))));
      }
    choosePlan(nullptr);
    double best = 0;
    for (size_t c = plans; c < count; ++c) {
      const double each = median(times[c]) * 1e3;
      best = c > plans ? std::min(best, each) : each;
    }
    std::printf("%-5s %-3s %6d %6d %6d %5d %9.2f", row.type.c_str(),
                row.layout.c_str(), row.m, row.n, row.k, row.batch, best);
    for (size_t p = 0; p < plans; ++p) {
      const int width = std::max<int>(9, options.plans[p].size());
      if (times[p].empty())
        std::printf(" %*s ", width, "-");
      else
        std::printf(" %*.2f%c", width, median(times[p]) * 1e3,
                    wrong[p] ? '!' : ' ');
    }
    std::printf("  %s\n", chosen.empty() ? "original" : chosen.c_str());
    std::fflush(stdout);
  }
  return good ? 0 : 1;
}

Options parse(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    auto value = [&](const char *name) {
      return !std::strcmp(argv[i], name) && i + 1 < argc ? argv[++i] : nullptr;
    };
    if (const char *text = value("--regime"))
      options.regimes = split(text, ',');
    else if (const char *text = value("--type"))
      options.types = split(text, ',');
    else if (const char *text = value("--plans"))
      options.plans = split(text, ',');
    else if (const char *text = value("--rounds"))
      options.rounds = std::max(1, std::atoi(text));
    else if (const char *text = value("--ms"))
      options.milliseconds = std::atof(text);
    else if (const char *text = value("--checked"))
      options.checked = text;
    else if (!std::strcmp(argv[i], "--unchecked"))
      options.unchecked = true;
    else if (options.mode.empty())
      options.mode = argv[i];
    else
      options.shapes = argv[i];
  }
  return options;
}

} // namespace
} // namespace bench

int main(int argc, char **argv) {
  bench::Options options = bench::parse(argc, argv);
  std::vector<bench::Row> rows = bench::readShapes(options);
  if (!rows.empty() && options.mode == "check")
    return bench::check(rows);
  if (!rows.empty() && options.mode == "time")
    return bench::timeAll(rows, options);
  if (!rows.empty() && options.mode == "plans" && !options.plans.empty())
    return bench::timePlans(rows, options);
  std::fprintf(stderr, "usage: bench check|time|plans shapes.csv [options]\n");
  return 1;
}
