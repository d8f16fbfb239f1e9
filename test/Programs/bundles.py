"""Puts whole programs together into one, for the simulator.

Most of the time that a simulated program takes is its compilation, and most of that
are the headers and what the kernels of one type share. Sixteen programs in one file
take a few times as much of it as one. Each becomes a namespace with a function in place of
its `main`; the new `main` runs the one that its first argument names, so that each
still runs, and fails, alone.
"""

import re

SIZE = 16


def types(path):
    """The types of a program's matrices: equal ones share most code."""
    if path is None:
        return []
    with open(path) as file:
        return sorted(set(re.findall(r"\bMatrix<([\w: ]+)>", file.read())))


def divide(names, path_of):
    """Divides `names` into lists of programs that are put together."""
    names = sorted(names, key=lambda name: (types(path_of(name)), name))
    return [names[i : i + SIZE] for i in range(0, len(names), SIZE)]


def merge(programs):
    """The text of all `programs`, pairs of a name and a text."""
    includes, bodies, choices = [], [], []
    for name, text in programs:
        for include in re.findall(r"^#include .*$", text, re.M):
            if include not in includes:
                includes.append(include)
        text = re.sub(r"^#include .*\n", "", text, flags=re.M)
        text, mains = re.subn(r"^int main\(", "int run(", text, flags=re.M)
        if mains != 1:
            raise ValueError(name + ": no main to rename")
        arguments = "argc, argv" if "int run(int" in text else ""
        text += "".join(
            f"#undef {macro}\n" for macro in re.findall(r"^#define (\w+)", text, re.M)
        )
        bodies.append(f"namespace program_{name} {{\n{text}}} // namespace\n")
        choices.append(
            f'  if (!std::strcmp(name, "{name}"))\n'
            f"    return program_{name}::run({arguments});\n"
        )
    return "".join(
        [include + "\n" for include in includes + ["#include <cstring>"]]
        + bodies
        + ["int main(int argc, char **argv) {\n"]
        + ["  const char *name = argc > 1 ? argv[1] : \"\";\n  --argc, ++argv;\n"]
        + choices
        + ["  return 99;\n}\n"]
    )
