"""A number of five digits of 62 bits, of which the value's range is known: the top digit is the value minus the others."""
import polynomials as poly
from words import SCALE, Word

LIMB = 62


def number(domain, name, least, greatest, offset=0):
    """The digits of a number that is in [least, greatest] after the offset is added. All but the top one are in [0, 2^62)."""
    value = domain.symbol(name)
    domain.ranges[value] = (least, greatest)
    parts = [domain.symbol(f"{name}.{i}") for i in range(4)]
    top = {(value,): 1 << SCALE - 4 * LIMB} | ({(): -offset << SCALE - 4 * LIMB} if offset else {})
    digits = []
    for i, part in enumerate(parts):
        domain.ranges[part] = (0, (1 << LIMB) - 1)
        top[(part,)] = -(1 << SCALE - 4 * LIMB + LIMB * i)
        digits.append(Word(poly.of_symbol(part), {(part,): 1 << SCALE}, 0, (1 << LIMB) - 1))
    whole = poly.of_symbol(domain.symbol(f"{name}.4"))
    return [*digits, Word(whole, top, least - offset >> 4 * LIMB, greatest - offset >> 4 * LIMB)]
