# shellcheck shell=bash
# Functions that tools/quickstart.sh and test/run.sh share: print progress, install
# what is missing, find the CUDA Toolkit and a GPU, configure and build. This file is
# sourced, not run; it expects `set -euo pipefail`. Nothing in it reads standard input.

WARPWRIGHT_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
WARPWRIGHT_BUILD=${WARPWRIGHT_BUILD:-$WARPWRIGHT_ROOT/build}

# The packages that the build and the tests need (Debian's names).
WARPWRIGHT_PACKAGES=(clang-22 libclang-22-dev libclang-cpp22 libclang-rt-22-dev
  llvm-22-dev llvm-22-tools clang-format-22 libgtest-dev cmake ninja-build g++
  git python3 python3-psutil)

# step TEXT...: one line on what is done now.
step() { printf '\n==> %s\n' "$*"; }

# fail TEXT...: says why and ends the script.
fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# as_root COMMAND...: runs it as root, through sudo where we are not.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    # Only somebody at a terminal can be asked for a password.
    if [ -t 2 ]; then sudo "$@"; else sudo -n "$@"; fi
  else
    fail "not root and no sudo: run this as root: $*"
  fi
}

# missing_packages: those of WARPWRIGHT_PACKAGES that are not installed.
missing_packages() {
  local package
  for package in "${WARPWRIGHT_PACKAGES[@]}"; do
    dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null |
      grep -qx installed || printf '%s\n' "$package"
  done
}

# install_missing: installs the packages that are missing, or on a system that
# is not Debian's says which tools it did not find.
install_missing() {
  local missing=() tool
  if ! command -v apt-get >/dev/null; then
    for tool in clang++-22 cmake ninja python3; do
      command -v "$tool" >/dev/null || missing+=("$tool")
    done
    [ ${#missing[@]} -eq 0 ] ||
      fail "no apt-get here, and these are missing: ${missing[*]}"
    return
  fi
  mapfile -t missing < <(missing_packages)
  if [ ${#missing[@]} -eq 0 ]; then
    step "Packages: all there"
    return
  fi
  step "Installing ${missing[*]}"
  local apt=(env DEBIAN_FRONTEND=noninteractive apt-get
    -o DPkg::Lock::Timeout=300)
  # Package lists may be absent or too old to be useful; if a third party's source
  # fails, that is no reason to stop.
  as_root "${apt[@]}" update -q || true
  apt-cache show clang-22 >/dev/null 2>&1 ||
    fail "no package clang-22: on Debian 12 it is in the suite" \
      "bookworm-security; add it to the sources and run this again"
  as_root "${apt[@]}" install -y -q --no-install-recommends "${missing[@]}" \
    </dev/null
}

# find_nvcc: prints the path of nvcc; fails if there is none.
find_nvcc() {
  local candidate
  for candidate in "${CUDA_HOME:+$CUDA_HOME/bin/nvcc}" \
    "${CUDA_PATH:+$CUDA_PATH/bin/nvcc}" "$(command -v nvcc || true)" \
    /usr/local/cuda/bin/nvcc; do
    if [ -n "$candidate" ] && [ -x "$candidate" ]; then
      printf '%s\n' "$candidate"
      return
    fi
  done
  return 1
}

# has_hopper: whether some GPU here is of compute capability 9.0.
has_hopper() {
  command -v nvidia-smi >/dev/null &&
    nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null |
    grep -qx '9\.0'
}

# build_jobs: one per processor, as far as memory allows 1.5 GB for each.
build_jobs() {
  local processors memory
  processors=$(nproc)
  memory=$(awk '/MemAvailable/ { print int($2 / 1500000) + 1 }' \
    /proc/meminfo 2>/dev/null || echo "$processors")
  echo "${WARPWRIGHT_JOBS:-$((processors < memory ? processors : memory))}"
}

# build_warpwright TARGET...: configures and builds into $WARPWRIGHT_BUILD.
build_warpwright() {
  local jobs
  jobs=$(build_jobs)
  step "Configuring into $WARPWRIGHT_BUILD"
  # A configuration of another compiler, or of an interrupted run: start again.
  cmake -S "$WARPWRIGHT_ROOT" --preset release -B "$WARPWRIGHT_BUILD" ||
    cmake -S "$WARPWRIGHT_ROOT" --preset release -B "$WARPWRIGHT_BUILD" --fresh
  step "Building with $jobs jobs (a first build takes a few minutes)"
  NINJA_STATUS='[%f/%t, %es] ' \
    cmake --build "$WARPWRIGHT_BUILD" -j "$jobs" --target "$@"
}
