//===- bench.cu - Kernel families against cuBLASLt --------------*- CUDA
//-*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Usage: bench shapes.csv [filter]. For each bf16 row: cuBLASLt's best of its
// first 8 heuristics and every plan that fits, interleaved in one process, on
// rotating buffers of random normal data; medians of 5 rounds. Each plan's
// result is compared with float64 at 4096 places.
//
//===----------------------------------------------------------------------===//

#include "harness.cuh"
#include "plans.h"
#include <cublasLt.h>

using bf16 = __nv_bfloat16;
static double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}
static cudaEvent_t begin_event, end_event;
template <class F> double time_ms(int reps, F f) {
  CHECK(cudaEventRecord(begin_event));
  for (int i = 0; i < reps; ++i)
    f(i);
  CHECK(cudaEventRecord(end_event));
  CHECK(cudaEventSynchronize(end_event));
  float ms;
  CHECK(cudaEventElapsedTime(&ms, begin_event, end_event));
  return ms / reps;
}

int main(int argc, char **argv) {
  std::vector<plan_info> plans = all_plans();
  if (const char *only = getenv("BENCH_PLANS"))
    plans.erase(std::remove_if(plans.begin(), plans.end(),
                               [&](const plan_info &p) {
                                 return !strstr(only, p.name.c_str());
                               }),
                plans.end());
  if (const char *text = getenv("BENCH_PROMOTION"))
    l2_promotion() = static_cast<CUtensorMapL2promotion>(atoi(text));
  cublasLtHandle_t lt;
  void *workspace;
  size_t workspace_bytes = 64 << 20;
  CHECK(cublasLtCreate(&lt));
  CHECK(cudaMalloc(&workspace, workspace_bytes));
  CHECK(cudaEventCreate(&begin_event));
  CHECK(cudaEventCreate(&end_event));
  double *sums;
  CHECK(cudaMalloc(&sums, 16));
  FILE *file = fopen(argv[1], "r");
  char line[512];
  CHECK(fgets(line, 512, file) == nullptr);
  const char *budget_text = getenv("BENCH_MS");
  double budget = budget_text ? atof(budget_text) : 8;
  const char *groups_text = getenv("BENCH_GROUPS");
  std::vector<int> groups = {16};
  if (groups_text) {
    groups.clear();
    for (const char *s = groups_text; *s; s = *s ? s + strspn(s, ",") : s) {
      groups.push_back(atoi(s));
      s += strcspn(s, ",");
    }
  }
  while (fgets(line, 512, file)) {
    char regime[64], type[16], layout[8];
    int m, n, k, batch;
    if (sscanf(line, "%63[^,],%15[^,],%7[^,],%d,%d,%d,%d", regime, type, layout,
               &m, &n, &k, &batch) != 7)
      continue;
    if (std::string(type) != "bf16" || (argc > 2 && !strstr(argv[2], regime)))
      continue;
    problem p = make_problem(layout[0], layout[1], m, n, k, batch);
    if (p.lda != (p.a == 'N' ? k : m) || p.ldb != (p.b == 'N' ? n : k)) {
      printf("%-8s %s %dx%dx%d: pitch not for TMA\n", regime, layout, m, n, k);
      continue;
    }
    size_t bytes = 2 * (p.sa + p.sb + p.sc) * batch;
    int sets = bytes > (256u << 20)
                   ? 2
                   : (int)std::min<size_t>(64, (256u << 20) / bytes + 1);
    bf16 *a, *b, *c;
    CHECK(cudaMalloc(&a, 2 * p.sa * batch * sets));
    CHECK(cudaMalloc(&b, 2 * p.sb * batch * sets));
    CHECK(cudaMalloc(&c, 2 * p.sc * batch * sets));
    fill<<<2048, 256>>>(a, p.sa * batch * sets, 1);
    fill<<<2048, 256>>>(b, p.sb * batch * sets, 77777777);
    CHECK(cudaDeviceSynchronize());

    // Row-major C = A B is column-major C^T = B^T A^T: cuBLAS's first operand
    // is B.
    cublasLtMatmulDesc_t desc;
    CHECK(cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    cublasOperation_t oa = p.b == 'T' ? CUBLAS_OP_T : CUBLAS_OP_N;
    cublasOperation_t ob = p.a == 'T' ? CUBLAS_OP_T : CUBLAS_OP_N;
    CHECK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSA, &oa,
                                         sizeof oa));
    CHECK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSB, &ob,
                                         sizeof ob));
    cublasLtMatrixLayout_t la, lb, lc;
    auto layout_of = [&](cublasLtMatrixLayout_t *l, bool t, int rows, int cols,
                         long long stride) {
      CHECK(cublasLtMatrixLayoutCreate(l, CUDA_R_16BF, t ? cols : rows,
                                       t ? rows : cols, t ? cols : rows));
      int64_t s = stride;
      CHECK(cublasLtMatrixLayoutSetAttribute(
          *l, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch, sizeof batch));
      CHECK(cublasLtMatrixLayoutSetAttribute(
          *l, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &s, sizeof s));
    };
    layout_of(&la, p.b == 'T', n, k, p.sb);
    layout_of(&lb, p.a == 'T', k, m, p.sa);
    layout_of(&lc, false, n, m, p.sc);
    cublasLtMatmulPreference_t preference;
    CHECK(cublasLtMatmulPreferenceCreate(&preference));
    CHECK(cublasLtMatmulPreferenceSetAttribute(
        preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace_bytes,
        sizeof workspace_bytes));
    cublasLtMatmulHeuristicResult_t found[8];
    int algorithms = 0;
    CHECK(cublasLtMatmulAlgoGetHeuristic(lt, desc, la, lb, lc, lc, preference,
                                         8, found, &algorithms));
    float one = 1, zero = 0;
    auto rival = [&](int h, int i) {
      i %= sets;
      CHECK(cublasLtMatmul(lt, desc, &one, b + p.sb * batch * i, la,
                           a + p.sa * batch * i, lb, &zero,
                           c + p.sc * batch * i, lc, c + p.sc * batch * i, lc,
                           &found[h].algo, workspace, workspace_bytes, 0));
    };

    struct candidate {
      const plan_info *info;
      int group;
      std::vector<prepared> sets;
      std::vector<double> times;
      double error;
    };
    std::vector<candidate> candidates;
    for (const plan_info &info : plans) {
      if (!fits(info, p) || (m > 512 && n > 512 && (double)m * n * k > 1e10 &&
                             info.tile_rows * info.tile_cols < 64 * 256))
        continue;
      for (int group : groups) {
        candidate q{&info, group, {}, {}, 0};
        for (int i = 0; i < sets; ++i)
          q.sets.push_back(prepare(info, p, a + p.sa * batch * i,
                                   b + p.sb * batch * i, c + p.sc * batch * i,
                                   CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
                                   CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, group));
        CHECK(cudaMemset(c, 0xff, 2 * p.sc * batch));
        CHECK(cudaMemset(sums, 0, 16));
        launch(info, q.sets[0]);
        cudaError_t error = cudaDeviceSynchronize();
        if (error != cudaSuccess) {
          printf("%s g%d: %s\n", info.name.c_str(), group,
                 cudaGetErrorString(error));
          return 1;
        }
        compare<<<64, 64>>>(p, a, b, c, 4096, sums);
        double s[2];
        CHECK(cudaMemcpy(s, sums, 16, cudaMemcpyDeviceToHost));
        q.error = sqrt(s[0] / s[1]);
        candidates.push_back(q);
      }
    }
    double warm = time_ms(3, [&](int i) { rival(0, i); });
    int reps =
        std::max(2, std::min(400, (int)(budget / std::max(warm, 0.002))));
    std::vector<std::vector<double>> rival_times(algorithms);
    for (int round = 0; round < 5; ++round) {
      for (int h = 0; h < algorithms; ++h)
        rival_times[h].push_back(time_ms(reps, [&](int i) { rival(h, i); }));
      for (candidate &q : candidates)
        q.times.push_back(
            time_ms(reps, [&](int i) { launch(*q.info, q.sets[i % sets]); }));
    }
    double best = 1e9;
    for (auto &t : rival_times)
      best = std::min(best, median(t));
    double flops = 2.0 * m * n * (double)k * batch;
    printf("%-8s %s %dx%dx%d b%d: cuBLASLt %.2f us %.0f TF\n", regime, layout,
           m, n, k, batch, best * 1e3, flops / best * 1e-9);
    std::sort(candidates.begin(), candidates.end(),
              [](const candidate &x, const candidate &y) {
                return median(x.times) < median(y.times);
              });
    if (FILE *table =
            getenv("BENCH_CSV") ? fopen(getenv("BENCH_CSV"), "a") : nullptr) {
      fprintf(table, "cublaslt,%s,%d,%d,%d,%d,%.3f\n", layout, m, n, k, batch,
              best * 1e3);
      for (candidate &q : candidates)
        fprintf(table, "%s g%d,%s,%d,%d,%d,%d,%.3f\n", q.info->name.c_str(),
                q.group, layout, m, n, k, batch, median(q.times) * 1e3);
      fclose(table);
    }
    int shown = 0;
    for (candidate &q : candidates) {
      double t = median(q.times);
      if (shown++ >= 12 && q.error < 4e-3)
        continue;
      printf("    %-20s g%-2d %9.2f us %5.0f TF  ratio %.3f  %s\n",
             q.info->name.c_str(), q.group, t * 1e3, flops / t * 1e-9, best / t,
             q.error < 4e-3 ? "" : "WRONG");
    }
    fflush(stdout);
    cudaFree(a), cudaFree(b), cudaFree(c);
  }
}
