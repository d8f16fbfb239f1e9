// A rewritten file can be read again, so its runtime headers have to parse with
// Clang, for the device and for the host, without a toolkit and with one.
// RUN: %clang -x cuda --cuda-path=/nonexistent %parse --cuda-gpu-arch=sm_90a \
// RUN:   -std=c++17 -Werror -I %runtime -fsyntax-only --cuda-device-only %s
// RUN: %clang -x cuda --cuda-path=/nonexistent %parse --cuda-gpu-arch=sm_90a \
// RUN:   -std=c++17 -Werror -I %runtime -fsyntax-only --cuda-host-only %s
// RUN: %if cuda-toolkit %{ %clang -x cuda --cuda-path=%cuda \
// RUN:   -Wno-unknown-cuda-version --cuda-gpu-arch=sm_90a -std=c++17 -Werror \
// RUN:   -I %runtime -fsyntax-only --cuda-device-only %s %}

// nvcc takes them without a word (the comment is this one).
// RUN: %if nvcc %{ %nvcc -std=c++17 -arch=sm_90a -Werror=all-warnings \
// RUN:   -Xcompiler=-Wall,-Wextra,-Werror,-Wno-comment -I %runtime -c %s -o %t.90a.o %}
// RUN: %if nvcc %{ %nvcc -std=c++17 -arch=sm_80 -Werror=all-warnings \
// RUN:   -Xcompiler=-Wall,-Wextra,-Werror,-Wno-comment -I %runtime -c %s -o %t.80.o %}

#include <warpwright/rt/warpwright.cuh>

int main() { return 0; }
