"""Random matmul kernels: a skeleton, with one to three odd things in it.

Kernel(seed, number) is one of them: its text, how its launches are drawn, and
the features that went into it. Every kernel is defined behaviour for at least
some launches, reads nothing that it did not initialise, and stores what float
holds exactly, so that results compare to the last bit.
"""

import random

import epilogues
import loops
import sums

TYPES = {"f": "float", "h": "__half", "b": "__nv_bfloat16"}
LOAD = {"f": "%s", "h": "__half2float(%s)", "b": "__bfloat162float(%s)"}
STORE = {"f": "%s", "h": "__float2half(%s)", "b": "__float2bfloat16(%s)"}


class Kernel:
    TYPES, LOAD, STORE = TYPES, LOAD, STORE

    def __init__(self, seed, number, several=False):
        self.number = number
        self.several = several
        self.rng = random.Random("%s:%s" % (seed, number))
        self.features = []
        self.params = []  # (type, name, kind, element type)
        self.helpers = []
        self.lines = []
        self.closing = []
        self.names = 0
        self.build()

    # What the parts are made with

    def pick(self, *options):
        return self.rng.choice(options)

    def chance(self, percent):
        return self.rng.randrange(100) < percent

    def use(self, feature):
        if feature not in self.features:
            self.features.append(feature)

    def fresh(self, stem):
        self.names += 1
        return "%s%d" % (stem, self.names)

    def emit(self, text):
        self.lines += text.strip("\n").split("\n")

    def helper(self, text):
        self.helpers.append(text.strip("\n"))

    def param(self, kind, stem, type=None, element="i"):
        """A parameter of a kind that draw_case knows; returns its name."""
        types = {"s": "int", "u": "unsigned", "q": "long long", "c": "signed char",
                 "g": "short", "m": "int", "o": "int", "x": "bool", "f": "float"}  # fmt: skip
        name = self.fresh(stem)
        self.params.append((type or types[kind], name, kind, element))
        return name

    def array(self, kind="v", element="f"):
        stem = {"v": "vec", "r": "res", "n": "opt"}[kind]
        name = self.fresh(stem)
        type = {"i": "int"}.get(element) or TYPES[element]
        self.params.append(("const %s *" % type, name, kind, element))
        return name

    def small(self):
        """An int that every thread knows."""
        options = ["row", "col", "row", "col", "row - col", "col - 7", "row * 3 + col", "5"]
        if self.chance(40):
            return self.param("s", "s")
        if self.chance(15):
            return "(int)(%s + 1)" % self.param("q", "q")
        return "(int)(%s)" % self.pick(*options)

    # The kernel

    def build(self):
        self.types = [self.pick("h", "h", "f", "b")] * 2
        if self.chance(12):
            self.types[1] = self.pick("h", "f", "b")
        self.out = self.pick("f", "f", "f", self.types[0])
        a, b = (TYPES[t] for t in self.types)
        self.params += [("const %s *" % a, "A", "A", self.types[0]),
                        ("const %s *" % b, "B", "A", self.types[1]),
                        ("%s *" % TYPES[self.out], "C", "C", self.out)]  # fmt: skip
        size = self.pick("int", "int", "int", "int", "unsigned", "size_t", "long long")
        for name in "MNK":
            self.params.append((size, name, name, "i"))
        if size != "int":
            self.use("extents of " + size)
        self.size = size
        self.index = "int"
        self.dims()
        self.operands()
        self.bundled = self.chance(10)
        if self.bundled:
            self.use("parameters in a struct")
        odd = self.pick("loop", "epilogue", "epilogue", "none", "store", "guard", "both")
        self.odd = odd
        self.places()
        self.sum()
        steps = {"epilogue": self.pick(1, 1, 2, 3), "both": 1}.get(odd, self.pick(0, 0, 1))
        for _ in range(steps):
            self.use(epilogues.random_step(self))
        self.store()
        self.lines += reversed(self.closing)

    def dims(self):
        """How the pitches are called."""
        self.pitch = {"A": "K", "B": "N", "C": "N"}
        self.layout = {"A": "row", "B": "row", "C": "row"}
        if self.chance(30):
            self.layout["B"], self.pitch["B"] = "col", "K"
            self.use("B transposed")
        if self.chance(10):
            self.layout["A"], self.pitch["A"] = "col", "M"
            self.use("A transposed")
        if self.chance(8):
            self.layout["C"], self.pitch["C"] = "col", "M"
            self.use("C transposed")
        for name in "ABC":
            if self.chance(8):
                self.pitch[name] = self.pitched(name)

    def pitched(self, name):
        kind = {"M": "1", "N": "2", "K": "3"}[self.pitch[name]]
        type = self.pick("int", "int", "unsigned", "size_t", "long long", "short")
        self.use("pitch of " + type)
        ld = self.fresh("ld")
        if name == "B" and self.chance(20):
            type, kind = self.pick("int", "unsigned"), "W"
            self.use("negative pitch")
        self.params.append((type, ld, kind, "i"))
        return ld

    def offset(self, name, row, col):
        if self.layout[name] == "col":
            row, col = col, row
        ld = self.pitch[name]
        wrong = self.odd == "store" and self.chance(8)
        if wrong:
            self.use("wrong index of " + name)
            return self.pick(
                "{r} * {l} + {c} + 1", "{r} * M + {c}", "{c} * {l} + {r}",
                "{r} * {l} + {c} / 2", "{r} * ({l} + 1) + {c}", "({r} + 1) * {l} - {c}",
                "{r} * {l} + {c} % 4", "{r} * {r} + {c}", "{r} * {l} + ({c} ^ 1)",
                "(unsigned char)({r} * {l} + {c})", "(short)({r} * {l}) + {c}",
                "{r} * {l} + ({c} & 7)",
            ).format(r=row, l=ld, c=col)  # fmt: skip
        form = self.pick(
            "{r} * {l} + {c}", "{r} * {l} + {c}", "{c} + {l} * {r}",
            "(size_t){r} * {l} + {c}", "({r} * {l}) + ({c})", "{l} * ({r} + 1) - {l} + {c}",
            "(unsigned)({r} * {l}) + {c}", "(long long)({r} * {l} + {c})",
            "(int)((long long){r} * {l} + {c})", "{c} - -{r} * (int){l}",
            "(long long)(int)({r} * {l}) + {c}",
        )  # fmt: skip
        return form.format(r=row, l=ld, c=col)

    def operands(self):
        """How A[m, k] and B[k, n] are written, m and so on filled in later."""

        def direct(name, type):
            def text(row, col):
                return LOAD[type] % ("%s[%s]" % (name, self.offset(name, row, col)))

            return text

        def helped(name, type):
            function = self.fresh("at")
            self.helper(
                "__device__ float %s(const %s *p, int i, int j, int ld) {\n  return %s;\n}"
                % (function, TYPES[type], LOAD[type] % "p[i * ld + j]")
            )
            self.use("element by a helper")

            def text(row, col):
                if self.layout[name] == "col":
                    row, col = col, row
                return "%s(%s, %s, %s, %s)" % (function, name, row, col, self.pitch[name])

            return text

        def struct(name, type):
            kind = self.fresh("Matrix")
            self.helper(
                "struct %s {\n  const %s *p;\n  int ld;\n"
                "  __device__ float operator()(int i, int j) const { return %s; }\n};"
                % (kind, TYPES[type], LOAD[type] % "p[i * ld + j]")
            )
            view = self.fresh("view")
            self.use("element by a functor")
            self.views = getattr(self, "views", []) + [
                "%s %s{%s, (int)%s};" % (kind, view, name, self.pitch[name])
            ]

            def text(row, col):
                if self.layout[name] == "col":
                    row, col = col, row
                return "%s(%s, %s)" % (view, row, col)

            return text

        forms = [direct] * 8 + [helped, struct]
        self.a = self.pick(*forms)("A", self.types[0])
        self.b = self.pick(*forms)("B", self.types[1])

    def places(self):
        """Which element a thread computes, and the guard around it."""
        scheme = self.pick("2d", "2d", "2d", "2d", "flat", "stride", "block", "coarse", "batch")
        index = self.pick("int", "int", "int", "int", "unsigned", "size_t", "long long",
                          "short", "const int", "auto")  # fmt: skip
        self.index = index
        if index not in ("int", "const int", "auto"):
            self.use("index of " + index)
        self.use("places: " + scheme)
        for view in getattr(self, "views", []):
            self.emit(view)
        y = "blockIdx.y * blockDim.y + threadIdx.y"
        x = "blockIdx.x * blockDim.x + threadIdx.x"
        self.shape = "y "
        if scheme == "2d":
            swapped = self.chance(20)
            if swapped:
                self.shape, x, y = "x ", y, x
            self.emit("%s row = %s;" % (index, y))
            self.emit("%s col = %s;" % (index, x))
            self.guard()
        elif scheme == "flat":
            self.shape = "f "
            self.emit("%s id = %s;" % (index, x))
            split = self.pick(
                ("id / N", "id % N"), ("id / N", "id - row * N"), ("id / N", "id % N"),
                ("id % M", "id / M"),
            )  # fmt: skip
            early = self.chance(60)
            if early:
                self.emit("if (id >= M * N)\n  return;")
            self.emit("%s row = %s;" % (index, split[0]))
            self.emit("%s col = %s;" % (index, split[1]))
            if not early:
                self.emit("if (id < M * N) {")
                self.closing.append("}")
        elif scheme == "stride":
            which = self.pick("rows", "cols", "flat")
            loop = "for (%s %s = %s; %s < %s; %s += %s) {"
            moving = {"const int": "int", "auto": "int"}.get(index, index)
            if which == "rows":
                self.emit("%s col = %s;" % (index, x))
                self.emit("if (col >= N)\n  return;")
                self.emit(loop % (moving, "row", y, "row", "M", "row", "blockDim.y * gridDim.y"))
            elif which == "cols":
                self.emit("%s row = %s;" % (index, y))
                self.emit("if (row >= M)\n  return;")
                self.emit(loop % (moving, "col", x, "col", "N", "col", "gridDim.x * blockDim.x"))
            else:
                self.shape = "f "
                self.emit(loop % (moving, "id", x, "id", "M * N", "id", "gridDim.x * blockDim.x"))
                self.emit("int row = id / N, col = id % N;")
            self.closing.append("}")
        elif scheme == "block":
            self.shape = "r "
            self.emit("int row = blockIdx.x;")
            self.emit("if (row >= M)\n  return;" if self.chance(80) else "")
            start, step = self.pick(("threadIdx.x", "blockDim.x"), ("(int)threadIdx.x", "(int)blockDim.x"))
            self.emit("for (int col = %s; col < N; col += %s) {" % (start, step))
            self.closing.append("}")
        elif scheme == "coarse":
            count = self.pick(2, 3, 4)
            self.emit("int row = %s;" % y)
            first = self.pick("(%s) * %d" % (x, count), "blockIdx.x * blockDim.x * %d + threadIdx.x" % count)
            step = "j" if first.startswith("(") else "j * (int)blockDim.x"
            self.emit("int first = %s;" % first)
            self.emit("for (int j = 0; j < %d; ++j) {" % count)
            self.emit("int col = first + %s;" % step)
            self.closing.append("}")
            self.guard(inside_loop=True)
        else:
            self.shape = "yz"
            self.emit("int row = %s, col = %s;" % (y, x))
            depth = self.pick("(int)blockIdx.z", "blockIdx.z")
            self.guard()
            self.emit("A += %s * M * K;" % depth)
            if self.chance(60):
                self.emit("B += %s * N * K;" % depth)
            self.emit("C += %s * M * N;" % depth)

    def guard(self, inside_loop=False):
        odd = self.odd == "guard" or self.chance(6)
        leave = "continue" if inside_loop else "return"
        forms = [
            ("if (row >= M || col >= N)\n  %s;" % leave, ""),
            ("if (row < M && col < N) {", "}"),
            ("if (row >= M)\n  {0};\nif (col >= N)\n  {0};".format(leave), ""),
            ("bool inside = row < M && col < N;\nif (!inside)\n  %s;" % leave, ""),
            ("if (row < M) if (col < N) {", "}"),
            ("if (!(row < M && col < N))\n  %s;" % leave, ""),
            ("if (row < M && col < N) {", "}"),
        ]
        if odd:
            p = self.param(self.pick("s", "u", "q", "c", "g"), "p")
            forms = [
                ("if (row > M || col >= N)\n  %s;" % leave, ""),
                ("if (row >= M)\n  %s;" % leave, ""),
                ("if (row < M && col < N && col < %s) {" % p, "}"),
                ("if (row < M && col < N && row >= %s) {" % p, "}"),
                ("if (row < M & col < N) {", "}"),
                ("if (row >= M || col >= N || %s == 3)\n  %s;" % (p, leave), ""),
                ("if (row < M - 1 && col + 1 < N) {", "}"),
                ("if (row < min((int)M, 7) && col < N) {", "}"),
                ("if ((unsigned)row < (unsigned)M && (unsigned)(col - 1) < (unsigned)N - 1u) {", "}"),
                ("if (row < M && col < N && col != %s) {" % p, "}"),
                ("if (row < M && (col < N || row == 1)) {", "}"),
                ("if (row < M && col < (unsigned)%s && col < N) {" % p, "}"),
                ("if (row < M && col < N && (row + col) %% 2 == 0) {", "}"),
                ("int last = %s;\nif (row < M && col < N && col <= last--) {" % p, "}"),
                ("if (row < M && col < N && %s - 1u < 9u) {" % p, "}"),
                ("if (row <= M - 1 && col <= N - 1 && row >= col) {", "}"),
                ("if ((row < M ? col < N : false)) {", "}"),
                ("if (row - M < 0 && N - col > 0) {", "}"),
                ("if (row * N + col < M * N && col < N) {", "}"),
                ("if (row >= M) ; else if (col >= N) ; else {", "}"),
                ("switch (row < M && col < N) {\ncase 1: {", "}\n}"),
            ]
        number = self.rng.randrange(len(forms))
        if odd:
            self.use("guard %d" % number)
        opening, closing = forms[number]
        self.emit(opening.replace("%%", "%"))
        if closing:
            self.closing.append(closing)

    # The sum

    def sum(self):
        (sums.random_sums if self.several else loops.random_sum)(self)

    def store(self):
        offset = self.offset("C", "row", "col")
        target = "C[%s]" % offset
        value = STORE[self.out] % "acc"
        forms = ["{t} = {v};"] * 3 + ["{T} *out = C + {o};\n*out = {v};", "*(C + ({o})) = {v};"]
        if self.odd == "store" or self.chance(5):
            n = self.rng.randrange(14)
            self.use("store %d" % n)
            p = self.param("s", "p")
            if n == 0:
                forms = ["if (col != {p})\n  {t} = {v};"]
            elif n == 1:
                forms = ["if (acc > 1.0f)\n  {t} = {v};"]
            elif n == 2:
                forms = ["(col < {p}) && (acc += 1.0f, true);\n{t} = {v};"]
            elif n == 3:
                forms = ["{t} = {v};\nif (col > {p})\n  {t} = {z};"]
            elif n == 4:
                self.params.append(("float *", "D", "D", "f"))
                forms = ["{t} = {v};\nD[row * N + col] = acc * 2.0f;"]
            elif n == 5:
                self.params.append(("float *", "D", "D", "f"))
                forms = ["D[row * N + col] = acc;\nif ({p} > 3)\n  {t} = {v};"]
            elif n == 6:
                put = self.fresh("put")
                self.helper("__device__ void %s(%s *p, float acc, int n) {\n  if (n == 2)\n    return;\n"
                            "  *p = %s;\n}" % (put, TYPES[self.out], value))  # fmt: skip
                forms = ["%s(&{t}, acc, {p});" % put]
            elif n == 7:
                forms = ["{t} = {v};\n{t} = " + STORE[self.out] % (LOAD[self.out] % "{t}" + " + 1.0f") + ";"]
            elif n == 8:
                forms = ["{p} > 2 || (({t} = {v}), 1);"]
            elif n == 9:
                forms = ["for (int twice = 0; twice < 2; ++twice)\n  {t} = {v};"]
            elif n == 10:
                forms = ["C[({o}) + {p} * 0] = {v};"]
            elif n == 11:
                forms = ["{T} *out = {p} > 4 ? C + 1 : C;\nout[{o}] = {v};"]
            elif n == 12 and self.out == "f":
                forms = ["atomicAdd(&{t}, acc);"]
            else:
                forms = ["if ({p} & 1)\n  {t} = {v};\nelse\n  {t} = {z};"]
            form = self.pick(*forms).format(t=target, v=value, o=offset, p=p, z=STORE[self.out] % "5.0f",
                                            T=TYPES[self.out])  # fmt: skip
        else:
            form = self.pick(*forms).format(t=target, v=value, o=offset, T=TYPES[self.out])
        self.emit(form)

    # Text

    def name(self):
        return "kernel_%d" % self.number

    def text(self):
        """The kernel in a namespace of its own."""
        template = self.rng.randrange(100) < 8
        out = ["namespace n%d {" % self.number]
        out += self.helpers
        out.append("#pragma warpwright matmul")
        types = [type for type, _, _, _ in self.params]
        if self.bundled:
            template = False
            fields = ["  %s %s;" % (t, n) for t, (_, n, _, _) in zip(types, self.params)]
            out[-1:] = ["struct Args {", *fields, "};", out[-1]]
            unpacked = ["%s %s = p.%s;" % (t, n, n) for t, (_, n, _, _) in zip(types, self.params)]
            self.lines[:0] = unpacked
            types, names = ["Args"], ["p"]
        else:
            names = [n for _, n, _, _ in self.params]
        if template:
            out.append("template <class T, int X>")
            types[0] = "const T *"
            self.lines.append("// X is not used.")
        signature = ", ".join(
            "%s%s%s" % (t, "" if t.endswith("*") else " ", n)
            for t, n in zip(types, names)
        )
        out.append("__global__ void %s(%s) {" % (self.name(), signature))
        out += ["  " + line for line in self.lines]
        out.append("}")
        self.call = self.name() + ("<%s, 3>" % TYPES[self.types[0]] if template else "")
        if template:
            self.use("template")
            values = ", ".join("nullptr" if "*" in t else "(%s)1" % t for t in types[1:])
            out.append("#ifndef FUZZ_HOST\nvoid launch() { %s<<<1, 1>>>((const %s *)nullptr, %s); }\n#endif"
                       % (self.call, TYPES[self.types[0]], values))  # fmt: skip
        out.append("} // namespace n%d" % self.number)
        return "\n".join(out) + "\n"

    def arguments(self, values):
        """What the kernel is called with."""
        return "Args{%s}" % values if self.bundled else values

    def declarations(self):
        """The parameters, taken from a drawn case."""
        out = []
        for i, (type, name, kind, _) in enumerate(self.params):
            if type.endswith("*"):
                out.append("%s%s = fuzz_case.pointer<%s>(%d);" % (type, name, type[:-1].strip(), i))
            elif kind == "f":
                out.append("%s %s = fuzz_case.real[%d];" % (type, name, i))
            else:
                out.append("%s %s = static_cast<%s>(fuzz_case.number[%d]);" % (type, name, type, i))
        if self.bundled:
            names = ", ".join(name for _, name, _, _ in self.params)
            out.append("Args p{%s};" % names)
        return "\n".join(out)
