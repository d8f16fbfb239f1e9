// Every mistake in a clause is an error with an ID, at its own column.
// RUN: not %warpwright rewrite %s --emit=regions 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=error: --implicit-check-not=warning:
// RUN: not %warpwright rewrite %s -o %t.cu 2>/dev/null
// RUN: not ls %t.cu
#include <cuda_runtime.h>

// CHECK: :[[#@LINE+1]]:27: error: unknown clause 'tiel'; did you mean 'tile'? [WW103]
#pragma warpwright matmul tiel(128, 128, 64)
// CHECK: #pragma warpwright matmul tiel
// CHECK-NEXT: ^~~~
// CHECK-NEXT: tile
__global__ void unknown_clause(float *p, int n) { p[0] = n; }

// CHECK: :[[#@LINE+1]]:43: error: unknown clause 'frobnicate' [WW103]
#pragma warpwright matmul tile(8, 8, 128) frobnicate
__global__ void unknown_clause_far(float *p, int n) { p[0] = n; }

// CHECK: :[[#@LINE+1]]:45: error: expected a clause name [WW104]
#pragma warpwright matmul tile(128, 128, 64), stages(3)
__global__ void comma(float *p, int n) { p[0] = n; }

// CHECK: :[[#@LINE+1]]:27: error: expected a clause name [WW104]
#pragma warpwright matmul (3)
__global__ void no_name(float *p, int n) { p[0] = n; }

// CHECK: :[[#@LINE+1]]:31: error: expected '(' after 'tile' [WW105]
#pragma warpwright matmul tile 128
__global__ void no_paren(float *p, int n) { p[0] = n; }

// CHECK: :[[#@LINE+3]]:44: error: expected ')' to end clause 'tile' [WW106]
// CHECK: {{^}}      |                                            )
// CHECK: :[[#@LINE+1]]:31: note: to match this '('
#pragma warpwright matmul tile(128, 128, 64
__global__ void no_close(float *p, int n) { p[0] = n; }

// CHECK: :[[#@LINE+1]]:43: error: expected ')' to end clause 'assume' [WW106]
#pragma warpwright matmul assume((n > 0) &
__global__ void no_close_assume(float *p, int n) { p[0] = n; }

// CHECK: :[[#@LINE+1]]:40: error: clause 'deterministic' takes no arguments [WW107]
#pragma warpwright matmul deterministic(1)
__global__ void extra_arguments(float *p, int n) { p[0] = n; }

// CHECK: :[[#@LINE+1]]:27: error: clause 'tile' takes 3 arguments, but 2 were given [WW108]
#pragma warpwright matmul tile(128, 128)
__global__ void few_arguments(float *p, int n) { p[0] = n; }

// CHECK: :[[#@LINE+1]]:37: error: clause 'stages' takes 1 argument, but 2 were given [WW108]
#pragma warpwright matmul stages(3, 4)
__global__ void many_arguments(float *p, int n) { p[0] = n; }

// CHECK: :[[#@LINE+1]]:37: error: expected an argument in clause 'tile' [WW109]
#pragma warpwright matmul tile(128, , 64)
__global__ void empty_argument(float *p, int n) { p[0] = n; }

// CHECK: :[[#@LINE+1]]:34: error: expected an argument in clause 'stages' [WW109]
#pragma warpwright matmul stages()
__global__ void no_argument(float *p, int n) { p[0] = n; }

// CHECK: :[[#@LINE+1]]:36: error: unknown value 'pingpog' in clause 'schedule'; expected 'auto', 'cooperative' or 'pingpong'; did you mean 'pingpong'? [WW110]
#pragma warpwright matmul schedule(pingpog)
// CHECK: pingpong{{$}}
__global__ void unknown_value(float *p, int n) { p[0] = n; }

// CHECK: :[[#@LINE+1]]:35: error: unknown value 'f + 1' in clause 'swap_ab'; expected 'auto', 'on' or 'off' [WW110]
#pragma warpwright matmul swap_ab(f + 1)
__global__ void unknown_value_expression(float *p, int n) { p[0] = n; }

// CHECK: :[[#@LINE+1]]:34: error: '4.5' is not an integer [WW112]
#pragma warpwright matmul stages(4.5)
__global__ void float_number(float *p, int n) { p[0] = n; }

// CHECK: :[[#@LINE+1]]:40: error: '64k' is not an integer [WW112]
#pragma warpwright matmul tile(128, 8, 64k)
__global__ void bad_number(float *p, int n) { p[0] = n; }

// CHECK: :[[#@LINE+1]]:48: error: '128x128' is not a shape; expected MxNxK, as in 4096x4096x1024 [WW116]
#pragma warpwright matmul shapes(4096x4096x64, 128x128)
__global__ void bad_shape(float *p, int n) { p[0] = n; }

