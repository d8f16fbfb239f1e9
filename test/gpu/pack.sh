#!/usr/bin/env bash
# Rewrites the examples, the programs with float operands and the near-misses and
# packs them, with the runtime headers and run_gpu.sh, into one folder for a
# machine with a Hopper GPU.
#
#   test/gpu/pack.sh [--plain] [folder]     default folder: build/gpu-pack
#
# WARPWRIGHT names the tool (default build/bin/warpwright). With --plain nothing
# is rewritten: run_gpu.sh then checks that the programs are right by
# themselves. Exit status 1 if a rewrite did not end as its file expects.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
plain=
if [ "${1:-}" = --plain ]; then
  plain=1
  shift
fi
pack=${1:-$root/build/gpu-pack}
tool=${WARPWRIGHT:-$root/build/bin/warpwright}

mkdir -p "$pack"; pack=$(cd "$pack" && pwd)
rm -rf "$pack"
mkdir -p "$pack/plain/near_miss"
cp -r "$root/docs/examples" "$pack/plain/examples"
cp "$root"/test/gpu/near_miss/*.{cu,h} "$pack/plain/near_miss/"
python3 -B "$root/test/gpu/forms/write.py" "$root" "$pack/plain"
cp "$root"/test/gpu/run_gpu.{sh,py} "$pack/"
if [ -n "$plain" ]; then
  echo "packed $pack: plain programs"
  exit 0
fi

[ -x "$tool" ] || { echo "no tool at $tool: build it first" >&2; exit 1; }
cp -r "$root/runtime/include" "$pack/include"
cp -r "$pack/plain" "$pack/rewritten"
find "$pack/rewritten" -name '*.cu' -delete

bad=0
cd "$pack/plain" || exit 1
# One line per file in rewrites.txt: status, seconds, name.
: > "$pack/rewrites.txt"
rewrite() { # file
  local start=$EPOCHREALTIME status
  "$tool" rewrite "$1" -o "$pack/rewritten/$1" -- -std=c++17 -Iexamples \
    > "$pack/rewritten/$1.log" 2>&1
  status=$?
  printf '%d %.2f %s\n' $status \
    "$(echo "$EPOCHREALTIME - $start" | bc -l 2> /dev/null || echo 0)" "$1" \
    >> "$pack/rewrites.txt"
  return $status
}
for file in $(find . -name '*.cu' | sed 's|^\./||' | sort); do
  rewrite "$file"
  status=$?
  want=0
  id=$(sed -n 's|^// EXPECT: \(WW[0-9]*\).*|\1|p' "$file")
  [ -n "$id" ] && want=2
  if [ $status -ne $want ]; then
    echo "$file: exit status $status, expected $want" >&2
    grep -m 3 -E 'error|warning' "$pack/rewritten/$file.log" >&2
    bad=1
  elif [ -n "$id" ] && ! grep -q "\[$id\]" "$pack/rewritten/$file.log"; then
    echo "$file: no diagnostic [$id]:" >&2
    grep -m 3 -E 'error|warning' "$pack/rewritten/$file.log" >&2
    bad=1
  fi
done
files=$(wc -l < "$pack/rewrites.txt")
good=$(grep -c '^0 ' "$pack/rewrites.txt")
echo "packed $pack: $good of $files files rewritten in full"
exit $bad
