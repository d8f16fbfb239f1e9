"""The sum of a random kernel: its loop, what it adds, and how."""


def random_sum(kernel):
    if kernel.chance(18):
        return whole_sum(kernel)
    odd = kernel.odd in ("loop", "both") or kernel.chance(6)
    k = "k"
    term = "%s * %s" % (kernel.a("row", k), kernel.b(k, "col"))
    if kernel.chance(15):
        term = "%s * %s" % (kernel.b(k, "col"), kernel.a("row", k))
    start = "0.0f"
    if kernel.chance(10):
        start = kernel.pick("2.0f", kernel.param("f", "f"), "(float)row", "-1.5f")
        kernel.use("sum starts elsewhere")
    body = accumulate(kernel, term)
    if odd:
        body = odd_body(kernel, term)
    type = kernel.pick("int", "int", "int", "int", kernel.size, "unsigned", "size_t",
                       "long long", "short", "unsigned char", "signed char")  # fmt: skip
    if type != "int":
        kernel.use("k of " + type)
    number = kernel.rng.randrange(30 if odd else 9)
    if number >= 3:
        kernel.use("loop %d" % number)
    p = ""
    if number in (12, 13, 14, 21, 23):
        p = kernel.param(kernel.pick("s", "m", "o", "u", "c"), "p")
    if number in (17, 18, 19):
        p = kernel.array("v", "i")
    loop = LOOPS[number].replace("{p}", p).replace("{t}", type)
    if number in (5, 6, 7, 10, 26) or "goto" in loop:
        # These leave a k that is counted elsewhere.
        body = body.replace("continue;", ";")
    if "goto" in loop and not body.startswith("switch"):
        body = body.replace("break;", ";")
    kernel.emit("float acc = %s;" % start)
    kernel.emit(loop.replace("{body}", body))


LOOPS = [
    "for ({t} k = 0; k < K; ++k) {\n{body}\n}",
    "for ({t} k = 0; k < K; k++) {\n{body}\n}",
    "for ({t} k = 0; k < K; k += 1) {\n{body}\n}",
    "for (int k = K - 1; k >= 0; --k) {\n{body}\n}",
    "for ({t} k = 0; k <= (int)K - 1; ++k) {\n{body}\n}",
    "int k = 0;\nwhile (k < K) {\n{body}\n++k;\n}",
    "if (K > 0) {\nint k = 0;\ndo {\n{body}\n} while (++k < K);\n}",
    "for (int o = 0; o < K; o += 4)\nfor (int i = 0; i < 4; ++i) {\nint k = o + i;\nif (k < K) {\n{body}\n}\n}",
    "for (int k = 0; k != K; ++k) {\n{body}\n}",
    # Odd ones.
    "for ({t} k = 1; k < K; ++k) {\n{body}\n}",
    "int k = 0;\nwhile (k++ < K - 1) {\n{body}\n}",
    "for (int k = 0; k < K; k += 2) {\n{body}\n}",
    "for (int k = {p}; k < K; ++k) {\n{body}\n}",
    "for (int k = 0; k < {p} && k < K; ++k) {\n{body}\n}",
    "for (int k = 0; k < K; ++k) {\nif (k == {p})\nbreak;\n{body}\n}",
    "for (int k = 0; k < K; ++k) {\nif (k % 3 == 1)\ncontinue;\n{body}\n}",
    "int k = 0;\ndo {\n{body}\n} while (++k < K);",
    "int end = {p}[0] > 2 ? (int)K : 3;\nfor (int k = 0; k < end; ++k) {\n{body}\n}",
    "for (int k = 0; k < {p}[row & 3] && k < K; ++k) {\n{body}\n}",
    "for (int k = 0; k < K; ++k) {\nif ({p}[k] > 1) {\n{body}\n}\n}",
    "for (unsigned k = K - 1; k < (unsigned)K; --k) {\n{body}\n}",
    "for (int k = 0; k < K - {p} + {p}; ++k) {\n{body}\n}",
    "for (int k = 0; k < row; ++k) {\n{body}\n}",
    "for (int k = 0; k < K; k += {p} > 0 ? {p} : 1) {\n{body}\n}",
    "for (int k = 0, end = K; k < end; ++k, --end) {\n{body}\n}",
    "int k = 0;\nagain:\nif (k < K) {\n{body}\n++k;\ngoto again;\n}",
    "for (int o = 0; o < K; o += 3)\nfor (int i = 0; i < 3; ++i) {\nint k = o + i;\n{body}\n}",
    "for (int k = 0; k < min((int)K, 5); ++k) {\n{body}\n}",
    "for (int k = 0; k < K / 2 * 2; ++k) {\n{body}\n}",
    "for (int k = 0; k < (unsigned char)K; ++k) {\n{body}\n}",
]


