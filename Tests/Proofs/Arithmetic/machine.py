"""Runs machine code of a function on a lane: a straight line, in which loops and addresses are known numbers.

The disassembler's text is read instruction by instruction (objdump, AT&T syntax: the destination is last). Each vector
instruction's meaning is that of its intrinsic in meaning.py. Unknown instructions are errors.
Source: Intel, "Software Developer's Manual", volume 2.
"""
import re

import halves
from lane import Lane
from meaning import WORDS
from words import Refuted

VECTOR = re.compile(r"%([xyz])mm(\d+)")
MEMORY = re.compile(r"(?:(-?0x[0-9a-f]+|-?\d+))?\((%\w+)(?:,(%\w+),(\d))?\)(\{1to\d\})?")
MOVES = {"vmovdqa64", "vmovdqu64", "vmovdqa", "vmovdqu", "vmovups", "vmovaps", "vmovupd", "vmovapd"}
TWO = {"vpaddq": "add_epi64", "vpsubq": "sub_epi64", "vpandq": "and", "vpand": "and", "vandpd": "and", "vandps": "and",
       "vporq": "or", "vpor": "or", "vorpd": "or", "vorps": "or", "vpxor": "xor", "vpxorq": "xor", "vpxord": "xor",
       "vxorpd": "xor", "vxorps": "xor"}
LOGIC = {"and": "bit_and", "or": "bit_or", "xor": "bit_xor", "add_epi64": "add", "sub_epi64": "subtract"}
SHIFTS = {"vpsrlq": "right", "vpsllq": "left", "vpsraq": "signed_right"}
FUSED = {"vfmadd231pd": (1, 0, 2), "vfmadd213pd": (1, 2, 0), "vfmadd132pd": (2, 0, 1)}

SCALAR = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "shl": lambda a, b: a << b, "and": lambda a, b: a & b}


class Double:
    """A register that was made by floating-point arithmetic."""

    def __init__(self, number):
        self.number = number