// CHECK: :[[#@LINE+1]]:34: error: '0x64x64' is not a shape; expected MxNxK, as in 4096x4096x1024 [WW116]
#pragma warpwright matmul shapes(0x64x64)
__global__ void zero_shape(float *p, int n) { p[0] = n; }

// CHECK: :[[#@LINE+2]]:37: error: clause 'stages' is given twice [WW114]
// CHECK: :[[#@LINE+1]]:27: note: it is given here first
#pragma warpwright matmul stages(3) stages(4)
__global__ void twice(float *p, int n) { p[0] = n; }

// What needs an expression's value or type comes from Sema, so later.

// CHECK: :[[#@LINE+1]]:34: error: use of undeclared identifier 'nn' [WW124]
#pragma warpwright matmul assume(nn > 0)
__global__ void undeclared(float *p, int n) { p[0] = n; }

// CHECK: :[[#@LINE+1]]:38: error: expected expression [WW124]
#pragma warpwright matmul assume(n > )
__global__ void no_operand(float *p, int n) { p[0] = n; }

// CHECK: :[[#@LINE+1]]:34: error: argument of clause 'stages' is not an integer constant expression [WW111]
#pragma warpwright matmul stages(n)
__global__ void not_constant(float *p, int n) { p[0] = n; }

// CHECK: :[[#@LINE+1]]:37: error: argument of clause 'tile' is not an integer constant expression [WW111]
#pragma warpwright matmul tile(128, 1.5 + 1, 64)
__global__ void not_integer(float *p, int n) { p[0] = n; }

// CHECK: :[[#@LINE+1]]:32: error: 100 is out of range in clause 'tile': m must be a multiple of 8 from 8 to 512 [WW113]
#pragma warpwright matmul tile(100, 128, 64)
__global__ void odd_tile(float *p, int n) { p[0] = n; }

// CHECK: :[[#@LINE+1]]:34: error: 0 is out of range in clause 'stages': the number must be from 1 to 16 [WW113]
#pragma warpwright matmul stages(0)
__global__ void no_stages(float *p, int n) { p[0] = n; }

// CHECK: :[[#@LINE+1]]:35: error: -2 is out of range in clause 'split_k': the number must be from 1 to 1024 [WW113]
#pragma warpwright matmul split_k(-2)
__global__ void negative_split(float *p, int n) { p[0] = n; }

// CHECK: :[[#@LINE+1]]:34: error: 99999999999 is out of range in clause 'stages'
#pragma warpwright matmul stages(99999999999)
__global__ void huge(float *p, int n) { p[0] = n; }

// CHECK: :[[#@LINE+1]]:35: error: 8x4 is out of range in clause 'cluster': a cluster has at most 16 blocks [WW113]
#pragma warpwright matmul cluster(8, 4)
__global__ void big_cluster(float *p, int n) { p[0] = n; }

// CHECK: :[[#@LINE+2]]:46: error: clause 'stages' contradicts 'schedule': two consumers in turn need at least 2 stages [WW115]
// CHECK: :[[#@LINE+1]]:27: note: it is given here
#pragma warpwright matmul schedule(pingpong) stages(1)
__global__ void pingpong_alone(float *p, int n) { p[0] = n; }

// CHECK: :[[#@LINE+1]]:43: error: clause 'split_k' contradicts 'batch_invariant': an automatic split depends on the problem's size [WW115]
#pragma warpwright matmul batch_invariant split_k(auto)
__global__ void automatic_split(float *p, int n) { p[0] = n; }

// CHECK: :[[#@LINE+1]]:43: error: clause 'accumulate' contradicts 'precision': tf32 products are accumulated in f32 [WW115]
#pragma warpwright matmul precision(tf32) accumulate(f16)
__global__ void half_sum(float *p, int n) { p[0] = n; }

// CHECK: :[[#@LINE+1]]:34: error: condition in clause 'assume' has side effects [WW121]
#pragma warpwright matmul assume(n = 3)
__global__ void assigns(float *p, int n) { p[0] = n; }

// CHECK: :[[#@LINE+1]]:41: error: condition in clause 'assume' names 'threadIdx', which is neither a parameter nor a constant [WW121]
#pragma warpwright matmul assume(n > 0, threadIdx.x > 0)
__global__ void names_thread(float *p, int n) { p[0] = n; }

// CHECK: :[[#@LINE+1]]:34: error: condition in clause 'assume' is always false [WW121]
#pragma warpwright matmul assume(1 > 2)
__global__ void always_false(float *p, int n) { p[0] = n; }

struct Pair { int a; };
// CHECK: :[[#@LINE+1]]:34: error: condition in clause 'assume' is not a condition [WW121]
#pragma warpwright matmul assume(s)
__global__ void not_a_condition(float *p, Pair s) { p[0] = s.a; }

// CHECK: warpwright: error: nothing was written for '{{.*}}clause-errors.cu': 35 errors [WW009]
