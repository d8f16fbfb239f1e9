"""Checks the tree itself, not the program.

Each check is one test with a name; --output writes them in lit's report form,
so that they are counted with the rest. Only files that git tracks (or, without
git, all outside build/) are looked at.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCE = re.compile(r"\.(h|hpp|cpp|cuh|cu|py|sh)$")
LONGEST = 800
TOP_LEVEL = {
    *("tools", "lib", "include", "test", "runtime", "docs", "cmake", ".ci"),
    *("CMakeLists.txt", "CMakePresets.json", "README.md", "LICENSE"),
    *(".clang-format", ".clang-tidy", ".gitignore", ".gitattributes"),
}

def tracked_files():
    listing = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "-z"], capture_output=True, text=True
    )
    if listing.returncode == 0:
        names = listing.stdout.split("\0")
    else:
        names = [
            os.path.relpath(os.path.join(folder, name), ROOT)
            for folder, folders, files in os.walk(ROOT)
            for name in files
        ]
        names = [n for n in names if not n.startswith(("build/", ".git/"))]
    return sorted(n for n in names if os.path.isfile(os.path.join(ROOT, n)))


def read(name):
    with open(os.path.join(ROOT, name), errors="replace") as file:
        return file.read()


def in_folder(name, *folders):
    return name.startswith(tuple(folder + "/" for folder in folders))


def check_format(files):
    """C++ and device headers are as clang-format 22 writes them. Programs that
    are shown to the tool (.cu) keep their authors' style."""
    formatter = shutil.which("clang-format-22")
    if not formatter:
        return ["clang-format-22 is missing"]
    names = [n for n in files if re.search(r"\.(h|hpp|cpp|cuh)$", n)]
    folders = ("include", "lib", "tools", "runtime", "test/unit")
    names = [n for n in names if in_folder(n, *folders) and "/Inputs/" not in n]
    problems = []
    for start in range(0, len(names), 50):
        run = subprocess.run(
            [formatter, "--dry-run", "--Werror", *names[start : start + 50]],
            cwd=ROOT, capture_output=True, text=True,
        )
        found = re.findall(r"^(\S+?):\d+:\d+: error", run.stderr, re.M)
        problems += sorted(set(found))
        if run.returncode and not found:
            problems.append(run.stderr.strip())
    return problems


def check_length(files):
    """A file that has grown past the limit wants a split by responsibility."""
    problems = []
    for name in files:
        if SOURCE.search(name) and in_folder(
            name, "include", "lib", "tools", "runtime", "test"
        ):
            lines = read(name).count("\n")
            if lines > LONGEST:
                problems.append("%s has %d lines" % (name, lines))
    return problems


def check_top_level(files):
    return sorted({n.split("/")[0] for n in files} - TOP_LEVEL)


def check_machine_paths(files):
    """Paths of the machine that a file was written on. A folder at the top, such
    as /src, is too common a word to look for."""
    here = [ROOT + "/", os.path.expanduser("~") + "/"]
    here = [path for path in here if path.count("/") > 2]
    return ["%s names %s" % (n, p) for n in files for p in here if p in read(n)]


def check_markers(files):
    marker = re.compile(r"\b(TO" + r"DO|FIX" + r"ME|XX" + r"X)\b")
    return [
        "%s: %s" % (name, marker.search(read(name))[0])
        for name in files
        if in_folder(name, "include", "lib", "tools", "runtime")
        and marker.search(read(name))
    ]


def check_source_lists(files):
    """A source file that no CMakeLists.txt names is never compiled."""
    problems = []
    for name in files:
        folder, base = os.path.split(name)
        if not base.endswith(".cpp") or not (
            in_folder(name, "lib", "tools/warpwright") or folder == "test/unit"
        ):
            continue
        # A folder without a list of its own belongs to the one above.
        while not os.path.exists(os.path.join(ROOT, folder, "CMakeLists.txt")):
            folder = os.path.dirname(folder)
        entry = os.path.relpath(name, folder)
        words = read(os.path.join(folder, "CMakeLists.txt")).split()
        if entry not in [word.rstrip(")") for word in words]:
            problems.append("%s is not in %s/CMakeLists.txt" % (name, folder))
    return problems


def check_diagnostic_pages(files):
    """Every ID that the program can print has a page, and every page an ID."""
    used, pages = set(), set()
    for name in files:
        if name.endswith("/Diagnostics.def"):
            numbers = re.findall(r"^WW_DIAG\(\s*(\d+)", read(name), re.M)
            used |= {"%03d" % int(number) for number in numbers}
        page = re.fullmatch(r"docs/diagnostics/WW(\d{3})\.md", name)
        if page:
            pages.add(page[1])
    return ["WW%s has no page" % n for n in sorted(used - pages)] + [
        "docs/diagnostics/WW%s.md: no such diagnostic" % n
        for n in sorted(pages - used)
    ]


def check_links(files):
    """Links between pages, and from pages to files, lead somewhere."""
    problems = []
    for name in files:
        if not name.endswith(".md"):
            continue
        text = re.sub(r"^```.*?^```", "", read(name), flags=re.M | re.S)
        for target in re.findall(r"\[[^\]]*\]\(([^)\s]+)\)", text):
            path = target.split("#")[0]
            if not path or re.match(r"[a-z]+:", target):
                continue
            where = os.path.join(ROOT, os.path.dirname(name), path)
            if not os.path.exists(where):
                problems.append("%s links to %s" % (name, target))
    return problems