class MachineRun:
    """A function from its first instruction to its return. `memory` gives the word of a lane at (argument, offset)."""

    ARGUMENTS = ("%rdi", "%rsi", "%rdx", "%rcx")

    def __init__(self, code, function, modulus, memory, case=0, wraps=False):
        self.code, self.lane = code, Lane(modulus, case, wraps)
        self.memory = memory(self.lane)
        self.vectors, self.masks, self.stored = {}, {}, {}
        self.general = {name: (f"argument {i}", 0) for i, name in enumerate(self.ARGUMENTS)} | {"%rsp": ("stack", 0)}
        self.flags_zero, self.count, self.used = None, 0, set()
        address = code.symbols[function]
        while address is not None:
            self.count += 1
            if self.count > 50_000:
                raise Refuted(f"{function}: machine code without an end")
            try:
                address = self.step(address)
            except Refuted as reason:
                raise Refuted(f"{function}: {code.lines[address]}: {reason}") from reason

    def step(self, address):
        """Runs an instruction; gives the next one's address."""
        name, _, rest = self.code.lines[address].partition(" ")
        operands = split_operands(rest.strip())
        self.address, self.after = address, self.code.next.get(address)
        self.used.add(name)
        if name in ("ret", "retq"):
            return self.returned()
        if name == "call":
            self.push(("return", self.after))
            return int(rest.split()[0], 16)
        if name in ("jne", "je"):
            return int(rest.split()[0], 16) if self.flags_zero == (name == "je") else self.after
        if name.startswith(("nop", "data16", "cs", "vzeroupper")):
            return self.after
        if name.startswith(("v", "kmov")):
            self.vector(name, operands)
        else:
            self.scalar(name, operands)
        return self.after

    def push(self, value):
        base, offset = self.general["%rsp"]
        self.general["%rsp"] = (base, offset - 8)
        self.stored[base, offset - 8] = value

    def pop(self):
        base, offset = self.general["%rsp"]
        self.general["%rsp"] = (base, offset + 8)
        return self.stored[base, offset]

    def returned(self):
        base, offset = self.general["%rsp"]
        return None if offset == 0 else self.pop()[1]

    def place(self, text):
        """The address that an operand names: a region and an offset, or a constant's address."""
        offset, base, index, scale, _ = MEMORY.match(text).groups()
        offset = int(offset or "0", 0)
        if base == "%rip":
            return "constant", self.code.targets[self.address]
        region, start = self.general[base]
        if index:
            offset += self.number(index) * int(scale)
        return region, start + offset

    def number(self, register):
        kind, value = self.general[register]
        if kind != "number":
            raise Refuted("a number was expected in a register")
        return value

    def scalar(self, name, operands):
        """Addresses and loop counters, all known."""
        name = {"movq": "mov", "movl": "mov", "addq": "add", "subq": "sub"}.get(name, name)
        if name == "push":
            return self.push(self.general.get(operands[0], ("saved", operands[0])))
        wide = [whole(text) for text in operands]
        target = wide[-1]
        if name == "pop":
            self.general[target] = self.pop()
        elif name == "lea":
            self.general[target] = self.place(operands[0])
        elif name == "mov" and not target.startswith("%"):
            self.stored[self.place(target)] = self.source(wide[0])
        elif name == "mov":
            self.general[target] = self.source(wide[0])
        elif name == "xor" and wide[0] == target:
            self.general[target] = ("number", 0)
        elif name in ("add", "sub", "shl", "and"):
            base, value = self.general[target]
            amount = self.source(wide[0])[1] if len(wide) > 1 else 1
            amount -= 1 << 64 if amount >> 63 == 1 else 0
            self.general[target] = (base, SCALAR[name](value, amount))
            self.flags_zero = self.general[target][1] == 0
        elif name in ("test", "cmp"):
            a, b = self.source(wide[0]), self.source(target)
            self.flags_zero = (a[1] & b[1] == 0) if name == "test" else a == b
        else:
            raise Refuted(f"no meaning for {name}")

    def source(self, text):
        if text.startswith("$"):
            return "number", int(text[1:], 0)
        if text.startswith("%"):
            base, value = self.general.get(text, ("saved", text))
            return base, value
        return self.stored[self.place(text)]

    # Vectors

    def read(self, text):
        """A vector operand, as it is: a word, a double or halves."""
        match = VECTOR.match(text)
        if match:
            return self.vectors[int(match[2])]
        region, offset = self.place(text)
        if region == "constant":
            value = self.code.word(offset)
            return self.lane.number(value - (1 << 64) if value >> 63 else value)
        return self.stored[region, offset] if (region, offset) in self.stored else self.memory(region, offset)

    def bits(self, text):
        """A vector operand as a word."""
        value = self.read(text) if isinstance(text, str) else text
        if isinstance(value, Double):
            return self.lane.bits_of_double(value.number)
        return halves.word(value) if isinstance(value, halves.Halves) else value

    def double(self, text):
        """A vector operand as a number."""
        value = self.read(text)
        if isinstance(value, Double):
            return value.number
        word = self.bits(value)
        if word.constant() is not None:
            bits = word.constant() % (1 << 64)
            return self.lane.double(bits - (1 << 64) if bits >> 63 else bits)
        return self.lane.double_of_bits(word)

    def vector(self, name, operands):
        """An instruction on vectors."""
        if name.startswith("kmov"):
            self.masks[operands[1]] = self.lane.any_mask("negative")
            return
        target = operands[-1]
        if not VECTOR.match(target):
            self.stored[self.place(target)] = self.read(operands[0])
            return
        value = self.result(name, operands)
        mask = re.search(r"\{(%k\d)\}", target)
        if mask:
            value = self.lane.choose(self.masks[mask[1]], self.read(target), value)
        self.vectors[int(VECTOR.match(target)[2])] = value

    def result(self, name, operands):
        """What a vector instruction writes."""
        lane, first = self.lane, operands[0]
        if name in MOVES or name in ("vpbroadcastq", "vbroadcastsd", "vmovddup"):
            return self.read(first)
        if name in TWO:
            if TWO[name] == "xor" and operands[0] == operands[1]:
                return lane.number(0)
            return getattr(lane, LOGIC[TWO[name]])(self.bits(operands[1]), self.bits(first))
        if name == "vpsllq" and isinstance(self.read(operands[1]), halves.Halves):
            return halves.left(lane, self.read(operands[1]), int(first[1:], 0))
        if name in SHIFTS:
            return getattr(lane, SHIFTS[name])(self.bits(operands[1]), int(first[1:], 0))
        if name.startswith("vpmadd52"):
            meaning = WORDS["_mm512_madd52lo_epu64" if name == "vpmadd52luq" else "_mm512_madd52hi_epu64"]
            return meaning(lane, self.bits(operands[2]), self.bits(operands[1]), self.bits(first))
        if name in FUSED:
            a, b, c = (self.double(operands[i]) for i in FUSED[name])
            return Double(WORDS["_mm256_fmadd_pd"](lane, a, b, c))
        if name in ("vsubpd", "vaddpd"):
            a, b = self.double(operands[1]), self.double(first)
            return Double(lane.rounded(lane.exact_sum(a, b, -1 if name == "vsubpd" else 1)))
        if name in halves.INSTRUCTIONS:
            sources = [operands[0] if operands[0].startswith("$") else self.read(operands[0])]
            return halves.INSTRUCTIONS[name](lane, *sources, *(self.read(text) for text in operands[1:-1]))
        raise Refuted(f"no meaning for {name} {', '.join(operands)}")


def whole(text):
    """The 64-bit register of which an operand names a part; parts hold known small numbers here."""
    match = re.fullmatch(r"%(?:e|r)?([abcd]x|[sd]i|[sb]p)|%([abcd])l|%(r\d+)[dwb]?", text)
    if not match:
        return text
    name, letter, numbered = match.groups()
    return f"%{numbered}" if numbered else f"%r{name}" if name else f"%r{letter}x"


def split_operands(text):
    """Operands, at commas outside of parentheses and braces."""
    return [part.strip() for part in re.split(r",(?![^({]*[)}])", text)] if text else []
