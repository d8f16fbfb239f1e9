# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What can be wrong in a kernel: every small edit of its text, mechanically.

The text is C++ without macros. It is split into tokens; each token or statement
to which an operator below applies gives one or more mutants. Nothing here depends
on what a kernel does: the only names are words that have a counterpart (rows and
columns, full and empty, inner and outer).
"""

import re
from dataclasses import dataclass

TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/|^\#[^\n]*)
      | (?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
      | (?P<number>(?:0[xX][0-9a-fA-F]+|\d+(?:\.\d+)?)[uUlLfF]*)
      | (?P<word>[A-Za-z_]\w*)
      | (?P<punct>::|->|\+\+|--|<<=|>>=|<<|[-+*/%^&|<>=!]=|&&|\|\||.)""",
    re.X | re.S | re.M)

# The replacement of each binary operator. `>>` is left out, since it closes templates.
OPERATORS = {"+": "-", "-": "+", "*": "+", "/": "%", "%": "/", "^": "|",
             "&": "|", "|": "&", "<<": ">>", "<": "<=", ">": ">=", "<=": "<",
             ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
             "^=": "|=", "+=": "-=", "-=": "+="}

COUNTERPARTS = [("rows", "cols"), ("row", "col"), ("full", "empty"),
                ("inner", "outer"), ("release", "claim"), ("sync", "arrive"),
                ("load", "store"), ("x", "y"), ("x", "k"), ("m", "n"),
                ("producer", "consumer")]

KEYWORDS = {"if", "for", "while", "return", "using", "const", "constexpr",
            "static", "else", "namespace", "template", "extern", "case",
            "switch", "default", "break", "continue", "struct", "class"}


@dataclass
class Token:
    kind: str
    text: str
    start: int
    end: int
    scope: str = ""  # of which function or struct, "" outside of those
    frozen: bool = False  # plumbing of the simulator
    nested: bool = False  # in parentheses, such as the header of a loop


@dataclass
class Mutant:
    key: str
    operator: str
    start: int
    end: int
    text: str

    def apply(self, source):
        return source[:self.start] + self.text + source[self.end:]


def tokenize(source):
    """All tokens but white space and comments."""
    tokens = []
    for match in TOKEN.finditer(source):
        if match.lastgroup != "space":
            tokens.append(Token(match.lastgroup, match.group(), match.start(),
                                match.end()))
    return tokens


def close(tokens, opening):
    """Index of the token that closes the bracket at index `opening`."""
    pairs = {"(": ")", "{": "}", "[": "]"}
    left, right = tokens[opening].text, pairs[tokens[opening].text]
    depth = 0
    for i in range(opening, len(tokens)):
        if tokens[i].kind == "punct":
            if tokens[i].text == left:
                depth += 1
            elif tokens[i].text == right:
                depth -= 1
                if depth == 0:
                    return i
    raise ValueError("unbalanced " + left)


def name_before(tokens, brace):
    """The function or struct that the brace at index `brace` opens, or ""."""
    i = brace - 1
    while i >= 0 and tokens[i].text in ("const", "noexcept"):
        i -= 1
    if i >= 0 and tokens[i].text == ")":
        depth = 0
        while i >= 0:
            depth += (tokens[i].text == ")") - (tokens[i].text == "(")
            if depth == 0:
                break
            i -= 1
        name = tokens[i - 1]
        return name.text if name.kind == "word" else ""
    if i >= 1 and tokens[i].kind == "word" and tokens[i - 1].text in (
            "struct", "class"):
        return tokens[i].text
    # With a base: `struct plan : D {`.
    first = i
    while first > 0 and tokens[first - 1].text not in (";", "{", "}"):
        first -= 1
    for k in range(first, i - 1):
        if tokens[k].text == "struct" and tokens[k + 2].text == ":":
            return tokens[k + 1].text
    return ""


def find_scopes(tokens):
    """Sets scope and frozen of all tokens; returns scope -> words in it."""
    stack = []  # scope names, None for namespaces and blocks
    depths = [0]  # of parentheses, in each open brace
    for i, token in enumerate(tokens):
        if token.kind == "punct":
            if token.text == "{":
                depths.append(0)
            elif token.text == "}" and len(depths) > 1:
                depths.pop()
            depths[-1] += (token.text == "(") - (token.text == ")")
        token.nested = depths[-1] > 0
        if token.kind == "punct" and token.text == "{":
            inside = [name for name in stack if name]
            name = None
            if not inside or inside[-1][1] == "struct":
                found = name_before(tokens, i)
                if found and found not in KEYWORDS:
                    kind = "function" if tokens[i - 1].text in (
                        ")", "const", "noexcept") else "struct"
                    name = (found, kind)
            stack.append(name)
        token.scope = ".".join(name[0] for name in stack if name)
        if token.kind == "punct" and token.text == "}" and stack:
            stack.pop()
    words = {}
    for token in tokens:
        if token.kind == "word" and token.scope:
            words.setdefault(token.scope, set()).add(token.text)
    freeze_asm(tokens)
    freeze_sites(tokens)
    return words


