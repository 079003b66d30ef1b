"""Contracts of what moves data: rows to limbs, limbs to words, exchanges, bytes of signatures, 32-bit digits. Each bit of a
result is followed to the bit of memory that it must be."""
from bits import ZERO, Bits
from contracts import Contracts, guarded
from report import N, P
from vector import VectorRun


class Memory:
    """Memory of unknown bits, read word by word."""

    def __init__(self, domain, sizes=None):
        self.domain, self.sizes, self.words = domain, sizes or {}, {}

    def __call__(self, name, number):
        """A word; `sizes` gives the number of its bits that are not zero."""
        key = (name, number)
        if key not in self.words:
            size = self.sizes(number) if callable(self.sizes) else 64
            self.words[key] = self.domain.fresh(key, size)
        return self.words[key]

    def bits(self, name, count):
        """The bits of the first words, in order."""
        return [bit for i in range(count) for bit in self(name, i)]


def limbs_of_bits(bits):
    """256 bits as five limbs of 52, each a word."""
    limbs = [tuple(bits[52 * i:52 * i + 52]) for i in range(5)]
    return [limb + (ZERO,) * (64 - len(limb)) for limb in limbs]


class DataContracts(Contracts):
    """Each method is a function's contract."""

    def all(self):
        """Every contract here."""
        for contract in (self.points, self.group, self.ranges, self.verdicts, self.stored, self.halves, self.exchanges,
                         self.first):
            contract()

    def vector_run(self, name, sizes=None):
        """A run on memory of unknown bits."""
        domain = Bits()
        memory = Memory(domain, sizes)
        return VectorRun(self.traces[name], domain, memory), memory

    def limbs_are(self, run, function, place, limbs, wanted):
        """States the bits of every limb of every lane. `wanted` gives the 256 bits of a lane."""
        held = all(limbs[i][lane] == limb for lane in range(run.lanes) for i, limb in enumerate(limbs_of_bits(wanted(lane))))
        self.report.holds(function, place, held)

    @guarded
    def points(self):
        """from_rows and from_words: lane j gets the coordinates of row j, in carried limbs."""
        run, memory = self.vector_run("points_at")
        limbs = run.outputs["x"][0]
        most = max(sum((bit is not ZERO) << 52 * i + place for i, limb in enumerate(limbs) for place, bit in
                       enumerate(limb[lane])) for lane in range(run.lanes))
        self.report.within("points_at", "x", (0, most), (0, (1 << 256) - 1))
        counts = [run.d.known(run.vectors[int(line[4])][0]) for line in self.traces["points_at"].lines
                  if line[1] == "_mm512_shrdv_epi64"]
        if counts:
            self.report.within("words_right_pair", "count", (min(counts), max(counts)), (1, 63))
        for name, first in (("x", 0), ("y", 4)):
            self.limbs_are(run, "from_rows", f"{name} of lane j is that of row j, in limbs", run.outputs[name][0],
                           lambda lane: [bit for i in range(4) for bit in memory("table", 8 * lane + first + i)])

    @guarded
    def group(self):
        """load_group: r, s and the digest are big-endian numbers of 32 bytes (SEC 1, section 2.3.8)."""
        run, memory = self.vector_run("load_group")

        def number(name, size, half):
            def of_lane(lane):
                words = [memory(name, size * lane + half + i) for i in range(4)]
                octets = [word[8 * i:8 * i + 8] for word in words for i in range(8)]
                return [bit for octet in reversed(octets) for bit in octet]
            return of_lane
        self.limbs_are(run, "load_group", "r is big-endian", run.outputs["r"][0], number("signatures", 8, 0))
        self.limbs_are(run, "load_group", "the digest is big-endian", run.outputs["digest"][0], number("digests", 4, 0))
        before = next(vectors for name, vectors in run.notes if name == "if_clear")
        self.limbs_are(run, "load_group", "s is big-endian", before, number("signatures", 8, 4))
        one = next(vectors for name, vectors in run.notes if name == "if_set")
        self.report.holds("load_group", "a rejected s is replaced by 1",
                          all(one[i][lane] == run.d.number(1 if i == 0 else 0) for i in range(5) for lane in range(run.lanes)))

    @guarded
    def ranges(self):
        """load_group: r and s are in [1, n - 1], or rejected; r is ambiguous below p - n. Which numbers are compared with
        what, and for all outcomes what follows (kernel.h is one text; the masks are those of AVX-512)."""
        run, _ = self.vector_run("load_group")
        compared = [(kind, sum(limb << 52 * i for i, limb in enumerate(limbs))) for tag, kind, limbs in run.facts
                    if tag == "constant"][:5]
        wanted = [("less", N), ("less", N), ("equal", 0), ("equal", 0), ("less", P - N)]
        self.report.holds("load_group", "r and s are compared with n and with 0, r with p - n", compared == wanted)
        r, s = run.outputs["r"][0], next(vectors for name, vectors in run.notes if name == "if_clear")
        numbers = [vectors for name, vectors in run.notes if name in ("less", "equal")][:5]
        self.report.holds("load_group", "they are r, s, r, s and r", numbers == [r, s, r, s, r])
        verdicts = {int(name): numbers for tag, name, numbers in run.facts if tag == "verdict"}
        for outcomes, (rejected, ambiguous) in verdicts.items():
            bits = [outcomes >> i & 1 for i in range(5)]
            all_lanes = (1 << run.lanes) - 1
            held = rejected == (0 if bits == [1, 1, 0, 0, bits[4]] else all_lanes) and ambiguous == all_lanes * bits[4]
            self.report.holds("load_group", f"what follows from outcomes {outcomes:05b}", held)
        self.report.holds("load_group", "all outcomes", len(verdicts) == (32 if run.lanes == 8 else 0))

    @guarded
    def verdicts(self):
        """verdict: invalid if r or s was rejected; else undecided if an addition was exceptional; else valid if x = r; else
        undecided if r + n is another candidate; else invalid."""
        run, _ = self.vector_run("verdict")
        held = 0
        for _, marks, (given,) in run.facts:
            rejected, undecided, accepted, ambiguous = (int(marks) >> i & 1 for i in range(4))
            wanted = 0 if rejected else 2 if undecided else 1 if accepted else 2 * ambiguous
            held += given == wanted
        self.report.holds("verdict", "every combination of marks, in every lane", held == len(run.facts) == 16 * run.lanes)

    @guarded
    def stored(self):
        """store_words: five limbs of a number below 2^256 as four words."""
        lanes = 8 if self.traces["store_words"].instructions == "avx512" else 4
        run, memory = self.vector_run("store_words", lambda number: 52 if number < 4 * lanes else 48)
        held = True
        for lane in range(run.lanes):
            bits = [bit for i in range(5) for bit in memory("limbs", lanes * i + lane)[:52 if i < 4 else 48]]
            for i in range(4):
                held &= run.stores["stored", 8 * lanes * i][lane] == tuple(bits[64 * i:64 * i + 64])
        self.report.holds("store_words", "word i of a lane has the bits 64 i and up of its number", held)

    @guarded
    def halves(self):
        """words_load_halves and words_store_halves."""
        run, memory = self.vector_run("halves")
        bits = memory.bits("halves", run.lanes // 2)
        self.report.holds("words_load_halves", "lane j gets the 32-bit word j", all(
            word == tuple(bits[32 * lane:32 * lane + 32]) + (ZERO,) * 32
            for lane, word in enumerate(run.outputs["word"][0][0])))
        stored = [bit for word in run.stores["other", 0] for bit in word][:32 * run.lanes]
        wanted = [bit for lane in range(run.lanes) for bit in memory("limbs", lane)[:32]]
        self.report.holds("words_store_halves", "the 32-bit word j is the low half of lane j", stored == wanted)

    @guarded
    def exchanges(self):
        """words_exchange: lane j gets the word of lane j ^ bit."""
        bit = 1
        while f"exchange_{bit}" in self.traces:
            run, memory = self.vector_run(f"exchange_{bit}")
            self.report.holds("words_exchange", f"lane j gets the word of lane j ^ {bit}", all(
                word == memory("limbs", lane ^ bit) for lane, word in enumerate(run.outputs["word"][0][0])))
            bit *= 2

    @guarded
    def first(self):
        """words_first: lane 0."""
        run, memory = self.vector_run("first")
        self.report.holds("words_first", "lane 0's word", run.vectors[1][0] == memory("limbs", 0))
