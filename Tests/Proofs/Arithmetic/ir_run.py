"""Runs a function of LLVM's intermediate code on registers: one path through it, on which the case decides the branches."""
import re

from registers import Registers
from words import Refuted, Word

LIMIT = 20_000  # instructions on a path


class IRRun:
    """`memory` gives the word at (parameter, offset); `arguments` the words of integer parameters."""

    def __init__(self, function, modulus, memory, arguments=None, case=0, domain=None):
        self.domain = domain or Registers(modulus, case)
        self.lane = self.domain
        self.registers = dict(arguments(self.domain)) if arguments else {}
        self.pointers = {name: (name, 0) for name in function.parameters if name not in self.registers}
        self.memory, self.function, self.stored = memory(self.domain), function, {}
        self.count, self.before, self.returned = 0, None, None
        label = function.entry
        while label is not None:
            label = self.block(label)

    def block(self, label):
        """Runs a block; gives the next one's label."""
        following = None
        for instruction in self.function.blocks[label]:
            self.count += 1
            if self.count > LIMIT or instruction.kind == "unknown":
                raise Refuted(f"not understood: {instruction.text}")
            if instruction.kind in ("branch", "jump"):
                following = self.next(instruction)
            elif instruction.kind != "ignored":
                value = getattr(self, instruction.kind)(*instruction.parts)
                if instruction.result:
                    (self.pointers if isinstance(value, tuple) else self.registers)[instruction.result] = value
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
        result = self.domain.binary(operation, flags, int(bits), x, y)
        if operation in ("lshr", "ashr") and y.constant() == int(bits) - 1:
            self.registers[a] = refined(self.domain.signed(x, int(bits)), result.constant() != 0)
        return result

    def cast(self, kind, flags, before, a, after):
        value = self.value(a)
        if before == "1":
            return self.domain.number((1 if kind == "zext" else -1) if value else 0)
        result = self.domain.cast(kind, flags, value, int(before), int(after))
        if after == "1":
            return bool(self.domain.known_bit(result))
        return result

    def place(self, pointer):
        if pointer not in self.pointers:
            raise Refuted(f"{pointer} is no known address")
        return self.pointers[pointer]

    def load(self, bits, pointer):
        place = self.place(pointer)
        return self.stored[place] if place in self.stored else self.memory(*place)

    def store(self, bits, value, pointer):
        self.stored[self.place(pointer)] = self.value(value)

    def address(self, pointer, offset):
        name, start = self.place(pointer)
        return name, start + int(offset)

    def field(self, pointer, number):
        """A field of a structure of 64-bit words."""
        return self.address(pointer, 8 * int(number))

    def compare(self, predicate, bits, a, b):
        return self.domain.compare(predicate, int(bits), self.value(a), self.value(b))

    def select(self, condition, bits, a, b):
        return self.value(a if self.truth(condition) else b)

    def phi(self, bits, text):
        """The value for the block that came before."""
        for value, label in re.findall(r"\[ (\S+), %(\S+) \]", text):
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
