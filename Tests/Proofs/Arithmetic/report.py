"""Collects statements: bounds as rows of a table, equalities and refutations."""
import json
import math

P = 2**256 - 2**224 + 2**192 + 2**96 - 1  # SEC 2, section 2.4.2
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


def times_p(factor):
    """factor * p, for a factor with two decimals, rounded down."""
    return round(factor * 100) * P // 100


class Enough(Exception):
    """A first refutation, where no more are asked for."""


class Report:
    """What was derived, and what was not."""

    def __init__(self, ends_at_first=False):
        self.rows, self.statements, self.refutations, self.prefix = [], [], [], ""
        self.given = {}  # what contracts assume of a function's operands: a list of ranges by name
        self.bounds, self.others = [], []  # where comments have bounds, and other numbers
        self.ties = []  # of comments: where, the quote, what derives it, least, greatest, slack
        self.skipped = []  # what was not tried, and why
        self.ends_at_first = ends_at_first

    def within(self, function, place, derived, limits):
        """States that a range is within limits."""
        (least, greatest), (low, high) = derived, limits
        self.rows.append((self.prefix + function, place, least, greatest, low, high))
        if least < low or greatest > high:
            self.refute(f"{function}: {place} is in [{show(least)}, {show(greatest)}], not in [{show(low)}, {show(high)}]")

    def holds(self, function, statement, truth):
        """States an equality or another truth."""
        if truth:
            self.statements.append(f"{self.prefix}{function}: {statement}")
        else:
            self.refute(f"{function}: not shown: {statement}")

    def assume(self, function, operand, ends):
        """Notes the range of an operand for which a function is proven."""
        self.given.setdefault(f"{self.prefix}{function} | {operand}", []).append(tuple(ends))

    def assume_number(self, function, operand, known):
        """The same for a number of five limbs: its value and its limbs."""
        self.assume(function, operand, known.value)
        for i, ends in enumerate(known.limbs):
            self.assume(function, f"{operand} limb {i}", ends)

    def refute(self, text):
        self.refutations.append(self.prefix + text)
        if self.ends_at_first:
            raise Enough

    def merged(self):
        """The rows, with one for all cases of a function."""
        ranges = {}
        for function, place, least, greatest, low, high in self.rows:
            key = (function.split(",")[0], place, low, high)
            before = ranges.get(key, (least, greatest))
            ranges[key] = (min(before[0], least), max(before[1], greatest))
        return [(*key[:2], *ends, *key[2:]) for key, ends in ranges.items()]

    def save(self, path):
        """Keeps what was derived."""
        path.write_text(json.dumps([self.rows, self.statements, list(self.given.items())]))

    def load(self, path):
        """Takes what an earlier run derived."""
        rows, self.statements, given = json.loads(path.read_text())
        self.rows, self.given = [tuple(row) for row in rows], {name: [tuple(ends) for ends in all_] for name, all_ in given}

    def table(self):
        """The bounds as text: function, place, least and greatest value, limits, slack."""
        head = ("function", "limb or value", "least", "greatest", "limits", "slack")
        lines = [(f, place, show(least), show(greatest), f"{show(low)} to {show(high)}", slack(least, greatest, low, high))
                 for f, place, least, greatest, low, high in self.merged()]
        return aligned([head, *lines])

    def table_of_comments(self):
        """The numbers of comments as text: where they are, the words, what derives them, least, greatest, slack."""
        head = ("comment", "words", "derived by", "least", "greatest", "slack")
        return aligned([head, *self.ties])


def aligned(lines):
    """Cells in columns."""
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines)


def show(number):
    """A number in units of p if it is near p, else as a power of two."""
    if 1 << 240 <= abs(number) < 1 << 300:
        return f"{number / P:.6f} p"
    if abs(number) < 1 << 20:
        return str(number)
    return f"{'-' if number < 0 else ''}2^{math.log2(abs(number)):.3f}"


def slack(least, greatest, low, high):
    """How far the nearer limit is: in percent of the limit's size."""
    gaps = [(high - greatest) / max(1, abs(high)), (least - low) / max(1, abs(low)) if low else math.inf]
    gap = min(gaps)
    return "none" if gap == 0 else f"{float(100 * gap):.2g} %"
