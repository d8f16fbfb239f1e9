#!/usr/bin/env bash
# Generates the plain benchmark kernels, rewrites them, and packs the generated
# CUDA, the runtime, the harness with its cuBLASLt rival and the shapes into one
# folder for a Hopper machine, where `bash run.sh` builds, checks and times it.
#
#   tools/bench/pack.sh [--plain] [--plan=FILE] [--types=a,b] [folder]
#
# The folder is build/bench-pack by default. WARPWRIGHT names the tool (default
# build/bin/warpwright); --plain packs the kernels as they are; --plan=FILE
# measures the plans of a plan file instead of the planner's; --types=a,b packs
# those of bf16, fp16, f32, tf32, fp8 (e4m3 to bfloat16), f64, int8 (to int), w8
# (bfloat16 times bytes) and c32 (complex numbers of two floats). Exit status 1 if a kernel was declined.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
plain=
plan=()
types='bf16 fp16 f32 tf32 fp8 f64 int8 w8 c32'
while [[ ${1:-} = --* ]]; do
  case $1 in
    --plain) plain=1 ;;
    --types=*) types=${1#--types=} && types=${types//,/ } ;;
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
cp "$here"/{bench.cu,bench.h,errors.h,reference.cu,rival.cu,run.sh,shapes.csv} \
  "$pack/"
if [ -d "$root/runtime/include" ]; then
  cp -r "$root/runtime/include" "$pack/include"
fi

generate() { # type layout batched
  local name=$1_$2$3 element=float of_b= result= a b sum=sum batch= clauses=
  local adds=float zero=0.0f
  case $2 in T?) a='A[k * M + row]' ;; *) a='A[row * K + k]' ;; esac
  case $2 in ?T) b='B[col * K + k]' ;; *) b='B[k * N + col]' ;; esac
  case $1 in
    bf16) element=__nv_bfloat16 sum='__float2bfloat16(sum)'
          a="__bfloat162float($a)" b="__bfloat162float($b)" ;;
    fp16) element=__half sum='__float2half(sum)'
          a="__half2float($a)" b="__half2float($b)" ;;
    fp8) element=__nv_fp8_e4m3 result=__nv_bfloat16 sum='__float2bfloat16(sum)'
         a="static_cast<float>($a)" b="static_cast<float>($b)" ;;
    w8) element=__nv_bfloat16 of_b='signed char' sum='__float2bfloat16(sum)'
        a="__bfloat162float($a)" b="static_cast<float>($b)" ;;
    f32) ;;
    tf32) clauses=' precision(tf32)' ;;
    f64) element=double adds=double zero=0.0 ;;
    c32) element=Complex adds=Complex zero='{0, 0}' ;;
    int8) element='signed char' result=int adds=int zero=0 ;;
    *) echo "pack.sh: no kernel of type $1" >&2 && exit 1 ;;
  esac
  if [ -n "$3" ]; then
    batch='A += (size_t)blockIdx.z * M * K;\
  B += (size_t)blockIdx.z * K * N;\
  C += (size_t)blockIdx.z * M * N;'
  fi
  sed -e "s/@NAME@/$name/g; s/@LAYOUT@/$2/g; s/@TYPE@/$element/g" \
    -e "s/@RESULT@/${result:-$element}/g; s/@B_TYPE@/${of_b:-$element}/g" \
    -e "s/@CLAUSES@/$clauses/; s/@A@/$a/; s/@B@/$b/; s/@SUM@/$sum/" \
    -e "s/@ADDS@/$adds/; s/@ZERO@/$zero/" \
    -e "$([ -n "$batch" ] && echo "s/@BATCH@/$batch/" || echo /@BATCH@/d)" \
    "$here/kernel.cu.in" > "$pack/plain/$name.cu"
}

rewrite() { # source result
  if [ -n "$plain" ]; then
    cp "$1" "$2"
  elif ! "$tool" rewrite "$1" "${plan[@]}" -o "$2" -- -std=c++17 \
    2> "$pack/plain/$(basename "$1" .cu).log"; then
    echo "$(basename "$1" .cu): not rewritten" >&2
    head -n 5 "$pack/plain/$(basename "$1" .cu).log" >&2
    bad=1
  fi
}

bad=0 count=0
: > "$pack/kernels.def"
for type in $types; do
  for layout in NN NT TN TT; do
    for batched in '' _batched; do
      generate $type $layout "$batched"
      name=${type}_$layout$batched
      echo "X($name)" >> "$pack/kernels.def"
      count=$((count + 1))
      rewrite "$pack/plain/$name.cu" "$pack/kernels/$name.cu"
    done
  done
done
# They include errors.h, which the rewritten file finds in the pack as well.
for program in accuracy accuracy_fp8 accuracy_wide accuracy_types; do
  case "$program: $types " in
    'accuracy: '*f32* | accuracy_fp8*:*fp8* | \
      accuracy_wide*:*f64* | accuracy_wide*:*int8* | \
      accuracy_types*:*c32*) ;;
    *) continue ;;
  esac
  cp "$here/$program.cu" "$here/errors.h" "$pack/plain/"
  rewrite "$pack/plain/$program.cu" "$pack/$program.cu"
done
echo "packed $pack: $count kernels${plain:+, plain}"
exit $bad
