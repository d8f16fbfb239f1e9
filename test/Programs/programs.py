"""A lit format for whole programs: docs/examples, test/gpu/near_miss, some of
test/gpu/tiles, and some of those with float operands that test/gpu/forms/write.py
writes.

Each program gives up to four tests. `rewrite` runs the tool and expects the
status and the diagnostic that the program's `// EXPECT: WWnnn` comment names
(none: status 0). A program all of whose files name one must come out as it was;
as there is nothing to compile or to compare then, it has no other test. `simulate`
runs the original and the rewritten program in the simulator: an example must
compute, to the last bit, what it computed on an H200 (test/Inputs/digests.txt), a
near-miss what its original computes, by the kernels that its `// EXPECT-RUNTIME`
comment names. One with tiles or float operands checks itself, and must take the
Hopper kernel; `simulate` is its only test. `build` compiles the rewritten
text of some examples for sm_90a and refuses spills and the ptxas messages that mean serialised
wgmma. For both up to sixteen programs are compiled as one (bundles.py). `run` runs a
program on a Hopper GPU, on small shapes for an example, against the original's
output for a near-miss. test/gpu/run_gpu.py does more of that on a machine that has
a GPU, and compiles all programs with all of their plans.
"""

import os
import re
import shutil
import subprocess

import lit.Test
import lit.formats
import bundles
import run_gpu
import write

# Kernels whose digests differ where products are inexact: nvcc makes one fused
# operation of __hadd(x, __hmul(y, z)), the simulator does not; and which products of
# `c * beta + alpha * acc`, of the four of a dot product or of a complex product in an
# original's loop are fused with a sum is the compiler's choice.
FUSED = {
    "half_accumulator": "hgemm_naive",
    "memory_accumulator": "gemm_kernel",
    ("vector_loads", "original"): "matmul_float4",
    ("cgemm", "original"): "cgemm_naive",
    ("int4_weights", "original"): "int4_linear",
}
# The programs with float operands that are simulated: every layout and output
# once, each with a plan that a clause fixes (none: all of them,
# which takes longer to compile). A machine with a GPU runs all programs, with all
# of their plans.
LARGE, WIDE = " tile(128, 128, 32)", " tile(64, 128, 32)"
SMALL, NARROW = " tile(64, 64, 32)", " tile(64, 32, 32)"
TALL = " tile(256, 128, 32)"
FLOAT = {
    "batched": WIDE, "batched_strided": SMALL, "bias_rows": NARROW,
    "column_major": WIDE, "gram": LARGE, "half_accumulator": WIDE,
    "linear_gelu": LARGE, "memory_accumulator": LARGE, "mixed_outputs": SMALL,
    "residual": WIDE, "shared_buffer": SMALL, "templated": "",
    "transposed": LARGE, "special_values": SMALL, "forms_1": SMALL,
    "rounded_rows": "", "turned_rows": WIDE,
}  # fmt: skip
TF32 = {"column_major": SMALL, "transposed": LARGE, "linear_gelu": TALL}
NEAR_FLOAT = {"aliasing": SMALL, "partial_overlap": WIDE, "residual_ahead": SMALL}
# Of the programs in test/gpu/tiles those that are simulated: each way to fill a tile,
# to keep outputs and to launch once. All of them are lifted by test/Lift/forms. What
# they show is the lift, so that they too are simulated with one plan, but for some.
ALL_PLANS = {"square_ternary", "sgemm_7_warp_tiles", "wmma_shared", "two_arrays",
             "deep_sums", "promoted_sums", "int8_orders", "double_orders", "double_sums",
             "mixed_weights", "grouped_weights", "nibble_weights", "argument_groups",
             "int8_zero_points", "half_sums", "bit_counts", "complex_orders", "complex_tiles"}
