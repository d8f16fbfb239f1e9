#!/usr/bin/env bash
# What rewriting costs, file by file: the tool's time against one device-side
# parse by Clang, and nvcc's time for the rewritten file against the original.
#
#   tools/bench/cost.sh [file.cu ...]       default: docs/examples/*.cu
#
# Processor time (user and system), so that a busy machine does not matter: best
# of three for the tool and the parse; nvcc (for sm_90a) once, skipped if there
# is none. WARPWRIGHT and CLANG name the tools; CUDA_PATH the toolkit.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
tool=${WARPWRIGHT:-$root/build/bin/warpwright}
clang=${CLANG:-clang++-22}
nvcc=$(command -v nvcc || true)
cuda=${CUDA_PATH:-$(dirname "$(dirname "${nvcc:-/usr/local/cuda/bin/nvcc}")")}
[ $# -gt 0 ] || set -- "$root"/docs/examples/*.cu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

milliseconds() { # runs, command...: the best of the runs
  local runs=$1 best=999999 elapsed status TIMEFORMAT='%U %S'
  shift
  for ((i = 0; i < runs; i++)); do
    { time "$@" > "$work/log" 2>&1; } 2> "$work/time"
    status=$?
    [ $status -eq 0 ] || [ $status -eq 2 ] || return 1
    elapsed=$(awk '{ printf "%d", ($1 + $2) * 1000 }' "$work/time")
    [ "$elapsed" -lt $best ] && best=$elapsed
  done
  echo $best
}
ratio() { awk "BEGIN { printf \"%.2f\", $1 / $2 }"; }

printf '%-20s %10s %10s %6s %10s %10s %6s\n' \
  file parse_ms rewrite_ms ratio nvcc_ms after_ms ratio
for file; do
  name=$(basename "$file" .cu)
  parse=$(milliseconds 3 "$clang" -x cuda --cuda-device-only \
    --cuda-gpu-arch=sm_90a --cuda-path="$cuda" -std=c++17 -w \
    -I"$root/docs/examples" -fsyntax-only "$file")
  rewrite=$(milliseconds 3 "$tool" rewrite "$file" -o "$work/$name.cu" -- \
    -std=c++17 -I"$root/docs/examples")
  if [ -z "$parse" ] || [ -z "$rewrite" ]; then
    printf '%-20s failed\n' "$name"
    tail -n 3 "$work/log"
    continue
  fi
  printf '%-20s %10d %10d %6s' "$name" "$parse" "$rewrite" \
    "$(ratio "$rewrite" "$parse")"
  if [ -n "$nvcc" ]; then
    flags=(-std=c++17 -O3 -gencode=arch=compute_90a,code=sm_90a
      -diag-suppress 20199 -I"$root/docs/examples"
      -I"$root/runtime/include" -c -o "$work/$name.o")
    before=$(milliseconds 1 "$nvcc" "${flags[@]}" "$file")
    after=$(milliseconds 1 "$nvcc" "${flags[@]}" "$work/$name.cu")
    printf ' %10s %10s %6s' "$before" "$after" \
      "$(ratio "${after:-0}" "${before:-1}")"
  fi
  echo
done
