#!/usr/bin/env bash
# Builds a pack made by pack.sh, checks every row against float64 and times it
# against cuBLASLt's best of 8, on a machine with a Hopper GPU.
#
#   run.sh [shapes.csv] [bench options]      e.g. run.sh --regime large,prefill
#   run.sh --build                           only builds, where no GPU is
#   run.sh --run ...                         runs what was built
#
# A pack with float kernels also gets `accuracy` (accuracy.cu), and one with fp8
# kernels `accuracy_fp8`, of f64 or int8 `accuracy_wide`, and of c32 `accuracy_types`
# (more types than that); they are run by themselves.
#
# The table comes last and lies in $OUT/bench.txt (default: out/ beside this
# file). Exit status 1 if a build failed or a result was wrong.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${OUT:-$here/out}
mkdir -p "$out" "$here/obj"
steps='build run'
case ${1:-} in --build | --run) steps=${1#--} && shift ;; esac
shapes=$here/shapes.csv
case ${1:-} in *.csv) shapes=$1 && shift ;; esac

compile() { # source
  local object=$here/obj/$(basename "$1" .cu).o
  if [ ! -e "$object" ] || [ "$1" -nt "$object" ]; then
    nvcc -std=c++17 -O3 -lineinfo -Xptxas -v -diag-suppress 20199 \
      -gencode=arch=compute_90a,code=sm_90a -I"$here/include" -I"$here" \
      -c "$1" -o "$object" > "$object.log" 2>&1 || {
      echo "build failed: $1"
      tail -n 20 "$object.log"
      return 1
    }
  fi
}
export -f compile
export here
if [[ $steps = *build* ]]; then
  start=$SECONDS
  printf '%s\n' "$here"/kernels/*.cu "$here"/[a-z]*.cu |
    xargs -P "$(nproc)" -I{} bash -c 'compile {}' || exit 1
  cat "$here"/obj/*.log > "$out/bench-build.log"
  if grep -qE 'Potential Performance Loss|C7504|C7508|C7514|C7517|C7519' \
    "$out/bench-build.log"; then
    echo "ptxas reports serialised wgmma: see bench-build.log"
  fi
  grep -E ' [1-9][0-9]* bytes spill' "$out/bench-build.log" | sort | uniq -c
  objects=()
  for object in "$here"/obj/*.o; do
    case $object in
      */accuracy.o) nvcc "$object" -o "$here/accuracy" -lcublas || exit 1 ;;
      */accuracy_fp8.o)
        nvcc "$object" -o "$here/accuracy_fp8" -lcublasLt || exit 1
        ;;
      */accuracy_wide.o | */accuracy_types.o)
        nvcc "$object" -o "$here/$(basename "$object" .o)" -lcublas || exit 1
        ;;
      *) objects+=("$object") ;;
    esac
  done
  nvcc "${objects[@]}" -o "$here/bench" -lcublasLt -lcublas || exit 1
  echo "built in $((SECONDS - start)) s"
fi
[[ $steps = *run* ]] || exit 0

# Two processes: logging each launch would disturb the times.
WARPWRIGHT_LOG=1 "$here/bench" check "$shapes" "$@" \
  > "$out/bench-check.log" 2>&1
checked=$?
"$here/bench" time "$shapes" --checked "$out/bench-check.log" "$@" 2>&1 |
  tee "$out/bench.txt"
[ $checked -eq 0 ] && [ "${PIPESTATUS[0]}" -eq 0 ]
