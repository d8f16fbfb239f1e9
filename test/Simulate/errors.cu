// What the simulator does not know is an error at its line, and nothing runs.
// RUN: python3 %inputs/status.py 1 %warpwright sim --original %s 2>%t.log
// RUN: FileCheck %s --input-file=%t.log
// RUN: python3 %inputs/status.py 1 %warpwright sim --original %s -DSYNTAX 2>&1 | FileCheck %s --check-prefix=SYNTAX
// RUN: python3 %inputs/status.py 1 %warpwright sim --original %s -DINSTANCE 2>&1 | FileCheck %s --check-prefix=INSTANCE
// RUN: python3 %inputs/status.py 1 %warpwright sim --original %s -DHEADER 2>&1 | FileCheck %s --check-prefix=HEADER
// RUN: python3 %inputs/status.py 1 %warpwright sim --original %s -DHIDDEN 2>&1 | FileCheck %s --check-prefix=HIDDEN

#ifdef SYNTAX
// SYNTAX: errors.cu:[[#@LINE+1]]:{{[0-9]+}}: error: use of undeclared identifier 'y'
__global__ void kernel(int *x) { y = 1; }
// SYNTAX: error: '{{.*}}errors.cu' is not simulated after these errors [WW603]
#elif defined(INSTANCE)
// INSTANCE: errors.cu:[[#@LINE+1]]:{{.*}} error: no member named 'size' in 'Empty'
template <class T> __global__ void kernel(T x) { x.size(); }
struct Empty {};
int main() { kernel<<<1, 1>>>(Empty()); }
// INSTANCE: error: the program does not compile for the simulator [WW603]
#elif defined(HEADER)
// HEADER: errors.cu:[[#@LINE+1]]:10: fatal error: 'no/such/header.h' file not found
#include <no/such/header.h>
#elif defined(HIDDEN)
__global__ void kernel() {}
int main() {
#ifndef __CUDA_ARCH__
  // HIDDEN: errors.cu:[[#@LINE+1]]:9: error: the simulator does not know launches that __CUDA_ARCH__ hides: {{.*}} [WW601]
  kernel<<<1, 1>>>();
#endif
#if __CUDA_ARCH__ > 0
#  else
  // HIDDEN: errors.cu:[[#@LINE+1]]:9: error: the simulator does not know launches that __CUDA_ARCH__ hides: {{.*}} [WW601]
  kernel<<<1, 1>>>();
#endif
#ifdef OTHER
  kernel<<<1, 1>>>();
#endif
  // HIDDEN-NOT: error: the simulator does not know
}
#else
struct Holder {
  // CHECK: errors.cu:[[#@LINE+1]]:{{[0-9]+}}: error: the simulator does not know a shared variable that is a member or a template [WW601]
  static __shared__ int member;
};
__global__ void kernel() {
  // CHECK: errors.cu:[[#@LINE+1]]:{{[0-9]+}}: error: the simulator does not know asm goto [WW601]
  asm goto("bra %l0;" :::: out);
out:;
}
// CHECK: error: '{{.*}}errors.cu' is not simulated after these errors [WW603]
#endif
