"""Contracts of machine code: what the compiler made of the kernel's functions, read from the object and proven like the text.

For AVX2 the meaning of floating-point instructions includes rounding towards zero: `enter_arithmetic` sets that mode.
"""
import subprocess

from affine_contracts import CHAIN, affine_sum
from contracts import COORDINATE, FOLDED, R, Contracts, combination, folded_range, guarded, montgomery, variable
from machine import MachineRun
from numbers_of_limbs import carried, signed
from object_code import Code
from report import N, P, times_p
from sum_contracts import JACOBIAN, mixed_sum
from traces import HERE

TARGETS = {"avx512": ("avx512f,avx512ifma,avx512vl,avx512bw,avx512dq,avx512vbmi2", 64), "avx2": ("avx2,fma,bmi,bmi2", 32)}

# The options of a release build (swift build -c release).
OPTIONS = ["-O2", "-fPIC", "-fblocks", "-fno-omit-frame-pointer", "-w"]


LINKER = ["-shared", "-nostdlib", "-fuse-ld=lld", "-Wl,--unresolved-symbols=ignore-all"]


def compile_object(options, sources, folder, instructions):
    """The functions of object/ as a shared object, and the kernel's own file as one: the object of the product's build, if
    there is one, else made with the same options."""
    targets, _ = TARGETS[instructions]
    defines = [f'-DWORDS="words_{instructions}.h"', f'-DTARGET="{targets}"', "-std=gnu11"]
    includes = [*OPTIONS, f"-I{sources}", f"-I{sources / 'include'}"]
    kernel = [*includes, str(sources / f"kernel_{instructions}.c")]
    if options.objects:
        kernel = [str(options.objects / f"kernel_{instructions}.c.o")]
    codes = []
    for name, inputs in (("functions", [*includes, *defines, str(HERE / "object" / "functions.c")]), ("kernel", kernel)):
        path = folder / f"{name}-{instructions}.so"
        subprocess.run([options.clang, *LINKER, *inputs, "-o", str(path)], check=True)
        codes.append(Code(path))
    return codes


# MXCSR: all exceptions masked, rounding towards zero (Intel, "Software Developer's Manual", 10.2.3).
ROUND_TOWARD_ZERO = 0x1f80 | 0x6000
# Instructions whose results depend on the rounding mode.
ROUNDING = ("vadd", "vsub", "vmul", "vdiv", "vfm", "vfn", "vsqrt", "vround", "vcvt")


