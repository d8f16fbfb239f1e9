# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs small launches on the simulator and compares what their threads did with the
protocols of their plans (schedule.cpp).

    compare.py --tool=warpwright --checker=warpwright-schedule --folder=F
        [--runtime=HEADERS] [--mistakes] [--build-only | --built] [CASE...]

All cases are one program, which --built takes as it was built before.

The cases are such that every choice of every role is among them, more tiles than
clusters, more blocks of k than stages and fewer, and a last block that is not whole.
"""

import argparse
import json
import math
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "mutants"))
sys.dont_write_bytecode = True

from programs import Program, plan  # noqa: E402


# The headers that stand in for the toolkit's are parsed in a fraction of the time.
PARSE = ["-nocudainc", "-nocudalib", "-include", "warpwright_parse.h", "-isystem",
         HERE.parent.parent / "runtime" / "parse"]  # fmt: skip


class Case:
    """A launch of M x N x K, whose output has `more` elements between its rows."""

    def __init__(self, name, plan, shape, more=0, raw=False, **program):
        self.name, self.shape, self.more, self.raw = name, shape, more, raw
        self.program = Program(name, "", plan, [], **program)


BYTES = {"i8": 1, "e4m3": 1, "bf16": 2, "f16": 2, "f32": 4, "tf32": 4, "f64": 8}
FLOAT = {"in_type": "f32", "out_type": "f32"}
DOUBLE = {"in_type": "f64", "out_type": "f64"}
# None has fewer rows than a tile along k: then the kernel clears the rest of its
# stages before it follows the protocol (rt/partial.cuh), and stages bring less.
CASES = [
    # Straight to wgmma; consumers share tiles; staged stores.
    Case("straight", plan((64, 64, 64), 3), (130, 104, 456), sms=2),
    Case("few_blocks", plan((64, 64, 64), 4), (100, 200, 72), sms=2),
    Case("one_block", plan((64, 64, 64), 3), (64, 64, 1), sms=1),
    Case("batched", plan((64, 64, 64), 3), (72, 72, 200), batch=3, sms=2,
         in_type="f16", out_type="f16"),
    Case("shared", plan((128, 96, 64), 3), (264, 200, 264), out_type="f32",
         a="m", b="k", sms=2),
    Case("plain_stores", plan((128, 64, 64), 3), (250, 99, 264), sms=2),
    Case("swapped", plan((32, 64, 64), 5, swap_ab=True), (72, 264, 392), sms=2),
    Case("columns", plan((64, 96, 64), 4), (136, 200, 328), out_type="f32",
         columns=True, sms=2),
    # Clusters, with multicast of one operand or both.
    Case("pair", plan((128, 64, 64), 4, cluster=[2, 1]), (300, 136, 328), sms=2),
    Case("row_pair", plan((64, 64, 64), 3, cluster=[1, 2]), (136, 264, 264),
         b="k", sms=2),
    Case("row_pair_few", plan((64, 64, 64), 3, cluster=[1, 2]), (72, 136, 264),
         b="k", sms=2),
    Case("quad", plan((64, 64, 64), 3, cluster=[2, 2]), (264, 264, 264), sms=4),
    # Consumers that take turns with whole tiles.
    Case("pingpong", plan((64, 64, 64), 3, schedule="pingpong"),
         (300, 136, 200), a="m", sms=2),
    Case("pingpong_pair", plan((64, 64, 64), 3, cluster=[1, 2],
                               schedule="pingpong"), (300, 264, 72), sms=2),
    Case("pingpong_plain", plan((64, 64, 64), 3, schedule="pingpong"),
         (200, 99, 200), sms=1),
    # Direct stores, and those of slices.
    Case("direct", plan((64, 96, 64), 4), (136, 200, 328), out_type="f64",
         b="k", sms=2),
    Case("slices", plan((64, 64, 64), 3, slices=2), (72, 136, 520), sms=2),
    # Floats that TMA rounds.
    Case("rounded", plan((64, 64, 32), 3, precision="tf32",
                         rounded_by_tma=True), (130, 104, 232), b="k", sms=2,
         in_type="tf32", out_type="f32"),
    Case("rounded_pair", plan((128, 64, 32), 4, cluster=[2, 1],
                              precision="tf32", rounded_by_tma=True,
                              schedule="pingpong"), (300, 136, 168), b="k",
         in_type="tf32", out_type="f32", sms=2),
    Case("rounded_slices", plan((64, 64, 32), 3, precision="tf32", slices=2,
                                rounded_by_tma=True), (72, 136, 264), b="k",
         in_type="tf32", out_type="f32", sms=2),
    # The same where one operand lies across k: the consumers load it.
    Case("turned", plan((64, 64, 32), 3, precision="tf32", rows_turned=True),
         (130, 104, 232), a="m", b="k", sms=2, in_type="tf32", out_type="f32"),
    Case("turned_pair", plan((64, 128, 32), 4, cluster=[1, 2], swap_ab=True,
                             precision="tf32", rows_turned=True),
         (136, 300, 168), in_type="tf32", out_type="f32", sms=2),
    Case("turned_pingpong", plan((64, 64, 32), 3, schedule="pingpong",
                                 precision="tf32", rows_turned=True),
         (300, 136, 72), a="m", b="k", in_type="tf32", out_type="f32", sms=2),
    # Fragments of doubles, which the consumers load.
    Case("fragments", plan((128, 64, 16), 3), (136, 72, 104), sms=2, **DOUBLE),
    Case("fragments_pair", plan((64, 32, 16), 4, cluster=[2, 1],
                                schedule="pingpong"), (264, 40, 40),
         a="m", b="k", sms=2, **DOUBLE),
    # Bytes that consumers convert.
    Case("converted", plan((32, 128, 64), 3, swap_ab=True), (72, 264, 304),
         b_type="i8", b="k", sms=2),
    Case("converted_pair", plan((16, 64, 64), 4, cluster=[1, 2], swap_ab=True,
                                schedule="pingpong"), (40, 272, 232),
         b_type="i8", sms=2),
    # Two sets of consumers that take blocks of k in turn.
    Case("interleaved", plan((16, 128, 64), 4, swap_ab=True,
                             schedule="interleaved"), (40, 264, 584),
         b_type="i8", b="k", sms=2),
    Case("interleaved_odd", plan((16, 64, 64), 4, swap_ab=True,
                                 schedule="interleaved"), (16, 200, 168),
         b_type="i8", sms=1),
    Case("interleaved_one", plan((16, 128, 64), 4, cluster=[2, 1], swap_ab=True,
                                 schedule="interleaved"), (40, 264, 40),
         b_type="i8", b="k", out_type="f64", sms=2),
    # The same in stages of two blocks, whose rows are converted in two parts.
    Case("interleaved_parts", plan((16, 128, 128), 4, swap_ab=True,
                                   schedule="interleaved"), (40, 264, 1096),
         b_type="i8", b="k", sms=2),
    Case("interleaved_parts_across", plan((32, 64, 128), 4, swap_ab=True,
                                          schedule="interleaved"),
         (40, 136, 328), b_type="i8", sms=2),
    # The same with sums of groups and 64 columns: nothing is converted ahead.
    Case("interleaved_groups", plan((64, 128, 128), 4, swap_ab=True,
                                    schedule="interleaved"), (72, 264, 1096),
         b_type="i8", b="k", sms=2, group=128),
    Case("interleaved_groups_across", plan((64, 64, 64), 4, swap_ab=True,
                                           schedule="interleaved"),
         (64, 136, 328), b_type="i8", sms=2, group=128),
    # Parts: windows, of which the last one may be shorter.
    Case("parts", plan((64, 64, 32), 4), (136, 100, 232), sms=2, **FLOAT),
    Case("parts_few", plan((128, 64, 32), 6), (136, 100, 40), sms=2, **FLOAT),
    Case("parts_pair", plan((64, 64, 32), 4, cluster=[2, 1]), (264, 72, 232),
         sms=2, **FLOAT),
    Case("parts_mixed", plan((64, 64, 32), 4), (136, 136, 232), in_type="f32",
         b_type="f16", out_type="f32", a="m", b="k", sms=2),
    Case("parts_direct", plan((64, 64, 32), 4), (136, 72, 136), in_type="f32",
         out_type="f64", sms=2),
    Case("parts_slices", plan((64, 64, 32), 4, slices=2), (72, 72, 456), sms=2,
         **FLOAT),
    Case("parts_raw", plan((64, 64, 32), 4), (136, 64, 232), raw=True, sms=2,
         **FLOAT),
    Case("parts_one", plan((64, 64, 32), 4, precision="tf32"), (136, 64, 232),
         in_type="tf32", out_type="f32", sms=2),
    # Tiles that are cut along k: three for two clusters, and one for three.
    Case("parts_cut", plan((64, 64, 32), 4), (136, 64, 712), sms=2, **FLOAT),
    Case("parts_cut_pair", plan((64, 64, 32), 4, cluster=[2, 1]),
         (264, 64, 712), sms=4, **FLOAT),
    Case("promoted_cut", plan((192, 64, 128), 4, consumers=3),
         (192, 64, 10000), b="k", sms=2, in_type="e4m3"),
    Case("parts_cut_one", plan((64, 64, 32), 4), (64, 64, 4200), sms=3,
         **FLOAT),
    Case("rounded_cut", plan((64, 64, 32), 3, precision="tf32",
                             rounded_by_tma=True), (200, 64, 2440), b="k",
         in_type="tf32", out_type="f32", sms=3),
    Case("fragments_cut", plan((64, 64, 16), 4), (136, 64, 424), sms=2,
         **DOUBLE),
    # Rows in registers.
    Case("registers", plan((128, 64, 32), 3, precision="tf32",
                           rows_in_registers=True), (264, 136, 232),
         in_type="tf32", out_type="f32", sms=2),
    Case("registers_few", plan((256, 64, 32), 3, precision="tf32",
                               rows_in_registers=True), (264, 136, 40),
         in_type="tf32", out_type="f32", sms=2),
    Case("registers_pair", plan((128, 64, 32), 4, cluster=[2, 1],
                                precision="tf32", rows_in_registers=True),
         (520, 72, 232), in_type="tf32", out_type="f32", sms=2),
    Case("registers_raw", plan((128, 64, 32), 3, precision="tf32",
                               rows_in_registers=True), (136, 64, 136),
         raw=True, in_type="tf32", out_type="f32", sms=2),
    Case("registers_cut", plan((128, 64, 32), 3, precision="tf32",
                               rows_in_registers=True), (264, 64, 1032),
         in_type="tf32", out_type="f32", sms=2),
]


def parts_of(extent, part):
    return (extent + part - 1) // part


def call(command, **options):
    done = subprocess.run([str(word) for word in command], text=True,
                          stdout=subprocess.PIPE, **options)
    if done.returncode:
        sys.exit("%s: status %d: %s" % (
            " ".join(map(str, command)), done.returncode, done.stdout))
    return done.stdout


# What calls the kernel of the case with a name.
CHOICE = """\

