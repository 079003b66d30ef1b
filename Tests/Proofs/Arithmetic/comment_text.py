"""The comments of a source, and where they name a number that is a bound or could be one."""
import re

WORDS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|sixteen"
NUMBER = rf"(?:-?\d|\(|\||(?:{WORDS})\b|[pnm]\b|`?[a-z] [*/])"
# A divisor, a modulus, a factor or a weight is no bound.
BEFORE = "".join(rf"(?<!\b{word} )" for word in ("mod", "modulo", "by", "times", "weighs", "weight", "R ="))
POWER = BEFORE + r"(?<!/ )\b2\^\(?\w+"
INTERVAL = r"[\[(]-?[\d.pnm^*+ -]+, -?[\d.pnm^*+ -]+[\])]"
SIGN = r"(?<![-<>=&])[<>]=?(?![<>=])|[≤≥]"
COMPARISON = (r"\b(?:below|above|at most|at least|within|beyond|exceeds?|(?:less|more|fewer|larger|greater|smaller) than|"
              rf"up to|as large as|from|hold|holds|fits?)\s+(?:a |any |the )?{NUMBER}")
MULTIPLE = r"\b\d+(?:\.\d+)? ?[pnm]\b"
COUNT = (rf"\b(?:\d+|{WORDS}) (?:rounds|additions|terms|subtractions|windows|steps bring)\b|"
         rf"(?<!of )\b(?:\d+|{WORDS}) (?:free )?bits\b")
RANGE = rf"\b(?:\d+|{WORDS}) (?:to|or) (?:\d+|{WORDS})\b"
NUMBERS = re.compile("|".join((POWER, INTERVAL, SIGN, COMPARISON, MULTIPLE, COUNT, RANGE)))
COMMENT = re.compile(r"^(.*?)(?<![:\w])///?(.*)$")


class Comment:
    """A comment with its lines joined. One behind code has that code before it: `start` is where the comment begins."""

    def __init__(self, line, code, text):
        self.line, self.is_behind_code = line, bool(code)
        before = f"{code} // " if code else ""
        self.text, self.start = before + text, len(before)

    def extend(self, text):
        self.text = f"{self.text} {text}".strip()

    def numbers(self):
        """Where numbers are named."""
        return [match.span() for match in NUMBERS.finditer(self.text, self.start)]


def comments_of(text):
    """The comments of a source, in order. Lines of comment in a row are one."""
    if re.search(r"/\*|\*/", text):
        raise ValueError("a comment between /* and */ would not be read")
    found, current = [], None
    for number, line in enumerate(text.splitlines(), 1):
        match = COMMENT.match(line)
        if not match or match[1].count('"') % 2:
            current = None
            continue
        code, words = " ".join(match[1].split()), " ".join(match[2].split())
        if current and not code:
            current.extend(words)
        else:
            current = Comment(number, code, words)
            found.append(current)
            current = None if code else current
    return found
