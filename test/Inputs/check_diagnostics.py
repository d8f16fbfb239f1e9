"""Every row of Diagnostics.def has a page and a test that sees its ID, and
every page has a row. The argument is the root of the repository."""

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
table = root / "include/warpwright/Source/Diagnostics.def"
rows = re.findall(r"WW_DIAG\((\d+), (\w+)", table.read_text())
codes = [f"WW{int(number):03}" for number, _ in rows]
pages = root / "docs/diagnostics"
problems = []

if codes != sorted(set(codes)):
    problems.append("the numbers in Diagnostics.def are not in order")

# The validator refuses no plan that the planner makes; a plan that it refuses
# in a file of the user's is WW012.
tested = {"WW306"}
for path in (root / "test").rglob("*"):
    if path.suffix in (".cu", ".test", ".cpp", ".cuh", ".py") and path.is_file():
        text = path.read_text(errors="replace")
        tested.update(re.findall(r"WW\d{3}", text))
        # Unit tests call them by name.
        names = set(re.findall(r"DiagID::(\w+)", text))
        tested.update(f"WW{int(n):03}" for n, name in rows if name in names)

# The engine's unit tests see what the simulator finds, by name.
findings = (root / "runtime/sim/lib/Report.h").read_text()
numbers = dict(re.findall(r"^  (\w+) = (7\d\d),", findings, re.M))
for path in (root / "test/unit/Sim").glob("*.cpp"):
    for name in re.findall(r"Finding::(\w+)", path.read_text()):
        tested.add("WW" + numbers.get(name, ""))
for name, number in numbers.items():
    if "WW" + number not in codes:
        problems.append(f"{name} of Report.h has no row")

index = (pages / "index.md").read_text()
for code in codes:
    page = pages / f"{code}.md"
    if not page.is_file():
        problems.append(f"{code} has no page")
    elif not page.read_text().startswith(f"# {code}: "):
        problems.append(f"the page of {code} does not start with its ID")
    if f"({code}.md)" not in index:
        problems.append(f"{code} is not in the index")
    if code not in tested:
        problems.append(f"{code} has no test")
for page in pages.glob("WW*.md"):
    if page.stem not in codes:
        problems.append(f"{page.name} describes no diagnostic")

print("\n".join(problems) or f"{len(codes)} diagnostics")
sys.exit(bool(problems))