def accumulate(kernel, term):
    form = kernel.rng.randrange(10)
    if form < 5:
        return "acc += %s;" % term
    if form == 5:
        return "acc = acc + %s;" % term
    if form == 6:
        a, b = kernel.a("row", "k"), kernel.b("k", "col")
        return "acc = fmaf(%s, %s, acc);" % (a, b)
    if form == 7:
        a, b = kernel.a("row", "k"), kernel.b("k", "col")
        return "float a = %s, b = %s;\nacc += a * b;" % (a, b)
    if form == 8:
        function = kernel.fresh("add")
        kernel.helper("__device__ void %s(float &sum, float x) { sum += x; }" % function)
        kernel.use("sum by reference")
        return "%s(acc, %s);" % (function, term)
    kernel.use("subtracted")
    return "acc -= -(%s);" % term


def odd_body(kernel, term):
    """What the loop adds, oddly: most of these are no products any more."""
    number = kernel.rng.randrange(len(BODIES) + 6)
    if number >= len(BODIES):
        return accumulate(kernel, term)
    kernel.use("body %d" % number)
    needs, text = BODIES[number]
    values = {"x": term}
    if "f" in needs:
        values["f"] = kernel.param("f", "f")
    if "s" in needs:
        values["s"] = kernel.param("s", "s")
    if "v" in needs:
        values["v"] = kernel.array()
    if "i" in needs:
        values["i"] = kernel.array("v", "i")
    if "h" in needs:
        values["h"] = kernel.fresh("step")
        kernel.helper(HELPERS[number % len(HELPERS)].replace("NAME", values["h"]))
    for key, value in values.items():
        text = text.replace("{%s}" % key, value)
    return text


HELPERS = [
    "__device__ void NAME(float &sum, float x, int k) {\n  if (k == 2)\n    return;\n  sum += x;\n}",
    "__device__ void NAME(float &sum, float x, int k) {\n  if (x < 0.0f)\n    return;\n  sum += x;\n}",
    "__device__ void NAME(float &sum, float x, int k) {\n  sum += x;\n  if (k & 1)\n    return;\n  sum -= 1.0f;\n}",
    "__device__ bool NAME(float &sum, float x, int k) {\n  sum += x;\n  return k > 3;\n}",
]