#include <string.h>

void product(const char *name, const void *a, const void *b, void *c, int m,
             int n, int k, int lda, int ldb, int ldc, int batch) {
%s}
"""
CALL = """\
  if (!strcmp(name, "%s"))
    product_%s(a, b, c, m, n, k, lda, ldb, ldc, batch);
"""


def build(cases, options):
    """Builds one program of all cases, a kernel for each, into the folder `built`, and
    writes each one's contraction and plan as the tool prints them."""
    folder = pathlib.Path(options.folder)
    folder.mkdir(parents=True, exist_ok=True)
    plans, texts = [], []
    for case in cases:
        plans.append(dict(case.program.plan, name=case.name,
                          kernel="product_kernel_" + case.name))
        text = case.program.source()
        text = text.replace("product_kernel", "product_kernel_" + case.name)
        texts.append(text.replace("void product(", "static void product_%s(" % case.name))
    calls = "".join(CALL % (case.name, case.name) for case in cases)
    (folder / "kernel.cu").write_text("".join(texts) + CHOICE % calls)
    (folder / "plan.json").write_text(json.dumps({"version": 2, "plans": plans}))
    rewrite = [options.tool, "rewrite", "--strict", "--plan=plan.json"]
    emit = lambda what: call(
        [*rewrite, "--emit=" + what, "kernel.cu", "--", *PARSE], cwd=folder)
    for found in re.finditer(r'^contraction "product_kernel_(\w+)" \{\n.*?^\}\n',
                             emit("contraction"), re.M | re.S):
        (folder / found[1]).mkdir(exist_ok=True)
        (folder / found[1] / "contraction").write_text(found[0])
    for written in json.loads(emit("plan-json"))["plans"]:
        (folder / written["name"] / "plan-json").write_text(
            json.dumps({"version": 2, "plans": [written]}))
    headers = ["-I" + str(options.runtime)] if options.runtime else []
    call([options.tool, "sim", "--build-only", "--keep=built", "--plan=plan.json",
          "kernel.cu", HERE / "launch.cpp", "-std=c++17", *headers], cwd=folder)


