"""Numbers as comments write them: `15 * 2^52 + 2^49`, `2.01p`, `(A B / 16 + 1) p`. They are computed exactly.

Two factors may stand side by side. Letters are names of numbers.
"""
import re
from fractions import Fraction

TOKEN = re.compile(r"\s*(?:(\d[\d_]*(?:\.\d+)?)|([A-Za-z]\w*)|([-+*/^()]))")
WORDS = {word: number for number, word in enumerate((
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen"))}


class NoNumber(Exception):
    """The text does not begin with a number."""


class Expression:
    """The longest expression that a text begins with: its value, and where it ends."""

    def __init__(self, text, names, start=0):
        self.text, self.names, self.end = text, WORDS | names, start
        self.value = self.sum()

    def peek(self):
        """The next token: a number, a name or a sign, and where it ends."""
        match = TOKEN.match(self.text, self.end)
        number, name, sign = match.groups() if match else (None, None, None)
        if number:
            return Fraction(number.replace("_", "")), match.end()
        if name in self.names:
            return Fraction(self.names[name]), match.end()
        return sign, match.end() if sign else self.end

    def taken(self, read, otherwise):
        """What `read` gives after the next token; `otherwise` and no step if that is no number."""
        before = self.end
        self.end = self.peek()[1]
        try:
            return read()
        except NoNumber:
            self.end = before
            return otherwise

    def sum(self):
        """Terms with signs between them."""
        total = -self.taken(self.term, None) if self.peek()[0] == "-" else self.term()
        while self.peek()[0] in ("+", "-"):
            sign = 1 if self.peek()[0] == "+" else -1
            term = self.taken(self.term, None)
            if term is None:
                break
            total += sign * term
        return total

    def term(self):
        """Factors, with or without a sign between them."""
        total = self.power()
        while True:
            token, before = self.peek()[0], self.end
            if token in ("*", "/"):
                factor = self.taken(self.power, None)
            elif isinstance(token, Fraction) or token == "(":
                factor = self.side_by_side()
            else:
                factor = None
            if factor is None:
                self.end = before
                return total
            total = total / factor if token == "/" else total * factor

    def side_by_side(self):
        """A factor without a sign before it: none if it is no number."""
        try:
            return self.power()
        except NoNumber:
            return None

    def power(self):
        base = self.primary()
        return base ** self.taken(self.primary, 1) if self.peek()[0] == "^" else base

    def primary(self):
        """A number, a name, or a sum in parentheses."""
        token, end = self.peek()
        if isinstance(token, Fraction):
            self.end = end
            return token
        if token != "(":
            raise NoNumber(self.text[self.end:])
        self.end = end
        value = self.sum()
        if self.peek()[0] != ")":
            raise NoNumber(self.text[self.end:])
        self.end = self.peek()[1]
        return value


def number_of(text, names):
    """The number that a text is."""
    expression = Expression(text, names)
    if text[expression.end:].strip():
        raise NoNumber(f"no number: {text}")
    return expression.value
