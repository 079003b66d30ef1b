"""Contracts of the Swift engine's Inversion.inverse: its rounds are as many as inputs need."""
import re

from contracts import Contracts, guarded
from division_steps import by_hulls, by_theorem
from report import N, P
from swift_contracts import PREFIX
from words import Refuted

INVERSE = PREFIX + "9InversionV7inverse2ofAA8Words256VAG_tF"
STEPS = 62  # of a round, as the contract of the division steps says


class RoundContracts(Contracts):
    """`traces` is a module of intermediate code."""

    def all(self):
        """Every contract here."""
        for contract in (self.theorem, self.hulls):
            contract()

    def rounds(self):
        """The most rounds of the outer loop: a number that begins at 0 and is compared after 1 is added."""
        blocks = self.traces.function(INVERSE).blocks
        texts = [i.text for block in blocks.values() for i in block]
        begins = {i.result for i in next(block for block in list(blocks.values())[1:] if block[0].kind == "phi")
                  if i.kind == "phi" and re.search(r"\[ 0, %entry \]", i.text)}
        for text in texts:
            match = re.match(r"(%\S+) = add (?:\w+ )*i64 (%\S+), 1$", text)
            if match and match[2] in begins:
                compared = [re.fullmatch(rf"%\S+ = icmp eq i64 {match[1]}, (\d+)", other) for other in texts]
                for limit in filter(None, compared):
                    return int(limit[1])
        raise Refuted("the number of rounds is not seen in the code")

    @guarded
    def theorem(self):
        steps = by_theorem(max(P, N).bit_length())
        self.report.within("Inversion.inverse", "steps by theorem 11.2", (0, steps), (0, STEPS * self.rounds()))

    @guarded
    def hulls(self):
        """Inputs are below the modulus: f = m and 0 <= g < m, for m below 2^256."""
        steps = by_hulls(max(P, N).bit_length())
        self.report.within("Inversion.inverse", "steps by convex hulls", (0, steps), (0, STEPS * self.rounds()))
