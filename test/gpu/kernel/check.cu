//===- check.cu - The kernel families against float64 -----------*- CUDA
//-*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Usage: check [quick]. Every plan, at aligned, ragged and tiny sizes, with
// guard bands around C. Exit status 1 if anything is off.
//
//===----------------------------------------------------------------------===//

#include "harness.cuh"

using bf16 = __nv_bfloat16;
static int failures, runs;

template <class O>
void check(const plan_info &info, const problem &p, CUtensorMapDataType out,
           double bound) {
  const long long guard = 1024;
  long long bytes = p.sc * p.batch * (long long)sizeof(O) + 2 * guard;
  bf16 *a, *b;
  char *c;
  double *sums;
  int *count;
  CHECK(cudaMalloc(&a, p.sa * p.batch * 2));
  CHECK(cudaMalloc(&b, p.sb * p.batch * 2));
  CHECK(cudaMalloc(&c, bytes));
  CHECK(cudaMalloc(&sums, 16));
  CHECK(cudaMalloc(&count, 4));
  CHECK(cudaMemset(sums, 0, 16));
  CHECK(cudaMemset(count, 0, 4));
  CHECK(cudaMemset(c, 0xff, bytes));
  fill<<<64, 256>>>(a, p.sa * p.batch, 1 + runs * 1000003ull);
  fill<<<64, 256>>>(b, p.sb * p.batch, 7777777 + runs * 1000003ull);
  prepared r = prepare(info, p, a, b, c + guard,
                       CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, out, 1 + runs % 9);
  launch(info, r);
  compare<<<64, 256>>>(p, a, b, (const O *)(c + guard), 0, sums);
  trespass<<<64, 256>>>(p, sizeof(O), (unsigned char *)c, bytes, guard, count);
  double s[2];
  int outside;
  cudaError_t error = cudaMemcpy(s, sums, 16, cudaMemcpyDeviceToHost);
  CHECK(error);
  CHECK(cudaMemcpy(&outside, count, 4, cudaMemcpyDeviceToHost));
  double e = s[1] > 0 ? sqrt(s[0] / s[1]) : sqrt(s[0]);
  ++runs;
  if (!(e < bound) || outside) {
    ++failures;
    if (failures < 40)
      printf("FAIL %-28s %c%c%s %dx%dx%d b%d ldc %lld tma %d: error %.3g, %d "
             "bytes outside\n",
             info.name.c_str(), p.a, p.b, p.c_col ? "c" : "r", p.m, p.n, p.k,
             p.batch, p.ldc, r.view.use_tma, e, outside);
  }
  cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(sums), cudaFree(count);
}

static bool quick;

template <class P>
void family(const char *name, CUtensorMapDataType out, double bound) {
  using O = typename P::out_type;
  plan_info info = describe<P>(name);
  bool c_col = P::rows_contiguous != P::swap_ab;
  bool rk = P::rows_k_major, ck = P::cols_k_major;
  char a = (P::swap_ab ? ck : rk) ? 'N' : 'T';
  char b = (P::swap_ab ? rk : ck) ? 'T' : 'N';
  struct {
    int m, n, k, batch, pad;
  } sizes[] = {
      {1, 1, 1, 1, 0},        {128, 256, 64, 1, 0}, {7, 9, 5, 1, 0},
      {65, 136, 100, 2, 0},   {129, 257, 65, 1, 0}, {129, 264, 320, 3, 3},
      {300, 520, 1000, 1, 8}, {1, 1000, 256, 1, 0}, {1000, 3, 129, 1, 1},
      {16, 2048, 640, 1, 0},  {2000, 16, 63, 5, 0}, {1537, 1032, 200, 1, 0},
      {2000, 4352, 130, 1, 0}};
  int number = 0;
  for (auto &s : sizes) {
    if (quick && (number++ > 5))
      break;
    check<O>(info, make_problem(a, b, s.m, s.n, s.k, s.batch, c_col, s.pad),
             out, bound);
  }
}

template <int TR, int TC, int ST, int G, bool PP, int CR, int CC, class O>
void majors(const char *name, CUtensorMapDataType out, double bound) {
#define ONE(rk, ck, sw, rc)                                                    \
  family<gemm_plan<TR, TC, ST, G, PP, CR, CC, rk, ck, sw, rc, O>>(name, out,   \
                                                                  bound)
  ONE(true, true, false, false);
  ONE(true, false, true, true);
  ONE(false, true, false, true);
  ONE(false, false, true, false);
#undef ONE
}

int main(int argc, char **argv) {
  quick = argc > 1;
  auto B = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
  auto F = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  auto H = CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
  majors<128, 256, 4, 2, false, 2, 1, bf16>("128x256 2x1", B, 4e-3);
  majors<128, 256, 4, 2, false, 1, 2, __half>("128x256 1x2 half", H, 1e-3);
  majors<128, 128, 6, 2, true, 2, 1, bf16>("128x128 pp 2x1", B, 4e-3);
  majors<128, 128, 6, 2, false, 1, 1, float>("128x128 float", F, 1e-5);
  majors<64, 256, 4, 2, true, 1, 1, float>("64x256 pp float", F, 1e-5);
  majors<256, 128, 4, 2, false, 1, 2, bf16>("256x128 1x2", B, 4e-3);
  majors<64, 16, 12, 1, false, 1, 1, bf16>("64x16", B, 4e-3);
  majors<64, 32, 12, 1, false, 1, 1, float>("64x32 float", F, 1e-5);
  majors<128, 96, 5, 2, false, 1, 1, bf16>("128x96", B, 4e-3);
  majors<64, 64, 8, 1, false, 2, 2, bf16>("64x64 2x2", B, 4e-3);
  printf("%d runs, %d failures\n", runs, failures);
  return failures != 0;
}
