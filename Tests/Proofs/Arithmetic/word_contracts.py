"""Contracts of the Swift engine's numbers of four words, from intermediate code: limbs and words, order, sums, canonical."""
import re

import polynomials as poly
from bits import ZERO, Bits, value_of
from contracts import INTEGERS, Contracts, guarded
from data_contracts import limbs_of_bits
from ir_run import IRRun
from report import P, times_p
from swift_contracts import ELEMENT, PREFIX, inputs, loose
from words import SCALE, Refuted, Word

WORDS = PREFIX + "8Words256V"


class BitRegisters(Bits):
    """Registers of 64 bits, each bit by itself."""

    def binary(self, operation, _flags, _bits, a, b):
        if operation in ("sub", "mul", "ashr"):
            return None  # Such words are given, or not used.
        if operation in ("shl", "lshr"):
            return (self.left if operation == "shl" else self.right)(a, value_of(b))
        return {"and": self.bit_and, "or": self.bit_or, "xor": self.bit_xor, "add": self.add}[operation](a, b)


def integers(domain, names, bits=64):
    """Words of which nothing is known but their size."""
    result = []
    for name in names:
        symbol = domain.symbol(name)
        domain.ranges[symbol] = (0, (1 << bits) - 1)
        result.append(Word(poly.of_symbol(symbol), {(symbol,): 1 << SCALE}, 0, (1 << bits) - 1))
    return result


def total(words, bits=64):
    """The weighted sum of words, as a polynomial."""
    result = {}
    for i, word in enumerate(words):
        result = poly.plus(result, word.whole, 1 << bits * i)
    return result


