"""Words by their 32-bit halves: how a compiler makes the signed shift of a 64-bit word for AVX2, which has none.

A half is that of a word ("low" or "high"), a high half after a signed shift ("part"), or 32 copies of a word's sign.
"""
from words import Refuted


class Halves:
    """Two halves, each a tuple that says what it is."""

    def __init__(self, low, high):
        self.low, self.high = low, high


def halves(value):
    """Any vector operand by its halves."""
    return value if isinstance(value, Halves) else Halves(("low", value), ("high", value))


def word(value):
    """The word that halves are: a part with its own sign above it, or a word's own halves."""
    low, high = value.low, value.high
    if low[0] == "part" and high[0] == "sign" and low[1] is high[1]:
        return low[2]
    if low[0] == "low" and high[0] == "high" and low[1] is high[1]:
        return low[1]
    raise Refuted("halves that are no word")


def shifted(lane, half, count):
    """A signed shift of a half."""
    if half[0] != "high":
        return ("unknown",)
    if count == 31:
        return ("sign", half[1])
    return ("part", half[1], lane.signed_right(half[1], 32 + count))


def shift(lane, count, value):
    """VPSRAD."""
    both = halves(value)
    return Halves(*(shifted(lane, half, int(count[1:], 0)) for half in (both.low, both.high)))


def spread(lane, order, value):
    """VPSHUFD that doubles the high halves."""
    if int(order[1:], 0) != 0xF5:
        raise Refuted("no meaning for this order of halves")
    high = halves(value).high
    return Halves(high, high)


def blend(lane, choice, first, second):
    """VPBLENDD that takes the high halves of one operand, the low ones of the other. AT&T's order is the reverse of
    Intel's: a set bit takes from `first`."""
    if int(choice[1:], 0) not in (0xAA, 0x55):
        raise Refuted("no meaning for this choice of halves")
    first, second = halves(first), halves(second)
    return Halves(second.low, first.high) if int(choice[1:], 0) == 0xAA else Halves(first.low, second.high)


def blend_quarters(lane, choice, first, second):
    """VPBLENDW with zero in the top quarter of each word: its low 48 bits. Or as VPBLENDD."""
    number = int(choice[1:], 0)
    if number == 0x88 and not isinstance(first, Halves) and first.constant() == 0:
        return lane.low(word(halves(second)), 48)
    return blend(lane, {0xCC: "$0xaa", 0x33: "$0x55"}.get(number, "$0"), first, second)


def left(lane, value, count):
    """A left shift of the whole word. By 32 or more, the high half is shifted out."""
    if count >= 32 and value.low[0] == "part":
        return lane.left(value.low[2], count)
    return lane.left(word(value), count)


INSTRUCTIONS = {"vpsrad": shift, "vpshufd": spread, "vpblendd": blend, "vpblendw": blend_quarters}
