"""Contract of invert_lanes of inversion.h: each lane gets power / a / 2^260, by one inverse of the product of all lanes."""
from contracts import CARRIED, R, Contracts, guarded
from inversion_contracts import MODULI
from lane import Lane
from numbers_of_limbs import carried
from report import N
from vector import VectorRun

POWERS = {"p": pow(2, 780, MODULI["p"]), "n": pow(2, 520, N)}  # as the contract of the kernel's constants says


class LaneInversionContracts(Contracts):
    """invert_lanes, with any number in place of the lanes' product when it is inverted."""

    def all(self):
        """Every contract here."""
        self.report.assume("invert_lanes", "a", (0, (1 << 257) - 1))
        for self.letter in MODULI:
            for self.given in (0, 1):
                self.inversion()

    @guarded
    def inversion(self):
        trace = self.traces[f"invert_lanes_{self.letter}_{self.given}"]
        domain, numbers = Lane(MODULI[self.letter], 0, trace.instructions == "avx2"), {}
        lanes = {"avx512": 8, "avx2": 4}[trace.instructions]

        def memory(_name, number):
            limb, lane = divmod(number, lanes)
            if lane not in numbers:
                numbers[lane] = domain.input(f"a{lane}", carried((1 << 257) - 1))
            return numbers[lane][limb]
        run = VectorRun(trace, domain, memory)
        self.product(run, trace, domain, lanes)
        self.results(run, domain, lanes)

    def product_of(self, domain, lanes, factor):
        """A number times the product of lanes, in values."""
        return {tuple(sorted(domain.value_of_name[f"a{lane}"] for lane in lanes)): factor % domain.modulus}

    def product(self, run, trace, domain, lanes):
        """What is inverted is lane 0 of the product of all lanes."""
        firsts = [run.vectors[int(line[0])][0] for line in trace.lines if line[1] == "_mm_cvtsi128_si64"]
        wanted = self.product_of(domain, range(lanes), pow(R, -(lanes - 1), domain.modulus))
        name = f"invert_lanes, {self.letter}"
        self.report.holds(name, "the product of all lanes is inverted", domain.value(firsts) == wanted)
        self.carried(name, "the product of all lanes", firsts)
        self.report.within(name, "the product of all lanes", domain.value_bounds(firsts), (0, (1 << 257) - 1))

    def results(self, run, domain, lanes):
        """Each lane has the inverse times the power times the product of the other lanes. With the inverse of the product of
        all lanes, that is power / a / 2^260."""
        limbs = next(numbers for tag, _, numbers in run.facts if tag == "constant")
        inverse = pow(sum(limb << 52 * i for i, limb in enumerate(limbs)), -1, domain.modulus)
        factor = inverse * POWERS[self.letter] * pow(R, -2 - (lanes - 2), domain.modulus)
        name = f"invert_lanes, {self.letter}"
        for lane in range(lanes):
            result = [run.outputs["r"][0][i][lane] for i in range(5)]
            others = [other for other in range(lanes) if other != lane]
            self.report.holds(name, f"lane {lane}: the inverse, the power and the product of the other lanes",
                              domain.value(result) == self.product_of(domain, others, factor))
            self.limbs(name, "r", result, [CARRIED] * 5)
            self.report.within(name, "r", domain.value_bounds(result), (0, (1 << 257) - 1))
        # The product of all lanes is stored as times R^-(lanes - 1), so that its inverse has R^(lanes - 1).
        exponent = -2 - (lanes - 2) + (lanes - 1)
        self.report.holds(name, "together: power / a / 2^260", exponent == -1)