def compare(case, options):
    """The checker's status; what it says is printed."""
    folder = pathlib.Path(options.folder).resolve() / case.name
    program = case.program
    m, n, k = case.shape
    # Rows at multiples of 16 bytes, so that no operand is copied.
    pitch = lambda extent, unit=8: (extent + unit - 1) // unit * unit
    lda = pitch(k if program.a == "k" else m)
    ldb = pitch(n if program.b == "n" else k, 16)
    ldc = m if program.columns else n
    ldc = ldc + case.more if case.more else pitch(ldc)
    trace = folder / "trace"
    trace.unlink(missing_ok=True)
    call([options.tool, "sim", "--run=../built", "--", case.name, program.in_type,
          program.b_type or program.in_type, m, n, k, lda, ldb, ldc,
          program.batch, int(case.raw)], cwd=folder,
         env=dict(os.environ, WARPWRIGHT_SIM_TRACE=str(trace),
                  WARPWRIGHT_SIM_CHECKS="0" if options.runtime else "1",
                  WARPWRIGHT_SIM_SMS=str(program.sms)))
    tile, cluster = program.plan["tile"], program.plan.get("cluster", [1, 1])
    slices = program.plan.get("slices", 1)
    # A plan for columns has the output's dimensions exchanged.
    extents = (n, m) if program.columns else (m, n)
    tiles = program.batch * slices
    for extent, size, ctas in zip(extents, tile, cluster):
        tiles *= parts_of(extent, size * ctas)
    # What decides, with the plan, where tiles are cut.
    starts = [math.gcd(pitch * BYTES[kind], 128)
              for pitch, kind in ((lda, program.in_type),
                                  (ldb, program.b_type or program.in_type))]
    starts = starts[::-1] if program.columns else starts
    command = [options.checker, "--contraction=contraction", "--plan=plan-json",
               "--trace=trace", "--tiles=%d" % tiles, "--sms=%d" % program.sms,
               "--k-blocks=%d" % parts_of(parts_of(k, tile[2]), slices),
               "--extents=%d,%d,%d,%d" % (*extents, k, program.batch),
               "--starts=%d,%d" % tuple(starts)]
    # Rows that are no whole number of 16 bytes are not stored by TMA.
    out_bytes = BYTES[program.out_type]
    if ldc * out_bytes % 16 or (m if program.columns else n) * out_bytes % 16:
        command.append("--plain-stores")
    if case.raw:
        command.append("--raw-blocks")
    if options.mistakes:
        command.append("--mistakes")
    return subprocess.run([str(word) for word in command], cwd=folder).returncode


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True, type=os.path.abspath)
    parser.add_argument("--checker", required=True, type=os.path.abspath)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--runtime", type=os.path.abspath)
    parser.add_argument("--mistakes", action="store_true")
    parser.add_argument("--build-only", action="store_true")
    parser.add_argument("--built", action="store_true")
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    known = {case.name: case for case in CASES}
    status = 0
    cases = [known[name] for name in options.cases or known]
    if not options.built:
        build(cases, options)
    if options.build_only:
        return
    for case in cases:
        status = max(status, compare(case, options))
    sys.exit(status)


if __name__ == "__main__":
    main()
