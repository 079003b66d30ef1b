"""Polynomials with integer coefficients: a dictionary from monomials to coefficients. A monomial is a sorted tuple of
symbols, which are numbers."""

ONE = ()


def plus(a, b, factor=1):
    """a + factor * b."""
    result = dict(a)
    for monomial, coefficient in b.items():
        total = result.get(monomial, 0) + factor * coefficient
        if total:
            result[monomial] = total
        else:
            result.pop(monomial, None)
    return result


def times(a, number):
    """The polynomial times an integer."""
    return {monomial: coefficient * number for monomial, coefficient in a.items()} if number else {}


def product(a, b):
    """a * b."""
    result = {}
    for left, c in a.items():
        for right, d in b.items():
            monomial = tuple(sorted(left + right))
            result[monomial] = result.get(monomial, 0) + c * d
    return {monomial: coefficient for monomial, coefficient in result.items() if coefficient}


def of_number(number):
    """A constant."""
    return {ONE: number} if number else {}


def of_symbol(symbol):
    """A single symbol."""
    return {(symbol,): 1}


def constant(a):
    """The constant that the polynomial is, or None."""
    if not a:
        return 0
    return a[ONE] if len(a) == 1 and ONE in a else None


def modulo(a, modulus):
    """The polynomial with its coefficients reduced."""
    return {m: c % modulus for m, c in a.items() if c % modulus}


def shifted(a, count):
    """The polynomial divided by 2^count, which must divide every coefficient."""
    assert all(not c & (1 << count) - 1 for c in a.values()), "the division is not exact"
    return {m: c >> count for m, c in a.items()}


def twos(a):
    """The greatest k such that 2^k divides every coefficient; None for zero."""
    return min(((c & -c).bit_length() - 1 for c in a.values()), default=None)


def frozen(a):
    """A key for dictionaries."""
    return frozenset(a.items())
