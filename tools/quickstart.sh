#!/usr/bin/env bash
# From a fresh checkout to a rewritten kernel: installs what is missing, builds
# Warpwright, rewrites an example, and compares its results with float64 in the
# simulator. If nvcc is installed, the example is also compiled for sm_90a, and run if
# there is a Hopper GPU. The script may be run again at any time; finished steps are
# not repeated.
#
#   tools/quickstart.sh
#
# WARPWRIGHT_BUILD names another build folder, WARPWRIGHT_JOBS the number of
# parallel jobs.
set -euo pipefail

# shellcheck source=setup.sh
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
cd "$WARPWRIGHT_ROOT"

[ $# -eq 0 ] || fail "$0 takes no arguments"

install_missing
build_warpwright warpwright WarpwrightSim

tool=$WARPWRIGHT_BUILD/bin/warpwright
example=docs/examples/matmul.cu
out=$WARPWRIGHT_BUILD/quickstart
mkdir -p "$out"

step "Rewriting $example"
echo "\$ warpwright rewrite $example -o $out/matmul.cu"
"$tool" rewrite "$example" -o "$out/matmul.cu" -- -std=c++17
echo "The kernel that was annotated, $(wc -l <"$example") lines in its file:"
sed -n '/#pragma warpwright/,/^}/p' "$example" | sed 's/^/    /'
echo "What it computes, as found by executing one generic thread symbolically:"
"$tool" rewrite "$example" --emit=contraction -- -std=c++17 | sed 's/^/    /'
echo "The Hopper kernel's plans, of which each launch takes one by its shape:"
"$tool" rewrite "$example" --emit=plan -- -std=c++17 |
  awk '/^plan / { name = $2 } /^ *tile / { sub(/^ */, ""); print "    " name ": " $0 }'
echo "The launch in main() now:"
grep -n '(::warpwright::rt::Configure(' "$out/matmul.cu" | tail -n 1 |
  sed 's/^/    /'

step "Running it in the simulator; each case is compared with float64"
echo "\$ WARPWRIGHT_LOG=1 warpwright sim $example -std=c++17 -- --quick"
WARPWRIGHT_LOG=1 "$tool" sim "$example" -std=c++17 -- --quick

compiled=no
if nvcc=$(find_nvcc); then
  step "Compiling it for sm_90a with $nvcc"
  "$nvcc" -std=c++17 -O3 -diag-suppress=20199 \
    -gencode=arch=compute_90a,code=sm_90a \
    -I docs/examples -I "$("$tool" --include-dir)" \
    "$out/matmul.cu" -o "$out/matmul"
  compiled=yes
  echo "built $out/matmul"
else
  step "No nvcc here: the CUDA Toolkit is needed to compile the result"
fi

if [ $compiled = yes ] && has_hopper; then
  step "Running it; each case is compared with float64"
  WARPWRIGHT_LOG=1 "$out/matmul"
elif [ $compiled = yes ]; then
  step "No Hopper GPU here: $out/matmul was built, not run"
fi

step "What to look at next"
cat <<NEXT
  $out/matmul.cu   the rewritten file: your text, and one
      generated section per kernel
  $tool explain $example
      what was recognised, the plan, and why
  $tool sim $example
      the program without a GPU; docs/simulator.md says what it finds
  docs/pragma.md   what the pragma can say;  docs/build.md  how to build with it
  docs/examples    more kernels in the forms that are accepted
  test/run.sh      every test
NEXT