BODIES = [
    ("f", "acc += {f} * {x};"),
    ("", "acc = {x} - acc;"),
    ("", "acc += k % 2 ? {x} : -({x});"),
    ("", "acc += {x} * k;"),
    ("s", "if (k != {s})\nacc += {x};"),
    ("s", "if (k < {s})\nacc += {x};\nelse if (k > {s})\nacc += {x};"),
    ("", "if (k > row)\ncontinue;\nacc += {x};"),
    ("", "acc += {x} * (k > row ? 0.0f : 1.0f);"),
    ("v", "acc += {x} * {v}[k];"),
    ("v", "acc += {v}[col] * ({x});"),
    ("i", "if ({i}[k] > 0)\nacc += {x};"),
    ("", "acc += {x};\nif (acc > 6.0f)\nbreak;"),
    ("", "acc = fmaxf(acc, {x});"),
    ("", "acc = acc * 0.5f + {x};"),
    ("", "int keep = acc < 4.0f;\nacc += {x} * keep;"),
    ("h", "{h}(acc, {x}, k);"),
    ("h", "{h}(acc, {x}, k);"),
    ("h", "{h}(acc, {x}, k);"),
    ("h", "if ({h}(acc, {x}, k), true)\nacc += 0.0f;"),
    ("", "acc += {x} * {x};"),
    ("", "acc += {x} + {x};"),
    ("", "acc += {x} + 1.0f;"),
    ("s", "acc += {x};\nif (k == {s})\nacc = 0.0f;"),
    ("s", "acc += {s} > 3 ? {x} : 0.0f;"),
    ("", "float t = {x};\nif (t > 0.0f)\nacc += t;"),
    ("", "acc += (float)(int)({x});"),
    ("", "acc += (signed char)(int)({x} * 50.0f);"),
    ("", "acc += fabsf({x});"),
    ("f", "acc += ({x}) * {f} - ({x});"),
    ("", "acc += {x};\nacc += {x} * 2.0f;"),
    ("", "unsigned char c = k * 40;\nacc += c > 127 ? 0.0f : {x};"),
    ("", "auto add = [&acc](float x) { acc += x; };\nadd({x});"),
    ("", "switch (k & 3) {\ncase 1:\nacc += {x};\nbreak;\ncase 2:\nacc -= {x};\ndefault:\nacc += {x};\n}"),
    ("", "acc += -(-({x}));"),
    ("", "k & 1 ? acc += {x} : acc += {x};"),
    ("", "k < 100 && (acc += {x}, true);"),
    ("", "float last = acc;\nacc += {x};\nif (last > acc)\nacc = last;"),
    ("", "acc += {x};\nif (k == K - 1)\nacc = -acc;"),
]


def whole_sum(kernel):
    """A sum whose loop and body belong together."""
    number = kernel.rng.randrange(len(WHOLE))
    kernel.use("sum %d" % number)
    helper, text = WHOLE[number]
    types = [kernel.TYPES[t] for t in kernel.types]
    values = {
        "x": "%s * %s" % (kernel.a("row", "k"), kernel.b("k", "col")),
        "next": "%s * %s" % (kernel.a("row", "(k + 1)"), kernel.b("(k + 1)", "col")),
        "X": types[0],
        "Y": types[1],
        "a": kernel.LOAD[kernel.types[0]],
        "b": kernel.LOAD[kernel.types[1]],
        "h": kernel.fresh("dot"),
        "oc": kernel.offset("C", "row", "col"),
        "in": kernel.LOAD[kernel.out],
        "out": kernel.STORE[kernel.out],
    }
    if "{p}" in text:
        values["p"] = kernel.param("s", "p")
    if "{q}" in text:
        values["q"] = kernel.param("x", "q")
    for word in ("a", "b", "in", "out"):
        # Conversions hold a %s for what is converted.
        for part, end in (("{%s(" % word, ")%s}" % word),):
            while part in helper + text:
                for which in (0, 1):
                    source = (helper, text)[which]
                    if part in source:
                        first = source.index(part)
                        last = source.index(end, first)
                        inner = source[first + len(part) : last]
                        source = source[:first] + values[word] % inner + source[last + len(end) :]
                        helper, text = (source, text) if which == 0 else (helper, source)
    for key in ("x", "next", "X", "Y", "h", "oc", "p", "q"):
        if key in values:
            helper = helper.replace("{%s}" % key, values[key])
            text = text.replace("{%s}" % key, values[key])
    if helper:
        kernel.helper(helper)
    kernel.emit(text)


DOT = """__device__ float {h}(const {X} *p, const {Y} *q, int K, int N, int skip) {
  float sum = 0.0f;
  BEFORE
  for (int k = 0; k < K; ++k) {
    sum += {a(p[k])a} * {b(q[k * N])b};
    INSIDE
  }
  return sum;
}"""
CALL = "float acc = {h}(A + row * K, B + col, K, N, {p});"

