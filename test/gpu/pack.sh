#!/usr/bin/env bash
# Rewrites the examples, the programs with float operands, those with tiles and the
# near-misses and packs them, with the runtime headers, run_gpu.sh and
# tile_times.py, into one folder for a machine with a Hopper GPU.
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
tool=$(realpath -m "${WARPWRIGHT:-$root/build/bin/warpwright}")

mkdir -p "$pack"; pack=$(cd "$pack" && pwd)
rm -rf "$pack"
mkdir -p "$pack"/plain/{near_miss,tiles,near_tiles}
cp -r "$root/docs/examples" "$pack/plain/examples"
cp "$root"/test/gpu/near_miss/*.{cu,h} "$pack/plain/near_miss/"
cp "$root"/test/gpu/tiles/*.cu "$pack/plain/tiles/"
# Of the wrong ones with tiles those that are rewritten all the same, since their
# launchers refuse them or since they compute what they seem to.
grep -l '^// EXPECT-RUNTIME:' "$root"/test/gpu/tile_miss/*.cu |
  xargs cp -t "$pack/plain/near_tiles/"
python3 -B "$root/test/gpu/forms/write.py" "$root" "$pack/plain"
cp "$root"/test/gpu/{run_gpu.sh,run_gpu.py,tile_times.py} "$pack/"
if [ -n "$plain" ]; then
  echo "packed $pack: plain programs"
  exit 0
fi

[ -x "$tool" ] || { echo "no tool at $tool: build it first" >&2; exit 1; }
cp -r "$root/runtime/include" "$pack/include"
cp -r "$pack/plain" "$pack/rewritten"
find "$pack/rewritten" -name '*.cu' -delete

cd "$pack/plain" || exit 1
# One line per file in rewrites.txt: status, seconds, name.
: > "$pack/rewrites.txt"
rewrite() { # file; says what is not as the file expects
  local file=$1 start=$EPOCHREALTIME status want=0 id log=$pack/rewritten/$1.log
  "$tool" rewrite "$file" -o "$pack/rewritten/$file" -- -std=c++17 -Iexamples \
    > "$log" 2>&1
  status=$?
  printf '%d %.2f %s\n' $status \
    "$(echo "$EPOCHREALTIME - $start" | bc -l 2> /dev/null || echo 0)" "$file" \
    >> "$pack/rewrites.txt"
  id=$(sed -n 's|^// EXPECT: \(WW[0-9]*\).*|\1|p' "$file")
  [ -n "$id" ] && want=2
  # forms.txt says which of those with tiles are not rewritten yet.
  case $file in
    tiles/*)
      sed -n "/^$(basename "$file")\$/,/^[^ ]/p" \
        "$root/test/Lift/forms/forms.txt" | grep -q 'is not rewritten' && want=2
      ;;
  esac
  if [ $status -ne $want ]; then
    echo "$file: exit status $status, expected $want" >&2
    grep -m 3 -E 'error|warning' "$log" >&2
    return 1
  elif [ -n "$id" ] && ! grep -q "\[$id\]" "$log"; then
    echo "$file: no diagnostic [$id]:" >&2
    grep -m 3 -E 'error|warning' "$log" >&2
    return 1
  fi
}
export -f rewrite
export root pack tool
bad=0
find . -name '*.cu' | sed 's|^\./||' | sort |
  xargs -P "$(nproc)" -I{} bash -c 'rewrite {}' || bad=1
files=$(wc -l < "$pack/rewrites.txt")
good=$(grep -c '^0 ' "$pack/rewrites.txt")
echo "packed $pack: $good of $files files rewritten in full"
exit $bad
