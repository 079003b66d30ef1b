"""Contracts of the division steps, from intermediate code: one turn of their loop, for every number of zeros.

The state is (f, g), the rows (u, v) and (q, r), and s steps that are done. The invariant, for the words F and G at the
beginning: u F + v G = 2^s f and q F + r G = 2^s g modulo 2^64. With s = 62 at the end, the sums are multiples of 2^62, so
that the division of the whole numbers is exact. Source: Bernstein and Yang, "Fast constant-time gcd computation and modular
inversion" (2019), sections 8 to 10.
"""
import polynomials as poly
from contracts import INTEGERS, Contracts, guarded
from ir_run import IRRun
from registers import Registers
from word_contracts import integers, pairs
from words import Refuted

STEPS = 62


class StepRegisters(Registers):
    """Registers with a given answer to each count of zeros. What bit operations make of unknown words is an unknown word:
    only counts of zeros use it."""

    def __init__(self, counts):
        super().__init__(INTEGERS, 0)
        self.counts, self.counted = list(counts), []

    def trailing_zeros(self, a):
        self.counted.append(a)
        return self.number(self.counts.pop(0))

    def bit_or(self, a, b, bits):
        try:
            return super().bit_or(a, b, bits)
        except Refuted:
            return integers(self, ["unknown"])[0]


class Loop:
    """The loop of division steps in a function: its head, and which of its registers is which part of the state."""

    def __init__(self, function):
        self.function = function
        self.head = next(label for label, block in function.blocks.items()
                         if sum(i.kind == "phi" for i in block) >= 8 and label != function.entry)
        phis = {i.result: dict(pairs(i.parts[1])) for i in function.blocks[self.head] if i.kind == "phi"}
        self.before = next(label for label in next(iter(phis.values())) if self.is_before(label))
        self.back = next(label for label in next(iter(phis.values())) if label != self.before)
        self.names = self.roles(phis)
        self.next = {role: phis[name][self.back] for role, name in self.names.items()}
        self.first = {role: phis[name][self.before] for role, name in self.names.items()}

    def operands(self, eta, f, g):
        """The words of the function's parameters, and its memory."""
        return dict(zip(self.function.parameters, (eta, f, g))), None

    def is_before(self, label):
        """Whether a block comes before the loop: it is listed before its head."""
        order = list(self.function.blocks)
        return order.index(label) < order.index(self.head)

    def ends_at_zero(self, name):
        """Whether the loop ends when this is 0."""
        return any(i.kind == "compare" and i.parts[0] == "eq" and i.parts[2:] == (name, "0")
                   for block in self.function.blocks.values() for i in block)

    def results(self):
        """The words that the function gives back: u, v, q, r and eta, by the register that has them at the loop's end."""
        end = [block for block in self.function.blocks.values() if block[-1].kind == "return"][0]
        exits = {i.result: dict(pairs(i.parts[1])).get(self.back) for i in end if i.kind == "phi"}
        return [exits[i.parts[1]] for i in end if i.kind == "store"] + [exits[end[-1].parts[0]]]

    def roles(self, phis):
        """The parts of the state. What the function gives back names the rows."""
        roles = {}
        for role, value in zip(("u", "v", "q", "r", "eta"), self.results()):
            roles[role] = next(name for name, incoming in phis.items() if incoming[self.back] == value)
        rest = [name for name in phis if name not in roles.values()]
        argument = next(name for name in rest if phis[name][self.before] in self.function.parameters)
        roles |= {"f": argument, "left": next(name for name in rest if self.ends_at_zero(phis[name][self.back]))}
        roles["g"] = next(name for name in rest if name not in (argument, roles["left"]))
        return roles