WHOLE = [
    # Pointers that move.
    ("", "const {X} *pa = A + row * K;\nconst {Y} *pb = B + col;\nfloat acc = 0.0f;\n"
     "for (int k = 0; k < K; ++k) {\nacc += {a(*pa)a} * {b(*pb)b};\n++pa;\npb += N;\n}"),
    ("", "const {X} *pa = A + row * K, *end = pa + K;\nconst {Y} *pb = B + col;\nfloat acc = 0.0f;\n"
     "while (pa < end) {\nacc += {a(*pa++)a} * {b(*pb)b};\npb += N;\n}"),
    ("", "const {Y} *pb = B + col - N;\nfloat acc = 0.0f;\n"
     "for (int k = 0; k < K; ++k)\nacc += {a(A[row * K + k])a} * {b(*(pb += N))b};"),
    # In memory.
    ("", "C[{oc}] = {out(0.0f)out};\nfor (int k = 0; k < K; ++k)\n"
     "C[{oc}] = {out({in(C[{oc}])in} + {x})out};\nfloat acc = {in(C[{oc}])in};"),
    ("", "for (int k = 0; k < K; ++k)\nC[{oc}] = {out({in(C[{oc}])in} + {x})out};\n"
     "float acc = {in(C[{oc}])in};"),
    # Several accumulators, and other types of them.
    ("", "float even = 0.0f, odd = 0.0f;\nint k = 0;\nfor (; k + 1 < K; k += 2) {\neven += {x};\n"
     "odd += {next};\n}\nif (k < K)\neven += {x};\nfloat acc = even + odd;"),
    ("", "float acc = 0.0f;\nint k = 0;\nfor (; k + 1 < K; k += 2) {\nacc += {x};\n"
     "acc += {next};\n}\nfor (; k < K; ++k)\nacc += {x};"),
    ("", "float t[2] = {0.0f, 0.0f};\nfor (int k = 0; k < K; ++k)\nt[k & 1] += {x};\nfloat acc = t[0] - t[1];"),
    ("", "float acc = 0.0f, other = 0.0f;\nfor (int k = 0; k < K; ++k) {\nacc += {x};\nother += 1.0f;\n}\n"
     "acc += other;"),
    ("", "double sum = 0.0;\nfor (int k = 0; k < K; ++k)\nsum += {x};\nfloat acc = (float)sum;"),
    ("", "int sum = 0;\nfor (int k = 0; k < K; ++k)\nsum += (int)({x});\nfloat acc = sum;"),
    ("", "short sum = 0;\nfor (int k = 0; k < K; ++k)\nsum += (short)(int)({x} * 3000.0f);\nfloat acc = sum;"),
    ("struct {h} {\n  float v;\n  __device__ {h} &operator+=(float x) {\n    v += x;\n    return *this;\n  }\n};",
     "{h} sum{0.0f};\nfor (int k = 0; k < K; ++k)\nsum += {x};\nfloat acc = sum.v;"),
    ("struct {h} {\n  float v;\n  __device__ {h} &operator+=(float x) {\n    v += x + 1.0f;\n    return *this;\n  }\n};",
     "{h} sum{0.0f};\nfor (int k = 0; k < K; ++k)\nsum += {x};\nfloat acc = sum.v;"),
    # In a helper, which may leave early.
    (DOT.replace("BEFORE", "").replace("INSIDE", ""), CALL),
    (DOT.replace("BEFORE", "if (skip == 1)\n    return 7.0f;").replace("INSIDE", ""), CALL),
    (DOT.replace("BEFORE", "").replace("INSIDE", "if (k == skip)\n      return sum;"), CALL),
    (DOT.replace("BEFORE", "if (skip > 3)\n    K = 1;").replace("INSIDE", ""), CALL),
    # Two loops.
    ("", "float acc = 0.0f;\nfor (int k = 0; k < {p}; ++k)\nif (k < K)\nacc += {x};\n"
     "for (int k = {p}; k < K; ++k)\nacc += {x};"),
    ("", "float acc = 0.0f;\nif ({q}) {\nfor (int k = 0; k < K; ++k)\nacc += {x};\n} else {\n"
     "for (int k = 0; k < K; ++k)\nacc -= {x};\n}"),
    ("", "float acc = 0.0f;\nif ({q})\nfor (int k = 0; k < K; ++k)\nacc += {x};"),
    ("", "float acc = 0.0f;\nfor (int twice = 0; twice < 2; ++twice)\nfor (int k = 0; k < K; ++k)\nacc += {x};"),
    ("", "float acc = 0.0f;\nauto add = [&](int k) { acc += {x}; };\nfor (int k = 0; k < K; ++k)\nadd(k);"),
]
