"""Checks the checker: a trace is executed on numbers too, and every word must be in the range that was derived for it.

The numbers are random, or at the ends of their ranges. A sample whose comparisons have another outcome than the case of the
run says nothing of it, and is left out.
"""
import random
from fractions import Fraction

from integers import WORD, Integers
from meaning import CHOICES, SHIFTS, WORDS

COUNT = 3  # samples of a run


class Recording(Integers):
    """Numbers, with the outcomes of comparisons in order."""

    def __init__(self):
        self.outcomes = []

    def double_of_bits(self, a):
        return None if a == WORD - 1 else super().double_of_bits(a)  # A mask is no double.

    def noted(self, outcome):
        self.outcomes.append(bool(outcome))
        return outcome

    def equal(self, a, b):
        return self.noted(super().equal(a, b))

    def less(self, a, b):
        return self.noted(super().less(a, b))

    def meet(self, a, b):
        return self.noted(super().meet(a, b))

    def miss(self, a, b):
        return self.noted(super().miss(a, b))


def limbs_in(known, choose):
    """Five limbs of a number in a range, or None if these lower limbs leave no top limb."""
    lower = [choose.choice([low, high, choose.randint(low, high)]) for low, high in known.limbs[:4]]
    rest = sum(limb << 52 * i for i, limb in enumerate(lower))
    low, high = -((rest - known.value[0]) >> 208), (known.value[1] - rest) >> 208
    low, high = max(low, known.limbs[4][0]), min(high, known.limbs[4][1])
    return [*lower, choose.randint(low, high)] if low <= high else None


class Sample:
    """One execution of a run's trace on numbers."""

    def __init__(self, run, numbers):
        self.run, self.d, self.numbers = run, Recording(), numbers
        self.case, self.words = run.lane.case, {}
        for line in run.trace.lines:
            if line[0] != ">":
                self.words[int(line[0])] = self.execute(line[1], line[2:])

    def execute(self, operation, operands):
        """The number that an operation gives. Addresses have none."""
        if operation == "any_mask" or operation.startswith(("load", "store")) or "cvtepu32" in operation:
            return self.d.word_of_mask(self.outcome()) if operation == "any_mask" else None
        if operation in WORDS:
            given = self.given(operands[:WORDS[operation].__code__.co_argcount - 1])
            return WORDS[operation](self.d, *given) if None not in given else self.unknown(operation)
        if operation in SHIFTS:
            return SHIFTS[operation](self.d, *self.given(operands[:1]), int(operands[1]))
        if operation == "_mm512_mask_mov_epi64":
            mask = int(operands[0], 16) >> self.case & 1
            return CHOICES[operation](self.d, mask, *self.given(operands[1:]))
        if operation in CHOICES:
            return CHOICES[operation](self.d, *self.given(operands))
        if operation == "splat":
            return self.d.number(int(operands[0]))
        if operation == "splat_double":
            return self.d.double_of_bits(int(operands[0]) % WORD)
        if operation == "input":
            return self.numbers[operands[0]][int(operands[1])] % WORD
        return None

    def given(self, texts):
        """The numbers of operands."""
        return [self.words[int(i)] for i in texts]

    def outcome(self):
        """The case's outcome for the next comparison."""
        return self.d.noted(self.case >> len(self.d.outcomes) & 1)

    def unknown(self, operation):
        """What becomes of unknown words: a comparison has the case's outcome."""
        if operation in ("_mm512_test_epi64_mask", "_mm512_testn_epi64_mask"):
            return self.outcome()
        return self.d.word_of_mask(self.outcome()) if operation.startswith("_mm256_cmp") else None

    def is_of_case(self):
        """Whether all comparisons have the case's outcomes."""
        return all(outcome == bool(self.case >> i & 1) for i, outcome in enumerate(self.d.outcomes))

    def holds(self, number, word):
        """Whether a number is in a word's range, modulo 2^64 for a word of bits."""
        if isinstance(number, Fraction):
            return word.least <= number <= word.greatest
        return (number - word.least) % WORD <= word.greatest - word.least

    def stays(self):
        """Whether every word is in its range."""
        return all(self.holds(number, self.run.words[i]) for i, number in self.words.items()
                   if not isinstance(number, (bool, type(None))) and hasattr(self.run.words[i], "least"))


def samples(run):
    """How many samples there are of a run, and how many leave a derived range."""
    choose, tried, wrong = random.Random(f"{run.trace.name} {run.lane.case}"), 0, 0
    for _ in range(COUNT):
        numbers = {name: limbs_in(known, choose) for name, known in run.ranges.items()}
        if None in numbers.values():
            continue
        sample = Sample(run, numbers)
        if sample.is_of_case():
            tried, wrong = tried + 1, wrong + (not sample.stays())
    return tried, wrong
