#!/usr/bin/env bash
# Installs what is missing, builds, and runs every test. The last line is
#   N passed, N failed, N skipped
# and the exit status is 0 only if nothing failed. What this machine cannot run
# (no nvcc, no Hopper GPU) is named and counted as skipped.
#
#   test/run.sh [--no-install] [--asan]
#
#   --no-install  use what is there
#   --asan        also build the asan-ubsan preset and run its unit tests
#
# WARPWRIGHT_BUILD names another build folder, WARPWRIGHT_JOBS the number of
# parallel jobs, WARPWRIGHT_FUZZ_SECONDS how long the fuzz target runs.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=../tools/setup.sh
. "$here/../tools/setup.sh"
cd "$WARPWRIGHT_ROOT"

install=yes
asan=no
for argument in "$@"; do
  case $argument in
  --no-install) install=no ;;
  --asan) asan=yes ;;
  *) fail "unknown argument $argument (known: --no-install, --asan)" ;;
  esac
done

[ $install = no ] || install_missing

results=$WARPWRIGHT_BUILD/test-results
rm -rf "$results"
mkdir -p "$results"

# broken NAME: a runner that could not even start counts as one failed test.
broken() { echo "$1" >>"$results/broken"; }

if nvcc=$(find_nvcc); then
  PATH=$(dirname "$nvcc"):$PATH
  step "CUDA: $("$nvcc" --version | tail -n 2 | head -n 1)"
else
  step "CUDA: no nvcc here; tests that compile CUDA will be skipped"
fi
if has_hopper; then
  step "GPU: Hopper"
else
  step "GPU: no Hopper GPU here; tests that run on one will be skipped"
fi

# The fuzz target runs on one processor beside the unit tests, which take as long.
# Its compiler is the preset's, the Clang that libFuzzer needs.
fuzz_log=$results/fuzz.log
start_fuzzing() {
  if cmake "$WARPWRIGHT_BUILD" -DWARPWRIGHT_BUILD_FUZZERS=ON >/dev/null &&
    cmake --build "$WARPWRIGHT_BUILD" -j "$(build_jobs)" \
      --target WarpwrightExpressionFuzzer; then
    python3 test/fuzz.py "$WARPWRIGHT_BUILD/bin/WarpwrightExpressionFuzzer" \
      --seconds "${WARPWRIGHT_FUZZ_SECONDS:-20}" \
      --output "$results/fuzz.json" </dev/null >"$fuzz_log" 2>&1 &
  else
    broken "the build of the fuzz target"
  fi
}
finish_fuzzing() {
  [ -e "$fuzz_log" ] || return 0
  step "Fuzzing the layout language for ${WARPWRIGHT_FUZZ_SECONDS:-20} seconds"
  wait
  cat "$fuzz_log"
  [ -e "$results/fuzz.json" ] || broken "the fuzz target"
}

if build_warpwright all; then
  start_fuzzing
  step "Unit tests"
  # Two halves at a time: the tests of one program run one after the other. Those of
  # the simulator wait for each other's threads more than they compute.
  runs=()
  for half in 0 1; do
    GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=$half \
      "$WARPWRIGHT_BUILD/bin/WarpwrightUnitTests" --gtest_brief=1 \
      --gtest_output="json:$results/unit-$half.json" </dev/null &
    runs+=($!)
  done
  "$WARPWRIGHT_BUILD/bin/WarpwrightSimTests" --gtest_brief=1 \
    --gtest_output="json:$results/unit-sim.json" </dev/null &
  runs+=($!)
  wait "${runs[@]}" || true
  # A test that ends the program ends it before it can write its results.
  [ -e "$results/unit-sim.json" ] || broken "the simulator's unit tests"
  finish_fuzzing

  step "lit tests"
  # A test that hangs is a failure, not a stopped run. lit needs psutil for it.
  # The first python3 need not be the one that Debian's psutil belongs to.
  lit=("$(llvm-config-22 --bindir)/lit")
  for python in python3 /usr/bin/python3; do
    if "$python" -c 'import psutil' 2>/dev/null; then
      lit=("$python" "${lit[@]}" --timeout 600)
      break
    fi
  done
  "${lit[@]}" -v -j "$(build_jobs)" \
    --output "$results/lit.json" "$WARPWRIGHT_BUILD/test" </dev/null || true
else
  broken "the build"
fi

if [ $asan = yes ]; then
  step "Unit tests under AddressSanitizer and UndefinedBehaviorSanitizer"
  if cmake --preset asan-ubsan -B "$WARPWRIGHT_BUILD/asan-ubsan" &&
    cmake --build "$WARPWRIGHT_BUILD/asan-ubsan" -j "$(build_jobs)" \
      --target WarpwrightUnitTests WarpwrightSimTests; then
    "$WARPWRIGHT_BUILD/asan-ubsan/bin/WarpwrightUnitTests" --gtest_brief=1 \
      --gtest_output="json:$results/unit-asan.json" </dev/null || true
    "$WARPWRIGHT_BUILD/asan-ubsan/bin/WarpwrightSimTests" --gtest_brief=1 \
      --gtest_output="json:$results/unit-sim-asan.json" </dev/null || true
    # A sanitizer ends the program before it can write its results.
    [ -e "$results/unit-asan.json" ] || broken "the unit tests with asan-ubsan"
    [ -e "$results/unit-sim-asan.json" ] ||
      broken "the simulator's unit tests with asan-ubsan"
  else
    broken "the build with asan-ubsan"
  fi
fi

step "The tree itself: formatting, sizes, pages, links"
python3 test/check_tree.py --output "$results/tree.json" || true

step "Summary"
python3 test/summarize.py "$results"
