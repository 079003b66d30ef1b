"""Contract of `inverted` of inversion.h, from intermediate code: every number of its turns, and every path after them.

What a turn does to f, g, d and e is followed call by call. How large they are then is derived from the code of `combined`.
"""
import poly_digits
from contracts import INTEGERS, Contracts, guarded
from division_steps import by_theorem
from inversion_contracts import LIMB, MODULI, STEPS, ranged
from ir_run import IRRun
from whole_numbers import WholeRun, paths

EDGE = 1 << LIMB
LIMIT = -(-by_theorem(260) // STEPS)


def corners():
    """The entries (a, b) of a row with |a| + |b| <= 2^62 between which all others lie."""
    return [(sign * EDGE, 0) for sign in (1, -1)] + [(0, sign * EDGE) for sign in (1, -1)]


class InvertedContracts(Contracts):
    """`traces` is a pair of modules of intermediate code: each function by itself, and `inverted` with its calls."""

    def all(self):
        """Every contract here."""
        self.known = {}
        for contract in (self.rounds, self.turns):
            contract()

    @guarded
    def rounds(self):
        """The kernel goes on until g is 0: after as many steps as theorem 11.2 says, at the latest."""
        for bits in (257, 260):
            self.report.within("inverted", f"rounds for x below 2^{bits}", (0, -(-by_theorem(bits) // STEPS)), (0, LIMIT))

    def after(self, letter):
        """The range of (a x + b y + k m) / 2^62, as `combined` computes it, for |x| and |y| up to a size and |a| + |b| <=
        2^62. For any x, y and k it is linear in (a, b), and so extreme in the corners."""
        def ranges(size, cancels):
            key = letter, size, cancels
            if key not in self.known:
                ends = [self.corner(MODULI[letter], a, b, size, cancels) for a, b in corners()]
                self.known[key] = min(low for low, _ in ends), max(high for _, high in ends)
            return self.known[key]
        return ranges

    def corner(self, modulus, a, b, size, cancels):
        """The range in one corner."""
        numbers = {}

        def arguments(domain):
            k = ranged(domain, "k", 0, EDGE - 1) if cancels else domain.number(0)
            return {"%0": domain.number(a), "%2": domain.number(b), "%4": k}

        def memory(domain):
            numbers.update({place: poly_digits.number(domain, place, -size, size) for place in ("%1", "%3")})
            numbers["%5"] = [domain.number(modulus >> LIMB * i & EDGE - 1) for i in range(5)]
            return lambda place, offset: numbers[place][offset // 8]
        run = IRRun(self.traces[0].function("scalar_combined"), INTEGERS, memory, arguments)
        return run.domain.value_bounds(run.words("%6", 5), LIMB)

    @guarded
    def turns(self):
        """For each modulus: all paths, with every number of turns."""
        function, seen = self.traces[1].function("inverted"), set()
        self.report.assume("inverted", "x", (0, (1 << 260) - 1))
        for letter, modulus in MODULI.items():
            after = self.after(letter)
            for path in paths(lambda outcomes: WholeRun(function, modulus, (1 << 260) - 1, LIMIT, outcomes, after)):
                seen.add(len(path.turns))
                self.matrices(path)
                self.sizes(letter, path)
                self.ending(letter, path)
        self.report.holds("inverted", f"every number of turns from 0 to {LIMIT} was followed", seen == set(range(LIMIT + 1)))

    def matrices(self, path):
        """A turn makes (f, g) and (d, e) of the ones before, by its matrix, and begins with f = m, g = x, d = 0, e = 1."""
        f, g, d, e = "m", "x", "0", "1"
        held = len(path.steps) == 4 * len(path.turns)
        for turn, (low_f, low_g, eta) in enumerate(path.turns):
            steps = path.steps[4 * turn:4 * turn + 4]
            got = [(row, x.name, y.name, cancels) for _, row, x, y, cancels, _ in steps]
            held &= got == [("u", f, g, False), ("q", f, g, False), ("u", d, e, True), ("q", d, e, True)]
            held &= (low_f.name, low_g.name) == (f, g)
            held &= (eta.constant() == -1) if turn == 0 else eta.source == ("eta", turn - 1)
            f, g, d, e = (step[-1].name for step in steps)
        self.report.holds("inverted", "each turn applies its matrix to (f, g), and to (d, e) modulo m", held)
        path.last_f, path.last_d = f, d

    def sizes(self, letter, path):
        """How large numbers are after the turns."""
        for _, _, x, y, cancels, made in path.steps:
            name = "d and e" if cancels else "f and g"
            self.report.within("inverted", name, (made.least, made.greatest), (-(1 << 260), 1 << 260))
            self.report.within("inverted", f"top limbs of {name}", (made.least >> 4 * LIMB, made.greatest >> 4 * LIMB),
                               (-(1 << 12), 1 << 12))
            if cancels:
                added = max(-made.least, made.greatest) - max(x.size, y.size)
                self.report.within(f"inverted, {letter}", "what a round adds to d and e", (0, added), (0, MODULI[letter]))

    def ending(self, letter, path):
        """It is true where f or -f is 1. Then the result is d or -d, plus multiples of m: in [0, m)."""
        asked = [(first, last, number) for _, first, last, number, outcome in path.asked if outcome]
        self.report.holds("inverted", "its value is whether f or -f is 1",
                          path.returned == (asked == [(0, 0, 1), (1, 4, 0)]))
        if not path.returned or not path.turns:
            return  # Without a turn f is m, and that is not 1.
        result, signs = path.number("%0"), {}
        for sign, name in result.terms:
            signs.setdefault(name, []).append(sign)
        of_f = {name for name, *_ in path.asked}
        wanted = {f"sum {[(sign, path.last_f)]}" for sign in signs.get(path.last_d, [])}
        self.report.holds("inverted", "the result is d or -d as f or -f is 1, plus multiples of m",
                          signs.keys() <= {path.last_d, "m"} and of_f == wanted)
        self.report.within(f"inverted, {letter}", "result", (result.least, result.greatest), (0, MODULI[letter] - 1))
