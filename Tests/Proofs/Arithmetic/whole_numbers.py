"""The kernel's `inverted` on whole numbers: a path through its intermediate code, on which calls do what their contracts say.

A number is five limbs in memory. What is known of it is its range, and of which numbers a call made it.
"""
from ir_run import IRRun
from opaque import Opaque, Tests
from words import Refuted, Word

LIMBS = frozenset(range(5))


class Whole:
    """A number: its range, its name, and by which signs it was added up of other numbers, if it was."""

    def __init__(self, name, least, greatest, terms=None):
        self.name, self.least, self.greatest = name, least, greatest
        self.terms = terms or ([] if name == "0" else [(1, name)])

    @property
    def size(self):
        """The largest magnitude."""
        return max(-self.least, self.greatest)

    def limb(self, i):
        return Opaque(self, frozenset([i]))


class Entry(Opaque):
    """An entry of a matrix of division steps: u, v, q or r of a turn."""


class Multiple(Opaque):
    """What `cancelling` gives: the multiple of m for two entries and the numbers whose lowest limbs it got."""


class NumberRun(IRRun):
    """A path on numbers. `outcomes` are those of its first decisions; later ones are false, and all that were made are in
    `decided`. After `limit` turns g is 0."""

    def __init__(self, function, outcomes, limit, **rest):
        self.outcomes, self.limit = outcomes, limit
        self.decided, self.turns, self.steps, self.asked, self.g_is_zero = [], [], [], [], []
        super().__init__(function, 1 << 4096, **rest)

    # Numbers in memory

    def number(self, pointer):
        """The number at an address."""
        return self.number_in(*self.place(pointer))

    def number_in(self, name, start=0):
        """The number in memory from a place on."""
        words = [self.at((name, start + 8 * i)) for i in range(5)]
        if all(isinstance(word, Word) for word in words):
            value = sum(word.constant() << 62 * i for i, word in enumerate(words))
            return Whole(str(value), value, value)
        source = words[0].source
        if [(word.source, word.parts) for word in words] != [(source, frozenset([i])) for i in range(5)]:
            raise Refuted("limbs of several numbers in one")
        return source

    def put(self, pointer, number):
        name, start = self.place(pointer)
        for i in range(5):
            self.stored[name, start + 8 * i] = number.limb(i)

    # Decisions

    def decide(self):
        """The next decision of this path."""
        place = len(self.decided)
        self.decided.append(place < len(self.outcomes) and self.outcomes[place])
        return self.decided[-1]

    def is_negative(self, number):
        """The sign of a number, which narrows its range on this path."""
        if number.least >= 0 or number.greatest < 0:
            return number.greatest < 0
        negative = self.decide()
        number.least, number.greatest = (number.least, -1) if negative else (0, number.greatest)
        return negative

    def all_zero(self, tests):
        """Whether all limbs of g are 0, which is so after the last turn; or some limbs of f."""
        if tests.parts != LIMBS:
            return self.noted(tests, 0)
        if tests.source not in self.g_is_zero:
            is_zero = len(self.turns) == self.limit or self.decide()
            if not is_zero:
                return False
            self.g_is_zero.append(tests.source)
        return True

    def noted(self, words, number):
        """A decision whether some limbs are a number, noted."""
        outcome = self.decide()
        self.asked.append((words.source.name, min(words.parts), max(words.parts), number, outcome))
        return outcome

    def compare(self, predicate, bits, a, b):
        word, other = self.value(a), self.value(b)
        if not isinstance(word, Opaque):
            return super().compare(predicate, bits, a, b)
        if word.parts != frozenset([4]):
            return self.noted(word, 1) if other.constant() == 1 else Tests(word.source, word.parts)
        if (predicate, other.constant()) not in (("sgt", -1), ("slt", 0)):
            raise Refuted("another comparison than with 0")
        return self.is_negative(word.source) == (predicate == "slt")