TILES = dict.fromkeys(
    ["square_ternary", "bit_indices", "masked_bits", "rounded_bits", "rectangular", "padded",
     "transposed_fill", "dynamic_offset", "runtime_width", "strided_fill",
     "float4_fill", "half2_fill", "int4_fill", "clamped_rows", "float_ceil",
     "begin_end_step", "prefetched", "rotated", "coarse_by_block", "lane_map",
     "attention_heads", "tensor_structures", "tensor_accessors",
     "sgemm_5_block_2d", "sgemm_6_vectorized", "unaligned_orders",
     "unaligned_float", "spread_elements", "unaligned_batches", "gated_orders",
     "deep_sums", "deep_float", "promoted_sums", "two_arrays", "fused_projections", "wmma_global",
     "wmma_bfloat16", "wmma_shared", "wmma_warps", "launch_macro",
     "launch_by_address", "launch_pointer", "launch_braces", "double_buffer",
     "exchanged_buffers", "panels_to_and_fro", "pairs_at_ends", "ring_of_three",
     "remainder", "two_per_operand", "rows_per_thread", "sgemm_7_warp_tiles",
     "buffered_register_tile", "float4_rows", "unrolled_by_hand",
     "wmma_through_shared", "wmma_grid_of_fragments", "last_tile_after",
     "fragments_in_turn", "unrolled_with_rest", "several_sums", "steps_if_more",
     "buffered_quads", "column_major_vectors", "do_while_fragments",
     "extra_columns", "flat_fill_square", "flat_fill_vectors",
     "global_register_tile", "half_row_choice", "pointer_step_guarded",
     "quads_transposed", "toggled_guarded", "tuned_sub_tiles", "two_staged_rows",
     "warp_tiles_buffered", "wmma_bfloat16_tiles", "wmma_separate_output",
     "wmma_shared_fragments", "wmma_half_sum", "argument_cases",
     "lane_strided", "swizzled_columns", "swizzled_vectors", "swizzled_address",
     "swizzled_warp_rows", "async_single", "pipelined_copy", "async_pipeline",
     "async_pipeline_stages", "block_pipeline", "async_assembly", "group_copy", "wmma_tf32",
     "mma_sync_global", "mma_sync_ldmatrix", "mma_sync_warp_tiles",
     "mma_sync_bfloat16", "mma_sync_tf32", "mma_sync_half_output",
     "mma_sync_half_sum", "async_chunks_single", "async_chunks_ring",
     "mma_sync_async_stages", "mma_sync_async_swizzled", "wmma_async_chunks",
     "grouped_blocks", "warp_sums", "block_sums", "half2_store", "left_in_the_middle", "int8_orders",
     "int8_requantized", "int8_dp4a", "fp8_orders", "fp8_outputs", "fp8_blocks", "double_orders",
     "double_sums", "mixed_weights", "grouped_weights", "nibble_weights", "argument_groups",
     "int8_zero_points", "fixed_point", "computed_bytes", "packed_numbers", "words_of_columns",
     "half_sums", "bit_counts", "complex_orders", "complex_tiles", "slices_of_k",
     "stored_bits", "converted_in_assembly", "groups_of_words",
     "unset_rows", "warp_vectors", "fetched_by_some", "first_tile",
     "vector_ends", "vectors", "warp_scratch", "warp_rows"], "",
)  # fmt: skip
# The examples that `build` compiles: one of each type and precision, and those whose
# orders, batches or epilogues make other code of a kernel. What the others show is the
# lift. `sgemm` is compiled with all of its plans, as operands of 16 bits are by
# CodeGen/architectures.cu; the rest with the plan that takes the most registers, and
# so is the first to spill. run_gpu.py compiles all examples with all plans.
BUILD_ALL = {"sgemm"}
BUILD = BUILD_ALL | {"tf32", "dgemm", "cgemm", "int8_linear", "fp8_linear", "int4_weights",
                     "float_half", "half_accumulator", "mixed_outputs", "residual",
                     "transposed", "linear_gelu", "two_outputs", "batched_strided",
                     "scaled"}  # fmt: skip