class StepContracts(Contracts):
    """`traces` is a module of intermediate code."""

    @guarded
    def find(self):
        """The loop that the other contracts are about."""
        self.loop = Loop(self.traces.function("scalar_division_steps"))

    def all(self):
        """Every contract here."""
        for contract in (self.find, self.beginning, self.turns, self.clearing, self.multiples, self.rows):
            contract()

    def state(self, run, names):
        """The words of the state by role."""
        return {role: run.value(name) for role, name in names.items()}

    @guarded
    def beginning(self):
        """Before the loop, for every number of zeros: u = 2^z, v = q = 0, r = 1, f = F, g = G / 2^z."""
        held = True
        for zeros in range(STEPS):
            domain = StepRegisters([zeros])
            eta, f, g = domain.number(-1), *integers(domain, "FG")
            words, memory = self.loop.operands(eta, f, g)
            run = IRRun(self.loop.function, INTEGERS, lambda _: memory, lambda _: words, domain=domain, ends=(self.loop.head,))
            state = self.state(run, self.loop.first)
            numbers = [state[role].constant() for role in ("u", "v", "q", "r", "left")]
            high = domain.split(g, zeros)[1] if zeros else g
            held &= numbers == [1 << zeros, 0, 0, 1, STEPS - zeros] and state["f"] is f and state["g"].whole == high.whole
        self.report.holds("division_steps", "the invariant holds before the loop, for every number of zeros", held)

    def turn(self, eta, left, zeros):
        """One turn on an unknown state."""
        domain = StepRegisters([zeros])
        names = ("f", "g", "u", "v", "q", "r")
        state = dict(zip(names, integers(domain, names)))
        words = {self.loop.names[role]: word for role, word in state.items()}
        words |= {self.loop.names["eta"]: domain.number(eta), self.loop.names["left"]: domain.number(left)}
        run = IRRun(self.loop.function, INTEGERS, lambda _: None, lambda _: words, domain=domain, start=self.loop.head,
                    ends=(self.loop.head,))
        run.before_turn = state
        return run

    @guarded
    def turns(self):
        """A turn keeps the invariant, for each number of zeros, whether it exchanges f and g or not."""
        for eta, kind in ((-3, "f and g change places"), (2, "f stays")):
            held = all(self.keeps(self.turn(eta, STEPS, zeros), eta, zeros) for zeros in range(STEPS))
            self.report.holds("division_steps", f"a turn keeps the invariant: {kind}", held)

    def keeps(self, run, eta, zeros):
        """Whether the invariant of the next state follows from that of this one, with S = 2^s."""
        domain = run.domain
        after = self.state(run, self.loop.next)
        first, second, size = (domain.symbol(name) for name in ("F", "G", "S"))
        old = {role: next(iter(word.whole))[0] for role, word in run.before_turn.items()}
        # The word of which the low zeros were counted is g before its shift. They are zeros, so the shift loses nothing.
        counted = domain.split(run.value(self.shifted(run)), zeros)[0].whole if zeros else {}
        held = True
        for row, target in ((("u", "v"), "f"), (("q", "r"), "g")):
            total = poly.product(after[row[0]].whole, poly.of_symbol(first))
            total = poly.plus(total, poly.product(after[row[1]].whole, poly.of_symbol(second)))
            wanted = poly.times(poly.product(after[target].whole, poly.of_symbol(size)), 1 << zeros)
            if target == "g":
                wanted = poly.plus(wanted, poly.product(counted, poly.of_symbol(size)))
            difference = poly.plus(total, wanted, -1)
            for top, other, end in (("u", "v", "f"), ("q", "r", "g")):
                # u F = S f - v G
                difference = self.replaced(difference, tuple(sorted((old[top], first))), poly.plus(
                    {tuple(sorted((old[end], size))): 1}, {tuple(sorted((old[other], second))): 1}, -1))
            held &= not poly.modulo(difference, 1 << 64)
        moved = after["eta"].constant() == abs(eta) - zeros and after["left"].constant() == STEPS - zeros
        return held and moved

    def shifted(self, run):
        """The register that the count of zeros shifts to the next g."""
        return next(i.parts[3] for block in self.loop.function.blocks.values() for i in block
                    if i.kind == "binary" and i.result == self.loop.next["g"])

    def replaced(self, whole, pair, by):
        """The polynomial with a product of two symbols replaced."""
        result = {}
        for monomial, c in whole.items():
            rest = list(monomial)
            if all(symbol in rest for symbol in pair):
                for symbol in pair:
                    rest.remove(symbol)
                result = poly.plus(result, poly.product({tuple(rest): c}, by))
            else:
                result = poly.plus(result, {monomial: c})
        return result

    @guarded
    def clearing(self):
        """Adding w f clears as many low bits of g as asked for, at most six: all odd f and all g modulo 64."""
        held = True
        name = self.shifted(None)
        for f in range(1, 64, 2):
            for g in range(1, 64, 2):
                domain = StepRegisters([0])
                values = {"f": f, "g": g, "u": 0, "v": 0, "q": 0, "r": 0, "eta": 7, "left": STEPS}
                words = {self.loop.names[role]: domain.number(value) for role, value in values.items()}
                run = IRRun(self.loop.function, INTEGERS, lambda _: None, lambda _: words, domain=domain,
                            start=self.loop.head, ends=(self.loop.head,))
                held &= run.value(name).constant() % 64 == 0
        self.report.holds("division_steps", "w f clears six bits of any odd g", held)

    @guarded
    def multiples(self):
        """w has no more bits than there are steps that add f: those until f and g may change places (eta + 1, and at least
        one), and those that are left. So a turn makes the paper's steps, and the bound of their number holds."""
        name, held, largest = self.loop.next["q"], True, 0
        for eta in range(-8, 9):
            for left in range(1, 9):
                for f in range(1, 64, 2):
                    w = self.multiple(name, eta, left, f)
                    held &= w < 1 << min(abs(eta) + 1, left)
                    largest = max(largest, w.bit_length())
        self.report.holds("division_steps", "a turn goes no further than the next exchange of f and g", held)
        self.report.within("division_steps", "bits of w", (0, largest), (0, 6))

    def multiple(self, name, eta, left, f):
        """w of a turn: what becomes of q = 0 if u = 1, or of u = 0 after an exchange, where q = -u."""
        domain = StepRegisters([0])
        values = {"f": f, "g": 1, "u": 1, "v": 0, "q": 0, "r": 0, "eta": eta, "left": left}
        if eta < 0:
            values |= {"u": 0, "q": 1}
        words = {self.loop.names[role]: domain.number(value) for role, value in values.items()}
        run = IRRun(self.loop.function, INTEGERS, lambda _: None, lambda _: words, domain=domain, start=self.loop.head,
                    ends=(self.loop.head,))
        return run.value(name).constant() % (1 << 64)

    @guarded
    def rows(self):
        """Rows sum to at most 2^s: adding w < 2^t times one of them is followed by at least t zeros."""
        sums = {(s, t): (1 << s) + ((1 << t) - 1) * (1 << s) for s in range(STEPS) for t in range(1, 7) if s + t <= STEPS}
        self.report.holds("division_steps", "rows sum to at most 2^s", all(sums[s, t] <= 1 << s + t for s, t in sums))
        self.report.within("division_steps", "sum of a row's magnitudes", (0, max(sums.values())), (0, 1 << STEPS))
