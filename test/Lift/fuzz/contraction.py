"""Reads the text form of contractions and writes each as plain C++ loops.

It shares nothing with the tool's own parser and printer. What it does not
understand is an error, so that no part of a contraction is passed over.
"""

import re

TYPES = {
    "bool": "bool", "i8": "int8_t", "u8": "uint8_t", "i16": "int16_t",
    "u16": "uint16_t", "i32": "int32_t", "u32": "uint32_t", "i64": "int64_t",
    "u64": "uint64_t", "f16": "__half", "bf16": "__nv_bfloat16", "f32": "float",
    "f64": "double",
}  # fmt: skip
TOKEN = re.compile(
    r'\s*("[^"]*"|%?[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*|&&|\|\||[<>=!]=|[-+*/<>=!(){}\[\],:]'
    r"|[0-9.](?:[\w.]|(?<=[eEpP])[-+])*)"
)
COMPARISONS = ("<=", ">=", "==", "!=", "<", ">")


class Unreadable(Exception):
    pass


def split(text):
    """{name of the kernel: text of its contraction} of the tool's output."""
    found = {}
    for match in re.finditer(r'^contraction "([^"]+)" \{\n.*?^\}\n', text, re.M | re.S):
        found.setdefault(match[1], match[0])
    return found


class Contraction:
    """write(name, declarations) gives a function that computes it."""

    def __init__(self, text):
        self.tokens = []
        at = 0
        while text[at:].strip():
            match = TOKEN.match(text, at)
            if not match:
                raise Unreadable("no token: %r" % text[at : at + 40])
            self.tokens.append(match[1])
            at = match.end()
        self.at = 0
        self.loads = []  # (pointer, index in C++, composite, type)
        self.read()

    # Tokens

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def accept(self, *words):
        if tuple(self.tokens[self.at : self.at + len(words)]) == words:
            self.at += len(words)
            return True
        return False

    def expect(self, *words):
        if not self.accept(*words):
            near = " ".join(self.tokens[max(0, self.at - 3) : self.at + 4])
            raise Unreadable("expected %s at: %s" % (" ".join(words), near))

    def next(self):
        self.at += 1
        if self.at > len(self.tokens):
            raise Unreadable("the text ends early")
        return self.tokens[self.at - 1]

    def name(self):
        word = self.next()
        if not re.match(r"[A-Za-z_]", word):
            raise Unreadable("expected a name, not " + word)
        return word

    def type(self):
        word = self.next()
        if word not in TYPES:
            raise Unreadable("expected a type, not " + word)
        return word

    # Integers: C++ over int64_t

    def integer(self):
        text = "-" if self.accept("-") else ""
        text += self.term()
        while self.peek() in ("+", "-"):
            text += " %s %s" % (self.next(), self.term())
        return "(%s)" % text

    def term(self):
        text = self.factor()
        while self.accept("*"):
            text += " * " + self.factor()
        return text

    def factor(self):
        if self.accept("("):
            text = self.integer()
            self.expect(")")
            return text
        word = self.next()
        if re.fullmatch(r"\d+", word):
            return "INT64_C(%s)" % word
        functions = {"floordiv": "floor_div", "mod": "floor_mod", "min": "smaller",
                     "max": "larger"}  # fmt: skip
        if word in functions and self.accept("("):
            left = self.integer()
            self.expect(",")
            right = self.integer()
            self.expect(")")
            return "%s(%s, %s)" % (functions[word], left, right)
        if word == "select" and self.accept("("):
            condition = self.condition()
            self.expect(",")
            left = self.integer()
            self.expect(",")
            right = self.integer()
            self.expect(")")
            return "(%s ? %s : %s)" % (condition, left, right)
        if re.fullmatch("%[bmnk]", word):
            return "fuzz_" + word[1]
        if not re.match(r"[A-Za-z_]", word):
            raise Unreadable("expected an integer, not " + word)
        match = re.fullmatch(r"(grid|block)Dim\.([xyz])", word)
        if match:
            return "int64_t(fuzz_case.%s.%s)" % match.groups()
        return "int64_t(%s)" % word

    # Conditions

    def condition(self):
        text = self.primary()
        while self.peek() in ("&&", "||"):
            text = "(%s %s %s)" % (text, self.next(), self.primary())
        return text

    def primary(self):
        begin = self.at
        try:
            left = self.integer()
            operator = self.next()
            if operator in COMPARISONS:
                return "(%s %s %s)" % (left, operator, self.integer())
        except Unreadable:
            pass
        self.at = begin
        if self.accept("true") or self.accept("false"):
            return self.tokens[self.at - 1]
        if self.accept("nonnull", "("):
            text = "(%s != nullptr)" % self.name()
        elif self.accept("fcmp", "("):
            left = self.value()[0]
            operator = self.next()
            if operator not in COMPARISONS:
                raise Unreadable("expected a comparison, not " + operator)
            text = "(%s %s %s)" % (left, operator, self.value()[0])
        elif self.accept("!", "("):
            text = "!(%s)" % self.condition()
        else:
            self.expect("(")
            text = self.condition()
        self.expect(")")
        return text

    # Values: (C++, type)

    def element(self):
        pointer = self.name()
        self.expect("[")
        begin = self.at
        index = self.integer()
        words = self.tokens[begin : self.at]
        self.expect("]", ":")
        composite = any(w in ("floordiv", "mod", "min", "max", "select") for w in words)
        # A division of parameters alone is no less affine.
        if composite and not any(word.startswith("%") for word in words):
            composite = False
        return pointer, index, composite, self.type()

    def value(self):
        if self.accept("("):
            left, kind = self.value()
            operator = self.next()
            if operator not in "+-*/":
                raise Unreadable("expected an operator, not " + operator)
            right, _ = self.value()
            self.expect(")")
            return "%s(%s %s %s)" % (self.convert(kind), left, operator, right), kind
        if self.accept("-", "("):
            text, kind = self.value()
            self.expect(")")
            return "%s(-%s)" % (self.convert(kind), text), kind
        if self.peek() == "-" or re.match(r"[0-9.]", self.peek()):
            literal = self.next()
            while self.peek() != ":":
                literal += self.next()
            self.expect(":")
            kind = self.type()
            return "%s(%s)" % (TYPES[kind], literal), kind
        word = self.name()
        # An array or a parameter may be called like a sum.
        if re.fullmatch(r"acc([1-9]\d*)?", word) and self.peek() not in (":", "["):
            number = int(word[3:] or 0)
            if number >= len(self.sums):
                raise Unreadable("there is no sum " + word)
            return "fuzz_acc%d" % number, "f32"
        if word.startswith("int.") and self.accept("("):
            kind = word[4:]
            text = self.integer()
            self.expect(")")
            through = "double" if kind in ("f16", "bf16") else ""
            return "%s(%s(%s))" % (TYPES[kind], through, text), kind
        if word.startswith("call."):
            callee = self.next()[1:-1]
            self.expect("(")
            arguments = []
            while not self.accept(")"):
                arguments.append(self.value()[0])
                self.accept(",")
            kind = word[5:]
            return "%s(%s(%s))" % (TYPES[kind], callee, ", ".join(arguments)), kind
        if word == "select" and self.accept("("):
            condition = self.condition()
            self.expect(",")
            left, kind = self.value()
            self.expect(",")
            right, _ = self.value()
            self.expect(")")
            return "(%s ? %s : %s)" % (condition, left, right), kind
        if word == "fma" and self.accept("("):
            x, kind = self.value()
            self.expect(",")
            y = self.value()[0]
            self.expect(",")
            z = self.value()[0]
            self.expect(")")
            return "%s(fma%s(%s, %s, %s))" % (
                TYPES[kind], "" if kind == "f64" else "f", x, y, z,
            ), kind  # fmt: skip
        if word in TYPES and self.accept("("):
            text, _ = self.value()
            self.expect(")")
            return "static_cast<%s>(%s)" % (TYPES[word], text), word
        if self.peek() == "[":
            self.at -= 1
            pointer, index, composite, kind = self.element()
            if (pointer, index, composite, kind) not in self.loads:
                self.loads.append((pointer, index, composite, kind))
            text = "reinterpret_cast<const %s *>(%s)[%s]" % (TYPES[kind], pointer, index)
            return text, kind
        self.expect(":")
        kind = self.type()
        return "static_cast<%s>(%s)" % (TYPES[kind], word), kind

    @staticmethod
    def convert(kind):
        return TYPES[kind]

    # The whole

    def read(self):
        self.expect("contraction")
        self.next()
        self.expect("{")
        self.extents = []
        for index in "bmn":
            self.expect("index", "%" + index, "<")
            self.extents.append(self.integer())
            # A batch index may have digits, `6 of 2, 3`: their extents.
            if index == "b" and self.accept("of"):
                self.integer()
                while self.accept(","):
                    self.integer()
        # [(extent of k, [(element, prologue or None) twice for each product],
        #   [(what a product does to the sum, its own extent of k or None, what
        #     it is multiplied with or None)])]
        self.sums, self.inner, self.sums_read = [], [], 0
        sums = [self.sum()]
        while self.accept("sum"):
            self.expect("acc%d" % len(sums))
            sums.append(self.sum())
        self.sums = sums
        self.extents.append(sums[0][0])
        self.outputs = []
        while self.accept("output"):
            element = self.element()
            self.expect("=")
            self.outputs.append((element, self.value()[0]))
            self.accept("atomically")
        self.requirements = []
        while self.accept("require"):
            self.requirements.append(self.condition())
            self.expect(":")
            self.next()
        self.accept("exchanged")
        self.expect("offsets")
        offsets = self.type()
        self.signed, self.bits = offsets[0] == "i", int(offsets[1:])
        self.loads_after_stores = self.accept("loads", "after", "stores")
        if self.accept("restrict"):
            self.name()
            while self.accept(","):
                self.name()
        self.expect("}")
        if self.at != len(self.tokens):
            raise Unreadable("more than one contraction")

    def sum(self):
        self.expect("index", "%k", "<")
        extent = self.integer()
        factors, products = [], []
        # Of the first product of all there is no sign.
        sign = "-=" if self.sums_read and self.accept("minus") else "+="
        while True:
            own, scale = None, None
            if self.accept("over"):
                self.expect("%k", "<")
                own = self.integer()
            for letter in "AB":
                self.expect("operand", letter, "=")
                element, prologue = self.element(), None
                if self.accept("as"):
                    self.loads = []
                    prologue = self.value()[0]
                    self.inner += [(load, own or extent) for load in self.loads]
                    self.loads = []
                factors.append((element, prologue))
            if self.accept("times"):
                scale = self.value()[0]
            products.append((sign, own, scale))
            if self.accept("minus"):
                sign = "-="
            elif self.accept("plus"):
                sign = "+="
            else:
                break
        self.sums_read += 1
        self.expect("accumulate")
        self.type()
        if self.accept("for"):
            self.type()
        return extent, factors, products

    def arrays(self):
        """(pointer, index, composite, type, use) of everything touched; for a use
        inside a sum the extent of its k behind it. What is inside another sum
        than the first, or of a product over a range of its own, is walked over,
        as a composite index is."""
        for number, (extent, factors, products) in enumerate(self.sums):
            for at, ((pointer, index, composite, kind), _) in enumerate(factors):
                own = products[at // 2][1]
                yield (pointer, index, composite or number > 0 or own is not None,
                       kind, "p", own or extent)  # fmt: skip
        for (pointer, index, _, kind), extent in self.inner:
            yield pointer, index, True, kind, "i", extent
        for element, _ in self.outputs:
            yield (*element, "o", None)
        for load in self.loads:
            yield (*load, "i", None)

    def write(self, function, declarations):
        extents = ["fuzz_e[%d]" % i for i in range(4)]
        out = [
            "static const char *%s(const Case &fuzz_case) {" % function,
            declarations,
            "int64_t fuzz_b = 0, fuzz_m = 0, fuzz_n = 0, fuzz_k = 0;",
            "const int64_t fuzz_e[4] = {%s};" % ", ".join(self.extents),
            "const __int128 fuzz_far = static_cast<__int128>(1) << 100;",
        ]
        out += ["if (!%s) return \"requirement\";" % r for r in self.requirements]
        # A plan computes several sums over one range only, and where that is empty
        # the launcher takes the original.
        out += ["if (%s <= 0) return \"requirement\";" % extent
                for extent, _, _ in self.sums[1:]]  # fmt: skip
        loops = "for (fuzz_b = 0; fuzz_b < fuzz_e[0]; ++fuzz_b)\n" + "".join(
            "for (fuzz_%s = 0; fuzz_%s < fuzz_e[%d]; ++fuzz_%s)\n" % (i, i, d, i)
            for d, i in enumerate("mn", 1)
        )
        rows = []
        for pointer, index, composite, kind, use, _ in self.arrays():
            if composite:
                low = "fuzz_far, -fuzz_far, 0"
                steps = "0"
            else:
                low = "0, 0, 0"
                steps = "%s" % index
            rows.append(
                '{"%s", %s, %d, \'%s\', %s, {%s}, %s},'
                % (pointer, pointer, self.size(kind), use,
                   "false" if composite else "true", steps, low)
            )  # fmt: skip
        out.append("Touched fuzz_touched[] = {\n%s\n};" % "\n".join(rows))
        # An affine index is known by its steps, another one by what it reaches.
        walks = []
        for number, (_, index, composite, _, _, extent) in enumerate(self.arrays()):
            at = "fuzz_touched[%d]" % number
            if not composite:
                for d, i in enumerate("bmnk", 1):
                    out.append("fuzz_%s = 1; %s.at[%d] = int64_t((unsigned __int128)(__int128)"
                               "(%s) - %s.at[0]); fuzz_%s = 0;"
                               % (i, at, d, index, at, i))  # fmt: skip
            elif extent:
                walks.append(
                    "for (fuzz_k = 0; fuzz_k < %s; ++fuzz_k) %s.add(%s);\nfuzz_k = 0;"
                    % (extent, at, index)
                )
            else:
                walks.append("%s.add(%s);" % (at, index))
        if walks:
            # Where one is 0 the launcher takes the original.
            extent = " && ".join("%s > 0 && %s <= 4096" % (e, e) for e in extents)
            out.append("if (%s)\n%s{\n%s\n}" % (extent, loops, "\n".join(walks)))
        out.append(
            "if (const char *fuzz_why = check(fuzz_touched, %d, fuzz_e, %d, %s, %s))"
            " return fuzz_why;"
            % (len(rows), self.bits, str(self.signed).lower(),
               str(self.loads_after_stores).lower())
        )  # fmt: skip
        out.append(loops + "{")
        for number, (extent, factors, products) in enumerate(self.sums):
            texts = []
            for (pointer, index, _, kind), prologue in factors:
                load = "reinterpret_cast<const %s *>(%s)[%s]" % (TYPES[kind], pointer, index)
                texts.append("static_cast<float>(%s)" % (prologue or load))
            out.append("float fuzz_acc%d = 0.0f;" % number)
            terms = list(zip(products, texts[::2], texts[1::2]))
            # A product that is multiplied with a number is added up apart.
            for (sign, own, scale), left, right in terms:
                if scale:
                    out += ["{", "float fuzz_part = 0.0f;",
                            "for (fuzz_k = 0; fuzz_k < %s; ++fuzz_k)" % (own or extent),
                            "fuzz_part += %s * %s;" % (left, right), "fuzz_k = 0;",
                            "fuzz_acc%d %s (%s) * fuzz_part;" % (number, sign, scale),
                            "}"]  # fmt: skip
            for (sign, own, scale), left, right in terms:
                if own and not scale:
                    out += ["for (fuzz_k = 0; fuzz_k < %s; ++fuzz_k)" % own,
                            "fuzz_acc%d %s %s * %s;" % (number, sign, left, right)]  # fmt: skip
            out.append("for (fuzz_k = 0; fuzz_k < %s; ++fuzz_k) {" % extent)
            for (sign, own, scale), left, right in terms:
                if not own and not scale:
                    out.append("fuzz_acc%d %s %s * %s;" % (number, sign, left, right))
            out += ["}", "fuzz_k = 0;"]
        for number, ((_, _, _, kind), value) in enumerate(self.outputs):
            out.append("const %s fuzz_value%d = %s(%s);" % (TYPES[kind], number, TYPES[kind], value))
        for number, ((pointer, index, _, kind), _) in enumerate(self.outputs):
            out.append("(%s)[%s] = fuzz_value%d;" % (pointer, index, number))
        out += ["}", "return nullptr;", "}"]
        return "\n".join(out)

    @staticmethod
    def size(kind):
        return {"8": 1, "6": 2, "2": 4, "4": 8}[kind[-1]] if kind != "bool" else 1
