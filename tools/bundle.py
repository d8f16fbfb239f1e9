#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""bundle.py [HEADER]: writes the runtime as one header to standard output.

HEADER is where to begin, by default warpwright/rt/warpwright.cuh.
Each of the runtime's headers stands where it is included first; other includes stay.
Saved as warpwright/rt/warpwright.cuh in a folder of the include path, the result
takes the place of the runtime's folder.
"""

import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INCLUDE = os.path.join(ROOT, "runtime", "include")
OWN = re.compile(r"^#include <(warpwright/rt/[a-z_]+\.cuh)>$")


def expand(name, done):
    """The lines of a header, those that it includes in their places."""
    if name in done:
        return
    done.add(name)
    with open(os.path.join(INCLUDE, name)) as file:
        for line in file.read().splitlines():
            match = OWN.match(line)
            if match:
                yield from expand(match.group(1), done)
            else:
                yield line


def main():
    start = sys.argv[1] if len(sys.argv) > 1 else "warpwright/rt/warpwright.cuh"
    print("\n".join(expand(start, set())))


if __name__ == "__main__":
    main()