def check_index(files):
    """docs/index.md leads to every page, itself or through another page."""
    start = "docs/index.md"
    if start not in files:
        return [start + " is missing"]
    reached, pending = {start}, [start]
    while pending:
        name = pending.pop()
        for target in re.findall(r"\]\(([^)\s#]+)", read(name)):
            path = os.path.normpath(os.path.join(os.path.dirname(name), target))
            if path in files and path.endswith(".md") and path not in reached:
                reached.add(path)
                pending.append(path)
    pages = {n for n in files if in_folder(n, "docs") and n.endswith(".md")}
    return sorted(pages - reached)


def check_license_headers(files):
    return [
        name
        for name in files
        if re.search(r"\.(h|cpp|cuh)$", name)
        and in_folder(name, "include", "lib", "tools", "runtime")
        and "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
        not in read(name)[:1000]
    ]


def check_scripts(files):
    problems = []
    for name in files:
        first = read(name).split("\n", 1)[0]
        if not first.startswith("#!"):
            continue
        if not os.access(os.path.join(ROOT, name), os.X_OK):
            problems.append("%s is not executable" % name)
        if "bash" in first or first.endswith("/sh"):
            run = subprocess.run(
                ["bash", "-n", os.path.join(ROOT, name)],
                capture_output=True, text=True,
            )
            problems += run.stderr.splitlines()
    return problems


ROLES = ["lib/Plan/" + role for role in ("Load", "Feed", "Multiply", "Schedule", "Store")]
# Who may name a role's choice: the tables that list and pick them, and the
# structs that have a default.
NAMES_CHOICES = {
    *("lib/Plan/Roles.cpp", "lib/Plan/Portfolio.cpp", "lib/Plan/Portfolio.h"),
    *("include/warpwright/Plan/KernelPlan.h", "include/warpwright/Plan/Plan.h"),
}


def check_roles(files):
    """What reads a plan calls its roles and does not ask which choices they are:
    a new family of kernels would have to be added wherever somebody asks."""
    choices = {
        name
        for file in files
        if in_folder(file, *ROLES)
        for name in re.findall(r"^const \w+Role &(\w+)\(\) \{", read(file), re.M)
    }
    if not choices:
        return ["no choices of roles found"]
    asks = re.compile(
        r"\b(%s)\b|\b(Load|Feed|Multiply|Schedule|Store)->Name [!=]=" % "|".join(choices)
    )
    return [
        "%s: %s" % (name, asks.search(read(name))[0])
        for name in files
        if re.search(r"\.(h|cpp)$", name)
        and in_folder(name, "include", "lib", "tools")
        and not in_folder(name, *ROLES)
        and name not in NAMES_CHOICES
        and asks.search(read(name))
    ]


# Which stages a stage may include headers of, its own aside: those before it. Each
# line is a layer, whose stages do not know each other.
LAYERS = [
    ("Source", "Layout", "Contraction"),
    ("Hopper", "Frontend"),
    ("IR", "Plan"),
    ("Lift", "Execute", "CodeGen", "Draw", "Simulate"),
    ("Verify",),
]


def find_circle(edges):
    """Files that include one another in a circle, the first of them again at the
    end; nothing where there is none."""
    state, path = {}, []

    def visit(name):
        state[name] = "open"
        path.append(name)
        for other in sorted(edges.get(name, ())):
            if state.get(other) == "open":
                return path[path.index(other) :] + [other]
            if other not in state and (circle := visit(other)):
                return circle
        path.pop()
        state[name] = "done"
        return None

    for name in sorted(edges):
        if name not in state and (circle := visit(name)):
            return circle
    return None


def check_arrows(files):
    """Data flows one way, so headers are included one way."""
    rank = {stage: i for i, layer in enumerate(LAYERS) for stage in layer}
    include = re.compile(r'^#include "([^"]+)"', re.M)
    bad, edges, seen = [], {}, set()
    for name in files:
        if not re.search(r"\.(h|cpp|def)$", name) or not in_folder(
            name, "include", "lib", "runtime/sim/lib"
        ):
            continue
        stage = re.match(r"(?:include/warpwright|lib)/(\w+)/", name)
        for text in include.findall(read(name)):
            other = re.match(r"warpwright/(\w+)/", text)
            if stage and other and other[1] != "rt":
                own, of = stage[1], other[1]
                seen |= {own, of}
                if own in rank and of in rank and own != of:
                    if rank[of] >= rank[own]:
                        bad.append("%s includes %s" % (name, text))
            near = os.path.normpath(os.path.join(os.path.dirname(name), text))
            for path in ("include/" + text, near):
                if path in files:
                    edges.setdefault(name, set()).add(path)
    bad += ["%s is in no layer" % stage for stage in sorted(seen - set(rank))]
    if circle := find_circle(edges):
        bad.append(" includes ".join(circle))
    return bad


CHECKS = [
    ("arrows", check_arrows),
    ("clang-format", check_format),
    ("file length", check_length),
    ("top level", check_top_level),
    ("machine paths", check_machine_paths),
    ("markers left in the code", check_markers),
    ("source lists", check_source_lists),
    ("choices of roles", check_roles),
    ("diagnostic pages", check_diagnostic_pages),
    ("links", check_links),
    ("index", check_index),
    ("license headers", check_license_headers),
    ("scripts", check_scripts),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", help="write a report in lit's form")
    arguments = parser.parse_args()
    files = tracked_files()
    tests = []
    for name, check in CHECKS:
        problems = check(files)
        code = "FAIL" if problems else "PASS"
        print("%s: tree :: %s" % (code, name))
        for problem in problems:
            print("  " + problem)
        tests.append(
            {"name": "tree :: " + name, "code": code, "output": "\n".join(problems)}
        )
    if arguments.output:
        with open(arguments.output, "w") as file:
            json.dump({"tests": tests}, file)
    return 1 if any(test["code"] == "FAIL" for test in tests) else 0


if __name__ == "__main__":
    sys.exit(main())
