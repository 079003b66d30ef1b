"""What a comment's words claim of a number: an interval, of which an end may be open or missing. Or an equation or inequality
of constants."""
import math
import operator
import re

from expressions import Expression, NoNumber, number_of

INTERVAL = re.compile(r"([\[(])(-?[^\[\](),]+), (-?[^\[\](),]+)([\])])")
CHAIN = re.compile(r"(-?[\w.^]+) (<=?) \S+ (<=?) ")
MAGNITUDE = re.compile(r"(?:\|\w+\||\|\w\| \+ \|\w\|) (<=?) |\b(within) ")
UPPER = re.compile(r"(<=?|≤|\bbelow|\bless than|\bat most|\bup to|\bas large as) ")
LOWER = re.compile(r"(>=?|≥|\babove|\bat least) ")
RANGE = re.compile(r"(?:\bfrom )?(\S+) (?:to|or) ")
OPEN = {"<", ">", "below", "less than", "above"}
RELATION = re.compile(r",? (?:which is |and so |is )?(=|<|>|below|within|larger than) ")
HOLDS = {"=": operator.eq, "<": operator.lt, "below": operator.lt, "within": operator.le, ">": operator.gt,
         "larger than": operator.gt}


class Claim:
    """An interval."""

    def __init__(self, low, high, low_open=False, high_open=False):
        self.low, self.high, self.low_open, self.high_open = low, high, low_open, high_open

    def scaled(self, unit):
        """The same in a unit."""
        low, high = (None if end is None else end * unit for end in (self.low, self.high))
        return Claim(low, high, self.low_open, self.high_open)

    def covers(self, least, greatest):
        """Whether a range is in the interval."""
        above = self.low is None or (least > self.low if self.low_open else least >= self.low)
        below = self.high is None or (greatest < self.high if self.high_open else greatest <= self.high)
        return above and below

    def is_within(self, least, greatest):
        """Whether the interval is in a range of integers."""
        low, high = self.low, self.high
        if low is not None and least > (math.floor(low) + 1 if self.low_open else math.ceil(low)):
            return False
        return high is None or (math.ceil(high) - 1 if self.high_open else math.floor(high)) <= greatest

    def is_filled(self, least, greatest):
        """Whether a range takes up half of the interval at least, or reaches half as far if one end is missing."""
        if self.low is None:
            return 2 * greatest >= self.high
        if self.high is None:
            return least <= 2 * self.low
        return 2 * (greatest - least) >= self.high - self.low - self.low_open - self.high_open


def claim_of(quote, names):
    """The claim of a quote: the first form that it has."""
    quote = quote.replace("`", "")
    for form in (interval, chain, magnitude, upper, lower, extent):
        claim = form(quote, names)
        if claim:
            return claim
    return bare(quote, names)


def interval(quote, names):
    """[a, b), (a, b) and so on."""
    for match in INTERVAL.finditer(quote):
        try:
            return Claim(number_of(match[2], names), number_of(match[3], names), match[1] == "(", match[4] == ")")
        except NoNumber:
            continue
    return None


def chain(quote, names):
    """a <= x < b."""
    match = CHAIN.search(quote)
    if not match:
        return None
    return Claim(number_of(match[1], names), after(quote, match, names), match[2] == "<", match[3] == "<")


def magnitude(quote, names):
    """|x| <= a, |x| + |y| <= a, and "within a"."""
    match = MAGNITUDE.search(quote)
    if not match:
        return None
    end = after(quote, match, names)
    return Claim(-end, end, match[1] == "<", match[1] == "<")


def upper(quote, names):
    """< a, "below a", "at most a"."""
    match = UPPER.search(quote)
    return Claim(None, after(quote, match, names), False, match[1] in OPEN) if match else None


def lower(quote, names):
    """> a, "above a", "at least a"."""
    match = LOWER.search(quote)
    return Claim(after(quote, match, names), None, match[1] in OPEN) if match else None


def extent(quote, names):
    """a to b."""
    match = RANGE.search(quote)
    return Claim(number_of(match[1], names), after(quote, match, names)) if match else None


def bare(quote, names):
    """A number by itself is the most that there can be: "twelve rounds are enough"."""
    for match in re.finditer(r"\b(?=[\w(])", quote):
        try:
            return Claim(None, Expression(quote, names, match.start()).value)
        except NoNumber:
            continue
    raise NoNumber(f"no number in: {quote}")


def after(quote, match, names):
    """The number after a match."""
    return Expression(quote, names, match.end()).value


def relation(quote, names):
    """Whether constants are related as a quote says: one relation, or several in a row. Words may stand around it."""
    signs = list(RELATION.finditer(quote))
    if not signs:
        raise NoNumber(f"no relation in: {quote}")
    sides = [last_number(quote[:signs[0].start()], names)]
    sides += [Expression(quote, names, sign.end()).value for sign in signs]
    return all(HOLDS[sign[1]](a, b) for sign, a, b in zip(signs, sides, sides[1:]))


def last_number(text, names):
    """The longest number that a text ends with."""
    for match in re.finditer(r"(?<![\w.])(?=[-\w(])", text):
        try:
            return number_of(text[match.start():], names)
        except NoNumber:
            continue
    raise NoNumber(f"no number before the relation: {text}")
