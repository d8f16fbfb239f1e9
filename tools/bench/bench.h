//===- bench.h - The parts of the benchmark ---------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_BENCH_H
#define WARPWRIGHT_BENCH_H

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define BENCH_CHECK(call)                                                      \
  do {                                                                         \
    if (int status = static_cast<int>(call)) {                                 \
      std::fprintf(stderr, "%s:%d: %s: status %d\n", __FILE__, __LINE__,       \
                   #call, status);                                             \
      std::exit(1);                                                            \
    }                                                                          \
  } while (0)

namespace bench {

/// One line of a shape file. The layout's letters are A then B: N is A[m][k]
/// or B[k][n], T is A[k][m] or B[n][k]; C is row-major.
struct Row {
  std::string regime, type, layout;
  int m = 0, n = 0, k = 0, batch = 1;
  double target = 0;

  bool transposedA() const { return layout[0] == 'T'; }
  bool transposedB() const { return layout[1] == 'T'; }
  /// Elements of all batches.
  size_t sizeA() const { return size_t(m) * k * batch; }
  size_t sizeB() const { return size_t(k) * n * batch; }
  size_t sizeC() const { return size_t(m) * n * batch; }
  /// Multiply-adds of real numbers.
  double work() const {
    return double(m) * n * k * batch * (type == "c32" ? 4 : 1);
  }
};

/// The types of rows for which this bench has a plain kernel. The operands of
/// f32 and tf32 rows are float; those of the latter may be rounded to TF32.
/// Those of fp8 rows are e4m3, and the result is bfloat16. Those of f64 rows,
/// and their sums, are double. Those of int8 rows are signed bytes, and the
/// result is their exact sum, an int. In w8 rows A and the result are bfloat16,
/// and B has signed bytes, as weights often are. Elements and sums of c32 rows
/// are complex, pairs of floats.
inline bool isSupported(const std::string &type) {
  return type == "bf16" || type == "fp16" || type == "f32" || type == "tf32" ||
         type == "fp8" || type == "f64" || type == "int8" || type == "w8" ||
         type == "c32";
}

inline bool isFloat(const std::string &type) {
  return type == "f32" || type == "tf32";
}

/// Bytes of an element of A and of B, and of the result.
inline size_t sizeOfA(const std::string &type) {
  return type == "f64" || type == "c32"    ? 8
         : isFloat(type)                   ? 4
         : type == "fp8" || type == "int8" ? 1
                                           : 2;
}
inline size_t sizeOfB(const std::string &type) {
  return type == "w8" ? 1 : sizeOfA(type);
}
/// The type of the row that the rival computes: it has no product of operands
/// of different sizes, and is given bytes as bfloat16.
inline std::string rivalType(const std::string &type) {
  return type == "w8" ? "bf16" : type;
}
inline size_t resultSize(const std::string &type) {
  return type == "f64" || type == "c32"    ? 8
         : isFloat(type) || type == "int8" ? 4
                                           : 2;
}

/// The normwise error that a result of the type may have.
inline double errorBound(const std::string &type) {
  return type == "bf16" || type == "fp8" || type == "w8" ? 4e-3
         : type == "f32" || type == "c32"                ? 1e-6
         : type == "f64"                                 ? 1e-13
         : type == "int8"                                ? 0
                                                         : 1e-3;
}

/// The same for the rival, which only has to show that it computes the same
/// product: cuBLAS in float32 exceeds 1e-6 for large k.
inline double rivalBound(const std::string &type) {
  return type == "f32" || type == "c32" ? 4e-6 : errorBound(type);
}

// reference.cu

/// Fills \p count elements of operands of a supported type with normal numbers;
/// bytes with such of deviation 40.
void fillNormal(const std::string &type, void *data, size_t count,
                uint64_t seed);
/// Fills \p count signed bytes with whole numbers, and \p wide with the same as
/// bfloat16.
void fillBytes(void *data, void *wide, size_t count, uint64_t seed);

/// The result of one check.
struct Verdict {
  /// ||C - ref|| / ||ref|| over the elements compared; NaN if one was NaN.
  double error = 0;
  /// Whether all elements were compared, or some rows and columns.
  bool full = false;
  /// NaN elements anywhere in C; they were never written.
  unsigned long long unwritten = 0;
};

/// Compares C with the product of A and B in float64, which is itself summed in
/// another order than a double C: every element up to
/// 2^36 multiply-adds, beyond that 128 rows and 128 columns of each batch.
Verdict compare(const Row &row, const void *A, const void *B, const void *C);

// rival.cu

/// cuBLASLt on one row: its first 8 heuristics, 64 MiB of workspace; for f32
/// rows in CUBLAS_COMPUTE_32F, and cublasSgemm as one more; for tf32 rows in
/// CUBLAS_COMPUTE_32F_FAST_TF32; for fp8 rows without its fast accumulation, as
/// it is by default; for f64 rows in CUBLAS_COMPUTE_64F, and cublasDgemm as one
/// more; for int8 rows in CUBLAS_COMPUTE_32I; for w8 rows with B in bfloat16;
/// for c32 rows in CUBLAS_COMPUTE_32F, and cublasCgemm and cublasCgemm3m, which
/// has three real products, as two more.
class Rival {
public:
  explicit Rival(const Row &row);
  ~Rival();
  Rival(const Rival &) = delete;
  Rival &operator=(const Rival &) = delete;

  /// Zero if cuBLASLt does not support the row.
  int algorithms() const;
  /// The name of an algorithm in the table: "Lt 3", "Sgemm", "Dgemm", "Cgemm".
  std::string name(int algorithm) const;
  void run(int algorithm, const void *A, const void *B, void *C);

private:
  struct State;
  State *state;
};

} // namespace bench

#endif // WARPWRIGHT_BENCH_H
