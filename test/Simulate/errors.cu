// What the simulator does not know is an error at its line, and nothing runs.
// RUN: python3 %inputs/status.py 1 %warpwright sim --original %s 2>%t.log
// RUN: FileCheck %s --input-file=%t.log
// RUN: python3 %inputs/status.py 1 %warpwright sim --original %s -DSYNTAX 2>&1 | FileCheck %s --check-prefix=SYNTAX
// RUN: python3 %inputs/status.py 1 %warpwright sim --original %s -DINSTANCE 2>&1 | FileCheck %s --check-prefix=INSTANCE
// RUN: python3 %inputs/status.py 1 %warpwright sim --original %s -DHEADER 2>&1 | FileCheck %s --check-prefix=HEADER

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
