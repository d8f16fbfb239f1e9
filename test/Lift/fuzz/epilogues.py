"""What a random kernel does to its sum before it stores it.

A step is (feature, helpers, statements). In both texts {h} and {g} are names of
the kernel's own, {t} and {u} local variables; the other words in braces are
parameters that the step asks for: {s} any int, {u32} any unsigned, {q} any
64-bit integer, {c} a signed char, {w} a short, {m} 0 to 6, {x} a bool, {f} a
float, {v} and {v2} vectors of floats, {i} a vector of ints, {r} an array like C,
{n} a vector that may be null; {e} is a small integer expression.
"""

import re

PARAMS = {"s": "s", "u32": "u", "q": "q", "c": "c", "w": "g", "m": "m", "x": "x", "f": "f"}


def random_step(kernel):
    feature, helpers, statements = kernel.pick(*STEPS)
    names = {}
    for word in re.findall(r"\{(\w+)\}", helpers + statements):
        if word in names or word == "acc":
            continue
        if word in PARAMS:
            names[word] = kernel.param(PARAMS[word], word[0])
        elif word in ("v", "v2"):
            names[word] = kernel.array()
        elif word == "i":
            names[word] = kernel.array("v", "i")
        elif word == "r":
            names[word] = kernel.array("r", kernel.out)
        elif word == "n":
            names[word] = kernel.array("n")
        elif word == "e":
            names[word] = kernel.small()
        else:
            names[word] = kernel.fresh(word)
    names["acc"] = "{acc}"
    names["LOADR"] = {"f": "", "h": "__half2float", "b": "__bfloat162float"}[kernel.out]
    fill = lambda text: re.sub(r"\{(\w+)\}", lambda m: names[m[1]], text).replace("LOADR", names["LOADR"])
    if helpers:
        kernel.helper(fill(helpers))
    kernel.emit(fill(statements))
    return feature


def act(body, name="{h}", args="float x"):
    return "__device__ float %s(%s) { %s }" % (name, args, body)


