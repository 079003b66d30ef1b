"""Truth values over the comparisons of a function."""
from words import Refuted


class Formula:
    """A truth value as the truth table of a formula over the comparisons: bit c is its value in case c."""

    ATOMS = 12  # as in trace/recorder.h
    TRUE = (1 << (1 << ATOMS)) - 1

    def __init__(self, table):
        self.table = table

    @classmethod
    def atom(cls, number):
        """The outcome of a comparison."""
        return cls(sum(1 << c for c in range(1 << cls.ATOMS) if c >> number & 1))

    @classmethod
    def of(cls, a):
        """A mask that is a formula, or a word of equal bits."""
        if isinstance(a, Formula):
            return a
        if a.constant() not in (0, -1):
            raise Refuted("a mask with a word that is no mask")
        return cls(cls.TRUE if a.constant() else 0)