# The examples that `simulate` runs with all of their plans: one of each combination of
# types and one that is stored in every order. What the others show is the lift.
SIMULATE_ALL = {"matmul", "transposed", "sgemm", "tf32", "dgemm", "cgemm", "int8_linear",
                "fp8_linear", "int4_weights", "half_accumulator", "float_half"}
# Tiles for operands of 16 bits, for floats, and for bytes.
MANY_REGISTERS = "128, 256, 64", "128, 128, 32", "128, 256, 128"
FEW_REGISTERS = "64, 64, 64", "64, 64, 32", "64, 64, 128"
# Examples of other types, and the plan of each that takes the most registers.
OTHER_TILES = {"dgemm": "128, 128, 16", "cgemm": "128, 64, 32",
               "int4_weights": "128, 128, 64", "fp8_linear": "128, 160, 128",
               "float_half": "128, 128, 32"}  # fmt: skip
# Bytes here are multiplied with halves, and then k is divided as for halves.
BYTES_BY_HALVES = {"vectors"}
FLOATS = {"float": FLOAT, "tf32": TF32, "near_float": NEAR_FLOAT, "tiles": TILES}
STEPS = {"rewrite": [], "simulate": [], "build": ["nvcc"], "run": ["nvcc", "gpu-sm90"]}


def steps_of(name, sources):
    """The steps that test the program. The rewritten text of a near-miss has nothing
    that an example's has not, so nvcc sees it on machines with a GPU only."""
    if is_declined(sources):
        return ["rewrite"]
    built = {"examples/" + example for example in BUILD}
    return [s for s in STEPS if s != "build" or name in built]


def find_programs(source):
    """Yields (name, source files) of every program that is a file."""
    for folder in ("docs/examples", "test/gpu/near_miss"):
        path = os.path.join(source, folder)
        kind = os.path.basename(folder)
        for entry in sorted(os.listdir(path)):
            inner = os.path.join(path, entry)
            if entry.endswith(".cu"):
                yield kind + "/" + entry[: -len(".cu")], [inner]
            elif os.path.isdir(inner):
                files = [f for f in sorted(os.listdir(inner)) if f.endswith(".cu")]
                if files:
                    yield kind + "/" + entry, [os.path.join(inner, f) for f in files]


def is_declined(sources):
    """Whether every file says that the tool declines it."""
    texts = []
    for source in sources:
        with open(source) as file:
            texts.append(file.read())
    return all("// EXPECT: WW" in text for text in texts)


class ProgramFormat(lit.formats.TestFormat):
    def getTestsInDirectory(self, suite, path, lit_config, config):
        source = config.warpwright_source
        together = {(kind, "simulate"): list(names) for kind, names in FLOATS.items()}
        for name, sources in find_programs(source):
            kind, base = name.split("/")
            for step in steps_of(name, sources):
                if step in ("simulate", "build"):
                    together.setdefault((kind, step), []).append(base)
                    continue
                parts = (*path, kind, base, step)
                yield lit.Test.Test(suite, parts, config)
        for (kind, step), names in together.items():
            for members in divide(source, kind, names):
                parts = (*path, kind, "+".join(members), step)
                yield lit.Test.Test(suite, parts, config)

    def execute(self, test, lit_config):
        *_, kind, base, step = test.path_in_suite
        missing = [
            feature
            for feature in STEPS[step]
            if feature not in test.config.available_features
        ]
        if missing:
            text = "Test requires the following unavailable features: "
            return lit.Test.Result(lit.Test.UNSUPPORTED, text + ", ".join(missing))
        limit = lit_config.maxIndividualTestTime
        program = Program(test.config, kind + "/" + base, step, limit)
        try:
            getattr(program, step)()
        except Failure as failure:
            return lit.Test.Result(lit.Test.FAIL, program.log + str(failure))
        return lit.Test.Result(lit.Test.PASS, program.log)


