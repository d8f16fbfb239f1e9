#!/usr/bin/env bash
# Generates the plain benchmark kernels, rewrites them, and packs the generated
# CUDA, the runtime, the harness with its cuBLASLt rival and the shapes into one
# folder for a Hopper machine, where `sh run.sh` builds, checks and times it.
#
#   tools/bench/pack.sh [--plain] [--plan=FILE] [folder]
#
# The folder is build/bench-pack by default. WARPWRIGHT names the tool (default
# build/bin/warpwright); --plain packs the kernels as they are; --plan=FILE
# measures the plans of a plan file instead of the planner's. Exit status 1 if
# a kernel was declined.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
plain=
plan=()
while [[ ${1:-} = --* ]]; do
  case $1 in
    --plain) plain=1 ;;
    --plan=*) plan=("--plan=$(realpath "${1#--plan=}")") ;;
    *) echo "pack.sh: unknown option $1" >&2 && exit 1 ;;
  esac
  shift
done
pack=${1:-$root/build/bench-pack}
tool=${WARPWRIGHT:-$root/build/bin/warpwright}

mkdir -p "$pack"; pack=$(cd "$pack" && pwd)
rm -rf "$pack"
mkdir -p "$pack/plain" "$pack/kernels"
cp "$here"/{bench.cu,bench.h,reference.cu,rival.cu,run.sh,shapes.csv} "$pack/"
if [ -d "$root/runtime/include" ]; then
  cp -r "$root/runtime/include" "$pack/include"
fi

generate() { # type layout batched
  local name=$1_$2$3 element to from a b batch=
  case $1 in
    bf16) element=__nv_bfloat16 to=__bfloat162float from=__float2bfloat16 ;;
    fp16) element=__half to=__half2float from=__float2half ;;
  esac
  case $2 in T?) a='k * M + row' ;; *) a='row * K + k' ;; esac
  case $2 in ?T) b='col * K + k' ;; *) b='k * N + col' ;; esac
  if [ -n "$3" ]; then
    batch='A += (size_t)blockIdx.z * M * K;\
  B += (size_t)blockIdx.z * K * N;\
  C += (size_t)blockIdx.z * M * N;'
  fi
  sed -e "s/@NAME@/$name/g; s/@LAYOUT@/$2/g; s/@TYPE@/$element/g" \
    -e "s/@TO_FLOAT@/$to/g; s/@FROM_FLOAT@/$from/g" \
    -e "s/@A_INDEX@/$a/; s/@B_INDEX@/$b/" \
    -e "$([ -n "$batch" ] && echo "s/@BATCH@/$batch/" || echo /@BATCH@/d)" \
    "$here/kernel.cu.in" > "$pack/plain/$name.cu"
}

bad=0 count=0
for type in bf16 fp16; do
  for layout in NN NT TN TT; do
    for batched in '' _batched; do
      generate $type $layout "$batched"
      name=${type}_$layout$batched
      count=$((count + 1))
      if [ -n "$plain" ]; then
        cp "$pack/plain/$name.cu" "$pack/kernels/"
      elif ! "$tool" rewrite "$pack/plain/$name.cu" "${plan[@]}" \
        -o "$pack/kernels/$name.cu" -- -std=c++17 2> "$pack/plain/$name.log"; then
        echo "$name: not rewritten" >&2
        head -n 5 "$pack/plain/$name.log" >&2
        bad=1
      fi
    done
  done
done
echo "packed $pack: $count kernels${plain:+, plain}"
exit $bad
