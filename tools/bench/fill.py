#!/usr/bin/env python3
# Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts the tables that a program printed into a page.

    fill.py docs/accuracy.md accuracy.txt

In the program's output a table follows a line `<!-- name -->`, up to the next
such line. In the page, what stands between `<!-- name -->` and `<!-- end -->` is
replaced by it. A table that the page does not have, or has without an end, is
an error, and the page stays as it was.
"""

import re
import sys

MARK = re.compile(r"<!-- (\S+) -->$")


def read_tables(path):
    tables, current = {}, None
    with open(path) as file:
        for line in file:
            mark = MARK.match(line.strip())
            if mark:
                current = mark[1]
                if current != "end":
                    tables[current] = []
            elif current not in (None, "end"):
                tables[current].append(line)
    return tables


def main(page, output):
    with open(page) as file:
        text = file.read()
    tables = read_tables(output)
    if not tables:
        sys.exit("fill.py: %s has no tables" % output)
    for name, lines in tables.items():
        place = re.compile(
            r"(<!-- %s -->\n)(?:(?!<!-- ).)*(<!-- end -->)" % re.escape(name),
            re.DOTALL,
        )
        if not place.search(text):
            sys.exit("fill.py: %s has no place for '%s'" % (page, name))
        text = place.sub(lambda m: m[1] + "".join(lines) + m[2], text, count=1)
    with open(page, "w") as file:
        file.write(text)
    print("%s: %s" % (page, ", ".join(tables)))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