def divide(source, kind, names):
    """Divides programs of one kind into those that are compiled together."""
    folders = {"examples": "docs/examples", "near_miss": "test/gpu/near_miss",
               "tiles": "test/gpu/tiles"}  # fmt: skip

    def path_of(name):
        if kind not in folders:
            return None
        return os.path.join(source, folders[kind], name + ".cu")

    def is_apart(name):
        return (kind == "tiles" and name in ALL_PLANS) or (
            kind in folders and not os.path.exists(path_of(name))
        )

    # What is the original's own is compared, too (check_original).
    return [[name] for name in names if is_apart(name)] + [
        members
        for wanted in (True, False)
        for members in bundles.divide(
            [n for n in names if not is_apart(n) and n.startswith("wmma_") == wanted],
            path_of,
        )
    ]


def read(path):
    with open(path) as file:
        return file.read()


class Failure(Exception):
    pass


class Program:
    """One program's files, and a folder of one step's own to work in."""

    def __init__(self, config, name, step, limit):
        self.config, self.step, self.limit = config, step, limit or None
        self.kind, names = name.split("/")
        self.members = names.split("+")
        source = config.warpwright_source
        self.includes = ["-I" + os.path.join(source, "docs", "examples")]
        self.folder = os.path.join(
            config.test_exec_root, "Programs", self.kind, self.members[0], step
        )
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        self.log = ""
        self.originals = {m: self.find_sources(m) for m in self.members}
        self.sources = self.originals[self.members[0]]
        if len(self.members) > 1:
            texts = [(m, read(files[0])) for m, files in self.originals.items()]
            os.makedirs(os.path.join(self.folder, "source"), exist_ok=True)
            self.sources = [os.path.join(self.folder, "source", "together.cu")]
            with open(self.sources[0], "w") as file:
                file.write(bundles.merge(texts))

    def find_sources(self, base):
        """The files of one program, as this step takes them."""
        source, kind = self.config.warpwright_source, self.kind
        if kind == "tiles":
            path = os.path.join(source, "test", "gpu", "tiles", base + ".cu")
            return [path if base in ALL_PLANS else self.with_tile(path, FEW_REGISTERS)]
        if kind in FLOATS:
            clauses = FLOATS[kind][base]
            files = write.write(source, self.folder, kind, base, clauses)
            self.includes.append("-I" + os.path.dirname(files[0]))
            return files
        found = dict(find_programs(source))[kind + "/" + base]
        self.declined = is_declined(found)
        # A copy finds what its original has beside it.
        self.includes.append("-I" + os.path.dirname(found[0]))
        if self.step == "build" and base not in BUILD_ALL:
            return [self.with_tile(s, MANY_REGISTERS) for s in found]
        if self.step == "simulate" and (
            kind == "near_miss" or base not in SIMULATE_ALL
        ):
            return [self.with_tile(s, FEW_REGISTERS) for s in found]
        return found

    def command(self, argv, environment=None):
        """Runs argv; returns (status, stdout, stderr) and logs all."""
        try:
            done = subprocess.run(
                argv,
                capture_output=True,
                text=True,
                errors="replace",
                stdin=subprocess.DEVNULL,
                timeout=self.limit,
                cwd=self.folder,
                env={**self.config.environment, **(environment or {})},
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Failure(str(error))
        self.log += "$ %s\n%s%s" % (" ".join(argv), done.stdout, done.stderr)
        return done.returncode, done.stdout, done.stderr

    def with_tile(self, source, tiles):
        """The program's copy with a plan that its pragmas fix, where they do not yet."""
        text = read(source)
        code = re.sub(r"//.*", "", text)
        # A tiled program may read floats into matrix fragments of half.
        halves = r"Matrix<(half|__nv_bfloat16)>"
        if self.kind != "tiles":
            halves += r"|\b(half|__half|__nv_bfloat16)\b"
        tile = tiles[not re.search(halves, code)]
        base = os.path.basename(source)[: -len(".cu")]
        bytes_ = r"Matrix<((un)?signed char|(__nv_fp8_)?(e4m3|e5m2))>"
        if base not in BYTES_BY_HALVES and re.search(bytes_, code):
            tile = tiles[2]
        if self.step == "build":
            tile = OTHER_TILES.get(base, tile)
        folder = os.path.join(self.folder, "source")
        os.makedirs(folder, exist_ok=True)
        copy = os.path.join(folder, os.path.basename(source))
        with open(copy, "w") as file:
            file.write(
                re.sub(
                    r"^(#pragma warpwright matmul)\b(?!.*\btile\()",
                    r"\1 tile(%s)" % tile,
                    text,
                    flags=re.M,
                )
            )
        return copy

    def output(self, source):
        return os.path.join(self.folder, os.path.basename(source))

    def rewrite(self):
        """Rewrites every file of the program; what is declined must stay as it is."""
        tool = os.path.join(self.config.warpwright_build, "bin", "warpwright")
        quoted = re.compile(r'^(#include ")(?:.*/)?', re.M)
        for source in self.sources:
            with open(source) as file:
                text = file.read()
            expected = re.findall(r"^// EXPECT: (WW\d+)", text, re.M)
            argv = [tool, "rewrite", source, "-o", self.output(source)]
            argv += ["--", "-std=c++17", *self.includes]
            if self.declined:
                # Nothing is generated that the toolkit's headers could change.
                argv += [*self.config.parse_flags, *self.config.standard_headers]
            status, _, messages = self.command(argv)
            if status != (2 if expected else 0):
                raise Failure("%s: exit status %d" % (source, status))
            for name in expected:
                if "[%s]" % name not in messages:
                    raise Failure("%s: no diagnostic %s" % (source, name))
            with open(self.output(source)) as file:
                written = file.read()
            # The output's folder is another: its includes say where from.
            if self.declined and quoted.sub(r"\1", written) != quoted.sub(r"\1", text):
                raise Failure("%s: not rewritten, but not what it was" % source)

    def simulate(self):
        """Runs original and rewritten programs in the simulator."""
        rewritten = self.build_simulated("rewritten", [])
        original = None
        if self.kind not in ("float", "tf32", "tiles") or any(
            name.startswith("wmma_") for name in self.members
        ):
            original = self.build_simulated("original", ["--original"])
        for name in self.members:
            try:
                self.check(name, original, rewritten)
            except Failure as failure:
                raise Failure("%s: %s" % (name, failure))

    def check(self, name, original, rewritten):
        """Runs one program as it was and as it is."""
        if self.kind in ("float", "tf32", "tiles"):
            self.check_float(name, rewritten)
            if original:
                self.check_original(name, original)
            return
        if self.kind.startswith("near_"):
            first, second = (
                self.run_simulated(name, p, []) for p in (original, rewritten)
            )
            if first != second:
                raise Failure("another result than the original's")
            self.check_paths(name)
            return
        for program, kernel in ((original, "original"), (rewritten, "rewritten")):
            for data in ("normal", "integers"):
                arguments = ["--quick", "--digest"]
                if data == "integers":
                    arguments.append("--integers")
                status, output = self.run_simulated(name, program, arguments)
                fused = FUSED.get(name) or FUSED.get((name, kernel))
                if data == "integers" or not fused:
                    fused = "\n"
                cases, expected = (
                    [line for line in lines if not line.startswith(fused)]
                    for lines in (
                        re.findall(r"^case (.*)$", output, re.M),
                        self.digests(name, kernel, data),
                    )
                )
                if status or cases != expected:
                    raise Failure(
                        "%s on %s data: not what the H200 computed" % (kernel, data)
                    )

    def paths(self):
        """Which kernels the launches of the last run took."""
        line = r"^warpwright: .+?: (hopper|original)\b"
        return set(re.findall(line, self.messages, re.M))

    def check_paths(self, name):
        """The launches took the kernels that the near-miss says they take."""
        wanted = {"original": {"original"}, "hopper": {"hopper"}, "none": set(),
                  "both": {"hopper", "original"}}  # fmt: skip
        for source in self.originals[name]:
            says = re.search(r"^// EXPECT-RUNTIME: (\w+)", read(source), re.M)
            # Where it says `any`, either will do.
            if says and self.paths() != wanted.get(says.group(1), self.paths()):
                raise Failure("%s: took %s" % (source, self.paths() or "no kernel"))

    def check_float(self, name, rewritten):
        """A program that compares its kernels with float64 itself."""
        if "is not rewritten" in self.log:
            raise Failure("a kernel is not rewritten")
        status, output = self.run_simulated(name, rewritten, ["--quick"])
        if status or "PASS" not in output.splitlines()[-1:]:
            raise Failure("wrong results")
        wanted = "original" if self.kind == "float" and name == "shared_buffer" else "hopper"
        if wanted not in self.paths():
            raise Failure("no launch took the %s kernel" % wanted)

    def check_original(self, name, original):
        """The kernel as it was, by the simulator's own matrix fragments."""
        status, output = self.run_simulated(name, original, ["--quick"])
        if status or "PASS" not in output.splitlines()[-1:]:
            raise Failure("wrong results of the original")

    def build_simulated(self, folder, options):
        """Builds the program for the simulator; returns the host program."""
        folder = os.path.join(self.folder, folder)
        status, _, _ = self.command(
            [os.path.join(self.config.warpwright_build, "bin", "warpwright"), "sim"]
            + options
            + ["--build-only", "--keep=" + folder, "-std=c++17"]
            + self.includes
            + self.sources
        )
        if status:
            raise Failure("warpwright sim: exit status %d" % status)
        return os.path.join(folder, "program")

    def run_simulated(self, name, program, arguments):
        """Runs it; what the simulator finds in it is a failure."""
        if len(self.members) > 1:
            arguments = [name] + arguments
        status, output, messages = self.command(
            [program] + arguments, {"WARPWRIGHT_LOG": "1"}
        )
        self.messages = messages
        if re.search(r"^(error|warning): WW7\d\d: ", messages, re.M):
            raise Failure("the simulator found an error")
        return status, output

    def digests(self, name, kernel, data):
        """The example's case lines on an H200."""
        start = "%s %s %s: " % (name, kernel, data)
        inputs = os.path.join(self.config.warpwright_source, "test", "Inputs")
        with open(os.path.join(inputs, "digests.txt")) as file:
            return [l[len(start) :].rstrip("\n") for l in file if l.startswith(start)]

    def compile(self, sources, arguments):
        """By nvcc; device code is optimised without -O3, which is for the host's."""
        status, _, messages = self.command(
            [shutil.which("nvcc", path=self.config.environment["PATH"])]
            + ["-std=c++17", "-Xptxas=-v", "-diag-suppress=20199"]
            + run_gpu.ARCHITECTURES["90a"]
            + self.includes
            + ["-I" + os.path.join(self.config.warpwright_source, "runtime/include")]
            + arguments
            + sources
        )
        if status:
            raise Failure("nvcc: exit status %d" % status)
        for message in run_gpu.FORBIDDEN:
            if message in messages:
                raise Failure("ptxas: " + message)
        for stores, loads in run_gpu.SPILL.findall(messages):
            if int(stores) + int(loads):
                raise Failure("spills: %s bytes stored" % stores)

    def build(self):
        self.rewrite()
        for source in self.sources:
            self.compile([self.output(source)], ["-c", "-o", "program.o"])

    def run(self):
        self.rewrite()
        outputs = [self.output(source) for source in self.sources]
        self.compile(outputs, ["-o", "rewritten"])
        rewritten = os.path.join(self.folder, "rewritten")
        if self.kind != "near_miss":
            status, _, _ = self.command([rewritten, "--quick"])
            if status:
                raise Failure("wrong results")
        else:
            self.compile(self.sources, ["-o", "original"])
            original = os.path.join(self.folder, "original")
            if self.command([original])[:2] != self.command([rewritten])[:2]:
                raise Failure("another result than the original's")
