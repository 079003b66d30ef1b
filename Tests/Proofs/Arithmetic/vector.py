"""Runs a trace on whole vectors: lists of words, in which lanes may differ."""
from formulas import Formula
from meaning import CHOICES, SHIFTS, WORDS
from moves import MOVES, ORDERED_MOVES
from words import Refuted


class VectorRun:
    """A trace on vectors of bits. `region` gives the bits of a word of memory: by name, number of the word, and lane size."""

    def __init__(self, trace, domain, memory, lanes=None, override=None):
        self.d, self.memory, self.override = domain, memory, override
        self.lanes = lanes or {"avx512": 8, "avx2": 4}[trace.instructions]
        self.facts = []
        self.vectors, self.outputs, self.notes, self.stores, self.atoms = {}, {}, [], {}, {}
        for line in trace.lines:
            if line[0] == ">":
                self.mark(*line[1:])
            else:
                self.vectors[int(line[0])] = self.execute(line[1], line[2:])

    def mark(self, kind, name, *rest):
        """A line that is no operation. An override may replace what a note names."""
        if kind in ("constant", "verdict"):
            self.facts.append((kind, name, [int(number) for number in rest]))
            return
        if kind == "mask":
            is_table = len(rest[0]) > 20  # else it is the number of a line
            words = [] if is_table else self.vectors[int(rest[0])]
            self.notes.append((name, self.mask(rest[0]) if is_table else [self.d.mask_of_word(word) for word in words]))
            return
        numbers = [int(i) for i in rest]
        if kind == "output":
            self.outputs.setdefault(name, []).append([self.vectors[i] for i in numbers])
        elif self.override and name in self.override:
            for number, words in zip(numbers, self.override[name](self)):
                self.vectors[number] = words
        self.notes.append((name, [self.vectors[i] for i in numbers]))

    def mask(self, table):
        """The bit of each lane that a truth table over atoms gives: a sum of atoms, or unknown."""
        table = int(table, 16)
        constant = table & 1
        chosen = [atom for atom in range(Formula.ATOMS) if (table >> (1 << atom) & 1) != constant]
        wanted = Formula.TRUE * constant
        for atom in chosen:
            wanted ^= Formula.atom(atom).table
        if wanted != table:
            return [None] * self.lanes
        result = []
        for lane in range(self.lanes):
            bits = [self.atoms[atom][lane] for atom in chosen]
            total = None if None in bits else constant
            for bit in bits if total is not None else []:
                total ^= bit
            result.append(total)
        return result

    def load(self, bits, name, offset):
        """The words of memory."""
        return [self.memory(name, int(offset) // 8 + i) for i in range(bits // 64)]

    def operands(self, numbers):
        """The vectors of operands."""
        return [self.vectors[int(i)] for i in numbers]

    def execute(self, operation, rest):
        """The vector that an operation gives."""
        if operation in WORDS:
            return self.by_lane(operation, rest)
        if operation in SHIFTS:
            return [SHIFTS[operation](self.d, word, int(rest[1])) for word in self.vectors[int(rest[0])]]
        if self.lanes == 1 and (operation in MOVES or operation in ORDERED_MOVES):
            return [None]  # A run of one lane is not about them.
        if operation in MOVES:
            function = MOVES[operation]
            return function(self.d, *self.operands(rest[:function.__code__.co_argcount - 1]))
        if operation in ORDERED_MOVES:
            function = ORDERED_MOVES[operation]
            count = function.__code__.co_argcount - 2
            return function(self.d, *self.operands(rest[:count]), int(rest[count]))
        if operation in CHOICES:
            masked = operation == "_mm512_mask_mov_epi64"
            first = self.mask(rest[0]) if masked else self.vectors[int(rest[0])]
            rows = zip(first, *self.operands(rest[1:]))
            return [CHOICES[operation](self.d, *row) for row in rows]
        return self.source(operation, rest)

    def by_lane(self, operation, rest):
        """An operation of which each lane is on its own."""
        function = WORDS[operation]
        operands = self.operands(rest[:function.__code__.co_argcount - 1])
        result = [function(self.d, *words) for words in zip(*operands)]
        if "atom" in rest:
            self.atoms[int(rest[-1])] = result
        return result

    def source(self, operation, rest):
        """Constants, memory and inputs."""
        if operation == "splat":
            return [self.d.number(int(rest[0]))] * self.lanes
        if operation == "splat_double":
            return [self.d.double(int(rest[0]))] * self.lanes
        if operation == "constant":
            data = bytes.fromhex(rest[0])
            return [self.d.number(int.from_bytes(data[i:i + 8], "little")) for i in range(0, len(data), 8)]
        if operation.startswith("load"):
            return self.load(int(operation[4:]), *rest)
        if operation == "store":
            self.stores[rest[0], int(rest[1])] = self.vectors[int(rest[2])]
            return None
        if operation == "input":
            return [self.memory(rest[0], int(rest[1]))] * self.lanes
        if operation in ("_mm_cvtsi128_si64", "_mm256_castsi256_pd"):
            return self.vectors[int(rest[0])]
        if operation in ("_mm256_movemask_pd", "any_mask"):
            return [None] * self.lanes
        raise Refuted(f"no meaning for {operation}")
