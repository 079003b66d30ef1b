"""Words of which only their origin is known."""


class Opaque:
    """A word, or several or-ed ones, of which a called function's contract speaks."""

    def __init__(self, source, parts=frozenset()):
        self.source, self.parts = source, parts


class Tests(Opaque):
    """That these words are zero."""
