"""Several sums of a random kernel, and elements that are computed with first."""


def left(kernel, k):
    return element(kernel, kernel.a("row", k), "row", k)


def right(kernel, k):
    return element(kernel, kernel.b(k, "col"), "col", k)


def element(kernel, x, place, k):
    """Something that is done to an element, or nothing."""
    number = kernel.rng.randrange(24)
    if number >= 14:
        return x
    kernel.use("prologue %d" % number)
    text = PROLOGUES[number].replace("{x}", x).replace("{k}", k).replace("{p}", place)
    if "{v}" in text:
        text = text.replace("{v}", kernel.array())
    if "{f}" in text:
        text = text.replace("{f}", kernel.param("f", "f"))
    return text


PROLOGUES = [
    "({x} * {v}[{k}])",
    "({v}[({k}) / 4] * {x})",
    "({x} * {v}[{p}])",
    "({x} + {v}[{k}])",
    "({v}[{p}] - {x})",
    "fmaxf({x}, 0.0f)",
    "({x} > 0.0f ? {x} : 0.0f)",
    "({x} < 0.0f ? {f} * {x} : {x})",
    "(-{x})",
    "({x} * {f})",
    "(({k}) < 3 ? {x} : 0.0f)",
    "({x} + {v}[row] - {v}[col])",
    "fmaxf({x} + {v}[({k}) / 2], 0.0f)",
    "({x} * (float)(({k}) + 1))",
]


def term(kernel, k):
    a, b = left(kernel, k), right(kernel, k)
    number = kernel.rng.randrange(12)
    if number == 0:
        a = left(kernel, "(K - 1 - %s)" % k)
    if number == 1:
        b = right(kernel, "(K - 1 - %s)" % k)
    if number == 2:
        return "%s * %s" % (a, kernel.array() + "[%s]" % k)
    if number == 3:
        return "%s * %s * %s" % (a, b, kernel.array() + "[%s]" % kernel.pick(k, "row", "col", k + " / 4"))
    return "%s * %s" % ((a, b) if kernel.chance(70) else (b, a))


def terms(kernel, k):
    text = term(kernel, k)
    for _ in range(kernel.pick(0, 0, 1, 1, 2)):
        sign = kernel.pick("+", "+", "-")
        more = term(kernel, k)
        if kernel.chance(15):
            more = "%s * (%s)" % (kernel.param("f", "f"), more)
        text = "%s %s %s" % (text, sign, more)
        kernel.use("products")
    return "-(%s)" % text if kernel.chance(8) else text


def random_sums(kernel):
    number = kernel.rng.randrange(len(FORMS))
    kernel.use("sums %d" % number)
    text = FORMS[number]
    k = "t * 4 + k" if "t * 4" in text else "k"
    for key in ("{x}", "{y}"):
        if key in text:
            text = text.replace(key, terms(kernel, "(%s)" % k))
    if "{s}" in text:
        text = text.replace("{s}", kernel.param("s", "s"))
    if "{v}" in text:
        text = text.replace("{v}", kernel.array())
    end = kernel.pick("acc * more", "acc - more", "acc + more", "fmaxf(acc, 0.0f) * more",
                      "more", "acc > 0.0f ? acc : more", "acc * acc + more")  # fmt: skip
    kernel.emit("float acc = 0.0f, more = 0.0f;")
    kernel.emit(text)
    kernel.emit("acc = %s;" % end)


FORMS = [
    "for (int k = 0; k < K; ++k) {\nacc += {x};\nmore += {y};\n}",
    "for (int k = 0; k < K; ++k) {\nacc += {x};\nif (k < {s})\nmore += {y};\n}",
    "for (int k = 0; k < K; ++k)\nacc += {x};\nfor (int k = 0; k < K; ++k)\nmore += {y};",
    "for (int k = 0; k < K; ++k)\nacc += {x};\nfor (int k = 0; k < min((int)K, 5); ++k)\nmore += {y};",
    "for (int k = 0; k < K; ++k)\nacc += {x};\nfor (int k = 0; k < K; ++k)\nacc += {y};",
    "for (int k = (int)K - 1; k >= 0; --k) {\nacc -= {x};\nmore += {y};\n}",
    "for (int t = 0; t < (int)K / 4; ++t) {\nfloat part = 0.0f;\nfor (int k = 0; k < 4; ++k)\npart += {x};\nacc += {v}[t] * part;\n}",
    "for (int t = 0; t < (int)K / 4; ++t) {\nfloat part = 0.0f;\nfor (int k = 0; k < 4; ++k) {\npart += {x};\nmore += {y};\n}\nacc += part * 2.0f;\n}",
    "for (int t = 0; t < ((int)K + 3) / 4; ++t)\nfor (int k = 0; k < 4; ++k)\nif (t * 4 + k < K) {\nacc += {x};\nmore += {y};\n}",
    "for (int t = 0; t < (int)K / 4; ++t) {\nfor (int k = 0; k < 4; ++k)\nacc += {x};\nfor (int k = 0; k < 2; ++k)\nmore += {y};\n}",
    "for (int k = 0; k < K; ++k)\nif (k < {s})\nacc += {x};\nelse\nmore += {y};",
]