class WholeRun(NumberRun):
    """`inverted`. `ranges` gives the range that is derived of `combined` for numbers of a size."""

    def __init__(self, function, modulus, greatest, limit, outcomes, ranges):
        self.m, self.x, self.ranges = Whole("m", modulus, modulus), Whole("x", 0, greatest), ranges
        calls = {"division_steps": WholeRun.division_steps, "combined": WholeRun.combined,
                 "cancelling": WholeRun.cancelling, "plus": WholeRun.plus}
        super().__init__(function, outcomes, limit, calls=calls, memory=lambda _: lambda place, offset: (
            self.x if place == "%0" else self.m).limb(offset // 8))

    def division_steps(self, operands):
        """Notes f and g, of which it gets the lowest words, and stores a matrix."""
        eta, f, g = (self.value(text) for text in operands[:3])
        turn = len(self.turns)
        self.turns.append((f.source, g.source, eta))
        name, start = self.place(operands[3])
        for i, entry in enumerate("uvqr"):
            self.stored[name, start + 8 * i] = Entry((turn, entry))
        return Opaque(("eta", turn))

    def cancelling(self, operands):
        a, x, b, y = (self.value(text) for text in operands[:4])
        self.is_modulus(operands[4])
        return Multiple((a.source, named(x), b.source, named(y)))

    def combined(self, operands):
        """(a x + b y + k m) / 2^62, with k = 0 or the multiple that cancels."""
        result, a, x, b, y, k, m = operands
        (a, b), (x, y), k = (self.value(a), self.value(b)), (self.number(x), self.number(y)), self.value(k)
        self.is_modulus(m)
        turn, rows = len(self.turns) - 1, {("u", "v"), ("q", "r")}
        if not {a.source[0], b.source[0]} == {turn} or (a.source[1], b.source[1]) not in rows:
            raise Refuted("two entries of one row of this turn's matrix were expected")
        cancels = isinstance(k, Multiple)
        if cancels and k.source != (a.source, x.name, b.source, y.name) or not cancels and k.constant() != 0:
            raise Refuted("another multiple of m than that of these numbers")
        made = Whole(f"{a.source[1]}{turn} {x.name}" + " with m" * cancels, *self.ranges(max(x.size, y.size), cancels))
        self.steps.append((turn, a.source[1], x, y, cancels, made))
        self.put(result, made)

    def plus(self, operands):
        result, a, sign, b = operands
        a, b, sign = self.number(a), self.number(b), self.value(sign).constant()
        ends = (b.least, b.greatest) if sign == 1 else (-b.greatest, -b.least)
        terms = a.terms + [(sign * other, name) for other, name in b.terms]
        made = Whole(f"sum {terms}", a.least + ends[0], a.greatest + ends[1], terms)
        self.put(result, made)

    def is_modulus(self, pointer):
        """The modulus comes first in its structure."""
        if self.place(pointer) != ("%1", 0):
            raise Refuted("another modulus")

    def binary(self, operation, flags, bits, a, b):
        """The lowest word of a number: limb 0, and the low bits of limb 1 above."""
        x, y = self.value(a), self.value(b)
        if operation == "shl" and isinstance(x, Opaque) and y.constant() == 62 and x.parts == frozenset([1]):
            return Opaque(x.source, frozenset(["shifted 1"]))
        return super().binary(operation, flags, bits, a, b)


def named(word):
    """The name of the number whose lowest limb a word is, or a constant."""
    if isinstance(word, Word):
        return str(word.constant())
    if word.parts != frozenset([0]):
        raise Refuted("another limb than the lowest one")
    return word.source.name


def paths(run):
    """All paths: `run` makes one for the outcomes of the first decisions."""
    pending = [[]]
    while pending:
        outcomes = pending.pop()
        path = run(outcomes)
        yield path
        pending += [path.decided[:i] + [not path.decided[i]] for i in range(len(outcomes), len(path.decided))]
