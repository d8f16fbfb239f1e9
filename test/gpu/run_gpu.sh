#!/bin/sh
# Builds, checks and runs a pack made by pack.sh on a machine with a Hopper GPU;
# run_gpu.py says what is checked. Logs go to $OUT, or to out/ beside this file.
exec python3 "$(dirname "$0")/run_gpu.py" "$@"
