"""Runs a function of LLVM's intermediate code on registers: one path through it, on which the case decides the branches."""
import re

from opaque import Opaque, Tests
from registers import Registers
from words import Refuted, Word

LIMIT = 20_000  # instructions on a path


class IRRun:
    """`memory` gives the word at (parameter, offset); `arguments` the words of integer parameters. `calls` gives, for the
    end of a called function's name, what it does. A run may begin at a loop's block, with given values for its phis, and
    end before given blocks."""

    def __init__(self, function, modulus, memory, arguments=None, case=0, domain=None, calls=None, start=None, ends=()):
        self.domain, self.calls = domain or Registers(modulus, case), calls or {}
        self.lane = self.domain
        self.registers = dict(arguments(self.domain)) if arguments else {}
        self.pointers = {name: (name, 0) for name in function.parameters if name not in self.registers}
        self.pointers |= {name: value for name, value in self.registers.items() if isinstance(value, tuple) and len(value) == 2}
        self.memory, self.function, self.stored = memory(self.domain), function, {}
        self.tests, self.origins = {}, {}
        self.count, self.before, self.returned, self.allocated = 0, None, None, 0
        label = start or function.entry
        self.given = set(self.registers) - set(function.parameters)
        self.visited = []
        while label is not None and (label not in ends or not self.visited):
            self.visited.append(label)
            label = self.block(label)
        self.end = label

    def block(self, label):
        """Runs a block; gives the next one's label."""
        following = None
        for instruction in self.function.blocks[label]:
            self.count += 1
            if instruction.kind == "unknown":
                raise Refuted(f"{self.function.name}: no pattern of ir.py fits the instruction: {instruction.text}")
            if self.count > LIMIT:
                raise Refuted(f"{self.function.name}: a path without an end")
            if instruction.kind in ("branch", "jump"):
                following = self.next(instruction)
            elif instruction.result in self.given and len(self.visited) == 1:
                continue
            elif instruction.kind != "ignored":
                value = getattr(self, instruction.kind)(*instruction.parts)
                if instruction.result:
                    is_place = isinstance(value, tuple) and len(value) == 2
                    (self.pointers if is_place else self.registers)[instruction.result] = value
        if following is None and instruction.kind != "return":
            raise Refuted(f"{self.function.name}: a block ends with: {instruction.text}")
        self.before = label
        return following

    def next(self, instruction):
        """Where a branch leads."""
        if instruction.kind == "jump":
            return instruction.parts[0]
        condition, yes, no = instruction.parts
        return yes if self.truth(condition) else no

    def truth(self, text):
        """A condition."""
        if text in ("true", "false"):
            return text == "true"
        value = self.registers[text]
        if isinstance(value, Tests):
            return self.all_zero(value)
        return bool(value.constant()) if isinstance(value, Word) else value

    def value(self, text):
        """An operand: a register or a number."""
        if text.startswith("%"):
            if text not in self.registers:
                raise Refuted(f"{text} has no value")
            return self.registers[text]
        if text in ("true", "false"):
            return text == "true"
        return self.domain.number(int(text))

    def binary(self, operation, flags, bits, a, b):
        x, y = self.value(a), self.value(b)
        if bits == "1":
            return {"and": x and y, "or": x or y, "xor": x != y}[operation]
        if isinstance(x, Opaque) or isinstance(y, Opaque):
            same = isinstance(x, Opaque) and isinstance(y, Opaque) and x.source == y.source
            if operation != "or" or not same:
                raise Refuted("arithmetic with words of a called function")
            return Opaque(x.source, x.parts | y.parts)
        result = self.domain.binary(operation, flags, int(bits), x, y)
        if isinstance(y, Word) and operation in ("lshr", "ashr") and y.constant() == int(bits) - 1:
            self.registers[a] = refined(self.domain.signed(x, int(bits)), result.constant() != 0)
        return result

    def cast(self, kind, flags, before, a, after):
        value = self.value(a)
        if before == "1" and isinstance(value, Word):
            return value if kind == "zext" else self.domain.sum(self.domain.number(0), value, -1)
        if before == "1":
            return self.domain.number((1 if kind == "zext" else -1) if value else 0)
        return self.domain.cast(kind, flags, value, int(before), int(after))

    def place(self, pointer):
        if pointer not in self.pointers:
            raise Refuted(f"{pointer} is no known address")
        return self.pointers[pointer]

    def load(self, bits, pointer):
        return self.at(self.place(pointer))

    def at(self, place):
        """The word in memory."""
        return self.stored[place] if place in self.stored else self.memory(*place)

    def store(self, bits, value, pointer):
        self.stored[self.place(pointer)] = self.value(value)

    def address(self, pointer, offset):
        name, start = self.place(pointer)
        return name, start + int(offset)

    def element(self, pointer, index):
        """A 64-bit word of an array."""
        return self.address(pointer, 8 * self.domain.known(self.value(index)))

    def field(self, pointer, number):
        """A field of a structure of 64-bit words."""
        return self.address(pointer, 8 * int(number))

    def extract(self, aggregate, index):
        return self.registers[aggregate][int(index)]

    def allocation(self, _type):
        self.allocated += 1
        return f"stack {self.allocated}", 0

    def funnel(self, bits, direction, high, low, count):
        """The high or low word of (high, low), shifted."""
        count = int(count) if direction == "l" else int(bits) - int(count)
        left = self.domain.binary("shl", "", int(bits), self.value(high), self.domain.number(count))
        right = self.domain.binary("lshr", "", int(bits), self.value(low), self.domain.number(int(bits) - count))
        return self.domain.binary("or", "", int(bits), left, right)

    def zeros(self, a):
        """The number of low zero bits, which a run that is about them decides."""
        return self.domain.trailing_zeros(self.value(a))

    def minimum(self, kind, a, b):
        """The smaller or the greater one of two numbers, which are not negative if they are compared as unsigned."""
        a, b = self.value(a).constant(), self.value(b).constant()
        if a is None or b is None:
            raise Refuted("the minimum of unknown numbers")
        if kind[0] == "u" and min(a, b) < 0:
            raise Refuted("an unsigned minimum of a negative number")
        return self.domain.number(min(a, b) if kind.endswith("in") else max(a, b))

    def copy(self, to, source, size):
        for offset in range(0, int(size), 8):
            place = self.address(source, offset)
            self.stored[self.address(to, offset)] = self.at(place)
            self.origins[self.address(to, offset)] = self.memory_origin(place)

    def clear(self, to, size):
        """Zeros."""
        for offset in range(0, int(size), 8):
            self.stored[self.address(to, offset)] = self.domain.number(0)

    def memory_origin(self, place):
        """Where a word was copied from first."""
        return self.origins.get(place, place)

    def call(self, name, arguments):
        each = [re.findall(r"%[\w.]+", text) for text in arguments.split("ptr ")[1:]]
        pointers = [self.place(registers[-1]) for registers in each]
        for end, does in self.calls.items():
            if name.endswith(end):
                return does(self, pointers)
        raise Refuted(f"a call of {name}")

    def called(self, name, arguments):
        """A call of a C function: what it does gets the operands as text."""
        if name not in self.calls:
            raise Refuted(f"a call of {name}")
        return self.calls[name](self, [text.split()[-1] for text in re.split(r",(?![^(]*\))", arguments)])

    def compare(self, predicate, bits, a, b):
        if isinstance(self.value(a), Opaque):
            return self.zero_test(predicate, self.value(a), self.value(b))
        return self.domain.compare(predicate, int(bits), self.value(a), self.value(b))

    def zero_test(self, predicate, words, number):
        """Whether a part of a called function's words is zero."""
        if predicate != "eq" or number.constant() != 0:
            raise Refuted("words of a called function are compared with more than zero")
        return Tests(words.source, words.parts)

    def all_zero(self, tests):
        """The outcome of tests: one case for each set of words that the code tests together."""
        key = ("zero", tests.source, tests.parts)
        if key not in self.tests:
            self.tests[key] = self.domain.compared(key, tests, self.domain.number(0))
        return self.tests[key]

    def select(self, condition, bits, a, b):
        first = self.registers.get(condition)
        if isinstance(first, Tests) and b == "false":
            second = self.value(a)
            if isinstance(second, Tests) and second.source == first.source:
                return Tests(first.source, first.parts | second.parts)
        return self.value(a if self.truth(condition) else b)

    def phi(self, bits, text):
        """The value for the block that came before."""
        for value, label in re.findall(r"\[ (\S+), %\"?([^\s\"]+)\"? \]", text):
            if label == self.before:
                return self.value(value)
        raise Refuted("a phi without the block before")

    def insert(self, aggregate, bits, value, index):
        parts = dict(self.registers.get(aggregate, {})) if aggregate.startswith("%") else {}
        parts[int(index)] = self.value(value)
        return parts

    def result(self, value=None):
        """What the function returns."""
        self.returned = self.registers[value] if value and value.startswith("%") else (
            self.value(value) if value else None)

    def words(self, name, count):
        """Words that were stored from a parameter's address on."""
        return [self.stored[name, 8 * i] for i in range(count)]


def refined(word, is_negative):
    """A word of which the sign is known in this case."""
    return Word(word.whole, word.scaled, word.least if is_negative else max(word.least, 0),
                min(word.greatest, -1) if is_negative else word.greatest)


setattr(IRRun, "return", IRRun.result)