STEPS = [
    # What people write.
    ("scaled", "", "acc = acc * {f};"),
    ("bias", "", "acc += {v}[col];"),
    ("bias by row", "", "acc += {v}[row];"),
    ("residual", "", "acc = {f} * acc + 2.0f * LOADR({r}[row * N + col]);"),
    ("residual transposed", "", "acc += LOADR({r}[col * M + row]);"),
    ("optional bias", "", "if ({n})\n  acc += {n}[col];"),
    ("optional bias chosen", "", "acc += {n} ? {n}[col] : 0.5f;"),
    ("relu", "", "acc = fmaxf(acc, 0.0f);"),
    ("relu by choice", "", "acc = acc > 0.0f ? acc : 0.0f;"),
    ("leaky", act("return x > 0.0f ? x : 0.5f * x;"), "acc = {h}(acc);"),
    ("opaque function", act("return sqrtf(fabsf(x)) + x;"), "acc = {h}(acc);"),
    ("opaque function of places", act("return sqrtf(fabsf(x)) + i * 2 - j;", args="float x, int i, int j"), "acc = {h}(acc, row, (int)col);"),
    ("template function", "template <int X> __device__ float {h}(float x) { return x * X + 1.0f; }", "acc = {h}<3>(acc);"),
    ("clamped", "", "acc = fminf(fmaxf(acc, -3.0f), {f});"),
    ("function of two", act("return x * y - x;", args="float x, float y"), "acc = {h}(acc, {v}[col]);"),
    ("flag", "", "if ({x})\n  acc = -acc;"),
    ("flag chosen", "", "acc = {x} ? acc + 1.0f : acc;"),
    ("column scale", "", "acc *= {v}[col];\nacc += {v2}[row];"),
    # Early returns.
    ("early return, reference", "__device__ void {h}(float &x, int n) {\n  if (n < 2)\n    return;\n  x = fmaxf(x, 0.0f);\n}", "{h}(acc, {s});"),
    ("early return, after a write", "__device__ void {h}(float &x, int n) {\n  x += 1.0f;\n  if (n < 2)\n    return;\n  x *= 2.0f;\n}", "{h}(acc, {e});"),
    ("early return, data", "__device__ void {h}(float &x) {\n  if (x > 0.0f)\n    return;\n  x = x * 0.5f - 1.0f;\n}", "{h}(acc);"),
    ("early return, this", "struct {h} {\n  float v;\n  __device__ void go(int n) {\n    if (n > 3)\n      return;\n    v = v + 3.0f;\n  }\n};", "{h} {t}{acc};\n{t}.go({m});\nacc = {t}.v;"),
    ("early return, pointer", "__device__ float {h}(float *x, int n) {\n  if (n == 1)\n    return 5.0f;\n  *x -= 2.0f;\n  return 7.0f;\n}", "float {t} = {h}(&acc, {m});\nacc = acc * 2.0f + {t};"),
    ("early return, loop", "__device__ int {h}(int n) {\n  for (int i = 0; i < 6; ++i)\n    if (i == n)\n      return i * 2;\n  return -1;\n}", "acc += {h}({s});"),
    ("early return, nested", "__device__ void {g}(float &x, int n) {\n  if (n == 0)\n    return;\n  x += n;\n}\n__device__ void {h}(float &x, int n) {\n  {g}(x, n);\n  if (n > 2)\n    return;\n  {g}(x, n + 1);\n}", "{h}(acc, {m});"),
    # Own functions with the library's names.
    ("own fma", "struct {h} {\n  static __device__ float fma(float a, float b, float c) { return a - b * c; }\n};", "acc = {h}::fma(acc, 2.0f, 3.0f);"),
    ("own min", "namespace {h} {\n__device__ float min(float a, float b) { return a + b; }\n}", "acc = {h}::min(acc, {f});"),
    ("own fmaxf", "namespace {h} {\n__device__ float fmaxf(float a, float b) { return a - b; }\n}", "acc = {h}::fmaxf(acc, 0.0f);"),
    ("own relu", "struct {h} {\n  static __device__ float relu(float a) { return a + 4.0f; }\n};", "acc = {h}::relu(acc);"),
    ("own fabsf", "namespace {h} {\n__device__ float fabsf(float a) { return -a; }\n}", "acc = {h}::fabsf(acc);"),
    ("own max of ints", "namespace {h} {\n__device__ int max(int a, int b) { return a * 2 - b; }\n}", "acc += {h}::max({e}, 3);"),
    # Side effects in conditions.
    ("condition increments", "", "int {t} = {m};\nif ({t}++ > 2 || ++{t} > 4)\n  acc += 1.0f;\nacc += {t};"),
    ("and skips", "", "int {t} = 1;\nif ({x} && ++{t})\n  acc -= 1.0f;\nacc *= {t};"),
    ("choice assigns", "", "float {t} = 1.0f;\nfloat {u} = {x} ? ({t} = 5.0f) : 2.0f;\nacc = acc * {t} + {u};"),
    ("comma", "", "int {t} = ({s} > 0, {m});\nacc += {t};"),
    ("else if", "", "if ({m} > 3)\n  acc += 1.0f;\nelse if ({m} < 5)\n  acc += 2.0f;\nelse\n  acc += 4.0f;"),
    ("else if with effect", "", "int {t} = 0;\nif ({m} == 5)\n  acc += 1.0f;\nelse if (({t} = {m}) == 2)\n  acc += 2.0f;\nacc += {t} * 8;"),
    ("assignment as value", "", "float {t};\nacc = ({t} = acc + 1.0f) * 2.0f;\nacc -= {t};"),
    ("and stores", "", "{x} && (acc = 3.0f);"),
    ("or stores", "", "{m} > 3 || (acc += {f});"),
    ("condition by helper", "__device__ bool {h}(float &x, int n) {\n  x += 1.0f;\n  return n > 2;\n}", "if ({h}(acc, {m}))\n  acc *= 2.0f;"),
    ("helper behind and", "__device__ bool {h}(float &x) {\n  x += 1.0f;\n  return x > 2.0f;\n}", "if ({x} && {h}(acc))\n  acc -= 3.0f;"),
    # Signs.
    ("minus minus", "", "acc = - -acc;"),
    ("one minus", "", "acc = 1.0f - acc;"),
    ("negated difference", "", "acc = -(acc - {f}) - -acc * 2.0f;"),
    ("fma of negatives", "", "acc = fmaf(-acc, 2.0f, -{f});"),
    # Trip counts.
    ("count", "", "int {t} = 0;\nfor (int i = 0; i < {s}; ++i)\n  {t} += 1;\nacc += {t};"),
    ("counter afterwards", "", "int {t};\nfor ({t} = 2; {t} < {s} && {t} < 50; ++{t})\n  ;\nacc += {t};"),
    ("overshoot", "", "int {t};\nfor ({t} = 0; {t} < {m}; {t} += 4)\n  ;\nacc += {t};"),
    ("counter simple", "", "int {t};\nfor ({t} = 1; {t} < {s}; ++{t})\n  ;\nacc += (float)({t} & 255);"),
    ("float loop", "", "for (int i = 0; i < {s}; ++i)\n  acc += 1.0f;"),
    ("do while", "", "int {t} = 0;\ndo\n  ++{t};\nwhile ({t} < {m} - 3);\nacc += {t};"),
    ("triangle", "", "int {t} = 0;\nfor (int i = 0; i < {m}; ++i)\n  for (int j = i; j < 5; ++j)\n    {t} += j;\nacc += {t};"),
    ("halving", "", "int {t} = 0;\nfor (int i = {m}; i > 0; i /= 2)\n  ++{t};\nacc += {t};"),
    ("count down", "", "int {t} = {m}, {u} = 0;\nwhile ({t}--)\n  ++{u};\nacc += {t} + 8 * {u};"),
    # Integers that wrap.
    ("unsigned char", "", "unsigned char {t} = (unsigned char)({e} * 5);\nacc += {t};"),
    ("signed char", "", "signed char {t} = (signed char)({e} * 40);\nacc += {t};"),
    ("short", "", "short {t} = (short)({w} * ((int)row + 1));\nacc += {t};"),
    ("unsigned negated", "", "unsigned {t} = -{u32};\nacc += (float)({t} >> 10);"),
    ("unsigned hash", "", "unsigned {t} = (unsigned)row * 1664525u + (unsigned)col * 1013904223u;\nacc = {t} < 0x80000000u ? acc : 1.0f;"),
    ("64 to 32", "", "acc += (float)((int){q} & 0xffff);"),
    ("64 to 32 and back", "", "long long {t} = {q} * 3;\n{t} = (int){t};\nacc += (float)({t} % 1024);"),
    ("widened product", "", "long long {t} = (long long)({u32} * 3u);\nacc += (float)({t} >> 12);"),
    ("bit-field", "struct {h} {\n  unsigned v : 3;\n};", "{h} {t};\n{t}.v = {e};\nacc += {t}.v;"),
    ("signed bit-field", "struct {h} {\n  int v : 4;\n};", "{h} {t};\n{t}.v = {e};\nacc += {t}.v;"),
    ("enum", "enum class {h} : unsigned char { a, b };", "acc += (int)({h})({e} + 250);"),
    ("negative modulus", "", "acc += ((int)col - 7) % 4;"),
    ("negative division", "", "acc += ((int)row - 5) / 3;"),
    ("modulus of any", "", "acc += {s} % 7;"),
    ("division of any", "", "acc += {s} / 5 % 100;"),
    ("unsigned modulus", "", "acc += (unsigned)((int)col - 7) % 5u;"),
    ("shift right", "", "acc += ((int)col - 5) >> 1;"),
    ("shift left", "", "acc += (float)(((unsigned)col << 30) >> 28);"),
    ("compare with -1", "", "if ((unsigned)col < (unsigned){s})\n  acc += 1.0f;"),
    ("compare mixed", "", "if ({s} < {u32})\n  acc += 1.0f;"),
    ("unsigned window", "", "if ({u32} - 1u < 5u)\n  acc += 2.0f;"),
    ("unsigned difference", "", "acc += (float)(((unsigned)col - 3u) / 2u >> 24);"),
    ("bool", "", "bool {t} = {e};\nacc += {t};\n{t} += 2;\nacc += {t};"),
    ("abs", "", "acc += abs((int)row - (int)col);"),
    ("bits", "", "int {t} = {e};\nacc += ({t} & -{t}) + ({t} ^ 5) + (~{t} & 7);"),
    ("min and max", "", "acc += min({s}, 7) - max((int)col, {m});"),
    ("choice of int", "", "int {t} = {m} > 2 ? (int)row : (int)col;\nacc += {t};"),
    ("promoted choice", "", "long long {t} = {x} ? -1 : 0u;\nacc += (float)({t} >> 20);"),
    ("byte product", "", "unsigned char {t} = (unsigned char){m} * 50;\nacc += {t} * 2;"),
    ("long loop of char", "", "unsigned char {t} = 0;\nfor (int i = 0; i < 300; ++i)\n  ++{t};\nacc += {t};"),
    ("popc and clz", "", "acc += __popc({u32}) + __clz((int)col);"),
    ("mul24", "", "acc += (float)(__mul24((int)row, 3));"),
    ("rotate", "", "unsigned {t} = 0x80000001u + (unsigned)col;\n{t} = ({t} << 3) | ({t} >> 29);\nacc += (float)({t} & 0xff);"),
    ("overflow in 32", "", "unsigned {t} = {u32} * {u32};\nacc += (float)({t} >> 20);"),
    ("size_t difference", "", "size_t {t} = (size_t)col - 3;\nacc += {t} > 100 ? 1.0f : 2.0f;"),
    ("guarded by wrapped", "", "if ((unsigned char)({s}) == 7)\n  acc += 1.0f;"),
    ("short of a place", "", "if ((short)(col * 9000) > 0)\n  acc += 1.0f;"),
    # Integers from values.
    ("int of compare", "", "int {t} = acc > 0.0f;\nacc = acc * {t};"),
    ("int of sum", "", "int {t} = (int)acc;\nacc = {t} / 3 + {t} % 4;"),
    ("uchar of sum", "", "acc = (unsigned char)(int)acc;"),
    ("index of sum", "", "acc += {v}[acc > 0.0f ? 1 : 0];"),
    ("index from memory", "", "acc += {v}[{i}[col] & 3];"),
    ("int from memory", "", "acc += {i}[col] * 2;"),
    ("int from memory wraps", "", "acc += (unsigned char)({i}[col] - 3);"),
    ("branch from memory", "", "if ({i}[0] > 2)\n  acc += 1.0f;\nelse\n  acc = -acc;"),
    ("bits of sum", "", "acc = __float_as_int(acc + 0.0f) < 0 ? -acc : acc + 1.0f;"),
    ("pointers compared", "", "if (&{v}[row] < &{v}[col])\n  acc += 1.0f;"),
    # Floating point.
    ("floor", "", "acc = floorf(acc * 0.25f) + rintf(acc * 0.5f) + truncf(acc * 0.25f);"),
    ("through half", "", "acc = __half2float(__float2half(acc * 3.0f + 0.125f));"),
    ("through bfloat16", "", "acc = __bfloat162float(__float2bfloat16(acc * 3.0f + 0.125f));"),
    ("through double", "", "acc = (float)((double)acc * 3.0 + 0.25);"),
    ("int through float", "", "acc += (float)((int)(float)(16777217 + (int)col) - 16777217);"),
    ("not a number", "", "float {t} = {v}[col] == 2.0f ? NAN : 1.0f;\nacc = !(acc < {t}) ? acc : 9.0f;"),
    ("not a number, min", "", "float {t} = {v}[col] == 2.0f ? NAN : 1.0f;\nacc = fminf({t}, acc) + ({t} < acc ? 1.0f : 2.0f);"),
    ("self compare", "", "float {t} = {v}[col] == 2.0f ? NAN : 1.0f;\nif ({t} != {t})\n  acc += 1.0f;\nif ({t} == {t})\n  acc += 2.0f;"),
    ("branches on NaN", "", "float {t} = {v}[col] == 2.0f ? NAN : 1.0f;\nif (acc < {t})\n  acc = 1.0f;\nelse if (acc >= {t})\n  acc = 2.0f;\nelse\n  acc = 3.0f;"),
    ("infinite", "", "acc = acc / {f};"),
    ("float as bool", "", "acc += {v}[col] ? 1.0f : 2.0f;"),
    ("copysign", "", "acc = copysignf(2.0f, acc + 0.5f) + acc;"),
    ("equal floats", "", "if (acc == {f})\n  acc += 8.0f;"),
    ("int division first", "", "acc += {s} / 2 + (float){m} / 2;"),
    # Objects.
    ("destructor", "struct {h} {\n  float *p;\n  __device__ ~{h}() { *p = *p * 2.0f + 1.0f; }\n};", "{\n  {h} {t}{&acc};\n  acc += 1.0f;\n}"),
    ("two destructors", "struct {h} {\n  float *p;\n  float s;\n  __device__ ~{h}() { *p = *p * s + s; }\n};", "{\n  {h} {t}{&acc, 2.0f};\n  {h} {u}{&acc, 3.0f};\n}"),
    ("virtual call", "struct {g} {\n  __device__ virtual float f(float x) const { return x; }\n};\nstruct {h} : {g} {\n  __device__ float f(float x) const override { return 2.0f * x; }\n};", "{h} {t};\nconst {g} &{u} = {t};\nacc = {u}.f(acc);"),
    ("reference member", "struct {h} {\n  float &r;\n};", "{h} {t}{acc};\n{t}.r += 2.0f;"),
    ("mutable lambda", "", "float {t} = 1.0f;\nauto {u} = [{t}]() mutable { return {t} += 1.0f; };\nauto {w2} = {u};\nacc += {u}() + {u}() * 4.0f + {w2}() * 16.0f + {t};"),
    ("lambda by reference", "", "auto {u} = [&](float x) { acc += x; };\n{u}(2.0f);\n{u}(acc);"),
    ("operator", "struct {h} {\n  float v;\n};\n__device__ {h} operator*({h} a, {h} b) { return {a.v - b.v}; }", "acc = ({h}{acc} * {h}{2.0f}).v;"),
    ("conversion", "struct {h} {\n  float v;\n  int n;\n  __device__ operator float() { return n++ ? 1.0f : v; }\n};", "{h} {t}{acc, 0};\nfloat {u} = {t};\nacc = {u} + 2.0f * {t};"),
    ("hidden member", "struct {g} {\n  float v;\n};\nstruct {h} : {g} {\n  float v;\n};", "{h} {t};\n{t}.v = acc;\n{t}.{g}::v = 3.0f;\nacc = {t}.v + 2.0f * {t}.{g}::v;"),
    ("union", "union {h} {\n  float f;\n  unsigned u;\n};", "{h} {t};\n{t}.f = acc;\n{t}.u ^= 0x80000000u;\nacc = {t}.f;"),
    ("copy constructor", "struct {h} {\n  float v;\n  __device__ explicit {h}(float x) : v(x) {}\n  __device__ {h}(const {h} &o) : v(o.v + 1.0f) {}\n};", "{h} {t}(acc);\n{h} {u} = {t};\nacc = {u}.v;"),
    ("function pointer", act("return x + 1.0f;") + "\n" + act("return x * 2.0f;", "{g}"), "float (*{t})(float) = {x} ? &{h} : &{g};\nacc = {t}(acc);"),
    ("struct by value", "struct {h} {\n  float a, b;\n};\n__device__ {h} {g}({h} p) {\n  p.a += 1.0f;\n  return p;\n}", "{h} {t}{acc, 2.0f};\n{h} {u} = {g}({t});\nacc = {u}.a * 2.0f - {t}.a;"),
    ("default argument", "__device__ float {h}(float x, int n = 3) { return x * n; }", "acc = {h}(acc) + {h}(acc, 1);"),
    ("parameter changed", act("x += 2.0f; float y = x; x = 0.0f; return y;"), "float {t} = acc;\nacc = {h}({t}) + {t};"),
    ("swap", "__device__ void {h}(float &a, float &b) {\n  float c = a;\n  a = b;\n  b = c;\n}", "float {t} = 3.0f;\n{h}(acc, {t});\nacc = acc + 2.0f * {t};"),
    # Local arrays.
    ("stores laid over", "", "float {t}[9];\nfor (int i = 0; i < 8; ++i) {\n  {t}[i] = {v}[i];\n  {t}[i + 1] = 100.0f;\n}\nacc += {t}[3] + {t}[8];"),
    ("guarded elements", "", "float {t}[8] = {0, 0, 0, 0, 0, 0, 0, 0};\nfor (int i = 0; i < 8; ++i)\n  if (i < {m})\n    {t}[i] = i + 1.0f;\nacc += {t}[3];"),
    ("stride over", "", "int {t}[8];\nfor (int i = 0; i < 8; ++i)\n  {t}[i] = i;\nfor (int i = 0; i < 8; i += 2)\n  {t}[i] = 10;\nacc += {t}[(int)col & 7];"),
    ("shifted array", "", "float {t}[5] = {acc, 1.0f, 2.0f, 3.0f, 4.0f};\nfor (int i = 0; i < 4; ++i)\n  {t}[i + 1] = {t}[i];\nacc = {t}[4] * 2.0f;"),
    ("replaced element", "", "int {t}[8];\nfor (int i = 0; i < 8; ++i)\n  {t}[i] = 2 * i;\n{t}[{m}] = 99;\nacc += {t}[3];"),
    ("indexed table", "", "const float {t}[4] = {1.0f, -1.0f, 2.0f, 0.5f};\nacc *= {t}[(unsigned)col % 4];"),
    ("array by pointer", "", "float {t}[2] = {acc, 1.0f};\nfloat *{u} = {t};\n*{u}++ += 1.0f;\n*{u} += 2.0f;\nacc = {t}[0] + {t}[1];"),
    # Control flow.
    ("switch falls through", "", "switch ({m}) {\ncase 1:\n  acc += 1.0f;\ndefault:\n  acc *= 2.0f;\ncase 3:\n  acc -= 3.0f;\n  break;\ncase 4:\n  acc = 0.0f;\n}"),
    ("switch on column", "", "switch ((int)col % 5) {\ncase 0:\ncase 3:\n  acc = -acc;\n  break;\ndefault:\n  acc += 0.5f;\n}"),
    ("goto", "", "{\n  if ({m} > 2)\n    goto {t};\n  acc += 1.0f;\n{t}:\n  acc += 2.0f;\n}"),
    ("break out", "", "int {t} = 0;\nfor (int i = 0; i < 9; ++i) {\n  if (i == {m})\n    break;\n  {t} += i;\n}\nacc += {t};"),
    ("continue", "", "int {t} = 0;\nfor (int i = 0; i < 9; ++i) {\n  if (i < {m})\n    continue;\n  {t} += i;\n}\nacc += {t};"),
    ("recursion", "__device__ int {h}(int n) { return n < 2 ? 1 : n * {h}(n - 1); }", "acc += {h}({m});"),
    ("doubling branches", "", "if ({m} & 1)\n  acc = acc * 2.0f - 1.0f;\nif ({m} & 2)\n  acc = acc * 2.0f + 3.0f;\nif ({m} & 4)\n  acc = 1.0f - acc;"),
    ("branch on places", "", "if (row > col)\n  acc += 1.0f;\nelse if (row < col)\n  acc *= 2.0f;"),
    ("branch on column", "", "if (col >= {s})\n  acc += 4.0f;"),
    ("parity", "", "acc *= ((int)col & 1) ? 2.0f : -1.0f;"),
    ("swap by branch", "", "int {t} = 1, {u} = 2;\nif ((int)row % 2) {\n  int c = {t};\n  {t} = {u};\n  {u} = c;\n} else\n  {t} = {u};\nacc += {t} * 8 + {u};"),
    ("squares", "", "acc = acc * 0.5f + 1.0f;\nacc = acc * acc + acc;"),
    ("volatile", "", "volatile float {t} = acc;\nacc = {t} + {t};"),
    ("pointer to local", "", "float *{t} = {x} ? &acc : nullptr;\nif ({t})\n  *{t} += 4.0f;"),
    ("variable of the device", "__device__ float {h} = 3.0f;", "acc *= {h};"),
    ("constant memory", "__constant__ float {h}[4] = {1.0f, 2.0f, 4.0f, 8.0f};", "acc += {h}[(int)col & 3];"),
    ("integer square loop", "", "int {t} = {m};\nfor (int i = 0; i < 3; ++i)\n  {t} = {t} * {t} % 11;\nacc += {t};"),
    ("collatz", "", "int {t} = {e} & 15;\nfor (int i = 0; i < 5; ++i)\n  {t} = {t} % 2 ? 3 * {t} + 1 : {t} / 2;\nacc += {t};"),
    ("fibonacci", "", "int {t} = 0, {u} = 1;\nfor (int i = 0; i < {m}; ++i) {\n  int c = {t} + {u};\n  {t} = {u};\n  {u} = c;\n}\nacc += {t};"),
]