class MachineContracts(Contracts):
    """`traces` is the code of functions by themselves, `kernel` that of the product; `width` the bytes of a vector."""

    def __init__(self, codes, report, instructions):
        super().__init__(codes[0], report)
        self.kernel = codes[1]
        self.instructions, self.width = instructions, TARGETS[instructions][1]

    def all(self):
        """Every contract here."""
        for contract in (self.products, self.coordinate, self.mixed, self.pair, self.of_kernel, self.mode):
            contract()

    def run_code(self, function, arguments, modulus=P, case=0):
        """Runs a function. Each argument is the numbers in a row at its address; after them may come a mask."""
        def memory(lane):
            numbers = {}

            def word(region, offset):
                names = arguments[int(region.split()[1])]
                index, limb = divmod(offset // self.width, 5)
                if index == len(names):
                    return lane.word_of_mask(lane.any_mask("negative"))
                name, known = names[index]
                if name not in numbers:
                    numbers[name] = lane.input(name, known)
                return numbers[name][limb]
            return word
        return MachineRun(self.traces, function, modulus, memory, case, self.instructions == "avx2")

    def number(self, run, argument, index=0):
        """Five limbs that are stored at an argument's address."""
        start = 5 * self.width * index
        return [run.bits(run.stored[f"argument {argument}", start + self.width * i]) for i in range(5)]

    @guarded
    def products(self):
        for function, operands, modulus, is_carried in (
                ("product", "ab", P, False), ("factor_product", "ab", P, True), ("factor_square", "aa", P, True),
                ("order_product", "ab", N, True)):
            known = carried((1 << 257) - 1) if modulus == N else COORDINATE
            names = sorted(set(operands))
            run = self.run_code(f"object_{function}", [[(name, known)] for name in names], modulus)
            result, name = self.number(run, len(names)), f"code of {function}"
            self.equals(run, name, "r", result, {tuple(operands): pow(R, -1, modulus)})
            self.value(run, name, "r", result, (0, 2 * modulus - 1))
            if is_carried:
                self.carried(name, "r", result)

    @guarded
    def coordinate(self):
        run = self.run_code("object_coordinate", [[("a", signed(1 << 62, -15 * P, 15 * P))]])
        result = self.number(run, 1)
        self.equals(run, "code of coordinate", "r", result, {("a",): 1})
        self.carried("code of coordinate", "r", result)
        self.value(run, "code of coordinate", "r", result, (1, times_p(2.01)))

    @guarded
    def mixed(self):
        for case in (0, 1):
            run = self.run_code("object_add_mixed", [[(name, JACOBIAN[name]) for name in "XYZ"],
                                                     [(name, JACOBIAN[name]) for name in "xy"]], case=case)
            x, y, z, px, py = (variable(name) for name in "XYZxy")
            expected = mixed_sum(x, y, z, px, combination((-1 if case else 1, py)))
            for i, (name, wanted) in enumerate(zip("XYZ", expected)):
                limbs = self.number(run, 0, i)
                self.equals(run, f"code of add_mixed, case {case}", f"{name}3", limbs, wanted)
                self.carried(f"code of add_mixed, case {case}", f"{name}3", limbs)
                self.value(run, f"code of add_mixed, case {case}", f"{name}3", limbs, JACOBIAN[name].value)
            self.report.holds("code of add_mixed", "it asks for one mask", len(run.lane.facts) == 1)

    @guarded
    def pair(self):
        wide, difference = folded_range(61), carried(times_p(3.1))
        sums = [(name + mark, wide) for mark in ("", "'") for name in ("x1", "y1")]
        additions = [(name + mark, known) for mark in ("", "'") for name, known in (
            ("x2", wide), ("y2", wide), ("difference", difference), ("prefix", CHAIN))]
        run = self.run_code("object_add_pair", [sums, additions, [("chain", CHAIN), ("chain'", CHAIN)]])
        for i, mark in enumerate(("", "'")):
            x1, y1, x2, y2, d, prefix, chain = (variable(name + mark) for name in (
                "x1", "y1", "x2", "y2", "difference", "prefix", "chain"))
            x3, y3 = affine_sum(x1, y1, x2, y2, montgomery(chain, prefix))
            for j, (name, wanted) in enumerate((("x3", x3), ("y3", y3))):
                limbs = self.number(run, 0, 2 * i + j)
                self.equals(run, "code of add_pair", name + mark, limbs, wanted)
                self.value(run, "code of add_pair", name + mark, limbs, FOLDED)
            limbs = self.number(run, 2, i)
            self.equals(run, "code of add_pair", "chain" + mark, limbs, montgomery(chain, d))
            self.carried("code of add_pair", "chain" + mark, limbs)

    @guarded
    def of_kernel(self):
        """The functions that stay functions in the kernel's own object: products modulo p and n. Numbers are on the stack,
        above the return address, or at addresses."""
        function = "factor_product" if self.instructions == "avx512" else "store_factor_product"
        for name, modulus, by_address in ((function, P, self.instructions == "avx2"), ("order_product", N, False)):
            known = carried((1 << 257) - 1) if modulus == N else COORDINATE

            def memory(lane):
                numbers = [lane.input(letter, known) for letter in "ab"]

                def word(region, offset):
                    if by_address:
                        return numbers[int(region.split()[1])][offset // self.width]
                    index, limb = divmod((offset - 8) // self.width, 5)
                    return numbers[index][limb]
                return word
            run = MachineRun(self.kernel, name, modulus, memory, 0, self.instructions == "avx2")
            result = self.number(run, 2 if by_address else 0)
            self.equals(run, f"kernel's own {name}", "r", result, {("a", "b"): pow(R, -1, modulus)})
            self.carried(f"kernel's own {name}", "r", result)
            self.value(run, f"kernel's own {name}", "r", result, (0, 2 * modulus - 1))

    @guarded
    def mode(self):
        """AVX2: in the functions that are called from outside, floating-point arithmetic is between the instruction that sets
        the mode and the one that restores it. Functions that they call run between these as well."""
        if self.instructions != "avx2":
            return
        for name in ("p256_avx2_verify", "p256_avx2_add_level"):
            lines = self.kernel.body(name)
            modes = [i for i, line in enumerate(lines) if line.startswith("vldmxcsr")]
            arithmetic = [i for i, line in enumerate(lines) if line.startswith(ROUNDING) or line.startswith("call")]
            place = lines[modes[0]].split()[1]
            set_last = next((line for line in reversed(lines[:modes[0]]) if line.endswith("," + place)), "")
            self.report.holds(name, "the mode is rounding towards zero, without exceptions",
                              set_last.split() == ["movl", f"${ROUND_TOWARD_ZERO:#x},{place}"])
            self.report.holds(name, "arithmetic and calls are within the mode",
                              len(modes) >= 2 and arithmetic and modes[0] < min(arithmetic) and max(arithmetic) < modes[-1])
        outside = [name for name in self.kernel.symbols if name.startswith("p256_avx2_") and name not in (
            "p256_avx2_verify", "p256_avx2_add_level")]
        self.report.holds("the other functions", "have no such arithmetic", not any(
            line.startswith(ROUNDING) for name in outside for line in self.kernel.body(name)))
