#!/usr/bin/env bash
# What rewriting costs, file by file: the tool's time against one device-side
# parse by Clang, and nvcc's time for the rewritten file against the original.
#
#   tools/bench/cost.sh [file.cu ...]       default: docs/examples/*.cu
#
# Processor time (user and system), best of ROUNDS (default 3) for the parse, the
# tool and the tool with --no-check, in turn, since a virtual machine's clock
# drifts; nvcc (for sm_90a) once, skipped if there is none or with NVCC=no.
# WARPWRIGHT and CLANG name the tools; CUDA_PATH the toolkit.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
tool=${WARPWRIGHT:-$root/build/bin/warpwright}
clang=${CLANG:-clang++-22}
nvcc=$(command -v nvcc || true)
rounds=${ROUNDS:-3}
cuda=${CUDA_PATH:-$(dirname "$(dirname "${nvcc:-/usr/local/cuda/bin/nvcc}")")}
[ "${NVCC:-}" != no ] || nvcc=
[ $# -gt 0 ] || set -- "$root"/docs/examples/*.cu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

milliseconds() { # command...: of one run
  local status TIMEFORMAT='%U %S'
  { time "$@" > "$work/log" 2>&1; } 2> "$work/time"
  status=$?
  [ $status -eq 0 ] || [ $status -eq 2 ] || return 1
  awk '{ printf "%d", ($1 + $2) * 1000 }' "$work/time"
}
smaller() { [ -z "$1" ] || [ "$2" -lt "$1" ] && echo "$2" || echo "$1"; }
ratio() { awk "BEGIN { printf \"%.2f\", $1 / $2 }"; }

printf '%-20s %10s %10s %6s %10s %6s %10s %10s %6s\n' \
  file parse_ms rewrite_ms ratio unchecked ratio nvcc_ms after_ms ratio
for file; do
  name=$(basename "$file" .cu)
  failed=
  best_parse= best_rewrite= best_unchecked=
  flags=(-std=c++17 -I"$root/docs/examples")
  parse=("$clang" -x cuda --cuda-device-only --cuda-gpu-arch=sm_90a
    --cuda-path="$cuda" -w "${flags[@]}" -fsyntax-only "$file")
  rewrite=("$tool" rewrite "$file" -o "$work/$name.cu")
  for ((round = 0; round < rounds; round++)); do
    one=$(milliseconds "${parse[@]}") &&
      two=$(milliseconds "${rewrite[@]}" -- "${flags[@]}") &&
      three=$(milliseconds "${rewrite[@]}" --no-check -- "${flags[@]}") ||
      { failed=1 && break; }
    best_parse=$(smaller "$best_parse" "$one")
    best_rewrite=$(smaller "$best_rewrite" "$two")
    best_unchecked=$(smaller "$best_unchecked" "$three")
  done
  if [ -n "$failed" ]; then
    printf '%-20s failed\n' "$name"
    tail -n 3 "$work/log"
    continue
  fi
  printf '%-20s %10d %10d %6s %10d %6s' "$name" "$best_parse" "$best_rewrite" \
    "$(ratio "$best_rewrite" "$best_parse")" "$best_unchecked" \
    "$(ratio "$best_unchecked" "$best_parse")"
  if [ -n "$nvcc" ]; then
    flags+=(-O3 -gencode=arch=compute_90a,code=sm_90a -diag-suppress 20199
      -I"$root/runtime/include" -c -o "$work/$name.o")
    before=$(milliseconds "$nvcc" "${flags[@]}" "$file")
    after=$(milliseconds "$nvcc" "${flags[@]}" "$work/$name.cu")
    printf ' %10s %10s %6s' "$before" "$after" \
      "$(ratio "${after:-0}" "${before:-1}")"
  fi
  echo
done
