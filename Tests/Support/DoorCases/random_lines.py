"""Texts of lines by chance, and what every door must say of them: a property of all that read lines.

The rule is written here anew, so that no door is its own judge: a line ends with a line feed, and one carriage return before
it belongs to the end; an empty line is counted and has no verdict.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

Verdict = dict[str, Any]


def texts(token: bytes, receipt: bytes, count: int) -> Iterator[tuple[bytes, list[bytes], list[Verdict]]]:
    """A text, the same text in parts, and the verdicts as the cases of cases.json have them.

    Parts are single bytes in a row, short, long or empty ones; a return and its line feed are often apart.
    """
    header, payload, signature = token.split(b".")
    forged = b".".join((header, payload, (b"B" if signature.startswith(b"A") else b"A") + signature[1:]))
    kinds = (
        (token, "verified"), (b'{"signedPayload":"%s"}' % token, "verified"), (receipt, "verified"),
        (forged, "invalidSignature"), (token + b"\r\r", "invalidEncoding"), (b" " + token, "invalidEncoding"),
        (b"x", "invalidEncoding"), (b"\xff", "invalidEncoding"), (b"{", "invalidEncoding"), (b"", None), (b"", None),
    )
    chance = random.Random(34)
    for _ in range(count):
        text, verdicts = b"", []
        number = chance.randrange(1, 14)
        for line in range(1, number + 1):
            content, outcome = chance.choice(kinds)
            # The last line may lack its end. A return there belongs to it, as before a line feed.
            ends = (b"\n", b"\r\n") if line < number else (b"\n", b"\r\n", b"\r", b"")
            text += content + chance.choice(ends)
            if outcome:
                verdicts.append({"line": line, "outcome": outcome})
        yield text, list(parts(text, chance)), verdicts


def parts(text: bytes, chance: random.Random) -> Iterator[bytes]:
    start = 0
    while start < len(text):
        returns = text.find(b"\r", start)
        # Through the middle of an end; a few single bytes; or a piece of any length.
        way = chance.randrange(4)
        if way == 0 and returns >= 0:
            lengths = [returns + 1 - start]
        elif way == 1:
            lengths = [1] * chance.randrange(1, 4)
        else:
            lengths = [chance.randrange(0, 2_000)]
        for length in lengths:
            yield text[start:start + length]
            start += length