class WordContracts(Contracts):
    """`traces` is a module of intermediate code. Each method is a function's contract."""

    def all(self):
        """Every contract here."""
        for contract in (self.limbs_of_words, self.words_of_limbs, self.sums, self.order, self.canonical):
            contract()

    @guarded
    def limbs_of_words(self):
        """FieldElement.init(words:): the same 256 bits, as limbs of 52."""
        domain = BitRegisters()
        words = [domain.fresh(f"w{i}") for i in range(4)]
        function = self.traces.function(PREFIX + "5limbs2ofAA12FieldElementVAA8Words256V_tF")
        run = IRRun(function, P, lambda _: None, lambda _: {f"%{i + 1}": words[i] for i in range(4)}, domain=domain)
        wanted = limbs_of_bits([bit for word in words for bit in word])
        self.report.holds("FieldElement.init(words:)", "limb i has the bits 52 i and up", run.words("%0", 5) == wanted)

    @guarded
    def words_of_limbs(self):
        """Scalar.words: the same number below 2^256."""
        domain = BitRegisters()
        limbs = [domain.fresh(f"l{i}", 52 if i < 4 else 48) for i in range(5)]
        function = self.traces.function(PREFIX + "5words2ofAA8Words256VAA6ScalarV_tF")
        run = IRRun(function, P, lambda _: lambda name, offset: limbs[offset // 8], domain=domain)
        bits = [bit for i, limb in enumerate(limbs) for bit in limb[:52 if i < 4 else 48]]
        self.report.holds("Scalar.words", "word i has the bits 64 i and up",
                          [run.returned[i] for i in range(4)] == [tuple(bits[64 * i:64 * i + 64]) for i in range(4)])

    @guarded
    def sums(self):
        """Words256.subtract and add: the difference plus 2^256 times the borrow; the sum minus 2^256 times the carry."""
        for name, mangled, sign in (("subtract", "8subtractys6UInt64VACF", -1), ("add", "3addys6UInt64VACF", 1)):
            operand = {}

            def arguments(domain):
                operand["a"], operand["b"] = (integers(domain, [f"{n}{i}" for i in range(4)]) for n in "ab")
                return {f"%{i}": word for i, word in enumerate(operand["b"])}
            function = self.traces.function(WORDS + mangled)
            run = IRRun(function, INTEGERS, lambda _: lambda place, offset: operand["a"][offset // 8], arguments)
            result = [run.domain.unsigned(run.stored["%4", 8 * i], 64) for i in range(4)]
            wanted = poly.plus(total(operand["a"]), total(operand["b"]), sign)
            got = poly.plus(total(result), run.returned.whole, sign * (1 << 256))
            # Both sides are in one range of 2^257 numbers, so that they are equal if they are so modulo 2^257.
            self.report.holds(f"Words256.{name}", "result and carry are exact",
                              poly.modulo(got, 1 << 257) == poly.modulo(wanted, 1 << 257))
            for word in [*result, run.returned]:
                self.report.within(f"Words256.{name}", "word", (word.least, word.greatest), (0, (1 << 64) - 1))
            self.report.within(f"Words256.{name}", "carry", (run.returned.least, run.returned.greatest), (0, 1))

    @guarded
    def order(self):
        """Words256 <: on every path, the first words that differ, from the top, decide."""
        def arguments(domain):
            names = [f"{n}{i}" for n in "ab" for i in range(4)]
            return {f"%{i}": word for i, word in enumerate(integers(domain, names))}
        seen = set()
        for case in range(1 << 5):
            run = IRRun(self.traces.function(WORDS + "1loiySbAC_ACtFZ"), INTEGERS, lambda _: None, arguments, case)
            if case >> len(run.domain.facts):
                continue
            place, equal = 3, True
            for predicate, a, b, outcome in run.domain.facts:
                names = [run.domain.names[next(iter(x.whole))[0]] for x in (a, b)]
                if predicate == "eq":
                    equal &= names == [f"a{place}", f"b{place}"] and (not outcome or place > 0)
                    place -= outcome
                else:
                    equal &= predicate == "ult" and names == [f"a{place}", f"b{place}"] and run.returned == outcome
            seen.add((place, run.domain.facts[-1][3]))
            self.report.holds("Words256 <", f"word {place} decides in case {case}", equal)
        self.report.holds("Words256 <", "every word may decide, either way", len(seen) == 8)

    # FieldElement.canonical: reduced words, and a loop that subtracts p while they are not below it.

    @guarded
    def canonical(self):
        function = self.traces.function(ELEMENT + "9canonicalAA8Words256VyF")
        header = function.blocks[function.entry][-1].parts[0]
        body = next(label for label, block in function.blocks.items()
                    if label != function.entry and block[-1].kind == "jump" and block[-1].parts[0] == header)
        memory = inputs(**{"%0": ("a", loose(58, 1 << 267))})
        phis = {i.result: dict(pairs(i.parts[1])) for i in function.blocks[header] if i.kind == "phi"}
        order = self.weights(function, header, body, phis)
        # The words from which limbs are taken: the carries are shifted out of four, the overflow out of the last.
        block = function.blocks[function.entry]
        sources = [i.parts[3] for i in block if i.text.find(" = ashr i64") > 0 and i.parts[4] == "52"]
        sources.append([i.parts[3] for i in block if " = lshr i64" in i.text and i.parts[4] == "48"][-1])
        self.limbs_before(function, header, memory, sources)
        self.words_before(function, header, [phis[name][function.entry] for name in order], sources)
        self.body(function, header, body, phis, order)
        self.paths(function, header, body, order)

    def limbs_before(self, function, header, memory, sources):
        """The low 52 bits of four words, and the fifth word, are a modulo p, reduced."""
        run = IRRun(function, P, memory, ends=(header,))
        limbs = [run.domain.split(run.value(name), 52)[0] for name in sources[:4]] + [run.value(sources[4])]
        self.equals(run, "FieldElement.canonical", "before the loop", limbs, {("a",): 1})
        self.carried("FieldElement.canonical", "before the loop", limbs)
        self.value(run, "FieldElement.canonical", "before the loop", limbs, (0, times_p(2.01)))
        subtractions = run.domain.value_bounds(limbs)[1] // P
        self.report.within("FieldElement.canonical", "subtractions of p", (0, subtractions), (0, 2))

    def words_before(self, function, header, names, sources):
        """The four words and the overflow have the bits of these limbs."""
        domain = BitRegisters()
        given = {name: domain.fresh(name, 64 if i < 4 else 52) for i, name in enumerate(sources)}
        run = IRRun(function, P, lambda d: lambda name, offset: d.fresh(f"memory{offset}"), lambda _: given, domain=domain,
                    ends=(header,))
        bits = [bit for i, name in enumerate(sources) for bit in given[name][:52]] + [ZERO] * 60
        self.report.holds("FieldElement.canonical", "the words have the limbs' bits",
                          [run.value(name) for name in names] == [tuple(bits[64 * i:64 * i + 64]) for i in range(5)])

    def weights(self, function, header, body, phis):
        """The loop's values by weight: the comparison with the top word of p names that one, and so on."""
        run = IRRun(function, INTEGERS, lambda _: None, lambda d: dict(zip(phis, integers(d, phis))), start=header,
                    ends=(body,), case=(1 << 12) - 1)
        parts = [P >> 64 * i & (1 << 64) - 1 for i in range(4)] + [0]
        order = {}
        for predicate, a, b, _ in run.domain.facts:
            name = name_of(run.domain, a)
            place = 4 - len(order)
            if place >= 0 and b.constant() is not None and b.constant() % (1 << 64) == parts[place]:
                order[place] = name
        if len(order) != 5:
            raise Refuted("on the way to another round, not all words are compared with those of p, from the top")
        return [order[i] for i in range(5)]

    def body(self, function, header, body, phis, order):
        """A round takes p away exactly."""
        before = {}

        def arguments(domain):
            before.update(zip(order, integers(domain, order)))
            return dict(before)
        run = IRRun(function, INTEGERS, lambda _: None, arguments, start=body, ends=(header,))
        after = [run.domain.unsigned(run.value(phis[result][body]), 64) for result in order]
        taken = poly.plus(total([before[name] for name in order]), total(after), -1)
        self.report.holds("FieldElement.canonical", "a round subtracts p", poly.modulo(taken, 1 << 320) == poly.of_number(P))
        for word in after[:4]:
            self.report.within("FieldElement.canonical", "word after a round", (word.least, word.greatest), (0, (1 << 64) - 1))

    def paths(self, function, header, body, order):
        """On every path that leaves the loop the number is below p, on every other one it is not."""
        seen, parts = set(), [P >> 64 * i & (1 << 64) - 1 for i in range(4)] + [0]
        for case in range(1 << 6):
            run = IRRun(function, INTEGERS, lambda _: None, lambda d: dict(zip(order, integers(d, order))), start=header,
                        ends=(body,), case=case)
            if case >> len(run.domain.facts) or tuple(run.visited) in seen:
                continue
            seen.add(tuple(run.visited))
            ranges = {name: [0, (1 << 64) - 1] for name in order}
            for predicate, a, b, outcome in 2 * run.domain.facts:  # Unequal to an end, and so to the next end.
                narrow(ranges[name_of(run.domain, a)], predicate, b.constant() % (1 << 64), outcome)
            least, greatest = (sum(ranges[name][end] << 64 * i for i, name in enumerate(order)) for end in (0, 1))
            stays = run.end == body
            self.report.holds("FieldElement.canonical", f"path {len(seen)}: {'at least p' if stays else 'below p'}",
                              least >= P if stays else greatest < P)


def pairs(text):
    """The values of a phi by the block before."""
    return [(label.strip('"'), value) for value, label in re.findall(r"\[ (\S+), %(\S+) \]", text)]


def name_of(domain, word):
    """The name of a word that is a single symbol."""
    symbols = next(iter(word.whole), ())
    if len(symbols) != 1:
        raise Refuted("a comparison of another number than a word")
    return domain.names[symbols[0]]


def narrow(ends, predicate, number, outcome):
    """What a comparison with a number says of a range. An unequal number narrows it only at its ends."""
    if predicate in ("eq", "ne"):
        if outcome == (predicate == "eq"):
            ends[:] = [number, number]
        elif ends[0] == number:
            ends[0] += 1
        elif ends[1] == number:
            ends[1] -= 1
    elif predicate == "ult":
        ends[:] = [ends[0], min(ends[1], number - 1)] if outcome else [max(ends[0], number), ends[1]]