def freeze_asm(tokens):
    """Freezes the simulator's form of asm statements, except their operands."""
    for i, token in enumerate(tokens):
        if token.text != "AsmSite" or tokens[i - 1].text != "::":
            continue
        first = i
        while tokens[first].text != "{":
            first -= 1
        last = close(tokens, first)
        for k in range(first, last + 1):
            tokens[k].frozen = True
        for k in range(first, last):
            if tokens[k].text == "asm_input" and tokens[k + 1].text == "(":
                inner = k + 2
                while tokens[inner].text != "(":  # the operand's parenthesis
                    inner += 1
                for j in range(inner, close(tokens, inner) + 1):
                    tokens[j].frozen = False


def freeze_sites(tokens):
    """Freezes what describes a kernel to the simulator: name, file, line."""
    for i, token in enumerate(tokens):
        if token.text == "KernelSite":
            k = i
            while tokens[k].text != ";":
                tokens[k].frozen = True
                k += 1


def reachable(words, roots):
    """The scopes whose name occurs in a root, or in another such scope."""
    by_name = {}
    for scope in words:
        by_name.setdefault(scope.split(".")[-1], []).append(scope)
        by_name.setdefault(scope.split(".")[0], []).append(scope)
    found, todo = set(), list(roots)
    while todo:
        scope = todo.pop()
        if scope in found:
            continue
        found.add(scope)
        for word in words.get(scope, ()):
            todo += by_name.get(word, [])
    return found


class Enumerator:
    """The mutants of the scopes `wanted` of a text."""

    def __init__(self, source, wanted, kernel_scopes):
        self.source = source
        self.tokens = tokenize(source)
        words = find_scopes(self.tokens)
        self.wanted = {scope for scope in words if wanted(scope)}
        self.kernel_scopes = kernel_scopes
        self.vocabulary = {t.text for t in self.tokens
                           if t.kind == "word" and t.scope in self.wanted}
        self.mutants = []
        self.seen = {}

    def run(self):
        for i, token in enumerate(self.tokens):
            if token.scope not in self.wanted:
                continue
            self.asm_statement(i)
            if token.frozen:
                continue
            self.number(i)
            self.boolean(i)
            self.binary(i)
            self.increment(i)
            self.counterpart(i)
            self.statement(i)
            self.condition(i)
            self.arguments(i)
        return self.mutants

    def add(self, operator, first, last, text, named=None):
        """Tokens first .. last become `text`; the key is that of the statement
        of `named`, or of the first."""
        start, end = self.tokens[first].start, self.tokens[last].end
        old = self.source[start:end]
        begin, line = self.statement_of(first if named is None else named)
        place = max(0, first - begin)
        scope = self.tokens[first].scope
        if operator in ("delete", "duplicate", "negate"):
            change = operator
        else:
            change = "%s -> %s" % (" ".join(old.split()),
                                   " ".join(text.split()))
        key = "%s: %s @%d: %s" % (scope, line, place, change)
        number = self.seen[key] = self.seen.get(key, 0) + 1
        if number > 1:
            key += " #%d" % number
        self.mutants.append(Mutant(key, operator, start, end, text))

    def statement_of(self, i):
        """The beginning of the statement of token i, and its text: from the previous
        brace or semicolon to the next one, regardless of line breaks."""
        begin = end = i
        while begin > 0 and self.tokens[begin - 1].text not in (";", "{", "}"):
            begin -= 1
        while end + 1 < len(self.tokens) and \
                self.tokens[end].text not in (";", "{", "}"):
            end += 1
        text = " ".join(re.sub(r"//[^\n]*", "", self.source[
            self.tokens[begin].start:self.tokens[end].end]).split())
        if self.tokens[begin].text == "static" and ' = {"' in self.source[
                self.tokens[end].start - 3:self.tokens[end].end + 1]:
            # The text of inline PTX identifies it.
            ptx = [t.text[1:-1].replace("\\n", " ")
                   for t in self.tokens[end:end + 12] if t.kind == "string"]
            text = "asm: " + " ".join(" ".join(ptx).split())
        return begin, text if len(text) < 110 else text[:105] + " ..."

    def asm_statement(self, i):
        if self.tokens[i].text != "AsmSite" or self.tokens[i - 1].text != "::":
            return
        first = i
        while self.tokens[first].text != "{":
            first -= 1
        last = close(self.tokens, first)
        start, end = self.tokens[first].start, self.tokens[last].end
        text = self.source[start:end]
        if '= {""' in text:  # only tells the compiler something
            return
        # Named by its contents.
        self.add("delete", first, last, "{}", i)
        self.add("duplicate", first, last, "{ %s %s }" % (text, text), i)

    def number(self, i):
        token = self.tokens[i]
        if token.kind != "number" or "." in token.text:
            return
        digits = token.text.rstrip("uUlL")
        suffix = token.text[len(digits):]
        value = int(digits, 0)
        for new in (value + 1, value - 1):
            text = ("0x%x" % new if digits.startswith("0x") and new >= 0 else
                    str(new)) + (suffix if new >= 0 else "")
            self.add("constant", i, i, text if new >= 0 else "(%s)" % text)

    def boolean(self, i):
        flip = {"true": "false", "false": "true"}.get(self.tokens[i].text)
        if flip:
            self.add("flip", i, i, flip)

    def binary(self, i):
        token = self.tokens[i]
        if token.kind != "punct" or token.text not in OPERATORS:
            return
        before, after = self.tokens[i - 1], self.tokens[i + 1]
        if before.text in ("template", "operator", "=", "(", ","):
            return
        if before.end == token.start or after.start == token.end:
            return  # a template's bracket, a pointer, a sign
        if token.text in "*&" and before.text in ("const", "auto", "float",
                                                  "int", "uint64_t"):
            return
        self.add("operator", i, i, OPERATORS[token.text])

    def increment(self, i):
        flip = {"++": "--", "--": "++"}.get(self.tokens[i].text)
        if flip:
            self.add("operator", i, i, flip)

    def counterpart(self, i):
        token = self.tokens[i]
        if token.kind != "word" or token.text in KEYWORDS:
            return
        before, after = self.tokens[i - 1], self.tokens[i + 1]
        # A declaration introduces the name; only uses are edited.
        if before.kind == "word" or before.text in ("*", "&", ">"):
            if before.text not in ("return", "typename") and not (
                    before.text == "&" and
                    before.end == token.start and after.text in "[,)") or (
                    before.kind == "word" and after.text in "=,;)({["):
                if before.text != "return":
                    return
        parts = token.text.split("_")
        for one, other in COUNTERPARTS:
            for a, b in ((one, other), (other, one)):
                if a in parts:
                    new = "_".join(b if p == a else p for p in parts)
                    if new in self.vocabulary:
                        self.add("counterpart", i, i, new)

    def statement_end(self, i):
        """Index of the `;` of the statement that starts at i, or None."""
        k = i
        while k < len(self.tokens):
            text = self.tokens[k].text
            if text in ("(", "[", "{") and self.tokens[k].kind == "punct":
                k = close(self.tokens, k)
            elif text == ";":
                return k
            elif text == "}":
                return None
            k += 1
        return None

    def statement(self, i):
        token, before = self.tokens[i], self.tokens[i - 1]
        starts = before.text in (";", "{", "}", "else") or (
            before.text == ")" and self.is_header_end(i - 1))
        if not starts or token.nested or token.text in KEYWORDS:
            return
        if token.kind != "word" and token.text not in ("++", "::"):
            return
        if before.text == "{" and self.tokens[i - 2].text in ("=", "return"):
            return
        last = self.statement_end(i)
        if last is None:
            return
        body = self.tokens[i:last]
        if len(body) > 1 and body[0].kind == "word" and \
                body[1].kind == "word":
            return  # a declaration
        if len(body) > 3 and body[1].text == "*" and body[3].text == "=":
            return  # of a pointer
        depth, assigns = 0, False
        for t in body:
            depth += (t.text in "([{") - (t.text in ")]}")
            assigns |= depth == 0 and t.text in ("=", "^=", "+=", "-=")
        call = body[-1].text == ")"
        if not call and not assigns and body[0].text != "++":
            return
        if any(t.frozen for t in body):
            return
        text = self.source[token.start:self.tokens[last].end]
        self.add("delete", i, last, ";")
        if "namespace" not in text:
            self.add("duplicate", i, last, "{ %s %s }" % (text, text))

    def is_header_end(self, closing):
        """Whether the `)` ends the header of an if or a for."""
        depth = 0
        for k in range(closing, -1, -1):
            text = self.tokens[k].text
            depth += (text == ")") - (text == "(")
            if depth == 0:
                return self.tokens[k - 1].text in ("if", "for", "while",
                                                   "constexpr")
        return False

    def condition(self, i):
        if self.tokens[i].text != "if":
            return
        opening = i + 1 + (self.tokens[i + 1].text == "constexpr")
        closing = close(self.tokens, opening)
        text = self.source[self.tokens[opening].end:self.tokens[closing].start]
        self.add("negate", opening, closing, "(!(%s))" % text)

    def arguments(self, i):
        """Exchanges neighbouring arguments of a call."""
        token = self.tokens[i]
        if token.scope not in self.kernel_scopes or token.text != "(":
            return
        if self.tokens[i - 1].kind != "word" and self.tokens[i - 1].text != ">":
            return
        if self.tokens[i - 1].text in KEYWORDS:
            return
        closing = close(self.tokens, i)
        pieces, first, k = [], i + 1, i + 1
        while k <= closing:
            if k == closing or self.tokens[k].text == ",":
                if k > first:
                    pieces.append((first, k - 1))
                first = k + 1
            elif self.tokens[k].text in ("(", "[", "{"):
                k = close(self.tokens, k)
            elif self.tokens[k].text in ("const", "auto", "class"):
                return  # parameters
            k += 1
        for left, right in zip(pieces, pieces[1:]):
            a = self.source[self.tokens[left[0]].start:
                            self.tokens[left[1]].end]
            b = self.source[self.tokens[right[0]].start:
                            self.tokens[right[1]].end]
            if a != b and len(a) + len(b) < 300:
                self.add("arguments", left[0], right[1], b + ", " + a)
